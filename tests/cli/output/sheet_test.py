#!/usr/bin/env python3
"""The sheet for the workshop: its numbers against kinematics by hand and against `simulate`, `show` and `robustness`; its
drawings to scale; both files with the same texts, on the page and apart; what is refused."""

import html
import json
import math
import re
import shutil
import unittest

from program import BAD_INPUT, CHARMIE, EXAMPLES, ScratchFolder, changed

WIDE, TALL = 210, 297  # of a page [mm]
RATE, FREE, PRELOAD = 1234.5, 0.1, 7.25
POST, HOOK = (-0.05, 0.03, 0.21), (0.16, 0.03, -0.02)
MODEL = {
    "format": "counterpoise-model/1", "name": "one_arm",
    "parameters": {"rate": {"value": RATE, "unit": "N/m"}},
    "world": {"points": {"post": list(POST)}},
    "bodies": [{"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0], "origin": [0, 0, 0.01]},
                "mass": 2, "com": [0.2, 0, 0], "points": {"hook": list(HOOK)}}],
    "springs": [{"name": "lift", "type": "extension", "connect": ["world.post", "arm.hook"], "rate": "rate",
                 "free_length": FREE, "initial_tension": PRELOAD, "max_load": 500}],
    "actuators": [{"name": "turn", "joint": "arm"}],
}
SWEEP = [math.radians(x) for x in (-35, -80, 10, 45, 20)]
STUDY = {
    "format": "counterpoise-study/1", "name": "one", "model": "model.json",
    "motions": {"held": {"poses": {"turn": {"values": SWEEP}}},
                "swing": {"duration": 2, "step": 0.01, "coordinates": {"turn": {"type": "sine", "mean": 0.2, "amplitude": 0.9, "period": 1}}}},
    "variables": {"rate": {"values": [RATE], "unit": "N/m"}}, "sampling": {"method": "grid"},
    "objectives": [{"name": "peak", "minimize": "max", "of": ["turn"]}],
}
WAY_STUDIES = ("spring", "cable", "counterweight")
MEMBERS = {"lid": {"format": "counterpoise-study/1", "name": "lid", "model": "model.json", "motions": {"everywhere": "everywhere.json"},
                   "variables": {"mass": {"values": [12]}}, "sampling": {"method": "grid"},
                   "objectives": [{"name": "peak", "minimize": "max", "of": ["hinge"]}]}}
NARROW = set(" !\"'()*,-./:;I[\\]`fijlrt{|}")
TEXT = re.compile(r'<text x="([^"]*)" y="([^"]*)" font-size="([^"]*)"(?: text-anchor="(\w+)")?( font-weight="bold")?( transform="[^"]*")?[^>]*>([^<]*)</text>')


def lift_length(angle):
    """The distance of post and hook: the arm turns about -y, which raises its x axis by the angle."""
    x, y, z = HOOK
    turned = (x * math.cos(angle) - z * math.sin(angle), y, 0.01 + x * math.sin(angle) + z * math.cos(angle))
    return math.dist(turned, POST)


def pages_of(svg):
    return svg.split('<g class="page"')[1:]


def texts_of(svg):
    return [html.unescape(found[6]) for found in TEXT.findall(svg)]


def pdf_texts(data):
    """The texts of a PDF by its table of objects, whose places are checked on the way."""
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", data)[1])
    lines = data[start:].split(b"\n")
    assert lines[0] == b"xref", lines[0]
    count = int(lines[1].split()[1])
    for number in range(1, count):
        entry = lines[2 + number]
        assert len(entry) == 19 and entry.endswith(b" 00000 n "), entry
        assert data[int(entry[:10]):].startswith(b"%d 0 obj\n" % number), entry
    texts = []
    for length, content in re.findall(rb"<< /Length (\d+) >>\nstream\n(.*?)endstream", data, re.DOTALL):
        assert len(content) == int(length)
        for line in re.findall(rb"Tm \((.*)\) Tj ET\n", content):
            assert not re.search(rb"[()\\]", re.sub(rb"\\([()\\]|\d{3})", b"", line)), line  # each has its backslash
            text = re.sub(rb"\\(\d{3}|.)", lambda code: bytes([int(code[1], 8)]) if code[1].isdigit() else code[1], line)
            texts.append(text.decode("cp1252"))
    return texts


class Sheets(ScratchFolder):
    def sheet(self, results="all.db", *arguments):
        """The data of a sheet and its SVG; the PDF has the same texts."""
        data = self.run_json("sheet", results, "best", "-o", "sheet.svg", "-o", "sheet.pdf", "--json", *arguments)
        svg = (self.folder / "sheet.svg").read_text(encoding="utf-8")
        self.assertEqual(pdf_texts((self.folder / "sheet.pdf").read_bytes()), texts_of(svg))
        self.assert_readable(svg)
        self.assert_drawn(data, svg)
        return data, svg

    def assert_readable(self, svg, crowded=False):
        """No text leaves its page, nor lies on another one unless it is crowded, where letters are as narrow as they ever
        are."""
        for page in pages_of(svg):
            boxes = []
            for x, y, size, anchor, _, turned, text in TEXT.findall(page):
                x, y, size = float(x), float(y), float(size)
                wide = size * sum(0.22 if letter in NARROW else 0.5 for letter in html.unescape(text))
                before = {"": 0, "middle": wide / 2, "end": wide}[anchor]
                box = (x - 0.7 * size, y - wide + before, x, y + before) if turned else (x - before, y - 0.7 * size, x + wide - before, y)
                self.assertGreater(min(box), 8, text)
                self.assertLess(box[2], WIDE - 8, text)
                self.assertLess(box[3], TALL - 5, text)
                for other, words in [] if crowded else boxes:
                    apart = box[0] >= other[2] or other[0] >= box[2] or box[1] >= other[3] or other[1] >= box[3]
                    self.assertTrue(apart, f"{text} lies on {words}")
                boxes.append((box, text))

    def assert_drawn(self, data, svg):
        """Mounts are where the scale puts them: dots are filled circles, the frame's origin a grey one."""
        drawn = [(caption, page) for page in pages_of(svg)
                 for caption in re.findall(r">(x|y) and (y|z) of its own frame, seen [^,]*, scale (\d+) : (\d+)<", page)]
        self.assertEqual(len(drawn), len(data["bodies"]))
        for body, (caption, page) in zip(data["bodies"], drawn):
            axes = ["xyz".index(name) for name in caption[:2]]
            scale = int(caption[2]) / int(caption[3])
            centre = lambda path: [sum(float(place[i]) for place in path[:-1]) / (len(path) - 1) for i in (0, 1)]
            paths = [(kind, [place.split() for place in re.split("M| L|Z", path) if place])
                     for kind, path in re.findall(r'<path ([^>]*?) ?d="([^"]*)"', page)]
            dots = [centre(path) for kind, path in paths if kind.startswith('fill="#000000"') and len(path) == 49]
            origins = [centre(path) for kind, path in paths if 'stroke="#595959" stroke-width="0.3"' in kind and len(path) == 49]
            lines = [line[6] for line in TEXT.findall(page)]
            for mount in body["mounts"]:
                found = any(all(abs((dot[i] - origin[i]) * (-1) ** i / scale - 1e3 * mount["in_body"][axes[i]]) < 2e-3 / scale
                                for i in (0, 1)) for dot in dots for origin in origins)
                self.assertTrue(found, mount)
                for axis in axes:
                    place = mount["in_body"][axis]
                    self.assertIn(f"{1e3 * place:.6g}" if abs(place) > 1e-12 else "0", lines)

    def study_of(self, folder):
        shutil.copytree(EXAMPLES / folder, self.folder, dirs_exist_ok=True)

    def assert_ends(self, spring, rows, name, kinds=("length", "tension")):
        """The ends of a stroke are those of all rows of `show -o`, of which each has its motion."""
        lengths = [float(row[f"{name}.{kinds[0]}"]) for row in rows]
        for end, length in (("shortest", min(lengths)), ("longest", max(lengths))):
            self.assertEqual(spring[end]["length"], length)
            row = rows[lengths.index(length)]
            self.assertEqual(spring[end]["load"] * spring["pieces"], float(row[f"{name}.{kinds[1]}"]))
            if "motion" in row:
                self.assertEqual(spring[end]["motion"], row["motion"])
            self.assertEqual(spring[end].get("t", spring[end].get("pose", 1) - 1), float(row["t"]))
        self.assertAlmostEqual(spring["stroke"], max(lengths) - min(lengths), delta=1e-12)

    def test_the_numbers_by_hand(self):
        self.write("model.json", MODEL)
        self.write("study.json", STUDY)
        self.run_program("run", "study.json", "-o", "all.db")
        data, svg = self.sheet()
        spring, = data["springs"]
        swing = [0.2 + 0.9 * math.sin(2 * math.pi * 0.01 * k) for k in range(201)]
        lengths = [*map(lift_length, SWEEP), *map(lift_length, swing)]
        for end, length in (("shortest", min(lengths)), ("longest", max(lengths))):
            at = lengths.index(length)
            self.assertAlmostEqual(spring[end]["length"], length, delta=1e-12)
            self.assertAlmostEqual(spring[end]["load"], PRELOAD + RATE * (length - FREE), delta=1e-9)
            self.assertEqual(spring[end]["motion"], "held" if at < len(SWEEP) else "swing")
            if at < len(SWEEP):
                self.assertEqual(spring[end]["pose"], at + 1)
            for number in (f"{1e3 * length:.6g} mm", f"{PRELOAD + RATE * (length - FREE):.6g} N, pulls"):
                self.assertIn(number, texts_of(svg))
        self.assertAlmostEqual(spring["stroke"], max(lengths) - min(lengths), delta=1e-12)
        self.assertEqual((spring["rate"], spring["free_length"], spring["initial_tension"], spring["kind"], spring["part"]),
                         (RATE, FREE, PRELOAD, "extension spring", None))
        self.assertEqual(spring["limits"], {"min_length": None, "max_length": None, "min_clearance": None, "max_load": 500})
        self.assertEqual(spring["cycles"]["of_motions"], [{"motion": "swing", "count": 2, "duration": 2}])
        places = {mount["mark"]: (mount["point"], mount["in_body"]) for body in data["bodies"] for mount in body["mounts"]}
        self.assertEqual([places[mark] for mark in spring["mounts"]], [("world.post", list(POST)), ("arm.hook", list(HOOK))])
        for words in ("1.2345 N/mm", "100 mm", "7.25 N", "500 N", "left to the maker", "turns on world about its axis -y, on which its origin is; that is there at (0, 0, 10) mm",
                      "2 in each run of swing (2 s)", "A world.post (-50, 30, 210) and B arm.hook (160, 30, -20)"):
            self.assertIn(words, texts_of(svg))
        self.assertIn("The study has no tolerances.", " ".join(texts_of(svg)))
        self.assertIn("--tolerances", data["how_to_get_tolerances"])
        self.run_program("show", "all.db", "best", "-o", "shown.csv")
        self.assert_ends(spring, self.read_csv("shown.csv"), "lift")

    def test_it_says_what_show_says(self):
        """CHARMIE with springs from a catalogue, in two motions, and its tolerances as `robustness` has them."""
        self.copy_example(CHARMIE)
        self.run_program("run", "robust.json", "-o", "all.db")
        data, svg = self.sheet()
        self.run_program("show", "all.db", "best", "-o", "shown.csv")
        bill = self.run_json("show", "all.db", "best", "--bill", "--json")
        show = self.run_json("show", "all.db", "best", "--json")
        robust = self.run_json("robustness", "all.db", "--top", "1", "--json")
        rows = self.read_csv("shown.csv")
        self.assertEqual(data["case"], show["case"])
        self.assertEqual(data["objectives"], show["objectives"])
        points = {point["point"]: point["in_body"] for point in bill["points"]}
        for body in data["bodies"]:
            for mount in body["mounts"]:
                self.assertEqual(mount["in_body"], points[mount["point"]])
        for spring, ordered in zip(data["springs"], bill["springs"]):
            for key in ("spring", "pieces", "part", "catalogue", "rate", "free_length", "initial_tension"):
                self.assertEqual(spring[key], ordered[key])
            self.assertEqual(spring["largest_load"], ordered["max_tension"])
            self.assertEqual(spring["columns"], self.read_csv("springs.csv")[spring["row"] - 1])
            self.assert_ends(spring, rows, spring["spring"])
            self.assertIn(f"row {spring['row']} of springs.csv", svg)
        design, = robust["motions"][0]["designs"]
        tolerances = data["tolerances"]
        self.assertEqual((tolerances["nominal"], tolerances["worst"], tolerances["percentile"]["value"], tolerances["broken_share"]),
                         (design["nominal"], design["worst"], design["percentile"], design["broken"]))
        study = json.loads((self.folder / "robust.json").read_text(encoding="utf-8"))
        self.assertEqual({one["parameter"] for one in tolerances["of"]}, set(study["tolerances"]["of"]))
        for one in tolerances["of"]:
            self.assertAlmostEqual(one["nominal"], show["parameters"][one["parameter"]], delta=1e-12)
            self.assertLess(one["least"], one["greatest"])

    def test_ways(self):
        """A spring, a spring on a cable over a pulley, and a counterweight."""
        self.study_of("ways")
        self.run_program("run", "ways.json")
        for way in WAY_STUDIES:
            data, svg = self.sheet(f"ways/{way}.db")
            self.run_program("show", f"ways/{way}.db", "best", "-o", "shown.csv")
            for spring in data["springs"]:
                self.assert_ends(spring, self.read_csv("shown.csv"), spring["spring"])
            self.assertEqual(len(data["springs"]), 0 if way == "counterweight" else 1)
            if way == "cable":
                self.assertTrue(data["springs"][0]["cable"])
                self.assertEqual(len(data["springs"][0]["mounts"]), 3)
                self.assertIn("free rope length", texts_of(svg))
                self.assertIn(f"{1e3 * data['springs'][0]['free_length']:.6g} mm less the free length of the spring itself", svg)
            if way == "counterweight":
                weight, = data["weights"]
                self.assertEqual((weight["on"], weight["in_body"]), ("arm", [-0.15, 0, 0]))
                self.assertAlmostEqual(weight["mass"], 6, delta=1e-6)
                self.assertIn("Weights that the study sizes", texts_of(svg))

    def test_straight_parts_of_a_cable(self):
        """A spring in the base over a pulley to an arm: tangent points by plane geometry of its own."""
        radius, guide, anchor, hook = 0.02, (0.0, 0.25), (-0.02, -0.3), (0.3, 0.0)
        model = changed(MODEL, world={"points": {"anchor": [anchor[0], 0, anchor[1]]}, "pulleys": {
            "guide": {"centre": [guide[0], 0, guide[1]], "axis": "y", "radius": radius}}})
        model["bodies"][0]["joint"]["origin"] = [0, 0, 0]
        model["bodies"][0]["points"]["hook"] = [hook[0], 0, hook[1]]
        model["springs"][0].update(connect=["world.anchor", "world.guide", "arm.hook"], free_length=0.7, max_load=5000)
        self.write("model.json", model)
        self.write("study.json", {**STUDY, "motions": {"held": STUDY["motions"]["held"]}})
        self.run_program("run", "study.json", "-o", "all.db")
        self.run_program("sheet", "all.db", "best", "-o", "sheet.svg")
        lift, = json.loads(self.run_program("sheet", "all.db", "best", "--json").stdout)["springs"]

        def straight(angle):
            at = (hook[0] * math.cos(angle), hook[0] * math.sin(angle))
            return [math.sqrt(math.dist(one, guide) ** 2 - radius ** 2) for one in (anchor, at)]
        lengths = []
        for angle in SWEEP:
            at = (hook[0] * math.cos(angle), hook[0] * math.sin(angle))
            lengths.append(math.dist(at, guide))
        for end, angle in (("shortest", SWEEP[lengths.index(min(lengths))]), ("longest", SWEEP[lengths.index(max(lengths))])):
            parts = lift[end]["straight"]
            self.assertEqual([(one["from"], one["to"]) for one in parts], [("A", "B"), ("B", "C")])
            for one, length in zip(parts, straight(angle), strict=True):
                self.assertAlmostEqual(one["length"], length, delta=1e-12)
        svg = (self.folder / "sheet.svg").read_text(encoding="utf-8")
        words = texts_of(svg)
        self.assertIn("straight parts, shortest", words)
        first = 1000 * lift["shortest"]["straight"][0]["length"]
        self.assertTrue(any(f"A to B {first:.6g} mm" in one for one in words), words)

    def test_more_places_than_there_is_room_for(self):
        places = {f"hole{i}": [0.011 * i, 0, 0.007 * (i * 7 % 60)] for i in range(60)}
        model = changed(MODEL, world={"points": {f"eye{i}": [0.5 + 0.01 * i, 0, 1] for i in range(60)}})
        model["bodies"][0]["points"] = places
        model["springs"] = [{**MODEL["springs"][0], "name": f"spring{i}", "connect": [f"world.eye{i}", f"arm.hole{i}"],
                             "max_load": 1e6} for i in range(60)]
        self.write("model.json", model)
        self.write("study.json", STUDY)
        self.run_program("run", "study.json", "-o", "all.db")
        self.run_program("sheet", "all.db", "best", "-o", "sheet.svg")
        svg = (self.folder / "sheet.svg").read_text(encoding="utf-8")
        self.assert_readable(svg, crowded=True)
        words = texts_of(svg)
        self.assertTrue(any("too many places to dimension along x and z: the table has them" in one for one in words))

    def test_a_cam(self):
        self.study_of("cam_lid")
        self.write("study.json", MEMBERS["lid"])
        self.run_program("run", "study.json", "-o", "all.db")
        data, svg = self.sheet()
        cam, = data["cams"]
        rows = [{key: float(cell) for key, cell in row.items()} for row in self.read_csv("cam.csv")]
        for key, numbers in (("radius", [row["radius [mm]"] for row in rows]), ("lever", [row["lever [mm]"] for row in rows]),
                             ("distance", [math.hypot(row["x [mm]"], row["y [mm]"]) for row in rows])):
            self.assertAlmostEqual(1e3 * cam[key]["least"], min(numbers), delta=1e-9)
            self.assertAlmostEqual(1e3 * cam[key]["greatest"], max(numbers), delta=1e-9)
            self.assertIn(f"{min(numbers):.6g} to {max(numbers):.6g} mm", texts_of(svg))
        self.assertEqual((cam["point"], cam["profile"]), ("lid.cam", "cam.csv"))
        self.assertIn("profile: cam.csv", texts_of(svg))

    def test_gas_and_torsion_springs(self):
        """They have no length without load, or no points; loads push, or turn."""
        model = changed(MODEL, springs=[
            {"name": "gas", "type": "gas", "connect": ["world.post", "arm.hook"], "initial_tension": "-rate * 1 m", "rate": 300, "free_length": 0.4},
            {"name": "bar", "type": "torsion", "joint": "arm", "rate": 20, "free_angle": "-90 deg", "preload": 1.5}])
        self.write("model.json", model)
        self.write("study.json", STUDY)
        self.run_program("run", "study.json", "-o", "all.db")
        data, svg = self.sheet()
        gas, bar = data["springs"]
        self.run_program("show", "all.db", "best", "-o", "shown.csv")
        rows = self.read_csv("shown.csv")
        self.assert_ends(gas, rows, "gas")
        self.assert_ends(bar, rows, "bar", ("angle", "torque"))
        for end in ("shortest", "longest"):
            self.assertAlmostEqual(gas[end]["load"], -RATE + 300 * (gas[end]["length"] - 0.4), delta=1e-9)
            self.assertAlmostEqual(bar[end]["load"], 1.5 + 20 * (bar[end]["length"] + math.pi / 2), delta=1e-9)
            self.assertIn(f"{-gas[end]['load']:.6g} N, pushes", texts_of(svg))
            self.assertIn(f"{math.degrees(bar[end]['length']):.6g} deg", texts_of(svg))
        self.assertEqual((bar["mounts"], bar["joint"], gas["kind"], bar["kind"]), ([], "arm", "gas spring", "torsion spring"))
        self.assertIn("on the joint between world and arm, about -y of arm", texts_of(svg))

    def test_springs_along_joints_that_slide_and_brackets_that_are_turned(self):
        """A slider up a rail, with a spring along it, and a bracket turned a quarter about y that another spring holds."""
        model = {"format": "counterpoise-model/1", "name": "lift", "parameters": {"rate": {"value": 0.1, "unit": "N/mm"}},
                 "world": {"points": {"roof": [0.1, 0, 1]}},
                 "bodies": [
                     {"name": "slide", "parent": "world", "mass": 1, "joint": {"type": "prismatic", "axis": "z", "origin": [0, 0, 0.3]}},
                     {"name": "bracket", "parent": "slide", "joint": {
                         "type": "fixed", "origin": [0.1, 0, 0], "rotation": {"rpy": [0, "90 deg", 0]}}, "points": {"eye": [0.04, 0, 0]}}],
                 "springs": [{"name": "along", "type": "torsion", "joint": "slide", "rate": "rate", "free_angle": "20 mm"},
                             {"name": "hung", "connect": ["world.roof", "bracket.eye"], "rate": 50, "free_length": 0.1}],
                 "actuators": [{"name": "motor", "joint": "slide"}]}
        self.write("model.json", model)
        self.write("motion.json", {"format": "counterpoise-motion/1", "duration": 1, "step": 0.1, "coordinates": {
            "motor": {"type": "sine", "mean": 0.1, "amplitude": 0.1, "period": 1}}})
        self.write("study.json", {"format": "counterpoise-study/1", "name": "lift", "model": "model.json", "motions": {"up": "motion.json"},
                                  "variables": {"rate": {"values": [100]}}, "sampling": {"method": "grid"},
                                  "objectives": [{"name": "peak", "minimize": "max", "of": ["motor"]}]})
        self.run_program("run", "study.json", "-o", "all.db")
        data, svg = self.sheet()
        texts = " ".join(texts_of(svg))
        along, hung = data["springs"]
        heights = [0.1 + 0.1 * math.sin(0.2 * math.pi * k) for k in range(11)]
        loads = [100 * (0.02 - height) for height in heights]
        self.assertAlmostEqual(abs(along["at_largest_load"]["load"]), max(map(abs, loads)), delta=1e-9)
        for words in ("spring along a joint that slides", "0.1 N/mm", "20 mm", "on the joint between world and slide, along z of slide",
                      "fixed to slide; its origin is there at (100, 0, 0) mm, its axes turned by 90 deg about y of that body"):
            self.assertIn(words, texts)
        self.assertNotIn("N*m/deg", texts)
        lengths = [1 - 0.3 - height + 0.04 for height in heights]  # the eye is below the bracket's origin
        self.assertAlmostEqual(hung["shortest"]["length"], min(lengths), delta=1e-12)
        self.assertAlmostEqual(hung["at_largest_load"]["load"], 50 * (max(lengths) - 0.1), delta=1e-9)
        turned = data["bodies"][1]["joint"]["rotation"]
        self.assertEqual(data["bodies"][1]["joint"]["origin"], [0.1, 0, 0])
        for row, expected in zip(turned, ((0, 0, 1), (0, 1, 0), (-1, 0, 0)), strict=True):
            for number, other in zip(row, expected, strict=True):
                self.assertAlmostEqual(number, other, delta=1e-15)

    def test_the_same_bytes_and_other_units(self):
        self.write("model.json", MODEL)
        self.write("study.json", {**STUDY, "name": "Hebel (\u00e4) \\ <\u0416>"})
        self.run_program("run", "study.json", "-o", "all.db")
        said = self.run_program("sheet", "all.db", "best", "-o", "a.svg", "-o", "a.pdf")
        self.assertIn("note: a.pdf has question marks", said.stderr)
        self.run_program("sheet", "all.db", 1, "-o", "b.svg", "-o", "b.pdf")
        for kind in ("svg", "pdf"):
            self.assertEqual((self.folder / f"a.{kind}").read_bytes(), (self.folder / f"b.{kind}").read_bytes())
        self.assertIn("Workshop sheet: Hebel (\u00e4) \\ <\u0416>", texts_of((self.folder / "a.svg").read_text(encoding="utf-8")))
        self.assertIn("Workshop sheet: Hebel (\u00e4) \\ <?>", pdf_texts((self.folder / "a.pdf").read_bytes()))
        self.run_program("sheet", "all.db", "best", "--display", "in", "-o", "inches.svg")
        self.assertIn(f"{RATE * 0.0254:.6g} N/in", texts_of((self.folder / "inches.svg").read_text(encoding="utf-8")))

    def test_what_is_refused(self):
        self.write("model.json", MODEL)
        self.write("study.json", STUDY)
        self.run_program("run", "study.json", "-o", "all.db")
        self.write("text.db", "no results")
        before = self.contents()
        for words, *arguments in (
                ('expected -o with a name that ends in .svg or .pdf, or --json', "all.db", "best"),
                ("found sheet.png, expected a name that ends in .svg or .pdf", "all.db", "best", "-o", "sheet.png"),
                ("found sheet, expected a name", "all.db", "best", "-o", "new.svg", "-o", "sheet"),
                ("text.db", "text.db", "best", "-o", "new.svg"),
                ("nothing.db", "nothing.db", "best", "-o", "new.svg"),
                ("no case 77", "all.db", "77", "-o", "new.svg"),
                ("no/folder.svg", "all.db", "best", "-o", "new.svg", "-o", "no/folder.svg"),
                ("another process", "all.db", "best", "-o", "new.svg", "-o", "new.svg"),
                ("missing.json", "all.db", "best", "-o", "new.svg", "--tolerances", "missing.json"),
                ("furlong", "all.db", "best", "-o", "new.svg", "--display", "furlong")):
            with self.subTest(words):
                self.assertIn(words, self.run_program("sheet", *arguments, code=BAD_INPUT).stderr)
                self.assertEqual(self.contents(), before)

    def test_a_sheet_takes_the_place_of_an_older_one(self):
        self.write("model.json", MODEL)
        self.write("study.json", STUDY)
        self.run_program("run", "study.json", "-o", "all.db")
        self.write("sheet.svg", "old")
        self.run_program("sheet", "all.db", "best", "-o", "sheet.svg")
        self.assertTrue((self.folder / "sheet.svg").read_text(encoding="utf-8").startswith("<svg"))

    def test_a_design_that_is_not_feasible_is_not_to_be_built(self):
        self.write("model.json", changed(MODEL, springs__0__max_load=20))
        self.write("study.json", STUDY)
        self.run_program("run", "study.json", "-o", "all.db", code=3)
        self.run_program("sheet", "all.db", "1", "-o", "sheet.svg")
        self.assertIn("NOT TO BE BUILT AS IT IS: the design is infeasible: spring lift", " ".join(texts_of((self.folder / "sheet.svg").read_text(encoding="utf-8"))))


if __name__ == "__main__":
    unittest.main()
