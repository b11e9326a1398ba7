// Where the balls are, for the shade that they throw.
#define MOST_BALLS 18
uniform vec4 balls[MOST_BALLS];  // centre, radius
uniform int ball_count;

// How much of the view from a point along a normal the balls leave open.
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
