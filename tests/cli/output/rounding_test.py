#!/usr/bin/env python3
"""A link whose weight a spring carries in every pose: what is left of its loads is rounding, and is
printed as 0 wherever it stands, beside numbers that are as they were."""

import json
import re
import unittest

from program import ScratchFolder

MODEL = {"format": "counterpoise-model/1",
         "parameters": {"k": {"value": 100, "unit": "N/m"}, "up": {"value": 0.3, "unit": "m"},
                        "rest": {"value": "up - 0.1 - 0.2", "unit": "m"}},
         "world": {"points": {"post": [0, 0, "up"]}},
         "bodies": [{"name": "link", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]},
                     "mass": 2, "com": [0.3, 0, 0], "points": {"hook": [0.1, 0, 0]}}],
         "springs": [{"name": "lift", "connect": ["world.post", "link.hook"], "rate": "k"}],
         "actuators": [{"name": "motor", "joint": "link"}]}
BALANCED = 2 * 9.81 * 0.3 / (0.1 * 0.3)  # m g l / (r h), of a spring whose tension is k times its length
STUDY = {"format": "counterpoise-study/1", "name": "balance", "model": "model.json",
         "motions": {"swing": {"duration": 50, "step": 0.5, "coordinates": {
             "motor": {"type": "point-to-point", "from": -0.9, "to": 1.1}}, "inertia": False}},
         "variables": {"k": {"values": [BALANCED, 2 * BALANCED]}},
         "sampling": {"method": "grid"},
         "objectives": [{"name": "peak", "minimize": "max", "of": ["motor"]},
                        {"name": "mean", "minimize": "mean", "of": ["motor"]}]}
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

    def test_numbers_that_are_small_stay(self):
        study = json.loads((self.folder / "study.json").read_text(encoding="utf-8"))
        study["variables"] = {"k": {"values": [BALANCED * (1 + 1e-9)]}}
        self.write("study.json", study)
        said = self.run_program("run", "study.json", "--force").stdout
        self.assertEqual(len(set(TINY.findall(said))), 2, said)


if __name__ == "__main__":
    unittest.main()
