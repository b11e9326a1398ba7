// Floor and walls: a dark room in what the lamp spills past the table, and the table's own shade.
// Both end in one colour, so that no line parts them.
#include "light.glsl"
centroid in vec3 place;
centroid in vec3 normal;
centroid in vec2 uv;
out vec4 pixel;

const vec3 DARK = vec3(0.0085, 0.0085, 0.0098);

void main() {
    float away = length(max(abs(place.xy) - bed_size.xy - 0.1, 0.0));
    float shade = 0.15 + 0.85 * smoothstep(0.0, 0.9, away);
    float reach = max(1.0 - away / 4.2, 0.0);
    vec3 carpet = vec3(0.062, 0.050, 0.046) * shade * reach * reach + DARK;
    float high = clamp((place.z + 0.765) / 3.6, 0.0, 1.0);
    pixel = vec4(develop(normal.z > 0.5 ? carpet : DARK * (1.0 - 0.8 * high)), 1.0);
}
