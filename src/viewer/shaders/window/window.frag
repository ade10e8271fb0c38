// Stored value -> modality -> VOI -> presentation -> display (DICOM PS3.3 C.11.1, C.11.2, C.11.6).
// The defines are written by variants.ts; reference.ts is the same arithmetic in TypeScript.
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
precision highp isampler2D;

out vec4 outColour;

uniform IMAGE_SAMPLER uImage;
uniform vec2 uImageSize;
uniform vec2 uTileOrigin;
uniform vec2 uTileSize;
uniform vec2 uFootprint;
// Fragment to image point: x' = .x x + .z y + origin.x, y' = .y x + .w y + origin.y. Interpolated coordinates would be
// off by as much as the rasteriser moves the corners.
uniform vec4 uToImage;
uniform vec2 uToImageOrigin;
uniform vec2 uRescale;
uniform vec2 uWindow;
uniform float uInverted;
uniform float uInverseGamma;
uniform vec4 uClip;

#if MODALITY == MODALITY_LUT
uniform usampler2D uModalityLut;
uniform vec2 uModalityLutRange;
#endif
#if VOI == VOI_LUT
uniform usampler2D uVoiLut;
uniform vec2 uVoiLutRange;
uniform float uVoiLutUnit;
#endif

#if SAMPLES == SAMPLES_COLOUR
#define Value vec3
#else
#define Value float
#endif

// Set once a fragment by main: the first image pixel and the last texel of this tile. A tile ends where the picture does,
// or beyond all that is read beside its core, so that its edge stands for the edge of the picture.
ivec2 tileOrigin;
ivec2 tileLast;

Value storedValue(ivec2 pixel) {
  ivec2 inTile = clamp(pixel - tileOrigin, ivec2(0), tileLast);
#if SAMPLES == SAMPLES_COLOUR
  return texelFetch(uImage, inTile, 0).rgb * 255.0;
#else
  return float(texelFetch(uImage, inTile, 0).r);
#endif
}

#if SAMPLING == SAMPLING_NEAREST
Value sampled(vec2 point) {
  return storedValue(ivec2(floor(point)));
}
#endif

#if SAMPLING == SAMPLING_LINEAR
Value sampled(vec2 point) {
  vec2 corner = floor(point - 0.5);
  vec2 part = point - 0.5 - corner;
  ivec2 p = ivec2(corner);
  Value above = mix(storedValue(p), storedValue(p + ivec2(1, 0)), part.x);
  Value below = mix(storedValue(p + ivec2(0, 1)), storedValue(p + ivec2(1, 1)), part.x);
  return mix(above, below, part.y);
}
#endif

#if SAMPLING == SAMPLING_CUBIC
// Catmull-Rom: passes through the stored values.
vec4 cubicWeights(float f) {
  return vec4(
    f * (-0.5 + f * (1.0 - 0.5 * f)),
    1.0 + f * f * (-2.5 + 1.5 * f),
    f * (0.5 + f * (2.0 - 1.5 * f)),
    f * f * (-0.5 + 0.5 * f)
  );
}

Value cubicLine(ivec2 p, vec4 weights) {
  return weights.x * storedValue(p + ivec2(-1, 0)) + weights.y * storedValue(p) +
    weights.z * storedValue(p + ivec2(1, 0)) + weights.w * storedValue(p + ivec2(2, 0));
}

Value sampled(vec2 point) {
  vec2 corner = floor(point - 0.5);
  vec2 part = point - 0.5 - corner;
  ivec2 p = ivec2(corner);
  vec4 across = cubicWeights(part.x);
  vec4 down = cubicWeights(part.y);
  Value sum = Value(0.0);
  sum += down.x * cubicLine(p + ivec2(0, -1), across);
  sum += down.y * cubicLine(p, across);
  sum += down.z * cubicLine(p + ivec2(0, 1), across);
  sum += down.w * cubicLine(p + ivec2(0, 2), across);
  return sum;
}
#endif

#if SAMPLING == SAMPLING_AREA
// The mean of the image pixels under one device pixel, each weighted by the area that it shares with it.
// From 16 pixels on, every second, third, ... pixel is read, so that the work stays bounded.
Value sampled(vec2 point) {
  vec2 low = clamp(point - 0.5 * uFootprint, vec2(0.0), uImageSize);
  vec2 high = clamp(point + 0.5 * uFootprint, vec2(0.0), uImageSize);
  ivec2 first = ivec2(floor(low));
  ivec2 last = ivec2(ceil(high)) - 1;
  ivec2 stride = ivec2(ceil(uFootprint / 16.0));
  Value sum = Value(0.0);
  float area = 0.0;
  for (int y = first.y; y <= last.y; y += stride.y) {
    float down = min(float(y + 1), high.y) - max(float(y), low.y);
    for (int x = first.x; x <= last.x; x += stride.x) {
      float weight = down * (min(float(x + 1), high.x) - max(float(x), low.x));
      sum += weight * storedValue(ivec2(x, y));
      area += weight;
    }
  }
  return area > 0.0 ? sum / area : storedValue(ivec2(floor(point)));
}
#endif

#if MODALITY == MODALITY_LUT || VOI == VOI_LUT
// Between two entries (only where neighbouring pixels are mixed) the value lies between them too.
float lookedUp(usampler2D lut, vec2 range, float value) {
  float index = clamp(value - range.x, 0.0, range.y - 1.0);
  float below = floor(index);
  int i = int(below);
  int j = min(i + 1, int(range.y) - 1);
  int across = textureSize(lut, 0).x;
  float one = float(texelFetch(lut, ivec2(i % across, i / across), 0).r);
  float other = float(texelFetch(lut, ivec2(j % across, j / across), 0).r);
  return mix(one, other, index - below);
}
#endif

Value modalityValue(Value stored) {
#if MODALITY == MODALITY_LUT
  return lookedUp(uModalityLut, uModalityLutRange, stored);
#else
  return stored * uRescale.x + uRescale.y;
#endif
}

Value windowed(Value value) {
#if VOI == VOI_LINEAR
  // PS3.3 C.11.2.1.2.1
  float span = uWindow.y - 1.0;
  if (span <= 0.0) return 1.0 - step(value, Value(uWindow.x - 0.5));
  return clamp((value - (uWindow.x - 0.5)) / span + 0.5, 0.0, 1.0);
#elif VOI == VOI_LINEAR_EXACT
  // PS3.3 C.11.2.1.3.2
  return clamp((value - uWindow.x) / uWindow.y + 0.5, 0.0, 1.0);
#elif VOI == VOI_SIGMOID
  // PS3.3 C.11.2.1.3.1
  return 1.0 / (1.0 + exp(-4.0 * (value - uWindow.x) / uWindow.y));
#else
  return lookedUp(uVoiLut, uVoiLutRange, value) * uVoiLutUnit;
#endif
}

Value presented(Value grey) {
  Value shown = uInverted > 0.5 ? 1.0 - grey : grey;
  return uInverseGamma == 1.0 ? shown : pow(clamp(shown, 0.0, 1.0), Value(uInverseGamma));
}

void main() {
  if (any(lessThan(gl_FragCoord.xy, uClip.xy)) || any(greaterThan(gl_FragCoord.xy, uClip.zw))) discard;
  tileOrigin = ivec2(uTileOrigin);
  tileLast = ivec2(uTileSize) - 1;
  vec2 point = uToImage.xy * gl_FragCoord.x + uToImage.zw * gl_FragCoord.y + uToImageOrigin;
  Value shown = presented(windowed(modalityValue(sampled(point))));
#if SAMPLES == SAMPLES_COLOUR
  outColour = vec4(shown, 1.0);
#else
  outColour = vec4(vec3(shown), 1.0);
#endif
}
