// What a ball leaves of the light on the bed: soft shadow of the long lamp and contact shade,
// both analytic. It is multiplied into the picture, so shades of neighbours add up.
in vec2 from_foot;
flat in vec3 fall;
out vec4 pixel;

void main() {
    float height2 = fall.z * fall.z;
    float t = dot(from_foot, from_foot);
    vec2 s = from_foot - fall.xy;
    s.x *= 0.86;
    float u = dot(s, s) / (0.85 + 0.20 * height2);
    float fade = max(1.0 - t * (1.0 / 17.6), 0.0);      // nothing is left at the square's edge
    float core = 0.78 / (fall.z * (1.0 + u * u * u));
    float near = 0.55 * fall.z / (height2 + t);         // form factor of a sphere, nearly
    float left = (1.0 - core * fade) * (1.0 - near * fade * fade);
    pixel = vec4(vec3(sqrt(left)), 1.0);                // the picture is stored as a root
}
