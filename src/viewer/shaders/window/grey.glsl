// Stored value -> modality -> VOI -> presentation (DICOM PS3.3 C.11.1, C.11.2, C.11.6). The linear steps are combined into one
// multiplication (`ramp` in uniforms.ts). reference.ts has the formulas of the standard.
#if VOI == VOI_LUT
uniform vec2 uRescale;
#else
// Centre, gain, and result at the centre.
uniform vec3 uRamp;
#endif
#if MODALITY == MODALITY_LUT
uniform usampler2D uModalityLut;
uniform vec2 uModalityLutRange;
#endif
#if VOI == VOI_LUT
uniform usampler2D uVoiLut;
uniform vec2 uVoiLutRange;
uniform float uVoiLutUnit;
#endif
#if VOI == VOI_LUT || VOI == VOI_STEP
uniform float uInverted;
#endif
#if GAMMA == GAMMA_CURVE
uniform float uInverseGamma;
#endif

#if MODALITY == MODALITY_LUT || VOI == VOI_LUT
// Interpolates between two entries; needed only for interpolated samples.
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

Value windowed(Value stored) {
#if MODALITY == MODALITY_LUT
  Value value = lookedUp(uModalityLut, uModalityLutRange, stored);
#elif VOI == VOI_LUT
  Value value = stored * uRescale.x + uRescale.y;
#else
  Value value = stored;
#endif
#if VOI == VOI_RAMP
  // PS3.3 C.11.2.1.2.1, C.11.2.1.3.2
  return clamp((value - uRamp.x) * uRamp.y + uRamp.z, 0.0, 1.0);
#elif VOI == VOI_SIGMOID
  // PS3.3 C.11.2.1.3.1
  return 1.0 / (1.0 + exp(-((value - uRamp.x) * uRamp.y + uRamp.z)));
#elif VOI == VOI_STEP
  // PS3.3 C.11.2.1.2.1 of a width of 1
  Value grey = 1.0 - step((value - uRamp.x) * uRamp.y + uRamp.z, Value(0.0));
  return uInverted > 0.5 ? 1.0 - grey : grey;
#else
  Value grey = lookedUp(uVoiLut, uVoiLutRange, value) * uVoiLutUnit;
  return uInverted > 0.5 ? 1.0 - grey : grey;
#endif
}

Value presented(Value stored) {
#if GAMMA == GAMMA_CURVE
  return pow(clamp(windowed(stored), 0.0, 1.0), Value(uInverseGamma));
#else
  return windowed(stored);
#endif
}
