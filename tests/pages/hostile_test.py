#!/usr/bin/env python3
"""Texts of a model that would be code, markup or marks of direction in a page stay texts, and a page
that cannot be made leaves nothing behind."""

import base64
import json
import pathlib
import struct
import unittest

from page_tests import Pages
from program import BAD_INPUT, EXAMPLES, TWO_LINK_ARM

TEXTS = [
    "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!-- <script>",
    "\" onmouseover=\"alert(1)", "' style='x", "]]>", "&lt;b&gt; &amp;", "a\u2028b\u2029c",
    "\u202eright to left\u202c", "\u2066isolate", "javascript:alert(1)", "{{constructor}}", "`${alert(1)}`",
    "=cmd|' /C calc'!A0", "\\u003c/script>", "long " * 2000,
]
MISTAKES = {"missing.stl": None, "javascript:alert(1).obj": None,
            "cut.stl": b"\0" * 80 + struct.pack("<I", 3) + b"\0" * 99,
            "empty.obj": b"# nothing\n", "wild.obj": b"v 0 0 0\nv 1 0 0\nf 1 2 77\n",
            "infinite.obj": b"v 0 0 0\nv 1 0 0\nv 1e999 nan 0\nf 1 2 3\n",
            "words.stl": b"solid x\nfacet\nvertex 0 0 zero\nendfacet\n", "picture.png": b"\x89PNG"}


class Hostile(Pages):
    def model(self, **changes):
        model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))
        for body in model["bodies"]:
            body.pop("visual", None)  # its mesh lies beside the example
        model |= changes
        return model

    def write_model(self, model, name="model.json"):
        path = self.folder / name
        path.write_text(json.dumps(model), "utf-8")
        return path

    def test_texts_are_shown_as_they_are(self):
        for text in TEXTS:
            with self.subTest(text[:40]):
                model = self.model(name=text, description=text)
                model["parameters"]["upper_mass"] |= {"note": text, "source": text}
                page, _ = self.view(self.write_model(model), "--motion", TWO_LINK_ARM / "motion.json")
                title, name, description, cells, scripts, handlers = self.drive(
                    page, ("eval", "document.title"), ("eval", "document.querySelector('h1').textContent"),
                    ("eval", "document.querySelector('.description').textContent"),
                    ("eval", "[...document.querySelectorAll('td')].map((one) => one.textContent)"),
                    ("eval", "document.scripts.length"),
                    ("eval", "document.querySelectorAll('img, [onerror], [onmouseover]').length"))
                self.assertEqual(name, text)
                self.assertEqual(description, text)
                self.assertEqual(cells.count(text), 2)
                self.assertEqual((scripts, handlers), (2, 0))
                self.assertEqual(title.split(), f"{text} – counterpoise view".split())

    def test_the_data_ends_no_element(self):
        page, _ = self.view(self.write_model(self.model(name="".join(TEXTS))))
        text = page.read_text("utf-8")
        self.assertEqual(text.count("</script>"), 2)
        self.assertEqual(self.data_of(page)["name"], "".join(TEXTS))

    def test_a_policy_with_hashes(self):
        page, _ = self.view(TWO_LINK_ARM / "model.json")
        policy = page.read_text("utf-8").split('http-equiv="Content-Security-Policy" content="')[1]
        policy = dict(one.split(" ", 1) for one in policy.split('"')[0].split("; "))
        self.assertEqual(policy["default-src"], "'none'")
        for kind in ("script-src", "style-src"):
            self.assertRegex(policy[kind], r"^'sha256-[A-Za-z0-9+/]+=*'$")
        wrong = self.drive(page, ("eval", """new Promise((done) => {
            const script = document.createElement('script');
            script.textContent = 'window.ran = true';
            document.body.append(script);
            done(window.ran === undefined);
          })"""), quiet=False)
        self.assertEqual(wrong, [True])

    def test_meshes(self):
        corners = [(0, 0, 0), (100, 0, 0), (0, 50, 0), (0, 0, 25)]
        faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
        stl = b"\0" * 80 + struct.pack("<I", len(faces)) + b"".join(
            struct.pack("<12fH", 0, 0, 0, *corners[a], *corners[b], *corners[c], 0) for a, b, c in faces)
        (self.folder / "part.STL").write_bytes(stl)
        (self.folder / "quad.obj").write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4//1 2/3 3 4\n")
        model = self.model()
        model["bodies"][0]["visual"] = {"mesh": "part.STL", "scale": 0.001, "origin": [1, 2, 3],
                                        "rpy": [0, 0, 1.5707963267948966]}
        model["bodies"][1]["visual"] = {"mesh": "quad.obj"}
        page, _ = self.view(self.write_model(model))
        meshes = self.data_of(page)["meshes"]
        self.assertEqual([mesh["body"] for mesh in meshes], [0, 1])
        numbers = self.decoded(meshes[0]["vertices"], "f")
        found = {tuple(round(x, 6) for x in numbers[i:i + 3]) for i in range(0, len(numbers), 3)}
        # turned by a quarter about z: x to y, y to -x
        self.assertEqual(found, {(1, 2, 3), (1, 2.1, 3), (0.95, 2, 3), (1, 2, 3.025)})
        self.assertEqual(len(self.decoded(meshes[0]["triangles"], "i")), 12)
        self.assertEqual(self.decoded(meshes[1]["triangles"], "i"), (0, 1, 2, 0, 2, 3))
        shown, = self.drive(page, ("eval", "counterpoise.layers.meshes"))
        self.assertTrue(shown)

    def test_colours_of_meshes(self):
        (self.folder / "painted.obj").write_text(
            "v 0 0 0 1 0 0\nv 1 0 0 1.0 0 0\nv 1 1 0 0 0.5 9\nv 0 1 0\nf 1 2 3 4\n")
        (self.folder / "plain.obj").write_text("v 0 0 0\nv 1 0 0 1\nv 1 1 0 1 0\nf 1 2 3\n")
        for mesh, more, expected in (
                ("painted.obj", {}, [255, 0, 0, 255, 0, 0, 0, 128, 255, 179, 179, 179]),
                ("painted.obj", {"color": [0, 0, 0.2]}, [0, 0, 51] * 4), ("plain.obj", {}, None),
                ("plain.obj", {"color": [1, 1, 1]}, [255] * 9)):
            with self.subTest(mesh, **more):
                model = self.model()
                model["bodies"][0]["visual"] = {"mesh": mesh, **more}
                page, _ = self.view(self.write_model(model))
                found, = self.data_of(page)["meshes"]
                colours = found.get("colours")
                self.assertEqual(colours if colours is None else list(base64.b64decode(colours)), expected)

    @staticmethod
    def decoded(column, kind):
        raw = base64.b64decode(column)
        return struct.unpack(f"<{len(raw) // 4}{kind}", raw)

    def refused(self, *arguments):
        before = sorted(self.folder.iterdir())
        said = self.run_program("view", *arguments, "-o", self.folder / "out.html", code=BAD_INPUT)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        return said.stderr

    def test_wrong_meshes_are_told_at_their_place(self):
        for name, content in MISTAKES.items():
            with self.subTest(name):
                if content is not None:
                    (self.folder / name).write_bytes(content)
                model = self.model()
                model["bodies"][1]["visual"] = {"mesh": name}
                said = self.refused(self.write_model(model))
                self.assertRegex(said, r"model\.json:1:\d+: /bodies/1/visual/mesh: the mesh ")

    def test_a_mesh_of_two_gigabytes_is_not_read(self):
        with open(self.folder / "huge.stl", "wb") as huge:
            huge.truncate(2 << 30)
        model = self.model()
        model["bodies"][0]["visual"] = {"mesh": "huge.stl"}
        self.assertIn("expected at most 20 MB", self.refused(self.write_model(model)))

    def test_a_visual_with_a_mistake(self):
        for visual, said in (({}, "mesh"), ({"mesh": 3}, "expected the name"),
                             ({"mesh": "a.stl", "scale": -1}, "expected a scale above 0"),
                             ({"mesh": "a.stl", "scal": 1}, "did you mean \"scale\""),
                             ({"mesh": "a.stl", "color": "red"}, "expected a colour"),
                             ({"mesh": "a.stl", "color": [0, 2, 0]}, "expected numbers from 0 to 1"),
                             ({"mesh": "a.stl", "origin": [1, 2]}, "expected a point")):
            with self.subTest(visual):
                model = self.model()
                model["bodies"][0]["visual"] = visual
                self.assertIn(said, self.refused(self.write_model(model)))

    def test_a_motion_that_gives_too_much(self):
        motion = json.loads((EXAMPLES / "four_bar" / "motion.json").read_text("utf-8"))
        motion["coordinates"]["upper_arm"] = {"type": "hold", "value": 0}
        path = self.folder / "motion.json"
        path.write_text(json.dumps(motion), "utf-8")
        said = self.refused(EXAMPLES / "four_bar" / "model.json", "--motion", path)
        self.assertRegex(said, r"motion\.json:1:\d+: /coordinates: ")

    def test_an_output_that_cannot_be_written(self):
        place = self.folder / "none" / "view.html"
        said = self.run_program("view", TWO_LINK_ARM / "model.json", "-o", place, code=BAD_INPUT)
        self.assertIn("none/view.html", said.stderr)
        self.assertFalse(pathlib.Path(place.parent).exists())
        model = self.write_model(self.model())
        self.run_program("view", model, "-o", model, code=BAD_INPUT)
        self.assertEqual(json.loads(model.read_text("utf-8"))["format"], "counterpoise-model/1")


if __name__ == "__main__":
    unittest.main()
