#!/usr/bin/env python3
"""None, nothing, every, the same, settled: each in a place where the word alone would be false."""

import json
import re
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

    def test_others_that_are_nearly_the_same_are_others(self):
        self.write("list.csv", "k\n200\n201\n")
        self.study(variables={"k": {"range": [100, 400]}},
                   sampling={"method": "list", "file": "list.csv"})
        self.run_program("run", "study.json")
        shown = self.run_program("show", "study.db", 1).stdout
        self.assertIn("\n  no other that is settled differs by more than 1 % of the range of a "
                      "variable\n", shown)
        self.assertNotIn("there is no other", shown)

    def test_the_last_one_is_told_apart_from_the_only_choice(self):
        self.run_grid([100, 200, 300])
        last = max(self.cases("study.db"), key=lambda row: row["peak"])["id"]
        shown = self.run_program("show", "study.db", last).stdout
        self.assertIn("\n  this case is number 3 of 3 feasible ones by peak\n  none is ranked behind it\n", shown)
        self.write("list.csv", "k\n200\n300\n301\n")
        self.study(variables={"k": {"range": [100, 400]}},
                   sampling={"method": "list", "file": "list.csv"})
        self.run_program("run", "study.json", "--force")
        second = sorted(self.cases("study.db"), key=lambda row: row["peak"])[1]["id"]
        self.assertIn("\n  no other behind it that is settled differs by more than 1 % of the range of a "
                      "variable\n", self.run_program("show", "study.db", second).stdout)

    def test_nearly_the_same_is_not_the_same(self):
        self.assertIn(": the same; without springs has", self.run_grid([200]))
        self.assertIn(" N*m, the same as the baseline, ",
                      self.run_program("show", "study.db", 1).stdout)
        self.assertIn(": less than 0.1 % more; without springs has", self.run_grid([200.003]))
        self.assertIn(" N*m, less than 0.1 % more than the baseline, ",
                      self.run_program("show", "study.db", 1).stdout)

    def test_many_times_as_much_is_in_whole_percents(self):
        said = self.run_grid([500], objectives=[{"name": "far", "expression": "abs(k - 199)"}])
        self.assertIn(": 30000 % more; without springs has", said)

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

    def fall(self, **more):
        self.write("fall.json", {"format": "counterpoise-scenario/1", "duration": 2, "step": 0.01,
                                 "start": {"coordinates": {"motor": 0.2}}, **more})
        return ("forward", "model.json", "--scenario", "fall.json")

    def test_what_is_known_of_a_fall_ends_where_it_was_followed_to(self):
        self.write("model.json", {**MODEL, "springs": [], "parameters": {}, "world": {},
                                  "bodies": [{**MODEL["bodies"][0], "points": {}}]})
        bouncing = {"stops": [{"name": "end", "of": "motor", "min": 0.1, "restitution": 0.9}]}
        said = self.run_program(*self.fall(max_events=2, **bouncing), code=INFEASIBLE).stdout
        self.assertRegex(said, r"\nnot settled: it was followed to 0\.\d+ s only\n")
        self.assertNotIn("still moves", said)
        bouncing["stops"][0]["restitution"] = 1  # keeps all of its energy
        said = self.run_program(*self.fall(**bouncing)).stdout
        self.assertIn("\nnot settled: a joint still moves faster than 0.001 m/s or rad/s\n", said)

    def robustness(self, objective, *options, percent=10):
        parameters = {name: MODEL["parameters"][name] for name in ("k", "up")}
        self.study(variables={"k": {"values": [196.2]}}, sampling={"method": "grid"},
                   objectives=[objective],
                   tolerances={"samples": 8, "of": {"k": {"percent": percent}}})
        self.write("model.json", {**MODEL, "parameters": parameters})
        self.run_program("run", "study.json", "--force")
        return self.run_program("robustness", "study.db", *options).stdout

    def test_the_worst_of_an_expression_is_that_of_corners(self):
        said = self.robustness({"name": "least", "expression": "10 - motor.max"})
        # the spring balances the weight, so that every deviation is better
        self.assertIn("\nworst: 1 number of springs at the corners of their box, ", said)
        self.assertIn("\nworst: 1 number of springs over their whole box, ",
                      self.robustness(PEAK))

    def test_one_design_is_tied_with_none(self):
        self.assertIn("the worst cases none (there is one design), ", self.robustness(PEAK))

    def test_what_hides_limits_leaves_open_which_set_is_smallest(self):
        # the second spring's ends meet at x = 0.1, where its load, too, is beyond its limit
        self.study(variables={"x": {"values": [0.1, 0.2]}}, sampling={"method": "grid"},
                   objectives=[PEAK])
        self.write("model.json", {
            **MODEL, "parameters": {"k": 200, "up": 0.3, "x": 0.1},
            "world": {"points": {"post": [0, 0, "up"], "beside": ["x", 0, 0]}},
            "springs": [{**MODEL["springs"][0], "max_load": 1},
                        {"name": "other", "connect": ["world.beside", "link.hook"], "rate": 10,
                         "initial_tension": 5}]})
        said = self.run_program("run", "study.json", code=INFEASIBLE).stdout
        self.assertTrue(said.startswith("no design is feasible: each breaks at least one of "), said)
        self.assertIn("other no direction", said)
        self.assertNotIn("smaller set", said)
        self.assertFalse(self.run_json("why", "study.db", "--json")["excluding"]["smallest"])

    def test_a_proof_is_of_the_objective_that_was_sized(self):
        price = {"name": "price", "expression": "k"}
        self.study(variables={"k": {"range": [100, 190]}}, objectives=[PEAK, price],
                   search={"method": "exact-springs",
                           "trade_off": {"objectives": ["peak", "price"], "points": 3}})
        self.run_program("run", "study.json")
        seen = set()
        for row in self.query("study.db", "SELECT * FROM certificates"):
            text = next(cell for cell in row.values() if isinstance(cell, str))
            goal = json.loads(text)["goal"]["largest"]
            names = [part["objective"] for part in goal]
            said = self.run_program("show", "study.db", row["id"]).stdout
            seen.add(tuple(names))
            if len(names) > 1:
                self.assertIn(f"  no springs within bounds and limits are better in {' and '.join(names)} "
                              "at once at this geometry: ", said)
            elif names == ["price"]:
                self.assertIn("  no springs within bounds and limits do better in price at this geometry than 100", said)
            else:
                self.assertIn("  no springs within bounds and limits do better at this geometry than ", said)
        self.assertEqual(seen, {("peak",), ("price",), ("peak", "price")})

    def test_a_baseline_out_of_bounds_may_be_better_than_what_is_proved(self):
        for variables in ({"k": {"range": [100, 150]}},
                          {"k": {"range": [100, 150]}, "up": {"range": [0.28, 0.3]}}):
            proof = {"geometry": "prove"} if "up" in variables else {}
            self.study(variables=variables, search={"method": "exact-springs", **proof})
            ran = self.run_program("run", "study.json", "--force").stdout
            self.assertRegex(ran, r"the baseline has \S+ N\*m: \S+ % more")
            shown = self.run_program("show", "study.db", "best").stdout
            self.assertIn("\n  no springs within bounds and limits do better at this geometry than ", shown)
            for said in (ran, shown):
                for claim in re.findall(r"no springs[^\n]*do better", said):
                    self.assertIn("no springs within bounds and limits", claim)
            self.assertEqual("proof over mounts: no springs within bounds and limits, at any mounts" in ran,
                             bool(proof))

    def test_designs_that_tie_are_counted_among_those_ranked(self):
        rates = [100, 100.00005, 100.00004]
        self.study(variables={"k": {"values": rates}}, sampling={"method": "grid"}, objectives=[
            {"name": "first", "expression": "k"},
            {"name": "second", "expression": "(k - 100.00004)^2 + 1"}])
        self.run_program("run", "study.json")
        self.assertIn("\n3 designs tie within 1e-06 in first; ",
                      self.run_program("rank", "study.db").stdout)
        self.assertIn("\n2 designs of the front tie within 1e-06 in first; ",
                      self.run_program("rank", "study.db", "--pareto").stdout)


if __name__ == "__main__":
    unittest.main()
