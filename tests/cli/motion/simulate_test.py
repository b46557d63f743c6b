#!/usr/bin/env python3
"""`simulate`: its columns, its formats and what its options change."""

import csv
import io
import json
import unittest

from arm_files import CRANK_MOTION, FOUR_BAR
from program import BAD_INPUT, CHARMIE, ERROR, TWO_LINK_ARM, ScratchFolder, file_size_limit

ARM = ("simulate", "model.json", "--motion", "motion.json")
CHARMIE_RUN = ("simulate", CHARMIE / "model.json", "--motion", CHARMIE / "motion_squat.json")
AXES = ("fx", "fy", "fz", "mx", "my", "mz")


def columns_of(text):
    header, *rows = csv.reader(io.StringIO(text))
    return {name: [float(row[i]) for row in rows] for i, name in enumerate(header)}


class Simulate(ScratchFolder):
    def arm(self, *options):
        return columns_of(self.run_program(*ARM, *options).stdout)

    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM)

    def test_columns(self):
        found = self.arm()
        expected = ["t"]
        expected += [f"{a}.{c}" for a in ("shoulder", "elbow")
                     for c in ("position", "velocity", "load")]
        expected += [f"{j}.{c}" for j in ("upper_arm", "forearm") for c in ("q", "qd", "qdd")]
        expected += ["spring.length", "spring.tension"]
        self.assertEqual(list(found), expected)
        self.assertEqual(found["t"], [k * 0.02 for k in range(201)])
        self.assertEqual(found["shoulder.position"], found["upper_arm.q"])
        self.assertEqual(found["elbow.velocity"], found["forearm.qd"])

    def test_columns_of_charmie(self):
        model = json.loads((CHARMIE / "model.json").read_text())
        found = columns_of(self.run_program(*CHARMIE_RUN, "--reactions").stdout)
        expected = {"t"}
        expected |= {f"{a['name']}.{c}" for a in model["actuators"]
                     for c in ("position", "velocity", "load")}
        expected |= {f"{b['name']}.{c}" for b in model["bodies"] if b["joint"]["type"] != "fixed"
                     for c in ("q", "qd", "qdd")}
        expected |= {f"{s['name']}.{c}" for s in model["springs"] for c in ("length", "tension")}
        reactions = {f"{b['name']}.reaction.{axis}" for b in model["bodies"] for axis in AXES}
        reactions |= {f"{l['name']}.closure.{axis}" for l in model["loops"] for axis in AXES}
        self.assertEqual(set(found), expected | reactions)
        self.assertEqual(len(found["t"]), 601)

    def test_a_torsion_spring_has_an_angle_and_a_torque(self):
        model = json.loads((self.folder / "model.json").read_text())
        model["springs"].append({"name": "coil", "type": "torsion", "joint": "forearm", "rate": 2,
                                 "free_angle": 0.5, "preload": 1})
        self.write("model.json", model)
        found = self.arm()
        self.assertEqual(list(found)[-2:], ["coil.angle", "coil.torque"])
        for angle, torque in zip(found["coil.angle"], found["coil.torque"]):
            self.assertAlmostEqual(torque, 1 + 2 * (angle - 0.5), delta=1e-12)

    def test_a_file_and_json_hold_the_same(self):
        found = self.arm()
        self.assertEqual(self.run_json(*ARM, "--json"), found)
        printed = self.run_program(*ARM, "-o", "loads.csv").stdout
        self.assertEqual(printed, "")
        self.assertEqual(columns_of((self.folder / "loads.csv").read_text()), found)
        self.assertNotIn(b"\r", (self.folder / "loads.csv").read_bytes())

    def test_an_output_is_replaced_whole(self):
        self.write("loads.csv", "mine")
        self.run_program(*ARM, "--set", "spring_rat=1", "-o", "loads.csv", code=BAD_INPUT)
        self.assertEqual((self.folder / "loads.csv").read_text(), "mine")
        before = set(self.contents())
        self.run_program(*ARM, "-o", "loads.csv", code=ERROR, preexec_fn=file_size_limit(4096))
        self.assertEqual((self.folder / "loads.csv").read_text(), "mine")
        self.assertEqual(set(self.contents()), before)
        self.run_program(*ARM, "-o", "loads.csv")
        self.assertEqual(set(self.contents()), before)
        self.assertTrue((self.folder / "loads.csv").read_text().startswith("t,"))

    def test_without_springs_is_a_spring_without_force(self):
        bare = self.arm("--without-springs")
        weak = self.arm("--set", "spring_rate=0", "--set", "spring_initial_tension=0")
        springy = self.arm()
        self.assertEqual([n for n in springy if not n.startswith("spring.")], list(bare))
        for name, values in bare.items():
            self.assertEqual(weak[name], values, name)
        self.assertNotEqual(springy["shoulder.load"], bare["shoulder.load"])

    def test_loads_are_affine_in_a_rate_that_is_set(self):
        loads = [self.arm("--set", f"spring_rate={rate}")["shoulder.load"]
                 for rate in (0, 500, 1000)]
        size = max(map(abs, loads[2]))
        for low, middle, high in zip(*loads):
            self.assertAlmostEqual(high - middle, middle - low, delta=1e-12 * size)
        self.assertNotEqual(loads[0], loads[1])

    def test_settings_are_expressions_in_si_and_the_last_one_counts(self):
        found = self.arm("--set", "spring_rate=1", "--set", "spring_rate=2*750")
        self.assertEqual(found, self.arm())

    def test_a_broken_limit_is_a_note(self):
        result = self.run_program(*ARM, "--set", "spring_free_length=0.5")
        self.assertIn("note: spring spring shorter than min_length", result.stderr)
        self.assertIn("spring.tension", result.stdout)

    def test_a_loop(self):
        self.write("model.json", FOUR_BAR)
        self.write("motion.json", CRANK_MOTION)
        result = self.run_program(*ARM, "--reactions")
        found = columns_of(result.stdout)
        self.assertEqual(len(found["coupler.qdd"]), 11)
        self.assertEqual(len(found["rocker.reaction.fx"]), 11)
        self.assertEqual(len(found["pin.closure.fx"]), 11)
        # a planar loop held by a point: one force along the hinges is anyone's
        self.assertIn("note: equilibrium leaves 1 of the numbers of the reactions of crank, coupler, "
                      "rocker, pin open", result.stderr)


if __name__ == "__main__":
    unittest.main()
