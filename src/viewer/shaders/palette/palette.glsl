// Grey to colour, with linear interpolation between table entries. reference.ts is the same in TypeScript.
#if PALETTE == PALETTE_TABLE
uniform sampler2D uPalette;

vec3 coloured(float grey) {
  float at = clamp(grey, 0.0, 1.0) * 255.0;
  int below = min(int(at), 254);
  vec3 one = texelFetch(uPalette, ivec2(below, 0), 0).rgb;
  vec3 other = texelFetch(uPalette, ivec2(below + 1, 0), 0).rgb;
  return mix(one, other, at - float(below));
}
#else
vec3 coloured(float grey) {
  return vec3(grey);
}
#endif
