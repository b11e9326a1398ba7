// The cue's soft shadow, multiplied into the picture: wider and fainter where the cue is higher.
in float across;
in float beyond;
in float wide;
in vec2 spot;
uniform vec4 bed_size;
out vec4 pixel;

void main() {
    float part = across / wide;
    float d2 = part * part;
    float fade = max(1.0 - d2 * (1.0 / 6.76), 0.0);
    float end = smoothstep(0.008, -0.008, beyond);
    vec2 inside = step(abs(spot), bed_size.xy);
    end *= inside.x * inside.y;
    pixel = vec4(vec3(sqrt(1.0 - end * fade * 0.0040 / (wide * (1.0 + d2 * d2)))), 1.0);
}
