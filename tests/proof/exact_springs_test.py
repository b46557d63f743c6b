#!/usr/bin/env python3
"""Exact springs from the command line: what `run` says of a proof, a choice and a front, in words
and for machines; the front that `rank` finds."""

import csv
import io
import json
import unittest

import jsonschema

from exact_studies import EXACT, LEAN, MOUNT, OTHERS, SPRINGS, STOCK, TWO, ExactStudies
from program import BAD_INPUT, CHARMIE, DONE, ERROR, INFEASIBLE

NEVER = [{"name": "pull", "expression": "lean_spring.max_tension", "max": 100},
         {"name": "peak", "expression": "lean.max", "max": 150}]


def dominates(one, other, objectives):
    return (all(one[o] <= other[o] for o in objectives)
            and any(one[o] < other[o] for o in objectives))


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
            "goal": [{"objective": "worst", "weight": 1, "reference": 0}]})
        self.assertLessEqual(row["bound"], case["worst"])
        self.assertAlmostEqual(row["gap"], case["worst"] - row["bound"], delta=1e-15)
        self.assertLess(row["gap"], 1e-9 * case["worst"])

    def test_in_ranges_that_cost_its_digits(self):
        self.use()
        self.run_study()
        best = self.cases("study.db")[0]["worst"]
        for most, proved in ((1e9, True), (1e18, False)):
            wide = {name: {"range": [0, most]} for name in SPRINGS if name.endswith("_rate")}
            self.use(variables={**SPRINGS, **wide})
            text = self.run_program("run", "study.json", "--force").stdout
            reached = self.cases("study.db")[0]["worst"]
            self.assertLessEqual(reached, best * (1 + 1e-9))
            found = self.run_json("run", "study.json", "--force", "--json")["proof"]
            self.assertEqual(found["proved"], proved)
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

    def test_over_geometry_every_improvement_of_a_start_has_one(self):
        self.use(variables={**LEAN, **MOUNT}, starts=3, max_evaluations=20,
                 objectives=["lean_peak"])
        self.run_study()
        records, best = [], {}
        for row in self.cases("study.db"):
            start = (row["id"] - 1) // 20
            if row["status"] == "feasible" and row["lean_peak"] < best.get(start, float("inf")):
                best[start] = row["lean_peak"]
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

    def test_no_plan_is_made_up(self):
        before = self.contents()
        said = self.run_program("run", "exact.json", "--plan", code=BAD_INPUT)
        self.assertEqual(said.stdout, "")
        self.assertRegex(said.stderr, r"^exact\.json:\d+:\d+: /search: a plan counts .* exact")
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


class Front(ExactStudies):
    def front(self, database, *arguments, top=1000):
        return self.run_json("rank", database, "--pareto", "--json", "--top", top, *arguments)

    def test_rank_in_every_format(self):
        self.use(variables={k: v for k, v in EXACT["variables"].items() if "lift" in k},
                 trade_off=TWO, objectives=TWO["objectives"])
        self.run_study()
        rows = self.front("study.db")
        self.assertEqual(len(rows), 7)
        knee, = (row["case"] for row in rows if row["knee"] == "knee")
        self.assertEqual({row["knee"] for row in rows}, {"knee", None})
        # by hand: least sum of objectives, each scaled over the front
        ends = {o: (min(r[o] for r in rows), max(r[o] for r in rows)) for o in TWO["objectives"]}
        scaled = {row["case"]: sum((row[o] - low) / (high - low) for o, (low, high) in ends.items())
                  for row in rows}
        self.assertEqual(knee, min(scaled, key=lambda case: (scaled[case], case)))
        self.assertNotIn(knee, (rows[0]["case"], rows[-1]["case"]))

        text = self.run_program("rank", "study.db", "--pareto").stdout
        self.assertIn(f"knee: case {knee}\n", text)
        marked, = (line for line in text.splitlines() if line.endswith("  knee")
                   and not line.startswith("rank"))
        self.assertEqual(marked.split()[1], str(knee))
        written = self.run_program("rank", "study.db", "--pareto", "--format", "csv").stdout
        table = list(csv.DictReader(io.StringIO(written)))
        self.assertEqual([row["case"] for row in table if row["knee"] == "knee"], [str(knee)])
        self.assertEqual({row["knee"] for row in table}, {"knee", ""})

        self.assertNotIn("knee", self.run_program("rank", "study.db").stdout)
        self.assertNotIn("knee", self.run_json("rank", "study.db", "--json")[0])
        few = self.front("study.db", top=2)
        self.assertEqual([row["case"] for row in few], [row["case"] for row in rows[:2]])
        # a terminal shows the knee as well, in its place of the whole front
        text = self.run_program("rank", "study.db", "--pareto", "--top", "2").stdout
        ranked = [line.split() for line in text.splitlines() if line.split()[0].isdigit()
                  and "feasible cases" not in line]
        place = 1 + [row["case"] for row in rows].index(knee)
        self.assertGreater(place, 2)
        self.assertEqual([line[:2] for line in ranked],
                         [[str(p), str(rows[p - 1]["case"])] for p in (1, 2, place)])
        self.assertEqual(ranked[-1][-1], "knee")
        self.assertIn(f"knee: case {knee}\n", text)

    def test_objectives_of_a_front(self):
        traded = ["lean_peak", "lift_mean"]
        self.use(variables={**SPRINGS, **MOUNT}, trade_off={"objectives": traded, "points": 3},
                 max_evaluations=15)
        self.run_study()
        cases = self.cases("study.db")
        names = [o["name"] for o in EXACT["objectives"]]

        def left(objectives):
            return {a["id"] for a in cases
                    if not any(dominates(b, a, objectives) for b in cases)}

        for objectives in (["lean_peak", "worst"], ["lift_peak", "lean_mean", "lean_peak"]):
            found = self.front("study.db", "--objectives", ",".join(objectives))
            self.assertEqual({row["case"] for row in found}, left(objectives))
        # by default those that the study trades off
        self.assertEqual({row["case"] for row in self.front("study.db")},
                         left(traded))
        self.assertNotEqual(left(traded), left(names))
        self.assertEqual(self.front("study.db", "--by", "lean_mean")[0]["lean_mean"],
                         min(row["lean_mean"] for row in cases if row["id"] in left(traded)))

        said = self.run_program("rank", "study.db", "--pareto", "--objectives", "lean_peak,meen",
                                code=BAD_INPUT).stderr
        self.assertIn("meen", said)
        self.assertIn("lean_mean", said)
        self.run_program("rank", "study.db", "--objectives", "lean_peak,worst", code=BAD_INPUT)

    def test_the_proof_of_a_point_says_what_it_is_of(self):
        # ranked by what is best at a corner, then by what is best between them
        for first, weighted in (("lean.max", False), ("lean.max + 9 * lean.mean", True)):
            study = self.use(trade_off={**OTHERS, "points": 3}, objectives=OTHERS["objectives"])
            study["objectives"].insert(0, {"name": "first", "expression": first})
            self.write("study.json", study)
            found = self.run_json("run", "study.json", "--force", "--json")["proof"]
            text = self.run_study("study", "--force").stdout
            goals = {c["id"]: json.loads(c["certificate"])["goal"]["largest"]
                     for c in self.certificates("study.db")}
            self.assertEqual([len(goals[i]) for i in (1, 2, 3)], [1, 2, 1])
            self.assertEqual(found["case"], 2 if weighted else 1)
            self.assertEqual(found["goal"], goals[found["case"]])
            self.assertEqual("do better than" in text, not weighted)
            self.assertEqual("better in lean_peak and lean_mean at once" in text, weighted)
            verdicts = self.run_program("verify", "study.db").stdout.splitlines()[:3]
            self.assertEqual(["weighted distance" in v for v in verdicts], [False, True, False])

    def test_between_the_corners_over_geometry(self):
        evaluations = 2 * 15
        self.use(variables={**LEAN, **MOUNT}, starts=2, max_evaluations=15,
                 trade_off={**OTHERS, "points": 3})
        self.run_study()
        cases = self.cases("study.db")

        def corner(task, objective):
            rows = [row for row in cases if (row["id"] - 1) // evaluations == task]
            return min(rows, key=lambda row: row[objective])

        reached = corner(0, "lean_peak"), corner(2, "lean_mean")
        goals = [json.loads(c["certificate"])["goal"]["largest"]
                 for c in self.certificates("study.db") if (c["id"] - 1) // evaluations == 1]
        self.assertGreater(len(goals), 1)
        for goal in goals:
            self.assertEqual([part["objective"] for part in goal], OTHERS["objectives"])
            for part in goal:
                values = [row[part["objective"]] for row in reached]
                self.assertEqual(part["reference"], min(values))
                self.assertAlmostEqual(part["weight"] * (max(values) - min(values)) / 2, 1)


if __name__ == "__main__":
    unittest.main()
