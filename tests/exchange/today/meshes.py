"""Closed meshes, as files of STL, OBJ and MSH or in the text of MJCF, and robots of which each body is one."""

import math
import struct

KINDS = ("", "legacy", "exact", "convex", "shell")
FORMATS = ("points", "vertex", "stl", "obj", "msh")


def prism(corners, triangles, height):
    """Over a polygon that goes around to the left; its faces are polygons, `triangles` cut it."""
    n = len(corners)
    vertices = [(x, y, z) for z in (0.0, height) for x, y in corners]
    sides = [(i, (i + 1) % n, (i + 1) % n + n, i + n) for i in range(n)]
    polygons = [tuple(range(n))[::-1], tuple(range(n, 2 * n)), *sides]
    cut = [t[::-1] for t in triangles] + [tuple(i + n for i in t) for t in triangles]
    for a, b, c, d in sides:
        cut += [(a, b, c), (a, c, d)]
    return vertices, cut, polygons


def icosphere(radius, steps):
    phi = (1 + math.sqrt(5)) / 2
    corners = []
    for one in (-1, 1):
        for other in (-phi, phi):
            corners += [(one, other, 0), (0, one, other), (other, 0, one)]
    def at(*weights):
        point = [sum(corner[k] for corner in weights) for k in range(3)]
        size = math.hypot(*point)
        return tuple(radius * x / size for x in point)
    triangles = [tuple(map(at, (a, b, c))) for a in corners for b in corners for c in corners
                 if a < min(b, c) and all(math.dist(*pair) < 2.01 for pair in ((a, b), (b, c), (c, a)))
                 and b != c and volume_of(a, b, c) > 0]
    for _ in range(steps):
        triangles = [part for a, b, c in triangles for part in (
            (a, at(a, b), at(c, a)), (at(a, b), b, at(b, c)), (at(c, a), at(b, c), c),
            (at(a, b), at(b, c), at(c, a)))]
    vertices = sorted({corner for triangle in triangles for corner in triangle})
    faces = [tuple(map(vertices.index, triangle)) for triangle in triangles]
    return vertices, faces, faces


def volume_of(a, b, c):
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
            a[2] * (b[0] * c[1] - b[1] * c[0]))


def tetrahedron():
    corner = (50.0, -30.0, 20.0)
    vertices = [corner] + [tuple(x + (0.3 if i == axis else 0.0) for i, x in enumerate(corner))
                           for axis in range(3)]
    faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
    return vertices, faces, faces


SOLIDS = {
    "cube": prism([(0.0, 0.0), (0.2, 0.0), (0.2, 0.2), (0.0, 0.2)], [(0, 1, 2), (0, 2, 3)], 0.2),
    "l": prism([(0.0, 0.0), (0.3, 0.0), (0.3, 0.1), (0.1, 0.1), (0.1, 0.2), (0.0, 0.2)],
               [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)], 0.15),
    "tetrahedron": tetrahedron(),
    "icosphere": icosphere(0.1, 1),
}


def written(folder, name, kind):
    """The attributes of a <mesh>, whose file is written."""
    vertices, faces, polygons = SOLIDS[name]
    if kind in ("points", "vertex"):
        numbers = " ".join(f"{x:.9g}" for v in vertices for x in v)
        if kind == "points":
            return f'vertex="{numbers}"'
        return f'vertex="{numbers}" face="{" ".join(str(i) for f in faces for i in f)}"'
    if kind == "obj":
        text = "o first\n" + "".join(f"v {1e3 * x:.6f} {1e3 * y:.6f} {1e3 * z:.6f}\n" for x, y, z in vertices)
        text += "".join("f " + " ".join(f"{i + 1}" for i in f) + "\n" for f in polygons)
        text += "o second\nv 1 2 300\nf 1 2 -1\n"  # only its vertices count, and only in hulls
        data = text.encode()
    elif kind == "stl":
        data = bytes(80) + struct.pack("<I", len(faces)) + b"".join(
            struct.pack("<12xfffffffff2x", *(x for i in f for x in vertices[i])) for f in faces)
    else:
        data = struct.pack("<iiii", len(vertices), 0, 0, len(faces))
        data += b"".join(struct.pack("<fff", *v) for v in vertices)
        data += b"".join(struct.pack("<iii", *f) for f in faces)
    (folder / f"{name}.{kind}").write_bytes(data)
    scale = "0.001 0.001 0.001" if kind == "obj" else "1 1 1"
    return f'file="{name}.{kind}" scale="{scale}"'


def robot_of(folder, name, kind):
    """A file of a robot whose bodies are one solid, each with another kind of inertia."""
    attributes = written(folder, name, kind)
    meshes = bodies = ""
    for number, inertia in enumerate(KINDS):
        word = f'inertia="{inertia}"' if inertia else ""
        meshes += f'<mesh name="m{number}" {word} {attributes}/>'
        joints = "".join(f'<joint name="{axis}{number}" axis="{direction}"/>' for axis, direction in
                         (("x", "1 0.2 0.1"), ("y", "0 1 0.3"), ("z", "0.1 0 1")))
        bodies += (f'<body name="b{number}">{joints}<geom type="mesh" mesh="m{number}" density="700"/>'
                   '</body>')
    path = folder / f"{name}_{kind}.xml"
    path.write_text(f'<mujoco><compiler angle="radian"/><asset>{meshes}</asset><worldbody>{bodies}'
                    '</worldbody></mujoco>', encoding="utf-8")
    return path
