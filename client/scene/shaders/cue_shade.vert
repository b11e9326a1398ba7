// A strip of the bed under the cue, wide enough for its shadow.
uniform mat4 p3d_ModelViewProjectionMatrix;
uniform vec4 cue_ends;    // butt and tip over the bed, m
uniform vec2 cue_height;  // height of the cue there, m
in vec4 p3d_Vertex;       // x: 0 at the butt to 1 beyond the tip; y: -1 to 1 across
out float across;         // m from the middle
out float beyond;         // m beyond the tip
out vec2 spot;            // m, in the table's frame
out float wide;           // half width of the shadow, m

void main() {
    vec2 line = cue_ends.zw - cue_ends.xy;
    vec2 side = normalize(vec2(-line.y, line.x));
    float share = p3d_Vertex.x * 1.02;
    float high = mix(cue_height.x, cue_height.y, share);
    wide = 0.0075 + 0.20 * max(high, 0.0);
    across = p3d_Vertex.y * wide * 2.6;
    beyond = (share - 1.0) * length(line);
    vec2 at = cue_ends.xy + line * share + side * across;
    spot = at;
    gl_Position = p3d_ModelViewProjectionMatrix * vec4(at, 0.0005, 1.0);
}
