// `sampled`: the stored value at a point of the picture. Points are in pixels of the texture's level, 0, 0 is the top left corner.
uniform IMAGE_SAMPLER uImage;
#if SAMPLING != SAMPLING_PLACED
uniform vec2 uTileOrigin;
uniform vec2 uTileSize;
uniform vec2 uFootprint;
// Fragment to point: x' = .x x + .z y + origin.x, y' = .y x + .w y + origin.y. Interpolated coordinates would have the rounding
// errors of the rasteriser.
uniform vec4 uToImage;
uniform vec2 uToImageOrigin;

// Set once per fragment: the first image pixel and the last texel of this tile. A tile ends at the edge of the picture or beyond
// everything read for its core, so clamping to the tile equals clamping to the picture.
ivec2 tileOrigin;
ivec2 tileLast;

// A texel of this tile.
Value texel(int x, int y) {
#if SAMPLES == SAMPLES_COLOUR
  return texelFetch(uImage, ivec2(x, y), 0).rgb * 255.0;
#else
  return float(texelFetch(uImage, ivec2(x, y), 0).r);
#endif
}

ivec2 inTile(ivec2 pixel) {
  return clamp(pixel - tileOrigin, ivec2(0), tileLast);
}

#if SAMPLING == SAMPLING_NEAREST || SAMPLING == SAMPLING_AREA
Value nearest(vec2 point) {
  ivec2 p = inTile(ivec2(floor(point)));
  return texel(p.x, p.y);
}
#endif

#if SAMPLING == SAMPLING_NEAREST
Value sampled(vec2 point) {
  return nearest(point);
}
#endif

#if SAMPLING == SAMPLING_LINEAR
Value sampled(vec2 point) {
  vec2 corner = floor(point - 0.5);
  vec2 part = point - 0.5 - corner;
  ivec2 p = inTile(ivec2(corner));
  ivec2 q = inTile(ivec2(corner) + 1);
  Value above = mix(texel(p.x, p.y), texel(q.x, p.y), part.x);
  Value below = mix(texel(p.x, q.y), texel(q.x, q.y), part.x);
  return mix(above, below, part.y);
}
#endif

#if SAMPLING == SAMPLING_CUBIC
// Catmull-Rom interpolation: passes through the stored values.
vec4 cubicWeights(float f) {
  return vec4(
    f * (-0.5 + f * (1.0 - 0.5 * f)),
    1.0 + f * f * (-2.5 + 1.5 * f),
    f * (0.5 + f * (2.0 - 1.5 * f)),
    f * f * (-0.5 + 0.5 * f)
  );
}

Value cubicLine(ivec4 x, int y, vec4 weights) {
  return weights.x * texel(x.x, y) + weights.y * texel(x.y, y) + weights.z * texel(x.z, y) + weights.w * texel(x.w, y);
}

Value sampled(vec2 point) {
  const ivec4 neighbours = ivec4(-1, 0, 1, 2);
  vec2 corner = floor(point - 0.5);
  vec2 part = point - 0.5 - corner;
  ivec2 p = ivec2(corner) - tileOrigin;
  ivec4 x = clamp(p.x + neighbours, 0, tileLast.x);
  ivec4 y = clamp(p.y + neighbours, 0, tileLast.y);
  vec4 across = cubicWeights(part.x);
  vec4 down = cubicWeights(part.y);
  return down.x * cubicLine(x, y.x, across) + down.y * cubicLine(x, y.y, across) +
    down.z * cubicLine(x, y.z, across) + down.w * cubicLine(x, y.w, across);
}
#endif

#if SAMPLING == SAMPLING_AREA
// Area-weighted mean of the pixels under one device pixel. The box keeps its width when the picture is rotated: its second moments
// equal those of the rotated device pixel. From 16 pixels on, every second, third, ... pixel is read, to bound the cost.
Value areaLine(ivec3 x, int y, vec3 weights) {
  return weights.x * texel(x.x, y) + weights.y * texel(x.y, y) + weights.z * texel(x.z, y);
}

Value sampled(vec2 point) {
  vec2 low = clamp(point - 0.5 * uFootprint - uTileOrigin, vec2(0.0), uTileSize);
  vec2 high = clamp(point + 0.5 * uFootprint - uTileOrigin, vec2(0.0), uTileSize);
  ivec2 first = ivec2(floor(low));
  ivec2 last = ivec2(ceil(high)) - 1;
  if (uFootprint.x < 2.0 && uFootprint.y < 2.0) {
    // At most three in each direction: unrolled, because the loop costs 25 % more in software rendering.
    const ivec3 next = ivec3(0, 1, 2);
    ivec3 x = min(first.x + next, last.x);
    ivec3 y = min(first.y + next, last.y);
    vec3 left = floor(low.x) + vec3(next);
    vec3 top = floor(low.y) + vec3(next);
    vec3 across = max(min(left + 1.0, high.x) - max(left, low.x), 0.0);
    vec3 down = max(min(top + 1.0, high.y) - max(top, low.y), 0.0);
    float covered = (high.x - low.x) * (high.y - low.y);
    Value total = down.x * areaLine(x, y.x, across) + down.y * areaLine(x, y.y, across) + down.z * areaLine(x, y.z, across);
    return covered > 0.0 ? total / covered : nearest(point);
  }
  ivec2 stride = ivec2(ceil(uFootprint / 16.0));
  Value sum = Value(0.0);
  float area = 0.0;
  for (int y = first.y; y <= last.y; y += stride.y) {
    Value line = Value(0.0);
    float width = 0.0;
    for (int x = first.x; x <= last.x; x += stride.x) {
      float weight = min(float(x + 1), high.x) - max(float(x), low.x);
      line += weight * texel(x, y);
      width += weight;
    }
    float down = min(float(y + 1), high.y) - max(float(y), low.y);
    sum += down * line;
    area += down * width;
  }
  return area > 0.0 ? sum / area : nearest(point);
}
#endif

Value valueHere() {
  tileOrigin = ivec2(uTileOrigin);
  tileLast = ivec2(uTileSize) - 1;
  return sampled(uToImage.xy * gl_FragCoord.x + uToImage.zw * gl_FragCoord.y + uToImageOrigin);
}
#endif
