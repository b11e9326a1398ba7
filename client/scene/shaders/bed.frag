// The cloth on the bed: weave, wear, lamp light, shade of the cushions. What balls and cue keep
// from it is laid over it by `shade` and `cue_shade`.
#include "light.glsl"
uniform sampler2D weave;
uniform sampler2D wear;
uniform mat4 p3d_ViewMatrixInverse;
in vec3 place;
out vec4 pixel;

void main() {
    vec2 at = place.xy;
    vec2 inside = bed_size.xy - abs(at);
    float gap = max(min(inside.x, inside.y) + 0.012, 0.0) * 33.0;
    float light = bed_irradiance(at) * (1.0 - 0.62 / (1.0 + gap * gap));
#if QUALITY == 0
    vec3 colour = cloth_tint * 0.99;
#else
    vec3 colour = cloth_tint * (0.74 + 0.52 * texture(weave, at * 24.0).r);
#if QUALITY > 1
    // Half is a clean cloth: dust darkens it, chalk and wear make it pale.
    float used = texture(wear, 0.5 + 0.5 * at / bed_size.xy).r;
    colour *= 0.70 + 0.60 * used;
    colour += max(used - 0.56, 0.0) * vec3(0.16, 0.19, 0.22);
#endif
    float graze = 1.0 - normalize(p3d_ViewMatrixInverse[3].xyz - place).z;
    colour += (0.35 * cloth_tint + 0.02) * graze * graze * graze;
#endif
    pixel = vec4(develop(colour * (light + 0.04)), 1.0);
}
