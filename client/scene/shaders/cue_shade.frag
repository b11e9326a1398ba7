// The cue's soft shadow, multiplied into the picture: wider and fainter where the cue is higher.
in float across;
in float beyond;
in float wide;
out vec4 pixel;

void main() {
    float part = across / wide;
    float d2 = part * part;
    float fade = max(1.0 - d2 * (1.0 / 6.76), 0.0);
    float end = smoothstep(0.008, -0.008, beyond);
    pixel = vec4(vec3(sqrt(1.0 - end * fade * 0.0040 / (wide * (1.0 + d2 * d2)))), 1.0);
}
