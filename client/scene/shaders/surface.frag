// Wood, leather, metal, cue: a textured colour under the lamp, with a coat that mirrors it.
#include "light.glsl"
uniform sampler2D grain;
uniform mat4 p3d_ViewMatrixInverse;
uniform vec4 tint;      // linear colour; w: how much of the texture shows, 0 to 1
uniform float dull;     // over how many metres the coat blurs the lamp's edge
uniform vec4 coat;      // mirror share head on, share added at a grazing view, bounce, fade
centroid in vec3 place;
centroid in vec3 normal;
centroid in vec2 uv;
out vec4 pixel;

void main() {
    vec3 n = normalize(normal);
    vec3 colour = tint.rgb * mix(vec3(1.0), texture(grain, uv).rgb * 1.7, tint.w);
    float light = irradiance(place, n) + 0.05 + 0.03 * n.z;
    vec3 lit = colour * light + colour * cloth_tint * coat.z;
#if QUALITY > 0
    vec3 view = normalize(p3d_ViewMatrixInverse[3].xyz - place);
    float away = 1.0 - clamp(dot(n, view), 0.0, 1.0);
    float away2 = away * away;
    float mirror = coat.x + coat.y * away2 * away2 * away;
    lit += mirror * min(surroundings(place, reflect(-view, n), dull), vec3(8.0));
#endif
    // Down in a pocket it grows dark.
    lit *= mix(1.0, exp(min(place.z, 0.0) * 19.0), coat.w);
    pixel = vec4(develop(lit), 1.0);
}
