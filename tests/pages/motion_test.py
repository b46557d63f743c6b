#!/usr/bin/env python3
"""What the page of `view` shows of a motion itself: the paths of points."""

import json
import math
import unittest

from model_poses import positions
from page_tests import COLOURED, DRAWN, Pages
from program import EXAMPLES, TWO_LINK_ARM
from report_pages import Reports

PALLETISER = (EXAMPLES / "palletiser" / "model.json", "--motion", EXAMPLES / "palletiser" / "motion.json")
LEGEND = ("ask", "document.querySelector('.scene-legend').textContent")
PATHS = ("ask", "counterpoise.paths()")
INK = ("ask", COLOURED % "scene-path")


class Paths(Pages):
    def test_a_path_is_drawn_where_the_point_goes_and_has_a_switch(self):
        page, _ = self.view(*PALLETISER, "--set", "payload=10")
        self.run_program("simulate", *PALLETISER, "--set", "payload=10", "-o", "rows.csv")
        model = json.loads(PALLETISER[0].read_text("utf-8"))
        right = [positions(model, {key[:-2]: float(value) for key, value in row.items() if key.endswith(".q")})["gripper.tip"]
                 for row in self.read_csv("rows.csv")]
        others = [("click", f".switches label:text-is('{name}')")  # their shades may be like the path's colour
                  for name in ("Bodies", "Joints", "Actuators", "Points and anchors")]
        for scheme in ("light", "dark"):
            paths, legend, shown, ink, pixels, without, on = self.asked(
                page, DRAWN, PATHS, LEGEND, ("ask", "counterpoise.shown"), *others, INK,
                ("ask", f"""Array.from({{length: {len(right)}}}, (_, k) => {{
                   counterpoise.go(k);
                   return counterpoise.pixels()['gripper.tip'];
                 }})"""),
                ("click", "text=Paths of points"), INK, ("ask", "counterpoise.layers.paths"), scheme=scheme)
            (name, numbers), = paths.items()
            self.assertEqual(name, "path of gripper.tip")
            self.assertIn(name, legend)
            self.assertIn(name, shown)
            # it has each place once, and none that the point does not go through
            line = [numbers[i:i + 3] for i in range(0, len(numbers), 3)]
            for place in line:
                self.assertLess(min(math.dist(place, one) for one in right), 1e-6)
            for place in right:
                self.assertLess(min(math.dist(place, one) for one in line), 1e-6)
            # its colour reaches as far as the point does
            across, down = zip(*pixels)
            self.assertGreater(ink["count"], 200)
            for found, expected in zip(ink["box"], (min(across), min(down), max(across), max(down))):
                self.assertAlmostEqual(found, expected, delta=4)
            self.assertEqual((without["count"], on), (0, False))

    def test_each_design_has_its_own_and_bodies_hide_theirs(self):
        motion = json.loads(PALLETISER[2].read_text("utf-8"))
        del motion["parameters"]
        motion["points"]["gripper.tip"]["moves"] = [{"to": ["950 + payload", -350, 650], "duration": 1}]
        self.write("motion.json", motion)
        page, _ = self.view(PALLETISER[0], "--motion", "motion.json", "--set", "payload=20", "--ghost", "payload=0")
        own, ghost, shown, hidden = self.asked(
            page, DRAWN, PATHS, ("ask", "counterpoise.paths(1)"), ("ask", "counterpoise.shown"),
            ("click", ".tree label:has-text('gripper') input"), ("ask", "counterpoise.shown"))
        ends = [numbers[-3:] for paths in (own, ghost) for numbers in paths.values()]
        for found, x in zip(ends, (0.97, 0.95), strict=True):
            self.assertLess(math.dist(found, (x, -0.35, 0.65)), 1e-6)
        self.assertIn("path of gripper.tip", shown)
        self.assertNotIn("path of gripper.tip", hidden)

    def test_a_motion_of_joints_has_none(self):
        page, _ = self.view(TWO_LINK_ARM / "model.json", "--motion", TWO_LINK_ARM / "motion.json")
        paths, legend, layers = self.asked(page, DRAWN, PATHS, LEGEND, ("ask", "Object.keys(counterpoise.layers)"))
        self.assertEqual(paths, {})
        self.assertNotIn("path", legend)
        self.assertNotIn("paths", layers)


class PathsInReports(Reports):
    webgl = True

    def test_a_report_draws_them_and_has_a_switch(self):
        page, _ = self.report(self.run_study(EXAMPLES / "palletiser" / "study.json"))
        switch = "#scene .chooser label:has-text('paths') input"
        legend, shown, hidden = self.ask(
            page, DRAWN, LEGEND, ("ask", "counterpoise.shown"), ("click", switch), ("ask", "counterpoise.shown"))
        self.assertIn("path of gripper.tip", legend)
        self.assertIn("path of gripper.tip", shown)
        self.assertNotIn("path of gripper.tip", hidden)


if __name__ == "__main__":
    unittest.main()
