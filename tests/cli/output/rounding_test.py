#!/usr/bin/env python3
"""A link whose weight a spring carries in every pose: what is left of its loads is rounding, and is
printed as 0 wherever it stands, beside numbers that are as they were."""

import re
import unittest

from balanced_link import BALANCED, MODEL, STUDY
from program import ScratchFolder

TINY = re.compile(r"[0-9.]+e-[0-9]+")


class Rounding(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.write("model.json", MODEL)
        self.write("study.json", STUDY)
        self.ran = self.run_program("run", "study.json").stdout
        self.best, self.other = self.run_json("rank", "balance.db", "--json")

    def test_the_exact_numbers_are_rounding(self):
        self.assertLess(self.best["peak"], 1e-13)
        self.assertGreater(self.best["peak"], 0)
        self.assertAlmostEqual(self.other["peak"], 2 * 9.81 * 0.3, delta=0.3)

    def test_every_table_and_sentence_has_zeros(self):
        for said in (self.ran, self.run_program("rank", "balance.db").stdout,
                     self.run_program("rank", "balance.db", "--top", "1").stdout,
                     self.run_program("show", "balance.db", "1").stdout,
                     self.run_program("show", "balance.db", "2").stdout):
            self.assertEqual(TINY.findall(said), [], said)
        self.assertRegex(self.ran, r"\n +1 +1 +[0-9.]+ +0 +0\n")
        self.assertRegex(self.ran, r"\n  peak 0 N\*m; the baseline has ")
        shown = self.run_program("show", "balance.db", "1").stdout
        self.assertRegex(shown, r"\n  peak 0 N\*m, 100.0 % less than the baseline")
        self.assertRegex(shown, r"\n  rest +0 +m")
        self.assertRegex(shown, r"\n  motor \[N\*m\] +0 +0 +0 ")

    def run_with(self, **variables):
        self.write("study.json", {**STUDY, "variables": variables})
        return self.run_program("run", "study.json", "--force").stdout

    def test_numbers_that_are_small_stay(self):
        said = self.run_with(k={"values": [BALANCED * (1 + 1e-9)]})
        self.assertEqual(len(set(TINY.findall(said))), 2, said)

    def test_a_balance_that_is_missed_by_rounding_is_one(self):
        self.assertEqual(TINY.findall(self.run_with(k={"values": [BALANCED * (1 + 2e-13)]})), [])
        row, = self.run_json("rank", "balance.db", "--json")
        self.assertGreater(row["peak"], 1e-14 * 2 * 9.81 * 0.3)

    def test_a_choice_that_is_rounding_beside_the_others(self):
        self.run_with(aside={"values": [3e-17, 0.1]})
        self.assertEqual(self.run_json("rank", "balance.db", "--json")[0]["aside"], 3e-17)
        ranked = self.run_program("rank", "balance.db", "--top", "1").stdout
        self.assertRegex(ranked, r"\n +1 +1 +0 +[0-9.]+ ")
        self.assertRegex(self.run_program("show", "balance.db", "1").stdout, r"\n  aside +0 +m +set by this case")


if __name__ == "__main__":
    unittest.main()
