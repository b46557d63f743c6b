#!/usr/bin/env python3
"""None, nothing, every, the same, settled: each in a place where the word alone would be false."""

import unittest

from program import INFEASIBLE, ScratchFolder

MODEL = {"format": "counterpoise-model/1",
         "parameters": {"k": {"value": 200, "unit": "N/m"}, "up": {"value": 0.3, "unit": "m"},
                        "both": {"value": "2*k", "unit": "N/m", "max": 1000}},
         "world": {"points": {"post": [0, 0, "up"]}},
         "bodies": [{"name": "link", "parent": "world", "mass": 2, "com": [0.3, 0, 0],
                     "inertia": [0.01, 0.01, 0.01, 0, 0, 0],
                     "joint": {"type": "revolute", "axis": [0, -1, 0]},
                     "points": {"hook": [0.1, 0, 0]}}],
         "springs": [{"name": "lift", "connect": ["world.post", "link.hook"], "rate": "k"}],
         "actuators": [{"name": "motor", "joint": "link"}]}
PEAK = {"name": "peak", "minimize": "max", "of": ["motor"]}


class StrongWords(ScratchFolder):
    def study(self, name="study", objectives=(PEAK,), **more):
        self.write("model.json", MODEL)
        self.write("study.json", {
            "format": "counterpoise-study/1", "name": name, "model": "model.json",
            "motions": {"m": {"duration": 1, "step": 0.1, "coordinates": {
                "motor": {"type": "point-to-point", "from": -0.5, "to": 0.5}}}},
            "objectives": list(objectives), **more})

    def run_grid(self, rates, code=0, **more):
        self.study(variables={"k": {"values": rates}}, sampling={"method": "grid"}, **more)
        return self.run_program("run", "study.json", "--force", code=code).stdout

    def test_a_bound_of_a_parameter_that_follows_is_a_limit_that_binds(self):
        self.run_grid([100, 500])
        limits = self.run_program("show", "study.db", 2).stdout
        self.assertIn("\n  max of parameter both: reached with 1000 N/m\n", limits)
        self.assertIn("\n  k at its upper bound 500 N/m: reached with 500 N/m\n", limits)
        binding = self.run_json("show", "study.db", 2, "--json")["explanation"]["binding"]
        self.assertIn("max of parameter both", [limit["name"] for limit in binding])
        self.run_grid([100, 300, 500])
        self.assertIn("\n  none: no limit of a spring or actuator, no constraint, and no bound",
                      self.run_program("show", "study.db", 2).stdout)

    def test_what_breaks_no_limit_does_not_break_several(self):
        self.run_grid([100, 200], code=INFEASIBLE,
                      objectives=[{"name": "root", "expression": "sqrt(50 - k)"}])
        said = self.run_program("why", "study.db").stdout
        self.assertIn("\n  nothing: no failed design breaks just one limit and nothing else\n", said)
        self.assertNotIn("more than one limit", said)

    def test_numbers_that_are_no_design_break_no_limits(self):
        self.study(variables={"k": {"range": [100, 400]}}, search={"method": "exact-springs"},
                   constraints=[{"name": "pull", "expression": "lift.max_tension", "max": 10},
                                {"name": "load", "expression": "motor.max", "max": 1}])
        self.run_program("run", "study.json", code=INFEASIBLE)
        said = self.run_program("why", "study.db", 1).stdout
        self.assertTrue(said.startswith("no springs can meet constraint load at most 1"), said)
        self.assertEqual(len(said.splitlines()), 1, said)
        for failure in self.run_json("why", "study.db", 1, "--json"):
            self.assertIsNone(failure["excess"])

    def test_cases_that_are_not_kept_are_others(self):
        self.run_grid([100, 200, 300, 500], keep={"best": 1, "front": False, "sample": 0})
        shown = self.run_program("show", "study.db", "best").stdout
        self.assertIn("\n  no other is kept\n", shown)
        self.assertNotIn("there is no other", shown)
        self.run_grid([200])
        self.assertIn("\n  there is no other\n", self.run_program("show", "study.db", 1).stdout)

    def test_nearly_the_same_is_not_the_same(self):
        self.assertIn(": the same; without springs has", self.run_grid([200]))
        self.assertIn(" N*m, the same as the baseline, ",
                      self.run_program("show", "study.db", 1).stdout)
        self.assertIn(": less than 0.1 % more; without springs has", self.run_grid([200.003]))
        self.assertIn(" N*m, less than 0.1 % more than the baseline, ",
                      self.run_program("show", "study.db", 1).stdout)

    def test_an_additive_objective_has_no_interaction(self):
        self.study(variables={"k": {"range": [100, 400]}, "up": {"range": [0.2, 0.4]}},
                   sampling={"method": "sobol", "count": 8, "seed": 1},
                   objectives=[{"name": "sum", "expression": "k / 400 + up"},
                               {"name": "product", "expression": "sin(k / 20) * (up - 0.3)"},
                               {"name": "step", "expression": "max(k, 399.999)"}])
        said = self.run_program("sensitivity", "study.json", "--samples", "64").stdout
        of = {name: said[said.index(f"objective {name}"):] for name in ("sum", "product", "step")}
        self.assertRegex(of["sum"].split("objective product")[0],
                         r"first orders sum to [0-9.]+ \([0-9.]+\.\.[0-9.]+\): no interaction is seen")
        self.assertIn("what is missing to 1 is interaction", of["product"].split("objective step")[0])
        self.assertIn("does not vary among the designs that indices are made from", of["step"])

    def test_a_turning_point_at_the_end_is_settled_up_to_the_end(self):
        self.write("model.json", {**MODEL, "springs": [], "parameters": {}, "world": {},
                                  "bodies": [{**MODEL["bodies"][0], "points": {}}]})
        fall = {"format": "counterpoise-scenario/1", "step": 0.01, "settled_speed": 0.5,
                "start": {"coordinates": {"motor": 0.2}}}
        settled = 0
        for tenths in range(10, 30):
            self.write("fall.json", {**fall, "duration": tenths / 10})
            said = self.run_program("forward", "model.json", "--scenario", "fall.json").stdout
            if "not settled" in said:
                continue
            settled += 1
            self.assertIn(f"from then to the end, at {tenths / 10:g} s", said)
        self.assertGreater(settled, 0)


if __name__ == "__main__":
    unittest.main()
