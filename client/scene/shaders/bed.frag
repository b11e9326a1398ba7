// The cloth on the bed: weave, wear, lamp light, shade of the cushions and of the cue. The balls'
// shade is laid over it by `shade`.
#include "light.glsl"
uniform sampler2D weave;
uniform mat4 p3d_ViewMatrixInverse;
uniform vec4 cue_shade;      // ends of the cue's shadow on the bed, m
uniform vec2 cue_height;     // height of the cue at these ends, m; both 0 when it is away
in vec3 place;
out vec4 pixel;

void main() {
    vec2 at = place.xy;
    vec2 inside = bed_size.xy - abs(at);
    float gap = max(min(inside.x, inside.y) + 0.012, 0.0) * 33.0;
    float light = bed_irradiance(at) * (1.0 - 0.62 / (1.0 + gap * gap));
#if QUALITY > 0
    if (cue_height.y > 0.0) {
        vec2 line = cue_shade.zw - cue_shade.xy;
        float along = clamp(dot(at - cue_shade.xy, line) / dot(line, line), 0.0, 1.0);
        float high = mix(cue_height.x, cue_height.y, along);
        vec2 away = at - cue_shade.xy - along * line;
        float wide = 0.007 + 0.22 * high;
        float d2 = dot(away, away) / (wide * wide);
        light *= 1.0 - 0.0044 / (wide * (1.0 + d2 * d2));
    }
#endif
    vec3 colour = cloth_tint * (0.74 + 0.52 * texture(weave, at * 24.0).r);
#if QUALITY > 0
    colour *= 0.90 + 0.20 * texture(weave, at * 0.9 + vec2(0.13, 0.4)).g;
    float graze = 1.0 - normalize(p3d_ViewMatrixInverse[3].xyz - place).z;
    colour += (0.35 * cloth_tint + 0.02) * graze * graze * graze;
#endif
    pixel = vec4(develop(colour * (light + 0.04)), 1.0);
}
