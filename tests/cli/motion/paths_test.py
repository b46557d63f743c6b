#!/usr/bin/env python3
"""Motions that give points of a mechanism: lines and arcs, speeds, studies whose links vary, and what is
refused."""

import csv
import json
import math
import unittest

import wrong_paths
from program import EXAMPLES, ScratchFolder
from wrong_table import WrongTable

GUESS = {"shoulder": -0.4, "elbow": 1.5}


class Paths(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.write("model.json", wrong_paths.MODEL)

    def motion(self, course, guess=GUESS, **more):
        self.write("motion.json", {"format": "counterpoise-motion/1", "step": 0.01, "points": {"forearm.tip": course},
                                   "guess": guess, **more})

    def simulated(self, course, *arguments, **more):
        self.motion(course, **more)
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", *arguments)
        return [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]

    def tips(self, rows, upper=0.4):
        """Where the tip is, from the joints."""
        for row in rows:
            first = row["upper_arm.q"]
            second = first + row["forearm.q"]
            yield (upper * math.cos(first) + 0.4 * math.cos(second), upper * math.sin(first) + 0.4 * math.sin(second))

    def test_a_line_and_an_arc(self):
        # a quarter of a circle about (0.5, 0.3), entered in its own direction
        half = math.sqrt(0.5)
        rows = self.simulated({"start": [0.4, 0, 0.2], "moves": [
            {"to": [0.5, 0, 0.2], "max_speed": 0.25, "max_acceleration": 1},
            {"hold": 0.2},
            {"to": [0.6, 0, 0.3], "via": [0.5 + 0.1 * half, 0, 0.3 - 0.1 * half], "duration": 1}]})
        line = 0.1 / 0.25 + 0.25 / 1
        for row, (x, z) in zip(rows, self.tips(rows), strict=True):
            t = row["t"]
            if t <= line + 0.2:
                # a trapezoid of the way: two ramps of 0.25 s
                left = max(line - t, 0)
                way = t * t / 2 if t < 0.25 else 0.1 - left * left / 2 if left < 0.25 else 0.25 * (t - 0.125)
                expected = 0.4 + way, 0.2
            else:
                s = min(t - line - 0.2, 1)
                angle = math.pi / 2 * s ** 3 * (10 - 15 * s + 6 * s * s)
                expected = 0.5 + 0.1 * math.sin(angle), 0.3 - 0.1 * math.cos(angle)
            self.assertAlmostEqual(x, expected[0], delta=1e-12, msg=t)
            self.assertAlmostEqual(z, expected[1], delta=1e-12, msg=t)
        self.assertEqual(len(rows), math.ceil((line + 1.2) / 0.01) + 1)

    def test_several_lines_and_arcs_in_one_move(self):
        rows = self.simulated({"unit": "mm", "start": [400, 0, 200], "moves": [
            {"along": [{"to": [500, 0, 200]}, {"to": [600, 0, 300], "via": [570.7107, 0, 229.2893]},
                       {"to": [600, 0, 350]}], "max_speed": 100, "max_acceleration": 1000, "max_jerk": 20000}]})
        length = 0.1 + 0.1 * math.pi / 2 + 0.05
        told = self.run_json("motion", "motion.json", "--of", "model.json", "--json")
        self.assertAlmostEqual(told["duration"], length / 0.1 + 0.1 + 0.05, delta=0.01)
        # where a line leads into an arc at speed, the acceleration towards the centre jumps
        self.assertEqual([one["jerk"] for one in told["coordinates"]][::2], [None, None])
        on_way = list(self.tips(rows))
        speeds = [math.dist(a, b) / 0.01 for a, b in zip(on_way, on_way[1:])]
        self.assertAlmostEqual(max(speeds), 0.1, delta=1e-5)
        # nowhere on the way it slows down
        self.assertGreater(min(speeds[20:-20]), 0.0999)
        for x, z in on_way:
            on_line = z <= 0.2 + 1e-9 or x >= 0.6 - 1e-9
            self.assertTrue(on_line or abs(math.dist((x, z), (0.5, 0.3)) - 0.1) < 1e-6, (x, z))  # "via" is rounded

    def test_an_arc_of_more_than_half_a_circle(self):
        rows = self.simulated({"start": [0.6, 0, 0.2], "moves": [
            {"to": [0.5, 0, 0.1], "via": [0.5, 0, 0.3], "duration": 1, "profile": "trapezoid", "ramp": 0.25}]})
        found = list(self.tips(rows))
        for x, z in found:
            self.assertAlmostEqual(math.dist((x, z), (0.5, 0.2)), 0.1, delta=1e-12)
        x, z = found[50]  # half of three quarters
        self.assertAlmostEqual(math.atan2(z - 0.2, x - 0.5), 0.75 * math.pi, delta=1e-11)

    def test_profiles_of_coordinates_and_velocities(self):
        sine = {"type": "sine", "mean": 0.5, "amplitude": 0.05, "period": 0.8}
        rows = self.simulated({"x": sine, "z": {"type": "hold", "value": 0.2}}, duration=1.6, step=1e-3)
        for row, (x, z) in zip(rows, self.tips(rows), strict=True):
            self.assertAlmostEqual(x, 0.5 + 0.05 * math.sin(2 * math.pi * row["t"] / 0.8), delta=1e-12)
            self.assertAlmostEqual(z, 0.2, delta=1e-12)
        for before, row, after in zip(rows, rows[1:], rows[2:]):
            for joint in ("upper_arm", "forearm"):
                self.assertAlmostEqual(row[joint + ".qd"], (after[joint + ".q"] - before[joint + ".q"]) / 2e-3, delta=1e-4)
                self.assertAlmostEqual(row[joint + ".qdd"], (after[joint + ".qd"] - before[joint + ".qd"]) / 2e-3,
                                       delta=1e-3)

    def test_the_guess_says_which_branch(self):
        line = {"start": [0.5, 0, 0.2], "moves": [{"to": [0.6, 0, 0.1], "duration": 1}]}
        below = self.simulated(line)
        above = self.simulated(line, guess={"shoulder": 1, "elbow": "-90 deg"})
        for one, other, (x, z) in zip(below, above, self.tips(below), strict=True):
            self.assertAlmostEqual(one["elbow.position"], -other["elbow.position"], delta=1e-11)
            middle = math.atan2(z, x)
            self.assertAlmostEqual(one["shoulder.position"] - middle, middle - other["shoulder.position"], delta=1e-11)

    def test_an_orientation(self):
        # pitch turns about y, and the links rise about -y
        self.write("motion.json", {
            "format": "counterpoise-motion/1", "duration": 1, "step": 0.01,
            "points": {"forearm.tip": {"z": {"type": "sine", "mean": 0.25, "amplitude": 0.1, "period": 1}}},
            "orientations": {"forearm": {"pitch": {"type": "point-to-point", "from": -10, "to": 20, "unit": "deg"}}},
            "guess": {"shoulder": 0.5, "elbow": -0.4}})
        said = self.run_program("simulate", "model.json", "--motion", "motion.json")
        rows = [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]
        for row, (_, z) in zip(rows, self.tips(rows), strict=True):
            s = row["t"]
            pitch = math.radians(-10 + 30 * s ** 3 * (10 - 15 * s + 6 * s * s))
            self.assertAlmostEqual(row["upper_arm.q"] + row["forearm.q"], -pitch, delta=1e-12)
            self.assertAlmostEqual(z, 0.25 + 0.1 * math.sin(2 * math.pi * s), delta=1e-12)

    def test_a_study_whose_links_and_path_vary(self):
        model = json.loads(wrong_paths.MODEL)
        model["parameters"]["depth"] = 0.2
        self.write("model.json", model)
        self.motion({"start": [0.5, 0, 0.2], "moves": [{"to": [0.7, 0, "depth"], "duration": 1}]})
        self.write("study.json", {
            "format": "counterpoise-study/1", "name": "links", "model": "model.json",
            "motions": {"reach": "motion.json"},
            "variables": {"upper_length": {"values": [0.26, 0.35, 0.4, 0.45]}, "depth": {"values": [0.1, 0.2, 0.3]}},
            "sampling": {"method": "grid"},
            "objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder"]}]})
        self.run_program("run", "study.json", "-o", "links.db")
        cases = self.cases("links.db")
        self.assertEqual(len(cases), 12)
        for case in cases:
            upper, depth = case["upper_length"], case["depth"]
            settings = ("--set", f"upper_length={upper}", "--set", f"depth={depth}")
            reached = math.hypot(0.7, depth) <= upper + 0.4
            self.assertEqual(case["status"] == "feasible", reached, case)
            if not reached:
                self.assertIn("point forearm.tip cannot be reached on its branch at t=",
                              " ".join(self.run_program("show", "links.db", case["id"]).stdout.split()))
                continue
            said = self.run_program("simulate", "model.json", "--motion", "motion.json", *settings)
            rows = [{name: float(cell) for name, cell in row.items()}
                    for row in csv.DictReader(said.stdout.splitlines())]
            peak = max(abs(row["shoulder.load"]) for row in rows)
            self.assertAlmostEqual(case["peak"], peak, delta=1e-12 * peak)
            *_, (x, z) = self.tips(rows, upper)
            self.assertAlmostEqual(x, 0.7, delta=1e-12)
            self.assertAlmostEqual(z, depth, delta=1e-12)

    def test_motion_tells_of_the_point(self):
        self.motion({"start": [0.5, 0, 0.2], "moves": [{"to": [0.6, 0, 0.2], "max_speed": 0.5, "max_acceleration": 4}]})
        told = self.run_json("motion", "motion.json", "--of", "model.json", "--json")
        x, y, z = told["coordinates"]
        self.assertEqual([x["name"], y["name"], z["name"]], [f"forearm.tip.{axis}" for axis in "xyz"])
        self.assertEqual((x["unit"], x["least"], x["greatest"]), ("m", 0.5, 0.6))
        self.assertAlmostEqual(x["speed"]["value"], 0.5, delta=0.05)
        self.assertTrue(told["followed"])
        for found in (self.run_json("check", "motion.json", "--json"),
                      self.run_json("check", "--model", "model.json", "motion.json", "--json")):
            self.assertEqual(found["samples"], told["samples"])


class Palletiser(ScratchFolder):
    """examples/palletiser against the closed forms of its README."""

    def setUp(self):
        super().setUp()
        self.copy_example(EXAMPLES / "palletiser")
        motion = json.loads((EXAMPLES / "palletiser" / "motion.json").read_text("utf-8"))
        self.write("motion.json", {**motion, "inertia": False})

    def simulated(self, payload, *arguments):
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", "--set", f"payload={payload}",
                                *arguments)
        return [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]

    def test_loads_at_rest_are_the_closed_form(self):
        for payload in (0, 10, 20):
            hand = 4 + 5 + payload
            lower = 9.81 * 0.7 * (22 / 2 + 4 / 2 + 2.5 / 2 + 16 + 2 + 2.5 + hand)
            upper = 9.81 * (0.8 * (2.5 / 2 + hand) + 0.25 * 16 - 0.25 * (5 / 2 + 4))
            for row in self.simulated(payload, "--without-springs"):
                self.assertAlmostEqual(row["lower.load"], lower * math.cos(row["lower_arm.q"]), delta=1e-11 * lower)
                self.assertAlmostEqual(row["upper.load"], upper * math.cos(row["crank.q"]), delta=1e-11 * lower)
                self.assertAlmostEqual(row["base.load"], 0, delta=1e-11 * lower)

    def test_the_gripper_is_where_the_path_has_it(self):
        rows = self.simulated(0)
        for row in rows:
            base, lower, upper = row["turntable.q"], row["lower_arm.q"], row["crank.q"]
            reach = 0.15 + 0.7 * math.cos(lower) + 0.8 * math.cos(upper) + 0.1
            x, y = reach * math.cos(base), reach * math.sin(base)
            z = 0.5 + 0.7 * math.sin(lower) + 0.8 * math.sin(upper) - 0.2
            self.assertAlmostEqual(base + row["gripper.q"], 0, delta=1e-12)
            on_arc = abs(z - 0.65) < 1e-12 and abs(math.hypot(x, y) - math.hypot(0.35, 0.95)) < 1e-7
            on_lines = min(math.hypot(x - 0.95, y + 0.35), math.hypot(x - 0.35, y - 0.95)) < 1e-12
            self.assertTrue(on_arc or on_lines, (x, y, z))
        self.assertAlmostEqual(min(row["lower_arm.qd"] ** 2 for row in rows), 0, delta=1e-20)


class WrongPaths(WrongTable):
    def test_points(self):
        self.check_all(wrong_paths.POINTS)

    def test_orientations(self):
        self.check_all(wrong_paths.ORIENTATIONS)

    def test_redundant_arms(self):
        self.check_all(wrong_paths.REDUNDANT)

    def test_guesses(self):
        self.check_all(wrong_paths.GUESSES)

    def test_paths(self):
        self.check_all(wrong_paths.PATHS)

    def test_unreachable(self):
        self.check_all(wrong_paths.UNREACHABLE)


if __name__ == "__main__":
    unittest.main()
