// Cloth on the cushions: as on the bed, with their slopes, and the balls' shade on them.
#include "light.glsl"
#include "balls.glsl"
uniform sampler2D weave;
uniform mat4 p3d_ViewMatrixInverse;
centroid in vec3 place;
centroid in vec3 normal;
centroid in vec2 uv;
out vec4 pixel;

void main() {
    vec3 n = normalize(normal);
    float light = irradiance(place, n);
    float low = clamp(place.z / bed_size.z, 0.0, 1.0);
    light *= 0.55 + 0.45 * low;
#if QUALITY > 1
    light *= nearby_shade(place, n);
#endif
#if QUALITY == 0
    vec3 colour = cloth_tint * 0.99;
#else
    vec3 colour = cloth_tint * (0.74 + 0.52 * texture(weave, uv * 24.0).r);
#endif
    vec3 bounce = cloth_tint * max(0.5 - 0.5 * n.z, 0.0) * bed_irradiance(place.xy) * 0.9;
    pixel = vec4(develop(colour * (light + bounce + 0.04)), 1.0);
}
