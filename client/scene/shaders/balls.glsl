// Where the balls are, for the shadows that they throw.
#define MOST_BALLS 18
uniform vec4 balls[MOST_BALLS];  // centre, radius
uniform int ball_count;

// Light left at a point of the bed: soft shadow and contact shade of every ball, analytic.
float bed_shade(vec2 at) {
    float left = 1.0;
    for (int i = 0; i < ball_count; ++i) {
        vec4 b = balls[i];
        float r2 = b.w * b.w;
        vec2 d = at - b.xy;
        float height = b.z / b.w;                       // 1 when it lies on the bed
        float t = dot(d, d) / r2;
        float ao = 1.0 / (height * height + t);         // form factor of a sphere, nearly
        vec2 s = d - b.xy * (b.z * 0.55 / lamp.z);
        s.x *= 0.86;
        float u = dot(s, s) / (r2 * (0.85 + 0.20 * height * height));
        float core = 0.78 / (height * (1.0 + u * u * u));
        left *= (1.0 - min(core, 0.9)) * (1.0 - min(0.55 * ao * height, 0.9));
    }
    return left;
}

// The same for any point and normal: how much of the view the balls block.
float nearby_shade(vec3 at, vec3 normal) {
    float left = 1.0;
    for (int i = 0; i < ball_count; ++i) {
        vec3 d = balls[i].xyz - at;
        float d2 = dot(d, d);
        float facing = max(dot(normal, d) * inversesqrt(d2) + 0.25, 0.0);
        left *= 1.0 - min(0.8 * facing * balls[i].w * balls[i].w / d2, 0.85);
    }
    return left;
}
