in vec2 aPosition;
in vec2 aUV;
out vec2 vImagePoint;

uniform mat3 uProjectionMatrix;
uniform mat3 uWorldTransformMatrix;
uniform mat3 uTransformMatrix;

// aUV holds image pixels, not fractions: the fragment shader counts in image pixels.
void main() {
  mat3 toClip = uProjectionMatrix * uWorldTransformMatrix * uTransformMatrix;
  gl_Position = vec4((toClip * vec3(aPosition, 1.0)).xy, 0.0, 1.0);
  vImagePoint = aUV;
}
