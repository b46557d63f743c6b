#!/usr/bin/env python3
"""Objectives whose values are negative: what is less is better, and reads as better everywhere."""

import csv
import io
import re
import unittest

from program import TWO_LINK_ARM, ScratchFolder

OBJECTIVES = [{"name": "neg", "expression": "-shoulder.max"},
              {"name": "shifted", "expression": "shoulder.max - 10"}]


class NegativeObjectives(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM, "study.json", objectives=OBJECTIVES)
        self.printed = self.run_program("run", "study.json", "-o", "arm.db").stdout
        self.baselines = {row["name"]: row
                          for row in self.query("arm.db", "SELECT * FROM baselines")}

    def test_reductions(self):
        ranking = self.run_json("rank", "arm.db", "--json")
        for row in ranking:
            for objective in ("neg", "shifted"):
                for kind, name in [("reduction", "baseline"),
                                   ("reduction_without_springs", "without_springs")]:
                    before = self.baselines[name][objective]
                    self.assertAlmostEqual(row[f"{objective}.{kind}"],
                                           (before - row[objective]) / abs(before), 12)
        best = ranking[0]
        self.assertLess(best["neg"], self.baselines["baseline"]["neg"])
        self.assertGreater(best["neg.reduction"], 0)

    def test_every_format_says_the_same(self):
        ranking = self.run_json("rank", "arm.db", "--json")
        table = self.run_program("rank", "arm.db", "--format", "csv").stdout
        text = self.run_program("rank", "arm.db").stdout
        for row, cells in zip(ranking, csv.DictReader(io.StringIO(table))):
            self.assertEqual(float(cells["neg.reduction"]), row["neg.reduction"])
            self.assertIn(f"{100 * row['neg.reduction']:.1f} %", text)

    def test_the_head_of_a_run(self):
        best = self.run_json("rank", "arm.db", "--top", "1", "--json")[0]
        for objective in ("neg", "shifted"):
            line = re.search(rf"(?m)^  {objective} .*$", self.printed)[0]
            for words, kind in [("the baseline has", "reduction"),
                                ("without springs has", "reduction_without_springs")]:
                share, direction = re.search(rf"{words} \S+ N\*m: (\S+) % (less|more)", line).groups()
                expected = 100 * best[f"{objective}.{kind}"]
                self.assertEqual(direction, "less" if expected > 0 else "more", line)
                self.assertEqual(share, f"{abs(expected):.1f}", line)

    def test_an_explanation(self):
        best = self.run_json("rank", "arm.db", "--top", "2", "--json")
        said = self.run_program("show", "arm.db", best[0]["case"]).stdout
        change = re.search(r"(?m)^\s+neg \[N\*m\] +\S+ +\S+ +(\S+) %$", said)[1]
        self.assertAlmostEqual(float(change), 100 * (best[1]["neg"] - best[0]["neg"])
                               / abs(best[0]["neg"]), 2)
        self.assertGreaterEqual(float(change), 0, "the next best is not better")


if __name__ == "__main__":
    unittest.main()
