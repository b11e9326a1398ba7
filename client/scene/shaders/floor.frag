// Floor and walls of a dark room: boards in what the lamp spills past the table, the table's own
// shade, and panelling that is barely there. Nothing in it is brighter than the dimmest wood.
#include "light.glsl"
centroid in vec3 place;
centroid in vec3 normal;
centroid in vec2 uv;
out vec4 pixel;

const vec3 DARK = vec3(0.0085, 0.0085, 0.0098);

// Boards 14 cm wide along x, each of its own tone, with a joint between them.
float boards(vec2 at) {
    float row = at.y / 0.14;
    float across = fract(row);
    float tone = fract(sin(floor(row) * 12.99 + floor(at.x / 1.9 + floor(row) * 0.37) * 4.7) * 437.5);
    float blur = min(fwidth(row) * 1.5, 1.0);
    float joint = smoothstep(0.0, 0.03 + blur, min(across, 1.0 - across));
    return mix((0.72 + 0.5 * tone) * (0.45 + 0.55 * joint), 0.85, smoothstep(0.3, 0.9, blur));
}

// Panels to 1.1 m of the wall with a rail on top; `along` counts panels.
float panels(float along, float high) {
    vec2 at = vec2(abs(fract(along) - 0.5), abs(high / 1.1 - 0.5));
    float field = smoothstep(0.40, 0.37, at.x) * smoothstep(0.38, 0.36, at.y);
    float rail = smoothstep(0.03, 0.0, abs(high - 1.1));
    return high < 1.1 ? 1.0 - 0.35 * field + 0.5 * rail : 0.7 + 0.8 * rail;
}

void main() {
    float away = length(max(abs(place.xy) - bed_size.xy - 0.1, 0.0));
    float shade = 0.15 + 0.85 * smoothstep(0.0, 0.9, away);
    float reach = max(1.0 - away / 4.8, 0.0);
    vec3 light = vec3(0.066, 0.050, 0.040) * shade * reach * reach;
    float high = place.z + 0.765;
    vec3 wall = DARK * (1.3 - 0.3 * clamp(high, 0.0, 3.6));
#if QUALITY > 0
    light *= boards(place.xy);
    wall = (DARK + vec3(0.010, 0.006, 0.003) * smoothstep(2.4, 0.6, high))
        * panels(uv.x * 36.0, high);
#endif
    pixel = vec4(develop(normal.z > 0.5 ? light + DARK : max(wall, 0.0)), 1.0);
}
