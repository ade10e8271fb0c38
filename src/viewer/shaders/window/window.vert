in vec2 aPosition;
#if SAMPLING == SAMPLING_PLACED
in vec2 aUV;
out vec2 vPlaced;
#endif

uniform mat3 uProjectionMatrix;
uniform mat3 uWorldTransformMatrix;
uniform mat3 uTransformMatrix;

void main() {
  mat3 toClip = uProjectionMatrix * uWorldTransformMatrix * uTransformMatrix;
  gl_Position = vec4((toClip * vec3(aPosition, 1.0)).xy, 0.0, 1.0);
#if SAMPLING == SAMPLING_PLACED
  vPlaced = aUV;
#endif
}
