#!/usr/bin/env python3
"""A link whose weight a spring carries in every pose: what is left of its loads is rounding, and is
printed as 0 wherever it stands, beside numbers that are as they were."""

import re
import unittest

from balanced_link import BALANCED, MODEL, STUDY, by_exact_springs
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

    def test_nearly_all_of_a_load_is_not_all_of_it(self):
        said = self.run_with(k={"values": [BALANCED * (1 + 1e-4)]})
        self.assertRegex(said, r"\n  peak 0\.000\S+ N\*m; .* without springs has \S+ N\*m: more than 99\.9 % less\n")
        self.assertRegex(self.run_program("rank", "balance.db").stdout, r" > 99\.9 % +> 99\.9 %\n")
        self.assertIn(", more than 99.9 % less than without springs\n",
                      self.run_program("show", "balance.db", "1").stdout)
        self.run_with(k={"values": [BALANCED]})
        self.assertRegex(self.run_program("rank", "balance.db").stdout, r" 100\.0 % +100\.0 %\n")

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

    def test_a_choice_is_small_beside_its_own_range_only(self):
        self.run_with(aside={"range": [0, 1e-15], "count": 3})
        self.assertIn("5e-16", self.run_program("rank", "balance.db").stdout)
        self.assertRegex(self.run_program("show", "balance.db", "2").stdout, r"\n  aside +5e-16 +m ")

    def test_a_range_without_0_has_no_choice_of_0(self):
        # the link alone weighs least with the weakest spring, which pulls it down
        self.write("model.json", {**MODEL, "world": {"points": {"post": [0, 0, "-up"]}}})
        self.write("study.json", by_exact_springs({"k": {"range": [1e-13, 2000]}}))
        self.assertRegex(self.run_program("run", "study.json").stdout, r"\n +1 +1 +1e-13 +5\.8")
        self.assertRegex(self.run_program("show", "exact.db", "1").stdout, r"\n  k +1e-13 +N/m ")
        self.write("study.json", by_exact_springs({"k": {"range": [0, 2000]}}))
        self.assertRegex(self.run_program("run", "study.json", "--force").stdout, r"\n +1 +1 +0 +5\.8")

    def test_proofs_of_a_balance_have_zeros(self):
        for least in (0, 1):
            goal = {"name": "peak", "expression": f"motor.max - {least}"}
            self.write("study.json", {**by_exact_springs({"k": {"range": [0, 2000]}, "up": {"range": [0.2, 0.4]}}),
                                      "objectives": [goal]})
            self.write("model.json", {**MODEL, "parameters": {**MODEL["parameters"], "rest": {"value": 0}}})
            ran = self.run_program("run", "study.json", "--force").stdout
            found = self.run_json("verify", "exact.db", "--json")
            self.assertGreater(found[0]["gap"], 0)
            self.assertLess(found[0]["gap"], 1e-12)
            verified = self.run_program("verify", "exact.db").stdout
            for said in (ran, verified, self.run_program("show", "exact.db", "best", "--bill").stdout,
                         self.run_program("why", "exact.db").stdout):
                self.assertEqual(TINY.findall(said), [], said)
            best = -least
            self.assertIn(f"do better than {best} at this geometry (gap 0);", ran)
            self.assertIn(f"do better than {best}; case 1 has {best}, a gap of 0 (", ran)
            self.assertIn(f"proved: objective {best}, no springs within bounds and limits below {best}, gap 0\n", verified)
            self.assertIn(f"; case 1 has {best}, gap 0\n", verified)

    def test_a_limit_that_is_reached_up_to_rounding_is_not_broken(self):
        for sign in ("", "-"):
            limit = {"name": "even", "expression": f"{sign}(motor.mean + 7 - without_springs.motor.max - 7"
                                                   " + without_springs.motor.max)", "max": 0}
            self.write("study.json", {**STUDY, "variables": {"k": {"values": [BALANCED]}}, "constraints": [limit]})
            self.assertIn("1 of 1 feasible cases", self.run_program("run", "study.json", "--force").stdout)
            shown = self.run_program("show", "balance.db", "1").stdout
            self.assertIn("\n  constraint even at most 0 N*m: reached with 0 N*m\n", shown)
            self.assertNotIn("broken", shown)

    def test_the_next_best_choice_and_what_matters(self):
        self.run_with(aside={"values": [3e-17, 0.1]}, k={"values": [BALANCED]})
        shown = self.run_program("show", "balance.db", "1").stdout
        self.assertRegex(shown, r"\n    aside \[m\] +0 +0\.1\n")
        self.assertEqual(TINY.findall(shown), [], shown)
        self.write("study.json", {**STUDY, "variables": {
            "k": {"values": [BALANCED, 2 * BALANCED]}, "aside": {"values": [3e-17, 0.1]}}})
        matters = self.run_program("sensitivity", "study.json").stdout
        self.assertRegex(matters, r"\naside \[m\] +0 +0 +0\.1 ")
        self.assertEqual(TINY.findall(matters), [], matters)


if __name__ == "__main__":
    unittest.main()
