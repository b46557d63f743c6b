#!/usr/bin/env python3
"""Lists of moves: what is driven, moves within limits, synchronised moves, motions that end with their
moves, ends of splines, and what is refused."""

import csv
import itertools
import json
import math
import unittest

import wrong_moves
from program import TWO_LINK_ARM, ScratchFolder
from wrong_table import WrongTable


class Moves(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM)

    def motion(self, coordinates, **more):
        self.write("moves.json", {"format": "counterpoise-motion/1", "step": 0.01, "coordinates": coordinates, **more})

    def simulated(self, coordinates, **more):
        self.motion(coordinates, **more)
        said = self.run_program("simulate", "model.json", "--motion", "moves.json")
        return [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]

    def test_the_moves_follow_each_other(self):
        shoulder = {"type": "moves", "start": 10, "unit": "deg", "moves": [
            {"to": 40, "duration": 1.5}, {"hold": 0.5},
            {"to": -20, "duration": 2, "profile": "trapezoid", "ramp": 0.2}]}
        elbow = {"type": "hold", "value": 0.5}
        rows = self.simulated({"shoulder": shoulder, "elbow": elbow}, duration=5)
        self.assertEqual(len(rows), 501)
        for k, degrees in ((0, 10), (75, 25), (150, 40), (180, 40), (200, 40), (300, 10), (400, -20), (500, -20)):
            self.assertAlmostEqual(rows[k]["shoulder.position"], math.radians(degrees), delta=1e-14, msg=k)
        self.assertAlmostEqual(rows[300]["shoulder.velocity"], math.radians(-60 / 2 / 0.8), delta=1e-13)
        self.assertEqual([row["upper_arm.qdd"] for row in rows[401:]], [0] * 100)
        # the same as two point-to-point moves
        first = {"type": "point-to-point", "from": 10, "to": 40, "end_time": 1.5, "unit": "deg"}
        alone = self.simulated({"shoulder": first, "elbow": elbow}, duration=5)
        for row, other in zip(rows[:200], alone, strict=False):
            for name, value in row.items():
                self.assertAlmostEqual(value, other[name], delta=1e-11 * max(1, abs(value)), msg=name)

    def test_moves_within_limits(self):
        limits = {"max_speed": 30, "max_acceleration": 60, "max_jerk": 200}
        shoulder = {"type": "moves", "unit": "deg", "moves": [
            {"to": 40, **limits}, {"to": 38, **limits},
            {"to": 0, "max_speed": 30, "max_acceleration": 60}]}
        rows = self.simulated({"shoulder": shoulder, "elbow": {"type": "hold"}})
        top = math.radians(30)
        speeds = [row["shoulder.velocity"] for row in rows]
        self.assertAlmostEqual(max(speeds), top, delta=1e-14)
        self.assertAlmostEqual(min(speeds), -top, delta=1e-14)
        self.assertLessEqual(max(abs(row["upper_arm.qdd"]) for row in rows), math.radians(60) * (1 + 1e-12))
        # 40 deg: 30 / 60 + 60 / 200 s a ramp; 2 deg: jerk alone, 4 cbrt(2 / (2 * 200)) s; 38 deg: a trapezoid
        ends = (40 / 30 + 0.8) + 4 * (2 / 400) ** (1 / 3) + (38 / 30 + 0.5)
        self.assertEqual(len(rows), math.ceil(ends / 0.01) + 1)

    def test_units_in_the_texts_of_limits(self):
        plain = {"to": 1, "max_speed": 0.5, "max_acceleration": 2}
        named = {"to": "1 rad", "max_speed": f"{math.degrees(0.5)} deg/s", "max_acceleration": 2}
        found = [self.simulated({"shoulder": {"type": "moves", "moves": [move]}, "elbow": {"type": "hold"}})
                 for move in (plain, named)]
        for one, other in zip(*found, strict=True):
            self.assertAlmostEqual(one["shoulder.position"], other["shoulder.position"], delta=1e-14)

    def test_synchronised_moves_start_together_and_are_scaled_in_time(self):
        def limited(*ends):
            return {"type": "moves", "moves": [{"to": end, "max_speed": 1, "max_acceleration": 2} for end in ends]}

        shoulder, elbow = limited(1, 1.2), limited(0.25, 1.25)
        rows = self.simulated({"shoulder": shoulder, "elbow": elbow}, synchronised=True)
        # 1 rad takes 1.5 s, both times; the shorter ways are slowed down to it
        self.assertEqual(len(rows), 301)
        self.assertAlmostEqual(rows[150]["shoulder.position"], 1, delta=1e-13)
        self.assertAlmostEqual(rows[150]["elbow.position"], 0.25, delta=1e-13)
        alone = self.simulated({"shoulder": limited(1), "elbow": limited(0.25)})
        short = 2 * math.sqrt(0.25 / 2)  # two ramps
        for row in rows[:150:10]:
            # a trapezoid of 1/3 ramps, and a triangle
            s = row["t"] / 1.5
            ramps = 2 * s * s if s < 0.5 else 1 - 2 * (1 - s) ** 2
            self.assertAlmostEqual(row["elbow.position"], 0.25 * ramps, delta=1e-13)
        for row, other in zip(rows[:150], alone, strict=False):
            self.assertAlmostEqual(row["shoulder.position"], other["shoulder.position"], delta=1e-13)
        self.assertLess(short, 1.5)
        apart = self.simulated({"shoulder": shoulder, "elbow": elbow})
        self.assertAlmostEqual(apart[120]["elbow.position"],
                               0.25 + 1.0 - self.left(1.5, 1.2 - short), delta=1e-12)

    def left(self, lasts, t):
        """Of 1 rad by a trapezoid of 1 rad/s and 2 rad/s^2, before its middle."""
        self.assertLess(t, lasts / 2)
        return 1 - (t * t if t < 0.5 else t - 0.25)

    def test_synchronised_rests_wait_too(self):
        shoulder = {"type": "moves", "moves": [{"hold": 0.2}, {"to": 1, "duration": 1}]}
        elbow = {"type": "moves", "moves": [
            {"to": 0.5, "duration": 0.7}, {"to": 0, "duration": 0.5, "profile": "s-curve"},
            {"to": 0.2, "duration": 0.3}]}
        rows = self.simulated({"shoulder": shoulder, "elbow": elbow}, synchronised=True)
        self.assertEqual(len(rows), 201)
        self.assertEqual(rows[69]["shoulder.velocity"], 0)
        self.assertGreater(rows[71]["shoulder.velocity"], 0)
        self.assertAlmostEqual(rows[120]["elbow.position"], 0.25, delta=1e-13)
        self.assertAlmostEqual(rows[170]["elbow.position"], 0, delta=1e-13)
        self.assertAlmostEqual(rows[200]["elbow.position"], 0.2, delta=1e-13)

    def test_a_motion_ends_with_its_last_move_in_whole_steps(self):
        for lasts, samples in ((1, 101), (1.001, 102), (0.999, 101), (0.001, 2), (0.3, 31)):
            self.motion({"shoulder": {"type": "moves", "moves": [{"to": 1, "duration": lasts}]},
                         "elbow": {"type": "hold"}})
            for found in (self.run_json("check", "moves.json", "--json"),
                          self.run_json("check", "--model", "model.json", "moves.json", "--json")):
                self.assertEqual(found["samples"], samples, lasts)

    def test_a_design_whose_moves_take_too_long_is_infeasible(self):
        model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))
        model["parameters"]["pace"] = {"value": 1, "unit": "s"}
        self.write("model.json", model)
        study = json.loads((TWO_LINK_ARM / "study.json").read_text("utf-8"))
        moves = {"type": "moves", "moves": [{"hold": 0.5}, {"to": 1, "duration": "pace"}]}
        other = {"type": "moves", "moves": [{"hold": 0.1}, {"to": 1, "max_speed": 2, "max_acceleration": 5}]}
        study["motions"] = {"go": {"duration": 2, "step": 0.1, "synchronised": True,
                                   "coordinates": {"shoulder": moves, "elbow": other}}}
        study["variables"] = {"pace": {"values": [0.5, 1, 1.4, 1.6, 0]}}
        study["sampling"] = {"method": "grid"}
        for key in ("baseline", "constraints", "tolerances", "keep"):
            study.pop(key, None)
        self.write("study.json", study)
        self.run_program("run", "study.json", "-o", "pace.db")
        cases = sorted(self.cases("pace.db"), key=lambda case: case["pace"])
        self.assertEqual([case["status"] == "feasible" for case in cases], [False, True, True, True, False])
        reasons = [self.run_program("show", "pace.db", case["id"]).stdout for case in (cases[0], cases[-1])]
        self.assertIn("motion go at /motions/go/coordinates/shoulder/moves/1: duration is 0, expected more than 0 s",
                      " ".join(reasons[0].split()))
        self.assertIn("the move ends at 2.1 s, expected at most the motion's 2 s", " ".join(reasons[1].split()))
        # the elbow waits for the shoulder: what it does depends on the pace too
        peaks = [case["shoulder_peak"] for case in cases[1:4]]
        self.assertEqual(len(set(peaks)), 3)

    def test_ends_of_splines(self):
        knots = {"type": "spline", "times": [0, 0.3, 0.8, 1], "values": [0.1, 0.6, 0.2, 0.1]}
        found = {}
        for ends in (None, "clamped", "natural", "periodic"):
            shoulder = knots if ends is None else {**knots, "ends": ends}
            found[ends] = self.simulated({"shoulder": shoulder, "elbow": {"type": "hold"}}, duration=1)
        self.assertEqual(found[None], found["clamped"])
        first, last = found["natural"][0], found["natural"][-1]
        self.assertAlmostEqual(first["upper_arm.qdd"], 0, delta=1e-12)
        self.assertAlmostEqual(last["upper_arm.qdd"], 0, delta=1e-11)
        first, last = found["periodic"][0], found["periodic"][-1]
        for name in ("shoulder.position", "shoulder.velocity", "upper_arm.qdd", "shoulder.load"):
            self.assertAlmostEqual(first[name], last[name], delta=1e-10, msg=name)
        self.assertGreater(abs(first["shoulder.velocity"]), 0.1)

    def test_a_spline_through_many_periods_repeats(self):
        values = [0.1, 0.6, 0.2]
        once = {"type": "spline", "times": [0, 0.3, 0.8, 1], "values": [*values, 0.1], "ends": "periodic"}
        times = [n + t for n in range(3) for t in (0, 0.3, 0.8)] + [3]
        thrice = {"type": "spline", "times": times, "values": [*values * 3, 0.1], "ends": "periodic"}
        hold = {"type": "hold"}
        short = self.simulated({"shoulder": once, "elbow": hold}, duration=1)
        for row, expected in zip(self.simulated({"shoulder": thrice, "elbow": hold}, duration=3),
                                 itertools.chain(short[:-1], short[:-1], short), strict=True):
            self.assertAlmostEqual(row["shoulder.position"], expected["shoulder.position"], delta=1e-12)
            self.assertAlmostEqual(row["upper_arm.qdd"], expected["upper_arm.qdd"], delta=1e-9)


class WrongMoves(WrongTable):
    def test_lists(self):
        self.check_all(wrong_moves.LISTS)

    def test_numbers(self):
        self.check_all(wrong_moves.NUMBERS)

    def test_motions(self):
        self.check_all(wrong_moves.MOTIONS)

    def test_splines(self):
        self.check_all(wrong_moves.SPLINES)


if __name__ == "__main__":
    unittest.main()
