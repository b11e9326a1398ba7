// The floor: a dark carpet in what the lamp spills past the table, and the table's own shade.
#include "light.glsl"
in vec3 place;
in vec3 normal;
in vec2 uv;
out vec4 pixel;

void main() {
    vec2 out_of = max(abs(place.xy) - bed_size.xy - 0.1, 0.0);
    float away = length(out_of);
    float shade = 0.25 + 0.75 * smoothstep(0.0, 0.9, away);
    float light = shade / (1.0 + 0.55 * away * away);
    pixel = vec4(develop(vec3(0.052, 0.044, 0.043) * light), 1.0);
}
