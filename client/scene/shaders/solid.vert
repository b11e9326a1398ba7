// Vertices in the table frame: place, normal and texture place, for most programs.
uniform mat4 p3d_ModelViewProjectionMatrix;
uniform mat4 p3d_ModelMatrix;
in vec4 p3d_Vertex;
in vec3 p3d_Normal;
in vec2 p3d_MultiTexCoord0;
centroid out vec3 place;
centroid out vec3 normal;
centroid out vec2 uv;

void main() {
    place = (p3d_ModelMatrix * p3d_Vertex).xyz;
    normal = mat3(p3d_ModelMatrix) * p3d_Normal;
    uv = p3d_MultiTexCoord0;
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
}
