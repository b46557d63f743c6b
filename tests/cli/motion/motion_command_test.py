#!/usr/bin/env python3
"""`motion`: extremes of coordinates, limits of actuators, formats; and smoothing of recorded positions,
which it tells of."""

import csv
import json
import math
import random
import unittest

from arm_files import CRANK_MOTION, FOUR_BAR
from program import BAD_INPUT, ERROR, INFEASIBLE, TWO_LINK_ARM, ScratchFolder, file_size_limit
from wrong_table import WrongTable, wrong_command, wrong_motion

TELL = ("motion", "motion.json", "--of", "model.json")
SINE = '{"type": "sine", "amplitude": 0.5, "period": 1}'


class Command(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM)
        self.model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))

    def motion(self, coordinates, **more):
        self.write("motion.json", {"format": "counterpoise-motion/1", "step": 0.01, "coordinates": coordinates, **more})

    def limits(self, **limits):
        self.model["actuators"][0].update(limits)
        self.write("model.json", self.model)

    def sine(self):
        sine = {"type": "sine", "mean": 10, "amplitude": 30, "period": 2, "phase": 0.3, "unit": "deg"}
        self.motion({"shoulder": sine, "elbow": {"type": "bang-bang", "acceleration": 0.4}}, duration=4)

    def test_extremes(self):
        self.sine()
        found = self.run_json(*TELL, "--json")
        self.assertEqual((found["duration"], found["samples"]), (4, 401))
        shoulder, elbow = found["coordinates"]
        self.assertEqual((shoulder["name"], shoulder["unit"]), ("shoulder", "rad"))
        amplitude, turn = math.radians(30), math.pi
        for key, number in (("speed", amplitude * turn), ("acceleration", amplitude * turn**2),
                            ("jerk", amplitude * turn**3)):
            self.assertAlmostEqual(shoulder[key]["value"], number, delta=2e-4 * number, msg=key)
        self.assertAlmostEqual(shoulder["greatest"], math.radians(40), delta=1e-4)
        self.assertAlmostEqual(shoulder["least"], math.radians(-20), delta=1e-4)
        self.assertAlmostEqual(shoulder["acceleration"]["t"] % 1, 0.5 - 0.3 / math.pi, delta=0.01)
        self.assertEqual(elbow["acceleration"], {"value": 0.4, "t": 0})
        self.assertEqual(elbow["speed"], {"value": 0.8, "t": 2})
        self.assertIsNone(elbow["jerk"])
        self.assertTrue(found["followed"])
        self.assertEqual(found["limits"], [])

    def test_text_in_units(self):
        self.sine()
        text = self.run_program(*TELL, "--display", "deg").stdout
        self.assertTrue(text.startswith("motion: 4 s in steps of 0.01 s: 401 samples\n"), text)
        self.assertRegex(text, r"shoulder +deg +-19\.99\d* +39\.99\d* +94\.2")
        self.assertRegex(text, r"elbow +deg +0 .* - +-\n")
        self.assertIn("-: the acceleration jumps", text)
        self.assertIn("no actuator has a limit of position or speed\n", text)
        self.assertRegex(self.run_program(*TELL).stdout, r"shoulder +rad +-0\.349")

    def test_limits_that_are_kept_reached_and_broken(self):
        moves = {"type": "moves", "moves": [{"to": 0.8, "max_speed": 0.5, "max_acceleration": 2}]}
        self.motion({"shoulder": moves, "elbow": {"type": "hold"}})
        for limits, expected in (
                ({"max_speed": 0.6, "max_position": 0.9, "min_position": -0.1}, []),
                ({"max_speed": 0.5, "max_position": 0.8, "min_position": 0},
                 [("min_position", False), ("max_position", False), ("max_speed", False)]),
                ({"max_speed": 0.4, "max_position": 0.7, "min_position": 0.1},
                 [("min_position", True), ("max_position", True), ("max_speed", True)])):
            self.limits(**limits)
            found = self.run_json(*TELL, "--json")["limits"]
            self.assertEqual([(limit["limit"], limit["broken"]) for limit in found], expected)
            for limit in found:
                self.assertEqual(limit["bound"], limits[limit["limit"]])
        values = {limit["limit"]: limit for limit in found}
        self.assertAlmostEqual(values["max_speed"]["value"], 0.5, delta=1e-12)
        self.assertAlmostEqual(values["max_position"]["value"], 0.8, delta=1e-12)
        self.assertEqual(values["min_position"]["value"], 0)
        text = self.run_program(*TELL, "--display", "deg").stdout
        self.assertIn("shoulder breaks its max_speed of 22.9183 deg/s: 28.6479 deg/s at t=", text)
        self.limits(max_speed=0.6, max_position=0.9, min_position=-0.1)
        self.assertIn("it stays within the actuators' limits of position and speed\n", self.run_program(*TELL).stdout)

    def test_a_limit_of_an_actuator_that_a_loop_moves(self):
        model = json.loads(FOUR_BAR)
        model["actuators"] = [{"name": "motor", "joint": "rocker", "max_speed": 0.5}]
        self.write("model.json", model)
        self.write("motion.json", CRANK_MOTION.replace("motor", "crank"))
        limit, = self.run_json(*TELL, "--json")["limits"]
        self.assertEqual((limit["actuator"], limit["broken"]), ("motor", True))
        self.assertGreater(limit["value"], 0.5)

    def test_a_motion_that_the_mechanism_cannot_follow(self):
        self.write("model.json", FOUR_BAR)
        self.write("motion.json", CRANK_MOTION.replace('"amplitude": 0.5', '"amplitude": 1e200'))
        for options in ((), ("--json",)):
            result = self.run_program(*TELL, *options, code=INFEASIBLE)
            self.assertNotEqual(result.stdout, "")
            self.assertNotEqual(result.stderr, "")
        self.assertFalse(json.loads(result.stdout)["followed"])

    def test_csv(self):
        self.sine()
        self.run_program(*TELL, "-o", "course.csv")
        rows = self.read_csv("course.csv")
        self.assertEqual(list(rows[0]), ["t", *(f"{c}.{what}" for c in ("shoulder", "elbow")
                                                for what in ("position", "velocity", "acceleration"))])
        self.assertEqual(len(rows), 401)
        said = self.run_program("simulate", "model.json", "--motion", "motion.json").stdout
        for row, other in zip(rows, csv.DictReader(said.splitlines()), strict=True):
            for name, column in (("shoulder.position", "upper_arm.q"), ("shoulder.velocity", "upper_arm.qd"),
                                 ("shoulder.acceleration", "upper_arm.qdd"), ("elbow.acceleration", "forearm.qdd")):
                self.assertAlmostEqual(float(row[name]), float(other[column]), delta=1e-13)
        self.write("course.csv", "mine")
        self.run_program(*TELL, "-o", "course.csv", code=ERROR, preexec_fn=file_size_limit(4096))
        self.assertEqual((self.folder / "course.csv").read_text(), "mine")

    def test_poses(self):
        self.write("poses.json", {"format": "counterpoise-motion/1",
                                  "poses": {"shoulder": {"range": [-30, 45], "count": 4, "unit": "deg"},
                                            "elbow": {"values": [0.1, 0.5, 1.2]}}})
        self.limits(max_position=0.6, max_speed=1e-9)
        tell = ("motion", "poses.json", "--of", "model.json")
        text = self.run_program(*tell, "--display", "deg").stdout
        self.assertIn("12 poses at rest: all combinations of 4 x 3 positions of shoulder, elbow\n", text)
        self.assertRegex(text, r"shoulder +deg +-30 +45\n")
        self.assertIn("shoulder breaks its max_position of 34.3775 deg: 45 deg in pose 10\n", text)
        self.assertNotIn("max_speed", text)
        found = self.run_json(*tell, "--json")
        self.assertEqual(found["poses"], 12)
        self.assertNotIn("speed", found["coordinates"][0])
        self.run_program(*tell, "-o", "poses.csv")
        self.assertEqual(list(self.read_csv("poses.csv")[0]), ["t", "shoulder.position", "elbow.position"])

    def test_parameters(self):
        self.motion({"shoulder": {"type": "hold", "value": "upper_length / 1 m"}, "elbow": {"type": "hold"}}, duration=1)
        found = self.run_json(*TELL, "--set", "upper_length=50cm", "--json")
        self.assertEqual(found["coordinates"][0]["greatest"], 0.5)

    def record(self, smoothing, rate=100, frequency=0.5, noise=0.002):
        """A recorded swing of an even number of rows a second, with noise, and what was meant."""
        chance = random.Random(1)
        self.meant = lambda t: 0.4 * math.sin(2 * math.pi * frequency * t)
        self.times = [k / rate for k in range(-rate, 3 * rate + 1)]
        self.data = [self.meant(t) + chance.gauss(0, noise) for t in self.times]
        self.write("walk.csv", "t [s],q [deg]\n" + "".join(
            f"{t!r},{math.degrees(q)!r}\n" for t, q in zip(self.times, self.data, strict=True)))
        table = {"type": "table", "file": "walk.csv", "time": "t", "column": "q"}
        if smoothing:
            table["smoothing"] = {"method": "smoothing-spline", **smoothing}
        self.motion({"shoulder": table, "elbow": {"type": "hold"}}, duration=2)

    def test_smoothing_brings_accelerations_near_what_was_meant(self):
        errors = []
        for smoothing in (None, {"cutoff": 4}):
            self.record(smoothing)
            self.run_program(*TELL, "-o", "course.csv", "--json")
            errors.append(max(abs(float(row["shoulder.acceleration"]) + math.pi**2 * self.meant(float(row["t"])))
                              for row in self.read_csv("course.csv")))
        self.assertGreater(errors[0], 30)
        self.assertLess(errors[1], 0.4)

    def test_what_is_said_of_smoothing(self):
        self.record({"cutoff": 4})
        self.run_program(*TELL, "-o", "course.csv")
        smooth = [float(row["shoulder.position"]) for row in self.read_csv("course.csv")]
        # the table covers more than the motion; its rows within it are samples
        inside = [abs(a - b) for a, b in zip(smooth, self.data[100:301], strict=True)]
        found, = self.run_json(*TELL, "--json")["smoothing"]
        self.assertGreaterEqual(found["largest"], max(inside) - 1e-12)
        self.assertAlmostEqual(found["rms"], math.sqrt(sum(d * d for d in inside) / len(inside)), delta=3e-4)
        self.assertAlmostEqual(found["rms"], 0.002, delta=4e-4)
        self.assertEqual((found["coordinate"], found["unit"], found["cutoff"]), ("shoulder", "rad", 4))
        expected = (f"shoulder smoothed at 4 Hz: rms {math.degrees(found['rms']):.6g} deg and at most "
                    f"{math.degrees(found['largest']):.6g} deg from the data, at t={found['t']:.6g} s\n")
        self.assertIn(expected, self.run_program(*TELL, "--display", "deg").stdout)
        for command in (("check", "motion.json"), ("check", "--model", "model.json", "motion.json")):
            self.assertIn("  shoulder smoothed at 4 Hz: rms 0.00", self.run_program(*command).stdout)
            self.assertEqual(self.run_json(*command, "--json")["smoothing"], [found])

    def test_a_sine_of_the_cut_off_is_halved(self):
        self.record({"cutoff": 4}, frequency=4, noise=0)
        self.run_program(*TELL, "-o", "course.csv")
        for row in self.read_csv("course.csv")[50:150]:
            self.assertAlmostEqual(float(row["shoulder.position"]), self.meant(float(row["t"])) / 2, delta=1e-4)


class Wrong(WrongTable):
    def test_commands(self):
        self.check_all([
            wrong_command("no model", "motion", "motion.json", texts=["--of"]),
            wrong_command("a model that is not there", "motion", "motion.json", "--of", "none.json",
                          texts=["none.json"]),
            wrong_command("the model as the motion", "motion", "model.json", "--of", "model.json",
                          texts=["/format", '"counterpoise-motion/1"']),
            wrong_command("its motion as the output", *TELL, "-o", "motion.json", texts=["motion.json"]),
            wrong_command("an unknown parameter", *TELL, "--set", "rte=1", texts=['did you mean "rate"?']),
            wrong_command("an unknown unit", *TELL, "--display", "grad", texts=["grad"]),
        ])

    def test_smoothing(self):
        rows = "t,q\n" + "".join(f"{k / 10},{k % 3}\n" for k in range(21))

        def wrong(what, smoothing, pointer, *texts):
            table = '{"type": "table", "file": "rows.csv", "time": "t", "column": "q", "smoothing": %s}' % smoothing
            row = wrong_motion(what, SINE, table, f"/coordinates/shoulder/smoothing{pointer}", *texts)
            row.command = TELL
            return row

        method = '"method": "smoothing-spline"'
        table = [
            wrong("no object", "«6", "", "found 6"),
            wrong("no method", '«{"cutoff": 3}', "", 'the key "method"'),
            wrong("an unknown method", '{"method": «"smoothing-spine", "cutoff": 3}', "/method",
                  'did you mean "smoothing-spline"?'),
            wrong("no cut-off", "«{%s}" % method, "", 'the key "cutoff"'),
            wrong("a key misspelt", '{%s, «"cutof": 3}' % method, "/cutof", 'did you mean "cutoff"?'),
            wrong("a cut-off that is no number", '{%s, "cutoff": «true}' % method, "/cutoff", "a number"),
            wrong("a cut-off of a parameter", '{%s, "cutoff": «"weight"}' % method, "/cutoff", "no parameter"),
            wrong("a cut-off of zero", '{%s, "cutoff": «0}' % method, "/cutoff", "found 0 Hz", "more than 0.5 Hz"),
            wrong("a cut-off below one oscillation", '{%s, "cutoff": «0.4}' % method, "/cutoff", "more than 0.5 Hz"),
            wrong("a cut-off beyond the rate", '{%s, "cutoff": «5.1}' % method, "/cutoff", "less than 5 Hz",
                  "21 rows"),
        ]
        for row in table:
            row.changes.append(("rows.csv", None, rows))
        self.check_all(table)


if __name__ == "__main__":
    unittest.main()
