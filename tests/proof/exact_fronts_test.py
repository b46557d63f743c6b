#!/usr/bin/env python3
"""Trade-offs with exact springs: the front that `rank` finds, and its proofs."""

import csv
import io
import json
import unittest

from exact_studies import EXACT, LEAN, MOUNT, OTHERS, SPRINGS, TWO, ExactStudies
from program import BAD_INPUT


def dominates(one, other, objectives):
    return (all(one[o] <= other[o] for o in objectives)
            and any(one[o] < other[o] for o in objectives))


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
        settled = [row for row in cases if None not in (row[name] for name in names)]
        self.assertLess(len(settled), len(cases))

        def left(objectives):
            return {a["id"] for a in settled
                    if not any(dominates(b, a, objectives) for b in settled)}

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
            self.assertEqual("do better in lean_peak than" in text, not weighted)
            self.assertEqual("better in lean_peak and lean_mean at once" in text, weighted)
            verdicts = self.run_program("verify", "study.db").stdout.splitlines()[1:4]
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
