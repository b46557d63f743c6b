#!/usr/bin/env python3
"""Motions that are gone through with several values of parameters, poses that are left out, weights,
and the share of poses that are held."""

import csv
import json
import math
import unittest

from program import BAD_INPUT, EXAMPLES, INFEASIBLE, TWO_LINK_ARM, ScratchFolder

GRID = {"shoulder": {"range": [-30, 45], "count": 4, "unit": "deg"}, "elbow": {"values": [0.1, 0.5, 1.2]}}
AXES = {"payload": {"values": [0, 2, 5]}, "tilt": {"range": [-10, 10], "count": 3, "unit": "deg"}}


class Workspace(ScratchFolder):
    """The arm with a payload in its hand, on a floor that tilts."""

    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM)
        model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))
        model["parameters"]["payload"] = {"value": 1, "unit": "kg", "min": 0}
        model["parameters"]["tilt"] = {"value": 0, "unit": "deg"}
        model["gravity"] = ["9.81*sin(tilt)", 0, "-9.81*cos(tilt)"]
        model["bodies"].append({"name": "load", "parent": "forearm", "mass": "payload", "com": [0.4, 0, 0],
                                "joint": {"type": "fixed"}})
        self.model = model
        self.write("model.json", model)

    def study(self, motions, **changes):
        study = json.loads((TWO_LINK_ARM / "study.json").read_text("utf-8"))
        self.write("study.json", {**study, "motions": motions, **changes})

    def searched(self, motions, **changes):
        self.study(motions, search={"method": "exact-springs"},
                   variables={"spring_rate": {"range": [500, 2500], "unit": "N/m"}}, **changes)
        study = json.loads((self.folder / "study.json").read_text("utf-8"))
        del study["sampling"]
        self.write("study.json", study)

    def simulated(self, motion, *settings):
        self.write("motion.json", {"format": "counterpoise-motion/1", **motion})
        said = self.run_program("simulate", "model.json", "--motion", "motion.json",
                                *(word for setting in settings for word in ("--set", setting)))
        return [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]

    def ranked(self, name="study.db"):
        self.run_program("run", "study.json", "-o", name, "--force")
        return self.run_json("rank", name, "--json")


class Axes(Workspace):
    def test_loads_are_those_of_separate_models(self):
        self.study({"workspace": {"poses": GRID, "parameters": AXES}},
                   variables={"spring_rate": {"values": [1500], "unit": "N/m"}})
        best = self.ranked()[0]
        loads = []
        for payload in (0, 2, 5):
            for tilt in (-10, 0, 10):
                model = json.loads(json.dumps(self.model))
                model["parameters"]["payload"]["value"] = payload
                model["parameters"]["tilt"]["value"] = tilt
                self.write("model.json", model)
                loads += [abs(row["shoulder.load"]) for row in self.simulated({"poses": GRID})]
        self.assertEqual(len(loads), 9 * 12)
        self.assertAlmostEqual(best["shoulder_peak"], max(loads), delta=1e-12 * max(loads))
        self.assertAlmostEqual(best["shoulder_mean"], sum(loads) / len(loads), delta=1e-12 * max(loads))

    def test_results_are_those_of_load_cases_written_out(self):
        # where the linkage varies one evaluator takes all values, and otherwise there is one for each
        rates = {"spring_rate": {"range": [1000, 2000], "unit": "N/m", "count": 5}}
        for variables in (rates, {**rates, "upper_length": {"values": [0.3, 0.4, 0.45]}}):
            self.study({"workspace": {"poses": GRID, "parameters": AXES}}, variables=variables)
            together = self.ranked()
            self.write("poses.json", {"format": "counterpoise-motion/1", "poses": GRID})
            self.study({f"case_{payload}_{10 + tilt}": {"file": "poses.json", "parameters": {
                "payload": payload, "tilt": {"value": tilt, "unit": "deg"}}}
                for payload in (0, 2, 5) for tilt in (-10, 0, 10)}, variables=variables)
            self.assertEqual(together, self.ranked())

    def test_weights_of_values_and_of_positions(self):
        grid = {**GRID, "elbow": {"values": [0.1, 0.5, 1.2], "weights": [1, 5, 2]}}
        axes = {"payload": {"values": [0, 2], "weights": [3, 1]}}
        self.study({"workspace": {"poses": grid, "parameters": axes}},
                   variables={"spring_rate": {"values": [1500], "unit": "N/m"}})
        mean = self.ranked()[0]["shoulder_mean"]
        total = weights = 0
        for payload, outer in ((0, 3), (2, 1)):
            for row in self.simulated({"poses": GRID}, f"payload={payload}"):
                weight = outer * {0.1: 1, 0.5: 5, 1.2: 2}[round(row["elbow.position"], 9)]
                total += weight * abs(row["shoulder.load"])
                weights += weight
        self.assertAlmostEqual(mean, total / weights, delta=1e-12)

    def test_exact_springs_for_all_payloads(self):
        self.searched({"workspace": {"poses": GRID, "parameters": AXES}})
        best = self.ranked("exact.db")[0]["shoulder_peak"]
        self.run_program("verify", "exact.db")
        self.study({"workspace": {"poses": GRID, "parameters": AXES}},
                   variables={"spring_rate": {"range": [500, 2500], "unit": "N/m", "count": 2001}})
        grid = self.ranked("grid.db")[0]["shoulder_peak"]
        self.assertLessEqual(best, grid * (1 + 1e-12))
        self.assertAlmostEqual(best, grid, delta=0.02)

    def test_words_name_the_values_and_count_all_poses(self):
        self.study({"workspace": {"poses": GRID, "parameters": AXES}})
        words = ("108 poses at rest in motion workspace: all combinations of 4 x 3 positions of shoulder, elbow, "
                 "each with 3 values of payload (0, 2, 5 kg) times 3 values of tilt (-10, 0, 10 deg)")
        said = self.run_program("check", "study.json").stdout
        self.assertIn(words, said)
        self.assertIn("  motions 1\n", said)
        self.ranked()
        shown = " ".join(self.run_program("show", "study.db", "best").stdout.split())
        self.assertIn(words, shown)
        worst = self.run_json("show", "study.db", "best", "--json")["explanation"]["critical_instants"][0]
        self.assertRegex(worst["instants"][0]["motion"], r"^workspace@payload=5kg,tilt=(-?10|0)deg$")

    def test_a_motion_in_time_with_payloads(self):
        move = {"duration": 1, "step": 0.1, "coordinates": {
            "shoulder": {"type": "point-to-point", "from": -0.3, "to": 0.6}, "elbow": {"type": "hold", "value": 0.4}}}
        self.study({"move": {**move, "parameters": {"payload": {"values": [0, 3]}}}},
                   variables={"spring_rate": {"values": [1500], "unit": "N/m"}})
        peak = max(abs(row["shoulder.load"]) for payload in (0, 3)
                   for row in self.simulated(move, f"payload={payload}"))
        self.assertAlmostEqual(self.ranked()[0]["shoulder_peak"], peak, delta=1e-12)

    def test_one_motion_is_run_with_one_value_of_each(self):
        self.write("motion.json", {"format": "counterpoise-motion/1", "poses": GRID, "parameters": AXES})
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", "--set", "payload=2",
                                code=BAD_INPUT).stderr
        self.assertIn("3 values of tilt; choose one with --set tilt=VALUE", said)
        rows = self.simulated({"poses": GRID, "parameters": AXES}, "payload=2", "tilt=5deg")
        same = self.simulated({"poses": GRID}, "payload=2", "tilt=5deg")
        self.assertEqual(rows, same)
        self.write("motion.json", {"format": "counterpoise-motion/1", "poses": GRID, "parameters": AXES})
        told = self.run_program("motion", "motion.json", "--of", "model.json", "--set", "payload=2",
                                "--set", "tilt=5deg").stdout
        self.assertIn("each with 3 values of payload (0, 2, 5 kg) times 3 values of tilt", told)

    def test_values_that_are_close_have_names_of_their_own(self):
        close = {"payload": {"values": [2, 2.0000001, 5]}}
        self.study({"workspace": {"poses": GRID, "parameters": close}})
        self.ranked()
        worst = {instant["motion"]
                 for actuator in self.run_json("show", "study.db", "best", "--json")["explanation"]["critical_instants"]
                 for instant in actuator["instants"]}
        self.assertLessEqual(worst, {f"workspace@payload={value}kg" for value in ("2", "2.0000001", "5")})

    def test_a_limit_names_the_values(self):
        self.model["actuators"][0]["max_load"] = 1
        self.write("model.json", self.model)
        self.study({"workspace": {"poses": GRID, "parameters": AXES}})
        self.run_program("run", "study.json", "-o", "none.db", code=INFEASIBLE)
        reason = self.run_json("show", "none.db", 1, "--json")["reason"]
        self.assertRegex(reason, r"in pose \d+ of 12: .* in motion workspace@payload=0kg,tilt=-10deg$")


class Unreachable(Workspace):
    def limited(self):
        self.model["actuators"][1]["min_position"] = 0.3
        self.model["actuators"][0]["max_position"] = 0.5
        self.write("model.json", self.model)

    def test_poses_beyond_limits_are_left_out(self):
        self.limited()
        self.study({"workspace": {"poses": GRID}})
        self.run_program("run", "study.json", "-o", "none.db", code=INFEASIBLE)
        self.study({"workspace": {"poses": GRID, "unreachable": "skip"}},
                   variables={"spring_rate": {"values": [1500], "unit": "N/m"}}, store="all")
        best = self.ranked()[0]
        rows = self.simulated({"poses": GRID, "unreachable": "skip"})
        self.assertEqual(len(rows), 6)  # of 12: three of four shoulders, and two of three elbows
        everywhere = [row for row in self.simulated({"poses": {
            "shoulder": {"range": [-30, 20], "count": 3, "unit": "deg"}, "elbow": {"values": [0.5, 1.2]}}})]
        loads = sorted(abs(row["shoulder.load"]) for row in rows)
        for load, other in zip(loads, sorted(abs(row["shoulder.load"]) for row in everywhere), strict=True):
            self.assertAlmostEqual(load, other, delta=1e-12)
        self.assertAlmostEqual(best["shoulder_peak"], loads[-1], delta=1e-12)
        self.assertAlmostEqual(best["shoulder_mean"], sum(loads) / 6, delta=1e-12)
        shown = self.run_json("show", "study.db", "best", "--json")
        self.assertEqual(shown["metrics"]["poses.unreachable"], 6)
        left = shown["explanation"]["unreachable"][0]
        self.assertEqual((left["poses"], left["left_out"], left["elsewhere"]), (12, 6, 0))
        said = " ".join(self.run_program("show", "study.db", "best", "--display", "deg").stdout.split())
        self.assertIn("6 of 12 poses of motion workspace are left out: elbow up to 5.72958 deg; "
                      "shoulder from 45 deg on parameters", said)

    def test_a_constraint_on_the_poses_that_are_left_out(self):
        self.limited()
        motions = {"workspace": {"poses": GRID, "unreachable": "skip"}}
        self.study(motions, constraints=[{"name": "reach", "expression": "poses.unreachable", "max": 6}])
        self.run_program("run", "study.json", "-o", "all.db")
        self.study(motions, constraints=[{"name": "reach", "expression": "poses.unreachable", "max": 5}])
        self.run_program("run", "study.json", "-o", "none.db", code=INFEASIBLE)

    def test_exact_springs_for_the_poses_that_are_reached(self):
        self.limited()
        motions = {"workspace": {"poses": GRID, "unreachable": "skip", "parameters": AXES}}
        self.searched(motions)
        best = self.ranked("exact.db")[0]["shoulder_peak"]
        self.run_program("verify", "exact.db")
        self.study(motions, variables={"spring_rate": {"range": [500, 2500], "unit": "N/m", "count": 2001}})
        grid = self.ranked("grid.db")[0]["shoulder_peak"]
        self.assertLessEqual(best, grid * (1 + 1e-12))
        self.assertAlmostEqual(best, grid, delta=0.02)

    def test_a_sequence_names_the_numbers_of_poses(self):
        self.limited()
        self.write("rows.csv", "q1,q2\n" + "".join(f"{q1},{q2}\n" for q1, q2 in (
            (0, 0.4), (0.7, 0.4), (0.8, 0.5), (0.1, 0.5), (0, 0.2), (0, 0.6))))
        self.study({"rows": {"poses": {"file": "rows.csv", "columns": {"shoulder": "q1", "elbow": "q2"}},
                             "unreachable": "skip"}})
        self.ranked()
        left = self.run_json("show", "study.db", "best", "--json")["explanation"]["unreachable"][0]
        self.assertEqual(left["regions"], ["poses 2 to 3", "pose 5"])
        effects = self.run_json("show", "study.db", "best", "--json")["explanation"]["side_effects"]
        found = {one["case"]["t"] for kind in ("forces", "moments", "tensions") for one in effects[kind]}
        self.assertLessEqual(found, {0, 3, 5})

    def test_a_limit_names_no_pose_that_is_left_out(self):
        self.limited()
        self.model["springs"][0]["max_length"] = 0.1001
        self.write("model.json", self.model)
        self.study({"workspace": {"poses": GRID, "unreachable": "skip"}})
        self.run_program("run", "study.json", "-o", "none.db", code=INFEASIBLE)
        reason = self.run_json("show", "none.db", 1, "--json")["reason"]
        self.assertIn("longer than max_length in pose 2 of 12: shoulder -0.523599 rad, elbow 0.5 rad", reason)

    def test_no_reason_within_tolerances_names_a_pose_that_is_left_out(self):
        self.limited()
        motions = {"workspace": {"poses": GRID, "unreachable": "skip"}}
        tolerances = {"of": {"spring_rate": {"percent": 10}}}
        self.study(motions, tolerances=tolerances, variables={"spring_rate": {"values": [1500], "unit": "N/m"}})
        self.ranked()
        rows = self.simulated(motions["workspace"])
        first = rows[0]  # where the spring is longest
        self.assertEqual(first["spring.tension"], max(row["spring.tension"] for row in rows))
        self.model["springs"][0]["max_load"] = 1.01 * first["spring.tension"]
        self.write("model.json", self.model)
        self.ranked()
        said = self.run_program("robustness", "study.db", "--json").stdout
        self.assertIn("loaded beyond max_load in pose 2 of 12: shoulder -0.523599 rad, elbow 0.5 rad", said)

    def test_none_is_reached(self):
        self.model["actuators"][1]["min_position"] = 3
        self.write("model.json", self.model)
        self.study({"workspace": {"poses": GRID, "unreachable": "skip"}})
        self.run_program("run", "study.json", "-o", "none.db", code=INFEASIBLE)
        self.assertIn("actuator elbow below min_position in pose 1 of 12",
                      self.run_json("show", "none.db", 1, "--json")["reason"])


class Held(Workspace):
    def test_the_share_of_poses_that_friction_holds(self):
        self.model["actuators"][0]["holding_load"] = 8
        self.write("model.json", self.model)
        motions = {"workspace": {"poses": GRID, "parameters": {"payload": {"values": [0, 2]}}}}
        self.study(motions, variables={"spring_rate": {"values": [1500], "unit": "N/m"}}, store="all")
        self.ranked()
        loads = [abs(row["shoulder.load"]) for payload in (0, 2)
                 for row in self.simulated({"poses": GRID}, f"payload={payload}")]
        share = sum(load <= 8 for load in loads) / len(loads)
        self.assertTrue(0 < share < 1)
        shown = self.run_json("show", "study.db", "best", "--json")
        self.assertAlmostEqual(shown["metrics"]["shoulder.holds"], share, delta=1e-12)
        self.assertNotIn("elbow.holds", shown["metrics"])
        self.assertIn("holds", self.run_program("show", "study.db", "best").stdout)
        for least, code in ((share - 1e-6, 0), (share + 1e-6, INFEASIBLE)):
            self.study(motions, variables={"spring_rate": {"values": [1500], "unit": "N/m"}},
                       constraints=[{"name": "stays", "expression": "shoulder.holds", "min": least}])
            self.run_program("run", "study.json", "-o", "stays.db", "--force", code=code)

    def test_all_are_held_exactly(self):
        self.model["actuators"][0]["holding_load"] = 100
        self.write("model.json", self.model)
        self.study({"workspace": {"poses": GRID, "parameters": AXES}},
                   constraints=[{"name": "stays", "expression": "shoulder.holds", "min": 1}])
        self.ranked()


class Lamp(ScratchFolder):
    def test_loads_by_the_closed_form(self):
        self.copy_example(EXAMPLES / "lamp")
        model = json.loads((EXAMPLES / "lamp" / "model.json").read_text("utf-8"))
        si = {"mm": 1e-3, "g": 1e-3, "N/mm": 1e3}
        p = {name: of["value"] * si.get(of["unit"], 1) for name, of in model["parameters"].items()}
        half_upper = (p["upper_arm_mass"] + p["upper_bar_mass"]) / 2
        upper_weight = 9.81 * p["upper_length"] * (half_upper + p["shade_mass"])
        lower_weight = 9.81 * p["lower_length"] * ((p["lower_arm_mass"] + p["lower_bar_mass"]) / 2 + p["plate_mass"]
                                                   + 2 * half_upper + p["shade_mass"])

        def left(arm, weight, q):
            a, b, rate = p[f"{arm}_anchor"], p[f"{arm}_mount"], p[f"{arm}_rate"]
            length = math.sqrt(a * a + b * b - 2 * a * b * math.sin(q))
            tension = p[f"{arm}_initial_tension"] + rate * (length - p[f"{arm}_free_length"])
            return (weight - tension * a * b / length) * math.cos(q)

        study = json.loads((EXAMPLES / "lamp" / "study.json").read_text("utf-8"))
        poses = study["motions"]["everywhere"]["poses"]
        self.write("motion.json", {"format": "counterpoise-motion/1", "poses": poses})
        said = self.run_program("simulate", "model.json", "--motion", "motion.json").stdout
        rows = list(csv.DictReader(said.splitlines()))
        self.assertEqual(len(rows), 15 * 19)
        for row in rows:
            q1, q2 = float(row["lower_pivot.position"]), float(row["upper_pivot.position"])
            self.assertAlmostEqual(float(row["lower_pivot.load"]), left("lower", lower_weight, q1), delta=1e-12 * 4)
            self.assertAlmostEqual(float(row["upper_pivot.load"]), left("upper", upper_weight, q2), delta=1e-12 * 4)


class Mistakes(Workspace):
    def refused(self, place, words, **motion):
        self.write("motion.json", {"format": "counterpoise-motion/1", "poses": GRID, **motion})
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", code=BAD_INPUT).stderr
        self.assertIn("motion.json:", said)
        self.assertIn(f": {place}: ", said)
        self.assertIn(words, said)

    def test_wrong_parameters(self):
        for parameters, place, words in (
                ({}, "", "at least one parameter"),
                ([], "", "an object: parameter -> values"),
                ({"paylaod": {"values": [1]}}, "/paylaod", 'did you mean "payload"?'),
                ({"payload": 2}, "/payload", "values of a parameter"),
                ({"payload": {}}, "/payload", "range"),
                ({"payload": {"range": [0, 5]}}, "/payload", "count"),
                ({"payload": {"range": [0, 5], "count": 1}}, "/payload/count", "2 to 1000"),
                ({"payload": {"range": [5, 0], "count": 2}}, "/payload/range", "the lower end first"),
                ({"payload": {"range": [0], "count": 2}}, "/payload/range", "a range [from, to]"),
                ({"payload": {"values": []}}, "/payload/values", "at least one value"),
                ({"payload": {"values": 3}}, "/payload/values", "an array of numbers"),
                ({"payload": {"values": [0, 2, 2]}}, "/payload/values/2", "2 is a value of payload already"),
                ({"payload": {"values": [0, -2]}}, "/payload/values/1", "at least its min 0"),
                ({"payload": {"values": [0, "2 mm"]}}, "/payload/values/1", "mm"),
                ({"payload": {"values": [0, "upper_mass"]}}, "/payload/values/1", "upper_mass"),
                ({"payload": {"values": [0, 2], "unit": "deg"}}, "/payload/unit", "deg"),
                ({"payload": {"values": [0, 2], "count": 2}}, "/payload/count", 'does not go with "values"'),
                ({"payload": {"values": [0, 2], "weights": [1]}}, "/payload/weights", "a weight for each value: 2"),
                ({"payload": {"values": [0, 2], "weights": [1, 0]}}, "/payload/weights/1", "a weight above 0"),
                ({"payload": {"values": [0, 2], "mass": 1}}, "/payload/mass", "mass"),
                ({"payload": {"range": [0, 5], "count": 40}, "tilt": {"range": [0, 1], "count": 40}}, "",
                 "expected at most 1000")):
            with self.subTest(parameters):
                self.refused("/parameters" + place, words, parameters=parameters)

    def test_wrong_poses(self):
        for choice in ("ignore", 1, True):
            self.refused("/unreachable", "fail", unreachable=choice)
        self.refused("/poses/elbow/weights", "a weight for each value: 2",
                     poses={"elbow": {"values": [0, 1], "weights": [1, 2, 3]}})
        self.refused("/poses/elbow/weights/0", "a weight above 0",
                     poses={"elbow": {"range": [0, 1], "count": 2, "weights": [-1, 2]}})
        move = {"format": "counterpoise-motion/1", "duration": 1, "step": 1, "coordinates": {}, "unreachable": "skip"}
        self.write("motion.json", move)
        said = self.run_program("check", "model.json", "motion.json", code=BAD_INPUT).stderr
        self.assertIn("/unreachable: only a motion of \"poses\" can skip", said)

    def test_wrong_studies(self):
        motions = {"workspace": {"poses": GRID, "parameters": AXES}}
        self.study(motions, variables={"motion": {"motion": ["workspace"]}})
        said = self.run_program("check", "study.json", code=BAD_INPUT).stderr
        self.assertIn('list it once for each value, "workspace@payload=0kg,tilt=-10deg" and so on', said)
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": GRID, "parameters": AXES})
        self.study({"workspace": {"file": "poses.json", "parameters": {"payload": 1}}})
        said = self.run_program("check", "study.json", code=BAD_INPUT).stderr
        self.assertIn("/motions/workspace: sets payload, whose values are those that motion workspace is gone", said)
        self.study(motions, constraints=[{"name": "stays", "expression": "shoulder.holds", "min": 1}])
        said = self.run_program("check", "study.json", code=BAD_INPUT).stderr
        self.assertIn("shoulder.holds", said)  # no holding load, no metric
        self.study(motions, objectives=[{"name": "stays", "minimize": "holds", "of": ["shoulder"]}])
        self.assertIn("/objectives/0/minimize", self.run_program("check", "study.json", code=BAD_INPUT).stderr)
        self.model["actuators"][0]["holding_load"] = 8
        self.write("model.json", self.model)
        held = [{"name": "stays", "expression": "shoulder.holds", "min": 1}]
        self.searched(motions, constraints=held)
        said = self.run_program("check", "study.json", code=BAD_INPUT).stderr
        self.assertIn("shoulder.max is at most the holding load, which may be a constraint", said)
        self.searched({"workspace": {"poses": GRID, "unreachable": "skip"}},
                      constraints=[{"name": "reach", "expression": "poses.unreachable", "max": 1}])
        said = self.run_program("check", "study.json", code=BAD_INPUT).stderr
        self.assertIn("reads poses.unreachable, which no spring changes", said)
        tolerances = {"of": {"spring_rate": {"percent": 5}}}
        self.study(motions, constraints=held, tolerances=tolerances)
        said = self.run_program("check", "study.json", code=BAD_INPUT).stderr
        self.assertIn("has no worst case over tolerances", said)
        self.model["actuators"][0]["holding_load"] = -1
        self.write("model.json", self.model)
        self.assertIn("holding load is negative", self.run_program("check", "model.json", code=BAD_INPUT).stderr)


if __name__ == "__main__":
    unittest.main()
