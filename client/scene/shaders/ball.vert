// Vertices of a ball: world place and normal for the light, own normal for what is painted on it.
uniform mat4 p3d_ModelViewProjectionMatrix;
uniform mat4 p3d_ModelMatrix;
in vec4 p3d_Vertex;
in vec3 p3d_Normal;
centroid out vec3 place;
centroid out vec3 normal;
centroid out vec3 own;

void main() {
    place = (p3d_ModelMatrix * p3d_Vertex).xyz;
    normal = mat3(p3d_ModelMatrix) * p3d_Normal;
    own = p3d_Normal;
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
}
