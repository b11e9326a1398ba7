// The net of a pocket: cords that cross in diamonds with knots, and the dark behind them.
#include "light.glsl"
uniform vec3 cord;      // linear colour
centroid in vec3 place;
centroid in vec3 normal;
centroid in vec2 uv;    // meshes round the hole, meshes down
out vec4 pixel;

void main() {
    vec2 q = vec2(uv.x + uv.y, uv.x - uv.y);
    vec2 off = abs(fract(q) - 0.5) - 0.5;      // 0 on a cord, -0.5 between two
    vec2 wide = fwidth(q) * 0.7;
    vec2 on = smoothstep(-0.115 - wide, vec2(-0.075) + wide, off);
    vec2 round_ = clamp(1.0 + off / 0.13, 0.3, 1.0);
    float knot = smoothstep(0.24, 0.16, length(off));
    float cover = max(max(on.x, on.y), knot);
    float shape = max(max(on.x * round_.x, on.y * round_.y), 0.9 * knot);
    float light = irradiance(place, normalize(normal)) + 0.10;
    // Down in a pocket it grows dark.
    float sky = exp(place.z * 19.0);
    vec3 lit = mix(vec3(0.003), cord * shape * light, cover) * sky;
    pixel = vec4(develop(lit), 1.0);
}
