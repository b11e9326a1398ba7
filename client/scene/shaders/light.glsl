// The lamp over the table, a long soft box, and how its light becomes a pixel.
uniform vec4 lamp;        // half length, half width, height over the bed, strength
uniform vec4 bed_size;    // half length, half width, nose height, ball radius
uniform vec3 cloth_tint;  // linear colour of the cloth

// Light on a surface: three strips of the lamp, each cos * cos / d^2.
float irradiance(vec3 at, vec3 normal) {
    float sum = 0.0;
    for (int i = -1; i <= 1; ++i) {
        vec3 to = vec3(0.72 * lamp.x * float(i), 0.0, lamp.z) - at;
        float d2 = dot(to, to);
        sum += max(dot(normal, to), 0.0) * to.z / (d2 * d2);
    }
    return sum * lamp.w;
}

// The same on the level bed, with nothing squared twice.
float bed_irradiance(vec2 at) {
    float h2 = lamp.z * lamp.z;
    float y2 = at.y * at.y + h2;
    float step_x = 0.72 * lamp.x;
    vec3 dx = vec3(at.x - step_x, at.x, at.x + step_x);
    vec3 d2 = dx * dx + y2;
    vec3 inv = 1.0 / d2;
    return dot(inv, inv) * h2 * lamp.w;
}

// What a mirror at `at` sees along `ray`: lamp panels, dark room, lit cloth.
vec3 surroundings(vec3 at, vec3 ray) {
    if (ray.z > 0.0) {
        vec2 q = abs(at.xy + ray.xy * ((lamp.z - at.z) / max(ray.z, 0.001)));
        vec2 inside = smoothstep(vec2(0.05), vec2(-0.03), q - lamp.xy);
        float bars = 1.0;
#if QUALITY > 0
        float third = lamp.x * 0.667;
        float from_bar = abs(mod(q.x + 0.5 * third, third) - 0.5 * third);
        from_bar = abs(q.x - 0.333 * lamp.x);
        bars = smoothstep(0.010, 0.035, from_bar);
#endif
        float glow = inside.x * inside.y * bars;
        return vec3(24.0, 23.2, 21.4) * glow + vec3(0.035, 0.037, 0.042) * (0.6 + ray.z);
    }
    vec2 q = at.xy + ray.xy * (at.z / max(-ray.z, 0.02));
    vec2 edge = smoothstep(vec2(0.03), vec2(-0.03), abs(q) - bed_size.xy);
    float on_bed = edge.x * edge.y;
    return mix(vec3(0.02, 0.016, 0.014), cloth_tint * bed_irradiance(q) * 0.8, on_bed);
}

// Filmic shoulder and a gamma of two.
vec3 develop(vec3 light) {
    vec3 c = light * 0.92;
    c = (c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14);
    return sqrt(clamp(c, 0.0, 1.0));
}
