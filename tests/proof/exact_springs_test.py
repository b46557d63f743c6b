#!/usr/bin/env python3
"""Exact springs from the command line: what `run` says of a proof and a choice, in words and for
machines."""

import json
import subprocess
import sys
import unittest

import jsonschema

from exact_studies import EXACT, LEAN, MOUNT, SPRINGS, STOCK, TWO, ExactStudies
from program import BAD_INPUT, CHARMIE, DONE, ERROR, INFEASIBLE

NEVER = [{"name": "pull", "expression": "lean_spring.max_tension", "max": 100},
         {"name": "peak", "expression": "lean.max", "max": 150}]


class Proof(ExactStudies):
    def test_of_the_example(self):
        text = self.run_program("run", "exact.json").stdout
        case = self.cases("charmie_exact.db")[0]
        proof = next(line for line in text.splitlines() if line.startswith("proof: "))
        self.assertIn(f"do better than {case['worst']:.9g} at this geometry", proof)
        self.assertIn("`counterpoise verify`", proof)
        self.assertNotIn("choice of", text)
        found = self.run_json("run", "exact.json", "--force", "--json")
        row = self.certificates("charmie_exact.db")[0]
        self.assertEqual(found["proof"], {
            "case": 1, "bound": row["bound"], "gap": row["gap"], "proved": True, "choice": None,
            "mounts": None, "goal": [{"objective": "worst", "weight": 1, "reference": 0}]})
        self.assertLessEqual(row["bound"], case["worst"])
        # the program of the proof and the evaluator add up the same loads in different orders: bare
        # load and spring forces of up to ten times what is left, each rounded to 1e-16 of itself
        self.assertAlmostEqual(row["gap"], case["worst"] - row["bound"], delta=1e-14)
        self.assertLess(row["gap"], 1e-9 * case["worst"])

    def test_in_ranges_that_cost_its_digits(self):
        self.use()
        self.run_study()
        best = self.cases("study.db")[0]["worst"]
        # whether a rounding has the sign that a wide range forgives is luck; that the words are true
        # and that the proof holds is not
        for most in (1e9, 1e15, 1e18, 1e22):
            wide = {name: {"range": [0, most]} for name in SPRINGS if name.endswith("_rate")}
            self.use(variables={**SPRINGS, **wide})
            text = self.run_program("run", "study.json", "--force").stdout
            reached = self.cases("study.db")[0]["worst"]
            self.assertLessEqual(reached, best * (1 + 1e-9))
            found = self.run_json("run", "study.json", "--force", "--json")["proof"]
            proved = found["proved"]
            self.assertTrue(proved or most > 1e9)
            self.assertIn("proof: no springs" if proved else
                          f"NOT PROVED: the best of worst found at this geometry is {reached:.9g}",
                          text)
            self.run_program("verify", "study.db", code=DONE if proved else ERROR)

    def test_other_studies_have_none(self):
        study = {**EXACT, "sampling": {"method": "sobol", "count": 4}}
        del study["search"]
        self.write("sampled.json", study)
        found = self.run_json("run", "sampled.json", "-o", "sampled.db", "--json")
        self.assertIsNone(found["proof"])
        text = self.run_program("run", "sampled.json", "-o", "sampled.db", "--force").stdout
        self.assertNotIn("proof", text)

    def test_over_geometry_what_is_best_or_ties_with_it_has_one(self):
        self.use(variables={**LEAN, **MOUNT}, starts=3, max_evaluations=20,
                 objectives=["lean_peak"])
        self.run_study()
        records, best = [], {}
        for row in self.cases("study.db"):
            start = (row["id"] - 1) // 20
            least = best.get(start, float("inf"))
            if row["status"] == "feasible" and row["lean_peak"] <= least * (1 + 1e-6):
                best[start] = min(least, row["lean_peak"])
                records.append(row["id"])
        self.assertEqual([c["id"] for c in self.certificates("study.db")], records)
        self.assertLess(len(records), 40)
        self.assertGreater(len(records), 3)

    def test_limits_that_cannot_be_met(self):
        self.use(constraints=NEVER)
        said = self.run_program("run", "study.json", code=INFEASIBLE).stdout
        for words in ("case 1: no springs can meet all of:", "constraint pull at most 100",
                      "constraint peak at most 150", "without any one of these"):
            self.assertIn(words, said)
        self.assertNotIn("proof", said)
        case, = self.cases("study.db")
        self.assertEqual(case["status"], "infeasible")
        self.assertIsNone(case["worst"])
        self.assertEqual(self.certificates("study.db"), [])
        found = self.run_program("run", "study.json", "--force", "--json", code=INFEASIBLE).stdout
        self.assertIsNone(json.loads(found)["proof"])
        # as the message says, either alone can be met
        for one in NEVER:
            self.use(constraints=[one])
            self.run_program("run", "study.json", "--force")

    def test_a_plan_says_how_sure_it_is(self):
        self.write("mounts.json", {**json.loads((self.folder / "exact.json").read_text()),
                                   "variables": {**LEAN, **MOUNT}, "search": {
                                       "method": "exact-springs", "max_evaluations": 300, "starts": 3}})
        before = self.contents()
        one = self.run_json("run", "exact.json", "--plan", "--json", "--threads", "1")
        self.assertEqual((one["kind"], one["geometries"], one["threads"], one["rehearsed"]),
                         ("single", 1, 1, 1))
        self.assertEqual(one["seconds"], one["seconds_per_geometry"]["mean"])
        found = self.run_json("run", "mounts.json", "--plan", "--json", "--threads", "1")
        self.assertEqual((found["kind"], found["geometries"]), ("search", 900))
        each = found["seconds_per_geometry"]
        self.assertLessEqual(each["least"], each["mean"])
        self.assertLessEqual(each["mean"], each["most"])
        for name, of in (("seconds_least", "least"), ("seconds", "mean"), ("seconds_most", "most")):
            self.assertAlmostEqual(found[name], 900 * each[of], delta=1e-9 * found[name])
        said = self.run_program("run", "mounts.json", "--plan").stdout
        self.assertRegex(said, r"at most 900 geometries, [0-9]+ threads?\n")
        self.assertRegex(said, r"\nthe run takes about \S+ \S+, from \S+ \S+ to \S+ \S+ if all ")
        self.assertEqual(self.contents(), before)

    def test_check_and_schema(self):
        names = ["exact.json"]
        for name, study in {"plain": {}, "front": {"trade_off": TWO},
                            "stock": {"variables": STOCK, "within_percent": 30, "max_cases": 4},
                            "mounts": {"variables": {**LEAN, **MOUNT}, "max_evaluations": 20,
                                       "starts": 3}}.items():
            self.use(name, **study)
            names.append(f"{name}.json")
        cases = [self.run_json("check", name, "--json")["cases"] for name in names]
        self.assertEqual(cases, [1, 1, 7, 4, 60])
        validator = jsonschema.Draft7Validator(self.run_json("schema", "study"))
        validator.validate(json.loads((CHARMIE / "exact.json").read_text(encoding="utf-8")))
        for name in names:
            validator.validate(json.loads((self.folder / name).read_text(encoding="utf-8")))
        for wrong in ({"method": "exact-spring"}, {"within_percent": -1}, {"max_cases": 0},
                      {"trade_off": {"objectives": ["lift_peak"]}}, {"withn_percent": 5},
                      {"trade_off": {"objectives": ["a", "b"], "point": 3}}):
            self.assertFalse(validator.is_valid(self.use(**wrong)), wrong)


class Choice(ExactStudies):
    def test_of_catalogues(self):
        self.use(variables=STOCK)
        text = self.run_study().stdout
        choice = self.run_json("run", "study.json", "--force", "--json")["proof"]["choice"]
        springs = self.read_csv("springs.csv")
        self.assertEqual(choice["combinations"], len(springs) ** 2)
        self.assertEqual(choice["combinations"], choice["against_own_limits"]
                         + choice["excluded_by_bound"] + choice["evaluated"])
        best = self.cases("study.db")[0]["worst"]
        self.assertAlmostEqual(choice["best"], best, delta=1e-12)
        self.assertLessEqual(choice["all_made_to_order"], best)
        fitting = 1
        for variable in choice["variables"]:
            self.assertLessEqual(choice["all_made_to_order"], variable["made_to_order"] + 1e-9)
            self.assertEqual(variable["choices"], len(springs))
            fits = len(springs) - len(variable["refused"])
            fitting *= fits
            self.assertIn(f"  {variable['variable']}: {fits} of {len(springs)} fit", text)
        self.assertEqual(choice["combinations"] - choice["against_own_limits"], fitting)
        self.assertIn(f"choice of {choice['combinations']} combinations: "
                      f"{choice['against_own_limits']} with a spring that does not fit", text)
        self.assertIn(f"price of stock: the best from stock has {best:.6g}", text)
        self.assertRegex(text, r"(?m)^  all made to order: [0-9.]+, a gain of [0-9.]+ \([0-9.]+ %\)$")

    def test_within_keeps_the_combinations_that_a_grid_finds(self):
        grid = {**EXACT, "variables": STOCK, "sampling": {"method": "grid"}}
        del grid["search"]
        self.write("grid.json", grid)
        self.run_program("run", "grid.json", "-o", "grid.db")
        tried = sorted((row for row in self.cases("grid.db") if row["status"] == "feasible"),
                       key=lambda row: (row["worst"], row["id"]))
        self.assertGreater(len(tried), 5)
        for percent, most in ((0, 1), (5, 100), (30, 100), (200, 4), (200, 100)):
            with self.subTest(percent=percent, most=most):
                limits = {"within_percent": percent, "max_cases": most} if percent else {}
                self.use(variables=STOCK, **limits)
                self.run_study("study", "--force")
                near = [row for row in tried
                        if row["worst"] <= tried[0]["worst"] * (1 + percent / 100)][:most]
                found = self.cases("study.db")
                self.assertEqual([row["id"] for row in found], list(range(1, len(near) + 1)))
                for row, wanted in zip(found, near, strict=True):
                    self.assertEqual({**row, "id": 0}, {**wanted, "id": 0})
                self.assertEqual([c["id"] for c in self.certificates("study.db")], [1])


    def test_combinations_that_tie_are_decided_by_the_next_objective(self):
        # every lean spring is as good for the lift
        ordered = [objective for name in ("lift_peak", "lean_peak", "lean_mean")
                   for objective in EXACT["objectives"] if objective["name"] == name]
        grid = {**EXACT, "variables": STOCK, "objectives": ordered, "sampling": {"method": "grid"}}
        del grid["search"]
        self.write("grid.json", grid)
        self.run_program("run", "grid.json", "-o", "grid.db")
        told, = self.query("grid.db", "SELECT * FROM cases WHERE lift_peak <= (SELECT "
                           "min(lift_peak) * (1 + 1e-9) FROM cases) ORDER BY lean_peak LIMIT 1")
        tied = self.query("grid.db", "SELECT max(lean_peak) AS most FROM cases WHERE lift_peak <= "
                          f"{told['lift_peak'] * (1 + 1e-9)}")
        self.assertGreater(tied[0]["most"], 1.2 * told["lean_peak"])
        for limits in ({}, {"within_percent": 20}, {"within_percent": 20, "max_cases": 2}):
            self.write("study.json", {**EXACT, "variables": STOCK, "objectives": ordered,
                                      "search": {"method": "exact-springs", **limits}})
            text = self.run_study("study", "--force", "-o", "study.db").stdout
            best = self.run_json("rank", "study.db", "--top", "1", "--json")[0]
            self.assertEqual([best[o["name"]] for o in ordered], [told[o["name"]] for o in ordered])
            self.assertIn("\nproof: ", text)
            self.run_program("verify", "study.db")

    def test_springs_sized_beside_chosen_ones_are_settled_where_they_tie(self):
        ordered = [o for o in EXACT["objectives"] if o["name"] in ("lean_peak", "lift_mean")][::-1]
        chosen = {name: SPRINGS[name] for name in SPRINGS if name.startswith("lift")}
        self.write("study.json", {
            **EXACT, "variables": {**chosen, "lean_spring": STOCK["lean_spring"]},
            "objectives": ordered,
            "search": {"method": "exact-springs", "within_percent": 1000}})
        self.run_study("study", "-o", "study.db")
        self.run_program("verify", "study.db")
        rows = self.cases("study.db")
        tied = [row for row in rows if row["lean_peak"] <= rows[0]["lean_peak"] * (1 + 1e-6)]
        self.assertLess(len(tied), len(rows))
        for row in rows:
            self.assertEqual(row["lift_mean"] is not None, row in tied)


class ManyTies(ExactStudies):
    """Ten catalogues, each of a spring that loads the joints before its own: where the largest load
    is that of one joint, the springs of others hardly matter."""

    def test_are_counted_the_same_on_any_threads(self):
        script = CHARMIE.parents[1] / "bench" / "models" / "catalogues.py"
        subprocess.run([sys.executable, script, "10", "30", "max", "base", self.folder], check=True)
        text = self.run_program("run", "study.json", "-o", "one.db", "--threads", "1").stdout
        found = self.run_json("run", "study.json", "-o", "two.db", "--threads", "2", "--json")
        self.assert_same_proofs("two.db", "one.db")
        choice = found["proof"]["choice"]
        self.assertEqual(choice["combinations"], 30 ** 10)
        self.assertGreater(choice["near_best"], 200_000)
        self.assertGreater(choice["not_looked_at"], 0)
        self.assertEqual(choice["combinations"], choice["excluded_by_bound"] + choice["evaluated"]
                         + choice["not_looked_at"])
        self.assertIn(f"{choice['evaluated']} evaluated, {choice['not_looked_at']} not looked at, "
                      f"because at least {choice['near_best']} tie with the best\n", text)
        best = found["proof"]["bound"]
        text = self.run_program("verify", "one.db").stdout
        self.assertIn(f"proved: objective {best:.9g}, no springs within bounds and limits below", text)
        self.assert_first_of_ties(best)

    def assert_first_of_ties(self, best):
        """The same rows with one spring of an earlier row in the place of each are worse."""
        study = json.loads((self.folder / "study.json").read_text(encoding="utf-8"))
        case = self.cases("one.db")[0]
        rows = [int(case[f"catalogue{i}"]) for i in range(10)]
        self.assertGreater(sum(row > 1 for row in rows), 2)
        self.assertGreater(sum(row == 1 for row in rows), 2)
        points = [[*rows[:i], row, *rows[i + 1:]] for i in range(10) for row in range(1, rows[i])]
        names = [f"catalogue{i}" for i in range(10)]
        lines = [",".join(names), *(",".join(map(str, point)) for point in points)]
        (self.folder / "points.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
        del study["search"]
        self.write("listed.json", {**study, "sampling": {"method": "list", "file": "points.csv"}})
        self.run_program("run", "listed.json", "-o", "listed.db")
        self.assertGreater(min(row["load"] for row in self.cases("listed.db")), best * (1 + 1e-9))


if __name__ == "__main__":
    unittest.main()
