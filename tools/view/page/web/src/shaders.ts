// SPDX-License-Identifier: MIT
// What the graphics card does for each vertex and each pixel.

export const vertexShader = `#version 300 es
in vec3 position;
in vec3 normal;
in vec4 color;
#ifdef TEXTURED
in vec2 uv;
out vec2 at;
#endif
uniform mat4 modelViewMatrix, projectionMatrix;
uniform float pointSize, nearer;
out vec3 seen, turned;
out vec4 tint;
void main() {
  vec4 place = modelViewMatrix * vec4(position, 1.0);
  seen = place.xyz;
  turned = mat3(modelViewMatrix) * normal;
  tint = color;
#ifdef TEXTURED
  at = uv;
#endif
  gl_Position = projectionMatrix * place;
  gl_Position.z -= nearer * gl_Position.w;
  gl_PointSize = pointSize;
}`;

export const fragmentShader = `#version 300 es
precision highp float;
in vec3 seen, turned;
in vec4 tint;
#ifdef TEXTURED
in vec2 at;
uniform sampler2D image;
#endif
uniform vec4 base;
uniform float usesTint, usesLight, isFlat, isRound;
out vec4 pixel;
void main() {
  if (isRound > 0.5 && length(gl_PointCoord - 0.5) > 0.5) discard;
  vec4 color = mix(base, tint, usesTint);
#ifdef TEXTURED
  color *= texture(image, at);
#endif
  if (usesLight > 0.5) {
    vec3 facing = normalize(cross(dFdx(seen), dFdy(seen)));
    vec3 n = isFlat > 0.5 || dot(turned, turned) < 1e-8 ? facing : normalize(turned);
    if (dot(n, seen) > 0.0) n = -n;
    float key = max(dot(n, normalize(vec3(-0.35, 0.55, 0.75))), 0.0);
    float fill = max(dot(n, normalize(vec3(0.7, -0.25, 0.55))), 0.0);
    color.rgb *= 0.30 + 0.62 * key + 0.18 * fill;
  }
  pixel = vec4(color.rgb * color.a, color.a);
}`;
