// A square under every ball, wide enough for the shade that it throws on the bed.
#include "balls.glsl"
uniform mat4 p3d_ModelViewProjectionMatrix;
uniform vec4 lamp;
in vec4 p3d_Vertex;     // corner of the square, and the number of the ball
out vec2 from_foot;     // place relative to the ball's foot, in its radii
flat out vec3 fall;     // where the lamp pushes the shade (in radii), and the height (in radii)

void main() {
    vec4 ball = balls[int(p3d_Vertex.z + 0.5)];
    float height = max(ball.z / ball.w, 1.0);
    fall = vec3(ball.xy * (ball.z * 0.55 / lamp.z) / ball.w, height);
    from_foot = p3d_Vertex.xy * 4.2;
    vec2 at = ball.xy + from_foot * ball.w;
    // Unused places of the list, and balls below the bed, throw none.
    float shown = int(p3d_Vertex.z + 0.5) < ball_count && ball.z > 0.0 ? 1.0 : 0.0;
    gl_Position = p3d_ModelViewProjectionMatrix * vec4(at, 0.0006, 1.0) * shown;
}
