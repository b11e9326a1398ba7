// Overlays: a plain colour; soft across a line's width, or a rim of light on a ghost ball.
uniform mat4 p3d_ViewMatrixInverse;
uniform vec4 p3d_ColorScale;
uniform vec4 shape;   // x: 1 line with soft edges, 2 ghost ball; y: dashes a metre; z: unused
centroid in vec3 place;
centroid in vec3 normal;
centroid in vec2 uv;
out vec4 pixel;

void main() {
    vec4 c = p3d_ColorScale;
    if (shape.x > 1.5) {
        vec3 view = normalize(p3d_ViewMatrixInverse[3].xyz - place);
        float away = 1.0 - abs(dot(normalize(normal), view));
        c.a *= 0.16 + 0.84 * away * away;
    } else if (shape.x > 0.5) {
        // Share of the pixel that the line, from -1 to 1, covers: thin ones fade, never break.
        float w = max(fwidth(uv.y), 1e-5);
        float covered = min(1.0, abs(uv.y) + 0.5 * w) - max(-1.0, abs(uv.y) - 0.5 * w);
        c.a *= clamp(covered / w, 0.0, 1.0);
        if (shape.y > 0.0) c.a *= smoothstep(0.42, 0.5, abs(fract(uv.x * shape.y) - 0.5) + 0.22);
    }
    pixel = c;
}
