#!/usr/bin/env python3
"""What pages show of a motion itself: the paths of points, and what its coordinates do over time."""

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
COURSE = ("ask", "counterpoise.course")
TOLD = ("ask", "document.querySelector('.course > div > p').textContent")
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


def chosen(coordinate):
    return ("choose", ["select[aria-label='coordinate of the motion']", coordinate])


class Courses(Pages):
    def moves(self, **changes):
        motion = json.loads((TWO_LINK_ARM / "moves.json").read_text("utf-8"))
        self.write("moves.json", {**motion, **changes})
        return TWO_LINK_ARM / "model.json", "--motion", self.folder / "moves.json"

    def test_page_and_terminal_say_the_same_of_each_coordinate(self):
        sines = {"type": "sine", "mean": 0.2, "amplitude": 0.3, "period": 1.7, "phase": 0.4}
        spline = {"type": "spline", "times": [0, 1, 2.5, 4], "values": [0.2, 0.9, 0.1, 0.6]}
        held = self.moves(duration=4, synchronised=False, coordinates={"shoulder": sines, "elbow": {"type": "hold", "value": 0.3}})
        for (model, _, motion), settings in (
                (PALLETISER, ["--set", "payload=10"]), (self.moves(), []), (held, []),
                (self.moves(duration=4, synchronised=False, coordinates={"shoulder": sines, "elbow": spline}), [])):
            said = json.loads(self.run_program("motion", motion, "--of", model, *settings, "--json",
                                               "-o", self.folder / "course.csv").stdout)
            rows = self.read_csv("course.csv")
            page, _ = self.view(model, "--motion", motion, *settings)
            for one in said["coordinates"]:
                course, told, values = self.asked(
                    page, chosen(one["name"]), ("eval", "counterpoise.go(60)"), COURSE, TOLD,
                    ("ask", "[...document.querySelectorAll('.course .plot')].map((one) => one.querySelector('output').textContent)"))
                for plot, quantity, rate, shown in zip(course, ("position", "velocity", "acceleration"), ("", "/s", "/s^2"),
                                                       values, strict=True):
                    self.assertEqual(plot["unit"], one["unit"] + rate)
                    self.assertEqual(plot["lines"][0]["name"], one["name"])
                    right = [float(row[f"{one['name']}.{quantity}"]) for row in rows]
                    size = max(map(abs, right)) or 1
                    for found, expected in zip(plot["lines"][0]["values"], right, strict=True):
                        self.assertAlmostEqual(found, expected, delta=1e-6 * size)
                    # the legend has the instant of the time line
                    self.assertAlmostEqual(float(shown.replace("−", "-")), right[60], delta=1e-3 * size)
                words = lambda value: f"{value:.4g}".replace("-", "−")
                self.assertIn(f"largest acceleration {words(one['acceleration']['value'])} {one['unit']}/s² "
                              f"at {words(one['acceleration']['t'])} s", told)
                self.assertIn(f"largest speed {words(one['speed']['value'])} {one['unit']}/s at {words(one['speed']['t'])} s", told)

    def test_ends_of_moves_and_their_limits_are_drawn(self):
        page, _ = self.view(*self.moves(duration=6, synchronised=False, coordinates={
            "shoulder": {"type": "moves", "start": 0, "moves": [
                {"to": 0.5, "max_speed": 0.4, "max_acceleration": 2}, {"hold": 0.3}, {"to": 0, "duration": 1},
                {"to": 0.2, "max_speed": 0.3, "max_acceleration": 1, "max_jerk": 20}]},
            "elbow": {"type": "point-to-point", "from": 0, "to": 1, "start_time": 0.5, "end_time": 2, "profile": "quintic"}}),
            "--display", "deg")
        course, drawing, told, elbow = self.asked(
            page, COURSE, ("ask", "counterpoise.courseSvg(1)"), TOLD, chosen("elbow"), COURSE)
        first = 0.5 / 0.4 + 0.4 / 2  # a trapezoid
        second = 0.2 / 0.3 + 0.3 / 1 + 1 / 20  # an S-curve that has time for its top speed
        ends = [first, first + 0.3, first + 1.3, first + 1.3 + second]
        marks = course[0]["marks"]
        self.assertEqual(len(marks), len(ends))
        for found, right in zip(marks, ends):
            self.assertAlmostEqual(found, right, delta=1e-9)
        self.assertEqual(drawing.count('class="mark"'), len(ends))
        self.assertIn(">Velocity [deg/s]<", drawing)
        self.assertEqual([line["name"] for line in course[0]["lines"]], ["shoulder"])
        for plot, name, limits in ((course[1], "max_speed", (0.4, 0.3)), (course[2], "max_acceleration", (2, 1))):
            _, upper, lower = plot["lines"]
            self.assertEqual((upper["name"], lower["name"]), (name, f"−{name}"))
            for k, (value, negative) in enumerate(zip(upper["values"], lower["values"])):
                t = k * 0.02
                right = limits[0] if t <= first else limits[1] if ends[2] - 1e-9 <= t <= ends[3] else None
                self.assertEqual((value, negative), (right, right and -right), t)
        self.assertIn("Dotted lines stand where one move ends", told)
        self.assertIn("limits of moves", told)
        self.assertIn("shoulder goes from 0 to 28.65 deg", told)
        self.assertEqual(elbow[0]["marks"], [0.5, 2])
        self.assertEqual([len(plot["lines"]) for plot in elbow], [1, 1, 1])

    def test_limits_of_a_path_are_those_of_the_way_along_it(self):
        page, _ = self.view(*PALLETISER, "--set", "payload=10")
        course, options, z = self.asked(
            page, COURSE, ("ask", "[...document.querySelector('.course select').options].map((one) => one.value)"),
            chosen("gripper.tip.z"), COURSE)
        self.assertEqual(options, ["gripper.tip along its path", "gripper.tip.x", "gripper.tip.y", "gripper.tip.z", "gripper.yaw"])
        self.assertEqual([line["name"] for line in course[1]["lines"]], ["gripper.tip along its path", "max_speed"])
        self.assertEqual({value for value in course[1]["lines"][1]["values"] if value is not None}, {1, 1.6})
        length = 2 * (0.4 + 0.45) + 2 * math.pi / 2 * math.hypot(0.95, 0.35)
        self.assertAlmostEqual(max(course[0]["lines"][0]["values"]), length, delta=0.02)
        self.assertLess(max(course[1]["lines"][0]["values"]), 1.6 * (1 + 1e-6))
        self.assertEqual(z[0]["marks"], course[0]["marks"])
        self.assertEqual(len(z[0]["marks"]), 8)  # the last move ends within the last step
        self.assertEqual([len(plot["lines"]) for plot in z], [1, 1, 1])

    def test_a_ghost_stands_beside_and_the_choice_stays_in_the_address(self):
        spec = {"type": "moves", "start": 0, "unit": "m", "moves": [{"to": "upper_length", "duration": 2}]}
        arguments = self.moves(duration=4, synchronised=False, coordinates={"shoulder": spec | {"unit": "rad"}, "elbow": {"type": "hold", "value": 0.1}})
        page, _ = self.view(*arguments, "--ghost", "upper_length=0.5")
        first, held, again = self.asked(
            page, COURSE, chosen("elbow"), COURSE, ("wait", "location.hash.includes('coordinate=elbow')"),
            ("open", "#coordinate=elbow"), ("ask", "document.querySelector('.course select').value"))
        names = [line["name"] for line in first[0]["lines"]]
        self.assertEqual(names, ["shoulder", "shoulder (ghost)"])
        self.assertAlmostEqual(first[0]["lines"][1]["values"][-1], 0.5, delta=1e-6)
        self.assertEqual(len(held[0]["lines"][0]["values"]), 201)
        self.assertEqual(again, "elbow")

    def test_falls_poses_and_rest_have_none(self):
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": {
            "shoulder": {"values": [0, 0.1]}, "elbow": {"values": [0.3, 0.4]}}})
        model = TWO_LINK_ARM / "model.json"
        for arguments in ((model,), (model, "--motion", "poses.json"), (model, "--scenario", TWO_LINK_ARM / "power_loss.json")):
            page, _ = self.view(*arguments)
            panels, = self.asked(page, ("ask", "document.querySelectorAll('.course').length"))
            self.assertEqual(panels, 0)


if __name__ == "__main__":
    unittest.main()
