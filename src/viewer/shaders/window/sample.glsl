// The stored value at a point of the picture: `sampled`. Points count in pixels of the texture's level, 0, 0 the top left corner.
uniform IMAGE_SAMPLER uImage;
#if SAMPLING != SAMPLING_PLACED
uniform vec2 uImageSize;
uniform vec2 uTileOrigin;
uniform vec2 uTileSize;
uniform vec2 uFootprint;
// Fragment to point: x' = .x x + .z y + origin.x, y' = .y x + .w y + origin.y. Interpolated coordinates would be off by as much
// as the rasteriser moves the corners.
uniform vec4 uToImage;
uniform vec2 uToImageOrigin;

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
// The mean of the pixels under one device pixel, each weighted by the area that it shares with it. The box keeps its width when
// the picture is turned: it then spreads (second moments) just as far as the turned device pixel does.
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

Value valueHere() {
  tileOrigin = ivec2(uTileOrigin);
  tileLast = ivec2(uTileSize) - 1;
  return sampled(uToImage.xy * gl_FragCoord.x + uToImage.zw * gl_FragCoord.y + uToImageOrigin);
}
#endif
