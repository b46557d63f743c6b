#!/usr/bin/env python3
"""Meshes that are cut off, lie about their sizes, run in circles or lead elsewhere: the robot comes in without
that look, with a word of why, and no more memory than such a file warrants."""

import base64
import json
import resource
import struct
import unittest

from program import ScratchFolder

MOST_MEMORY = 600 << 10  # KiB, of the program and of the process that reads a mesh
ROBOT = """<robot name="r"><link name="base"/><link name="arm">
<visual><geometry><mesh filename="FILE"/></geometry></visual>
<visual><geometry><box size="1 1 1"/></geometry></visual>
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>"""
TRIANGLE = struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
NUMBERS = struct.pack("<9f3H", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2)


def stl(count, triangles, head=b"\0"):
    return head.ljust(80, b"\0") + struct.pack("<I", count) + triangles


def ascii_stl(corner):
    return (f"solid a\nfacet normal 0 0 1\nouter loop\nvertex {corner}\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
            "endfacet\nendsolid a\n")


def collada(numbers="0 0 0 1 0 0 0 1 0", count=9, index="0 1 2", triangles=1, accessor='count="3" stride="3"',
            node='<instance_geometry url="#g"/>', nodes=""):
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="1"/></asset>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="f" count="{count}">{numbers}</float_array>
<technique_common><accessor source="#f" {accessor}><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="{triangles}"><input semantic="VERTEX" source="#v" offset="0"/><p>{index}</p></triangles>
</mesh></geometry></library_geometries><library_nodes>{nodes}</library_nodes>
<library_visual_scenes><visual_scene id="c"><node id="n">{node}</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#c"/></scene></COLLADA>"""


def laughing_nodes():
    twice = "".join(f'<node id="m{i}">' + 2 * f'<instance_node url="#m{i + 1}"/>' + "</node>" for i in range(40))
    return collada(node='<instance_node url="#m0"/>',
                   nodes=twice + '<node id="m40"><instance_geometry url="#g"/></node>')


def gltf(numbers=NUMBERS, **changes):
    """One triangle, with some members changed: accessors_0 = {...} changes members of the first accessor."""
    data = "data:application/octet-stream;base64," + base64.b64encode(numbers).decode()
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
        "buffers": [{"byteLength": 42, "uri": data}]}
    for key, value in changes.items():
        name, _, place = key.partition("_")
        if place:
            document[name][int(place)].update(value)
        else:
            document[name] = value
    return json.dumps(document)


def glb(chunk=None):
    text = gltf(buffers=[{"byteLength": 42}]).encode()
    text += b" " * (-len(text) % 4)
    numbers = NUMBERS + b"\0\0"
    return (b"glTF" + struct.pack("<III", 2, 28 + len(text) + len(numbers), chunk or len(text)) + b"JSON" +
            text + struct.pack("<I", len(numbers)) + b"BIN\0" + numbers)


HUGE = 4_000_000_000
SPARSE = {"count": 1, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 0}}
REFUSED = [
    ("a count of all bits", "m.stl", stl(0xFFFFFFFF, TRIANGLE)),
    ("a count that is too small", "m.stl", stl(1, 5 * TRIANGLE)),
    ("a count whose bytes overflow 32 bits", "m.stl", stl(85899346, 3 * TRIANGLE)),
    ("a number that is none", "m.stl", ascii_stl("nan 0 0")),
    ("a number without end", "m.stl", ascii_stl("1e999 0 0")),
    ("words", "m.stl", ascii_stl("a b c")),
    ("text that is cut off", "m.stl", ascii_stl("0 0 0")[:60]),
    ("an index of 20 digits", "m.obj", OBJ + "f 1 2 99999999999999999999\n"),
    ("an index beyond 32 bits", "m.obj", OBJ + "f 1 2 4294967297\n"),
    ("an index before the first", "m.obj", OBJ + "f -9 -8 -7\n"),
    ("the index 0", "m.obj", OBJ + "f 0 0 0\n"),
    ("no triangle", "m.obj", OBJ + "l 1 2\n"),
    ("a huge count of numbers", "m.dae", collada(count=HUGE)),
    ("a huge count of triangles", "m.dae", collada(triangles=HUGE)),
    ("a huge stride", "m.dae", collada(accessor=f'count="3" stride="{HUGE}"')),
    ("a huge offset", "m.dae", collada(accessor=f'count="3" stride="3" offset="{HUGE}"')),
    ("coordinates that are no numbers", "m.dae", collada("nan inf 0 1 0 0 0 1 0")),
    ("a node in itself", "m.dae", collada(node='<instance_node url="#n"/>')),
    ("two nodes in each other", "m.dae",
     collada(node='<instance_node url="#m"/>', nodes='<node id="m"><instance_node url="#n"/></node>')),
    ("2^40 nodes", "m.dae", laughing_nodes()),
    ("a geometry of another file", "m.dae", collada(node='<instance_geometry url="../../etc/passwd#g"/>')),
    ("an external entity", "m.dae", '<!DOCTYPE x [<!ENTITY a SYSTEM "secret.bin">]>' + collada("&a;")),
    ("COLLADA that is cut off", "m.dae", collada()[:500]),
    ("an index of no vertex", "m.gltf", gltf(NUMBERS[:40] + b"\xff\xff")),
    ("a huge count", "m.gltf", gltf(accessors_0={"count": HUGE})),
    ("a huge sparse count", "m.gltf", gltf(accessors_0={"bufferView": None, "count": 500_000_000, "sparse": SPARSE})),
    ("a huge view", "m.gltf", gltf(bufferViews_0={"byteLength": HUGE})),
    ("a view that begins beyond", "m.gltf", gltf(bufferViews_0={"byteOffset": HUGE})),
    ("a huge buffer", "m.gltf", gltf(buffers_0={"byteLength": 10 * HUGE})),
    ("no such buffer", "m.gltf", gltf(bufferViews_0={"buffer": 77})),
    ("no such mesh", "m.gltf", gltf(nodes_0={"mesh": 99})),
    ("a circle of nodes", "m.gltf", gltf(nodes=[{"children": [1]}, {"children": [0], "mesh": 0}])),
    ("2^40 nodes", "m.gltf", gltf(nodes=[{"children": [i + 1, i + 1]} for i in range(40)] + [{"mesh": 0}])),
    ("numbers of another folder", "deep/m.gltf", gltf(buffers_0={"uri": "../secret.bin"})),
    ("numbers of a device", "m.gltf", gltf(buffers_0={"uri": "/dev/zero"})),
    ("numbers of another computer", "m.gltf", gltf(buffers_0={"uri": "http://example.com/m.bin"})),
    ("a coordinate that is no number", "m.gltf", gltf(struct.pack("<f", float("nan")) + NUMBERS[4:])),
    ("a chunk longer than its file", "m.glb", glb(chunk=0xFFFFFFF0)),
    ("a head alone", "m.glb", glb()[:12]),
    ("nothing", "m.glb", b""),
]
READ = [("m.stl", stl(2, 2 * TRIANGLE, b"solid of two")), ("m.obj", OBJ + "f 1 2 3\n"), ("m.dae", collada()),
        ("m.gltf", gltf()), ("m.glb", glb())]


class HostileMeshes(ScratchFolder):
    def imported(self, name, content):
        (self.folder / "deep").mkdir(exist_ok=True)
        (self.folder / "secret.bin").write_bytes(NUMBERS)
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        self.write("r.urdf", ROBOT.replace("FILE", name))
        said = self.run_program("import", "r.urdf", "-o", "model.json", "--verbose").stderr
        looks = (self.folder / "model_meshes/arm.obj").read_text()
        return sum(line.startswith("v ") for line in looks.splitlines()), said

    def test_meshes_that_are_right_are_read(self):
        for name, content in READ:
            with self.subTest(name):
                corners, said = self.imported(name, content)
                self.assertEqual(said, "")
                self.assertGreater(corners, 8)

    def test_others_are_left_out_and_told(self):
        for what, name, content in REFUSED:
            with self.subTest(what, name=name):
                corners, said = self.imported(name, content)
                self.assertEqual(corners, 8)  # of the box beside it
                self.assertIn(f'r.urdf:2:1: /robot/link[2]/visual: note: a look is left out: the mesh "{name}"', said)
                self.assertIn("--no-meshes leaves meshes out", said)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, MOST_MEMORY)


if __name__ == "__main__":
    unittest.main()
