// The lamp over the table, a long soft box, and how its light becomes a pixel.
uniform vec4 lamp;        // half length, half width, height over the bed, strength
uniform vec4 bed_size;    // half length, half width, nose height, ball radius
uniform vec3 cloth_tint;  // linear colour of the cloth

const float SPREAD = 0.9;  // the outer strips of the lamp, in its half lengths

// Light on a surface: three strips of the lamp, each cos * cos / d^2.
float irradiance(vec3 at, vec3 normal) {
    float sum = 0.0;
    for (int i = -1; i <= 1; ++i) {
        vec3 to = vec3(SPREAD * lamp.x * float(i), 0.0, lamp.z) - at;
        float d2 = dot(to, to);
        sum += max(dot(normal, to), 0.0) * to.z / (d2 * d2);
    }
    return sum * lamp.w;
}

// The same on the level bed.
float bed_irradiance(vec2 at) {
    float h2 = lamp.z * lamp.z;
    float step_x = SPREAD * lamp.x;
    vec3 dx = vec3(at.x - step_x, at.x, at.x + step_x);
    vec3 inv = 1.0 / (dx * dx + (at.y * at.y + h2));
    return dot(inv, inv) * h2 * lamp.w;
}

// What a mirror at `at` sees along `ray`: lamp panels, dark room, lit cloth. A dull coat blurs
// the lamp's edge over `blur` metres.
vec3 surroundings(vec3 at, vec3 ray, float blur) {
    if (ray.z > 0.0) {
        vec2 q = abs(at.xy + ray.xy * ((lamp.z - at.z) / max(ray.z, 0.001)));
        vec2 inside = smoothstep(vec2(blur), vec2(-blur), q - lamp.xy);
        float glow = inside.x * inside.y;
#if QUALITY > 0
        // Two bars part the lamp into three panels.
        glow *= mix(1.0, smoothstep(0.012, 0.034, abs(q.x - 0.333 * lamp.x)), step(blur, 0.08));
#endif
        return vec3(15.0, 14.6, 13.6) * glow + vec3(0.035, 0.037, 0.042) * (0.6 + ray.z);
    }
    vec2 q = at.xy + ray.xy * (at.z / max(-ray.z, 0.02));
    vec2 edge = smoothstep(vec2(0.03), vec2(-0.03), abs(q) - bed_size.xy);
    float on_bed = edge.x * edge.y;
    return mix(vec3(0.02, 0.016, 0.014), cloth_tint * bed_irradiance(q) * 0.8, on_bed);
}

// Filmic shoulder and a gamma of two.
vec3 develop(vec3 light) {
    vec3 c = (light * (2.51 * light + 0.03)) / (light * (2.43 * light + 0.59) + 0.14);
    return sqrt(clamp(c, 0.0, 1.0));
}
