#!/usr/bin/env python3
"""Forces and moments from outside: loads by closed forms, courses in time, studies, words, and what is refused."""

import copy
import csv
import json
import math
import unittest

import wrong_forces
from program import ScratchFolder
from wrong_table import WrongTable

STEP, DURATION = 0.05, 1.0


def positions(t):
    """Of shoulder and elbow: quintic moves."""
    s = t / DURATION
    way = s ** 3 * (10 - 15 * s + 6 * s * s)
    return 0.2 + 0.6 * way, -0.3 + way


def loads(t, force, moment=0.0, body=False):
    """What the two actuators carry besides the weight: minus J^T f, by hand. `force` is (x, z), and the
    moment turns from x to z as the joints do."""
    first, both = positions(t)[0], sum(positions(t))
    x, z = force
    if body:
        x, z = x * math.cos(both) - z * math.sin(both), x * math.sin(both) + z * math.cos(both)

    def arm_of(lengths):
        return (sum(length * math.cos(angle) for length, angle in lengths),
                sum(length * math.sin(angle) for length, angle in lengths))
    ends = arm_of([(0.4, first), (0.4, both)]), arm_of([(0.4, both)])
    return [-(px * z - pz * x + moment) for px, pz in ends]


class Forces(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.model = json.loads(wrong_forces.MODEL)
        self.motion = json.loads(wrong_forces.MOTION)

    def simulated(self, forces, *arguments, courses=None):
        """The loads with these forces, less those without."""
        rows = []
        for each in (forces, []):
            model = {**copy.deepcopy(self.model), "forces": each}
            motion = {**self.motion, "forces": courses} if courses and each else {
                key: of for key, of in self.motion.items() if key != "forces"}
            self.write("model.json", model)
            self.write("motion.json", motion)
            said = self.run_program("simulate", "model.json", "--motion", "motion.json", *arguments)
            rows.append([{name: float(cell) for name, cell in row.items()}
                         for row in csv.DictReader(said.stdout.splitlines())])
        return [(one["t"], [one[name] - other[name] for name in ("shoulder.load", "elbow.load")])
                for one, other in zip(*rows, strict=True)]

    def check(self, found, expected):
        for t, both in found:
            for one, other in zip(both, expected(t)):
                self.assertAlmostEqual(one, other, delta=1e-11, msg=t)

    def test_a_force_in_world_axes(self):
        found = self.simulated([{"name": "push", "point": "forearm.tip", "force": [30, 5, -20]}])
        self.check(found, lambda t: loads(t, (30, -20)))

    def test_a_force_that_turns_with_its_body(self):
        found = self.simulated([{"name": "push", "point": "forearm.tip", "axes": "body", "force": [30, 0, -20]}])
        self.check(found, lambda t: loads(t, (30, -20), body=True))

    def test_a_moment(self):
        # the joints turn about -y
        found = self.simulated([{"name": "twist", "point": "forearm.tip", "moment": [1, "-6 N*m", 2]}])
        self.check(found, lambda t: loads(t, (0, 0), 6))

    def test_a_body_without_mass_bears_them(self):
        self.model["bodies"].append({"name": "hand", "parent": "forearm", "points": {"tip": [0.1, 0, 0]},
                                     "joint": {"type": "revolute", "axis": [0, -1, 0], "origin": [0.4, 0, 0]}})
        self.model["actuators"].append({"name": "wrist", "joint": "hand"})
        self.write("model.json", {**self.model, "forces": [{"name": "push", "point": "hand.tip", "force": [30, 0, -20]}]})
        self.write("motion.json", {key: of for key, of in self.motion.items() if key != "forces"})
        said = self.run_program("simulate", "model.json", "--motion", "motion.json")
        for row in csv.DictReader(said.stdout.splitlines()):
            angle = sum(positions(float(row["t"])))
            expected = -0.1 * (math.cos(angle) * -20 - math.sin(angle) * 30)
            self.assertAlmostEqual(float(row["wrist.load"]), expected, delta=1e-11)

    def test_an_expression_of_parameters(self):
        forces = [{"name": "push", "point": "forearm.tip", "force": ["2*thrust", 0, "-thrust"]}]
        found = self.simulated(forces, "--set", "thrust=7 N")
        self.check(found, lambda t: loads(t, (14, -7)))

    def test_a_course_in_time(self):
        forces = [{"name": "push", "point": "forearm.tip", "force": [30, 0, -20]},
                  {"name": "twist", "point": "forearm.tip", "moment": [0, -6, 0]}]
        found = self.simulated(forces, courses={"push": {"type": "sine", "mean": 0.5, "amplitude": 0.5, "period": 1}})
        for t, both in found:
            factor = 0.5 + 0.5 * math.sin(2 * math.pi * t)
            for one, other in zip(both, loads(t, (30 * factor, -20 * factor), 6)):
                self.assertAlmostEqual(one, other, delta=1e-11)

    def test_a_course_from_a_table_and_one_that_a_parameter_changes(self):
        self.write("thrust.csv", "time [s],factor\n0,0\n0.5,1\n1,0\n1.5,0\n")
        push = [{"name": "push", "point": "forearm.tip", "force": [30, 0, 0]}]
        table = {"type": "table", "file": "thrust.csv", "time": "time", "column": "factor"}
        found = dict(self.simulated(push, courses={"push": table}))
        for t, factor in ((0.0, 0), (0.5, 1), (1.0, 0)):
            for one, other in zip(found[t], loads(t, (30 * factor, 0))):
                self.assertAlmostEqual(one, other, delta=1e-11)
        self.check(self.simulated(push, "--set", "thrust=3", courses={"push": {"type": "hold", "value": "thrust/2"}}),
                   lambda t: loads(t, (45, 0)))

    def test_poses_bear_them_too(self):
        self.motion = {"format": "counterpoise-motion/1", "poses": {"shoulder": {"values": [0.2, 0.8]},
                                                                   "elbow": {"values": [-0.3, 0.7]}}}
        found = self.simulated([{"name": "push", "point": "forearm.tip", "force": [30, 5, -20]}])
        for pose, t in ((0, 0), (2, 1)):
            expected = loads(t, (30, -20))
            at = found[pose][1]
            for one, other in zip(at, expected):
                self.assertAlmostEqual(one, other, delta=1e-11)

    def test_the_best_spring_for_several_forces(self):
        """With proof, and no grid finds a better one; the motion is gone through with each thrust."""
        self.write("model.json", self.model)
        self.write("motion.json", {**self.motion, "parameters": {"thrust": {"values": [0, 15, 30], "unit": "N"}}})
        study = {"format": "counterpoise-study/1", "name": "thrusts", "model": "model.json",
                 "motions": {"reach": "motion.json"}, "variables": {"rate": {"range": [0, 3000]}},
                 "search": {"method": "exact-springs"},
                 "objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder"]}]}
        self.write("study.json", study)
        self.run_program("run", "study.json", "-o", "best.db")
        self.run_program("verify", "best.db")
        best = self.cases("best.db")[0]
        del study["search"]
        study["variables"]["rate"]["count"] = 601
        self.write("study.json", {**study, "sampling": {"method": "grid"}})
        self.run_program("run", "study.json", "-o", "grid.db")
        grid = {case["rate"]: case["peak"] for case in self.cases("grid.db")}
        self.assertLessEqual(best["peak"], min(grid.values()) + 1e-9)
        self.assertLess(min(grid.values()), best["peak"] * 1.01)
        # and the grid's peaks are the largest of the three motions by themselves
        rate = min(grid, key=grid.get)
        self.write("motion.json", self.motion)
        peaks = []
        for thrust in (0, 15, 30):
            said = self.run_program("simulate", "model.json", "--motion", "motion.json", "--set", f"rate={rate!r}",
                                    "--set", f"thrust={thrust}")
            peaks += [abs(float(row["shoulder.load"])) for row in csv.DictReader(said.stdout.splitlines())]
        self.assertAlmostEqual(grid[rate], max(peaks), delta=1e-10)

    def test_a_study_remembers_nothing_wrong(self):
        """Forces, their points and their courses vary from case to case; each case is as simulated alone."""
        self.model["parameters"].update({"reach": 0.4, "turn": 0.1, "swell": 0.1})
        self.model["bodies"][1]["points"]["tip"] = ["reach", 0, 0]
        self.model["forces"].append({"name": "twist", "point": "upper_arm.lug", "moment": [0, "-40*turn", 0]})
        self.motion["forces"]["push"] = {"type": "sine", "mean": "swell", "amplitude": 1, "period": 1}
        self.write("model.json", self.model)
        self.write("motion.json", self.motion)
        names = {"rate": [200, 900], "thrust": [0, 30], "reach": [0.3, 0.4], "turn": [0.1, 0.6], "swell": [0.1, 0.7]}
        self.check_cases(names, 32)
        self.check_cases({"swell": [0.1, 0.7]}, 2)  # nothing else changes with it

    def check_cases(self, names, count):
        self.write("study.json", {
            "format": "counterpoise-study/1", "name": "all", "model": "model.json", "motions": {"reach": "motion.json"},
            "variables": {name: {"values": values} for name, values in names.items()}, "sampling": {"method": "grid"},
            "objectives": [{"name": f"{of}_{what}", "minimize": what, "of": [of]}
                           for of in ("shoulder", "elbow") for what in ("max", "rms")]})
        self.run_program("run", "study.json", "-o", "all.db", "--threads", "1", "--force")
        cases = self.cases("all.db")
        self.assertEqual(len(cases), count)
        for case in cases:
            settings = [text for name in names for text in ("--set", f"{name}={case[name]!r}")]
            said = self.run_program("simulate", "model.json", "--motion", "motion.json", *settings)
            rows = list(csv.DictReader(said.stdout.splitlines()))
            for of in ("shoulder", "elbow"):
                self.assertAlmostEqual(case[f"{of}_max"], max(abs(float(row[f"{of}.load"])) for row in rows),
                                       delta=1e-10)

    def test_show_says_what_forces_load(self):
        self.write("model.json", self.model)
        self.write("motion.json", self.motion)
        self.write("study.json", {
            "format": "counterpoise-study/1", "name": "rates", "model": "model.json",
            "motions": {"reach": "motion.json"}, "variables": {"rate": {"values": [100, 500, 900]}},
            "sampling": {"method": "grid"}, "objectives": [{"name": "peak", "minimize": "max", "of": ["elbow"]}]})
        self.run_program("run", "study.json", "-o", "rates.db")
        said = self.run_program("show", "rates.db", "best").stdout
        self.assertIn("load = gravity + inertia + forces + springs", said)
        for of in self.run_json("show", "rates.db", "best", "--json")["explanation"]["critical_instants"]:
            for instant in of["instants"]:
                parts = instant["gravity"] + instant["inertia"] + instant["forces"] + sum(instant["springs"].values())
                self.assertAlmostEqual(instant["load"], parts, delta=1e-10)
                # the course of the motion of this file
                t = instant["t"]
                self.assertAlmostEqual(instant["forces"], loads(t, (0, -30 * t))[1], delta=1e-10)

    def test_what_formats_leave_out(self):
        self.write("model.json", self.model)
        for format_ in ("urdf", "sdf", "mjcf"):
            springs = () if format_ == "mjcf" else ("--without-springs",)
            said = self.run_program("convert", "model.json", "--to", format_, "-o", f"robot.{format_}", *springs)
            self.assertIn("the force push is left out", said.stderr + said.stdout, format_)

    def test_check_counts_them(self):
        self.write("model.json", self.model)
        self.write("motion.json", self.motion)
        for command in (("check", "motion.json"), ("check", "motion.json", "--model", "model.json")):
            self.assertIn("coordinates 2, forces 1", self.run_program(*command).stdout)


class WrongForces(WrongTable):
    def test_models(self):
        self.check_all(wrong_forces.MODELS)

    def test_motions(self):
        self.check_all(wrong_forces.MOTIONS)


if __name__ == "__main__":
    unittest.main()
