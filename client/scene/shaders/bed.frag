// The cloth on the bed: weave, wear, lamp light, shade of cushions and balls.
#include "light.glsl"
#include "balls.glsl"
uniform sampler2D weave;
uniform mat4 p3d_ViewMatrixInverse;
in vec3 place;
out vec4 pixel;

void main() {
    vec2 at = place.xy;
    float light = bed_irradiance(at) * bed_shade(at);
    vec2 inside = bed_size.xy - abs(at);
    float gap = max(min(inside.x, inside.y) + 0.012, 0.0) / 0.030;
    light *= 1.0 - 0.62 / (1.0 + gap * gap);
    vec3 colour = cloth_tint;
    float thread = texture(weave, at * 14.0).r;
    colour *= 0.62 + 0.76 * thread;
#if QUALITY > 0
    float nap = texture(weave, at * 0.9 + vec2(0.13, 0.4)).g;
    colour *= 0.88 + 0.24 * nap;
    vec3 view = normalize(p3d_ViewMatrixInverse[3].xyz - place);
    float graze = 1.0 - view.z;
    colour += (0.35 * cloth_tint + 0.02) * graze * graze * graze;
#endif
    pixel = vec4(develop(colour * (light + 0.035)), 1.0);
}
