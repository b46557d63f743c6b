#!/usr/bin/env python3
"""Masses sized by exact searches: in loops, beside what else a study has, and in words. That they are the best masses is
shown by random_claims_test."""

import json
import unittest

from program import EXAMPLES, INFEASIBLE, ScratchFolder, trials

PALLETISER = EXAMPLES / "palletiser"
ARM = EXAMPLES / "counterweights"
WEIGHTS = {"upper_weight": {"range": [0, 12]}, "fore_weight": {"range": [0, 6]}}
PEAK = {"name": "peak", "expression": "max(shoulder.max, elbow.max)"}
ADDED = {"name": "added", "expression": "upper_weight + fore_weight"}


class Masses(ScratchFolder):
    def use(self, variables, objectives, name="study", search=(), **rest):
        """Writes a study of the arm of examples/counterweights."""
        self.write(f"{name}.json", {
            "format": "counterpoise-study/1", "model": "model.json", "motions": {"slow": "slow.json", "fast": "fast.json"},
            "variables": variables, "search": {"method": "exact-springs", **dict(search)}, "objectives": objectives, **rest})

    def best(self, name="study", *options):
        self.run_program("run", f"{name}.json", "--force", "-o", f"{name}.db", *options)
        return min((row for row in self.cases(f"{name}.db") if row["status"] == "feasible"), key=lambda row: row["peak"])

    def test_loops_carry_weights_that_no_random_design_betters(self):
        self.copy_example(PALLETISER)
        model = json.loads((self.folder / "model.json").read_text(encoding="utf-8"))
        study = json.loads((self.folder / "study.json").read_text(encoding="utf-8"))
        model["parameters"].update(first=0, second=0)
        for name, on, x in (("first", "crank", -0.3), ("second", "lower_arm", -0.3)):
            model["bodies"].append({"name": f"{name}_weight", "parent": on, "mass": f"1 + {name}",
                                    "joint": {"type": "fixed", "origin": [x, 0, 0.05]}})
        study.pop("constraints", None)
        study.update(variables={"first": {"range": [0, 60]}, "second": {"range": [0, 200]}},
                     objectives=[{"name": "peak", "minimize": "max", "of": ["lower", "upper"]}], search={"method": "exact-springs"})
        self.write("model.json", model)
        self.write("study.json", study)
        best = self.best()
        verdict, = self.run_json("verify", "study.db", "--json")
        self.assertTrue(verdict["proved"])
        count = trials(1000)
        study.pop("search")
        study["sampling"] = {"method": "random", "count": count, "seed": 3}
        self.write("random.json", study)
        self.run_program("run", "random.json", "-o", "random.db")
        others = [row["peak"] for row in self.cases("random.db") if row["status"] == "feasible"]
        self.assertEqual(len(others), count)
        self.assertGreater(min(others), best["peak"] * (1 - 1e-9))

    def test_a_bound_on_a_mass_is_worth_what_show_says(self):
        self.copy_example(ARM)
        values = {}
        for most in (2.999, 3, 3.001):
            self.use({**WEIGHTS, "upper_weight": {"range": [0, most]}}, [PEAK])
            values[most] = self.best()["peak"]
            if most == 3:
                prices = self.run_json("show", "study.db", "1", "--json")["explanation"]["optimum"]["limits"]
        price, = [one for one in prices if "upper_weight" in one["name"]]
        self.assertAlmostEqual(price["per_unit"], (values[2.999] - values[3.001]) / 0.002, places=5)

    def test_words_name_what_is_sized(self):
        self.copy_example(ARM)
        for file, words in (("weights", "no masses"), ("spring", "no springs"), ("together", "no springs and masses")):
            with self.subTest(file):
                said = self.run_program("run", f"{file}.json", "-o", f"{file}.db").stdout
                self.assertIn(f"{words} within bounds and limits do better", said)
                for command in ("verify", "show"):
                    said = self.run_program(command, f"{file}.db", *(["1"] if command == "show" else [])).stdout
                    self.assertIn(f"{words} within bounds and limits", said)
        self.use(WEIGHTS, [PEAK], "hard", constraints=[{"name": "light", "expression": "elbow.max", "max": 0.01}])
        said = self.run_program("run", "hard.json", "-o", "hard.db", code=INFEASIBLE).stdout
        self.assertIn("no masses can meet", said)

    def test_the_bill_names_the_weights_and_why_only_what_was_searched(self):
        self.copy_example(ARM)
        self.run_program("run", "together.json", "-o", "together.db")
        weights = self.run_json("show", "together.db", "1", "--bill", "--json")["weights"]
        row, = self.cases("together.db")
        self.assertEqual([(one["body"], one["on"], one["mass"], one["in_body"]) for one in weights],
                         [("upper_counterweight", "upper_arm", row["upper_weight"], [-0.2, 0, 0]),
                          ("fore_counterweight", "forearm", row["fore_weight"], [-0.12, 0, 0])])
        self.assertRegex(self.run_program("show", "together.db", "1", "--bill").stdout,
                         r"fore_counterweight +forearm +0\.7566")
        self.use(WEIGHTS, [PEAK], "hard", constraints=[{"name": "light", "expression": "elbow.max", "max": 0.01}])
        self.run_program("run", "hard.json", "-o", "hard.db", code=INFEASIBLE)
        self.assertNotIn("where designs fail", self.run_program("why", "hard.db").stdout)

    def test_a_combination_that_breaks_a_bound_beside_the_problem_has_no_price(self):
        self.copy_example(ARM)
        model = json.loads((self.folder / "model.json").read_text(encoding="utf-8"))
        model["parameters"]["product"] = {"value": "(5 - upper_weight) * spring_rate / 1000", "max": 1.5}  # not affine in both
        self.write("model.json", model)
        (self.folder / "springs.csv").write_text("part,rate [N/m]\na,500\nb,900\nc,1200\n", encoding="utf-8")
        self.use({"upper_weight": WEIGHTS["upper_weight"],
                  "part": {"catalogue": "springs.csv", "sets": {"spring_rate": "rate"}}},
                 [{"name": "peak", "minimize": "max", "of": ["shoulder"]}], "stock", {"within_percent": 300})
        said = self.run_program("run", "stock.json", "-o", "stock.db").stdout
        first, *others = self.cases("stock.db")
        self.assertEqual(first["status"], "infeasible")
        self.assertIn("feasible", [row["status"] for row in others])
        self.assertNotIn("price of stock", said)

    def test_weights_stand_beside_geometry_catalogues_and_drives(self):
        self.copy_example(ARM)
        model = (self.folder / "model.json").read_text(encoding="utf-8")
        (self.folder / "model.json").write_text(
            model.replace('"spring_rate"', '"bar": 0.2, "spring_rate"', 1).replace("[-0.2, 0, 0]", '["-bar", 0, 0]'),
            encoding="utf-8")
        (self.folder / "springs.csv").write_text("part,rate [N/m],tension [N]\na,600,20\nb,900,15\nc,1200,5\n", encoding="utf-8")
        stock = {"part": {"catalogue": "springs.csv", "sets": {"spring_rate": "rate", "spring_tension": "tension"}}}
        self.use({**WEIGHTS, **stock}, [PEAK, ADDED], "stock")
        chosen = self.best("stock")
        each = []
        for rate, tension in ((600, 20), (900, 15), (1200, 5)):
            self.use({**WEIGHTS, "spring_rate": {"range": [rate, rate + 1e-6]},
                      "spring_tension": {"range": [tension, tension + 1e-9]}}, [PEAK], "one")
            each.append(self.best("one")["peak"])
        self.assertAlmostEqual(chosen["peak"], min(each), places=6)
        self.use({**WEIGHTS, "bar": {"range": [0.1, 0.3]}}, [PEAK], "bars", {"max_evaluations": 20, "starts": 1})
        at_best = self.best("bars")
        self.use({**WEIGHTS, "bar": {"range": [at_best["bar"], at_best["bar"] + 1e-9]}}, [PEAK], "there",
                 {"max_evaluations": 1, "starts": 1})
        self.assertAlmostEqual(self.best("there")["peak"], at_best["peak"], places=6)
        self.assertTrue(all(one["proved"] for one in self.run_json("verify", "bars.db", "--json")))
        self.run_program("report", "bars.db", "-o", "bars.html")


if __name__ == "__main__":
    unittest.main()
