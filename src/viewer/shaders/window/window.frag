// Follows sample.glsl and, except for OUTPUT_VALUE, grey.glsl and palette.glsl. variants.ts writes the defines.
out vec4 outColour;

#if SAMPLING == SAMPLING_PLACED
in vec2 vPlaced;
#endif

void main() {
#if SAMPLING == SAMPLING_PLACED
  // A texel is a device pixel.
  Value value = texture(uImage, vPlaced).r;
  if (value < OUTSIDE) discard;
#else
  Value value = valueHere();
#endif
#if OUTPUT == OUTPUT_VALUE
  outColour = vec4(value, 0.0, 0.0, 1.0);
#elif SAMPLES == SAMPLES_COLOUR
  outColour = vec4(presented(value), 1.0);
#else
  outColour = vec4(coloured(presented(value)), 1.0);
#endif
}
