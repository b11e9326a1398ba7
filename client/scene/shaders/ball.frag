// A ball: painted by its own normal (stripe, number, dots), lit and polished.
#include "light.glsl"
#define NEIGHBOURS 6
uniform vec4 around[NEIGHBOURS];  // centres and radii of the nearest balls, radius 0 for none
uniform sampler2D numbers;  // signed distance to the digits, sixteen cells
uniform mat4 p3d_ViewMatrixInverse;
uniform vec4 paint;         // linear colour; w: 0 dots, 1 solid, 2 stripe, 3 rings
uniform vec4 marking;       // column and row of its number, radius of the disc, unused
uniform vec3 ground;        // linear colour of the dots, or of the white
centroid in vec3 place;
centroid in vec3 normal;
centroid in vec3 own;
out vec4 pixel;

const vec3 IVORY = vec3(0.84, 0.81, 0.72);

// Coverage of an edge where `inside` passes zero, one pixel wide.
float cover(float inside) {
    float w = max(fwidth(inside), 1e-5);
    return clamp(inside / w + 0.5, 0.0, 1.0);
}

vec3 painted(vec3 n) {
    if (paint.w < 0.5 || paint.w > 2.5) {
        vec3 a = abs(n);
        float top = max(a.x, max(a.y, a.z));
        float mark = cover(top - 0.976);
        if (paint.w > 2.5) mark *= 1.0 - cover(top - 0.992);
        return mix(paint.rgb, ground, mark);
    }
    vec3 colour = paint.rgb;
    if (paint.w > 1.5) colour = mix(IVORY, colour, cover(0.53 - abs(n.z)));
    vec2 disc = vec2(n.x > 0.0 ? n.y : -n.y, n.z) / marking.z;
    float inside = cover(1.0 - length(disc));
    vec2 cell = (marking.xy + 0.5 + 0.5 * vec2(disc.x, disc.y)) / 4.0;
    float d = texture(numbers, cell).r - 0.5;
    float w = max(fwidth(disc.x) + fwidth(disc.y), 1e-4);
    // Seen from afar the strokes are drawn bolder, or they would fade into the disc.
    float ink = clamp(d * 1.52 / w + 0.5 + 0.45 * smoothstep(0.08, 0.35, w), 0.0, 1.0);
    vec3 label = mix(IVORY, vec3(0.012), ink);
    return mix(colour, label, inside);
}

#if QUALITY > 0
// How much of the view along a normal the neighbours leave open.
float open_view(vec3 at, vec3 normal) {
    float left = 1.0;
    for (int i = 0; i < NEIGHBOURS; ++i) {
        vec3 to = around[i].xyz - at;
        float inv = inversesqrt(dot(to, to));
        float facing = max(dot(normal, to) * inv + 0.25, 0.0);
        left *= 1.0 - min(0.8 * facing * around[i].w * around[i].w * inv * inv, 0.85);
    }
    return left;
}
#endif

#if QUALITY > 1
// The neighbours in the mirror: nearest hit of the ray, with a plain light on it.
vec3 neighbours(vec3 at, vec3 ray, vec3 behind) {
    float nearest = 1e9;
    vec3 seen = behind;
    for (int i = 0; i < NEIGHBOURS; ++i) {
        vec3 to = around[i].xyz - at;
        float along = dot(to, ray);
        float miss = dot(to, to) - along * along;
        float r2 = around[i].w * around[i].w;
        if (along > 0.0 && miss < r2 && along < nearest) {
            nearest = along;
            float z = (ray.z * (along - sqrt(r2 - miss)) + at.z - around[i].z) / around[i].w;
            seen = mix(cloth_tint * 0.1, vec3(0.30), 0.5 + 0.5 * z);
        }
    }
    return seen;
}
#endif

void main() {
    vec3 n = normalize(normal);
    vec3 view = normalize(p3d_ViewMatrixInverse[3].xyz - place);
    vec3 colour = painted(normalize(own));
    float shade = clamp(1.25 + 1.25 * n.z, 0.0, 1.0);  // the ball's own contact with the bed
#if QUALITY > 0
    shade *= open_view(place + n * 0.004, n);
#endif
    float bounce = (0.5 - 0.5 * n.z) * bed_irradiance(place.xy) * 0.55;
    vec3 lit = colour * (irradiance(place, n) * shade + 0.06)
             + colour * cloth_tint * bounce * clamp(0.35 + shade, 0.0, 1.0);
    float away = 1.0 - clamp(dot(n, view), 0.0, 1.0);
    float away2 = away * away;
    float mirror = 0.042 + 0.5 * away2 * away2 * away;
    vec3 ray = reflect(-view, n);
    vec3 seen = surroundings(place, ray, 0.04);
#if QUALITY > 1
    seen = neighbours(place, ray, seen);
#endif
    lit += mirror * seen;
    // Going down a pocket the lamp is lost: all but black where the physics lets go of the ball,
    // 60 mm below the bed, so that nothing is seen to vanish.
    lit *= clamp(1.0 + place.z * 26.0, 0.04, 1.0);
    pixel = vec4(develop(lit), 1.0);
}
