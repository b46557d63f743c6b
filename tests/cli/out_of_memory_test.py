#!/usr/bin/env python3
"""Without enough memory the program names what needed it, and loses nothing that was finished."""

import json
import unittest

from program import ERROR, TWO_LINK_ARM, ScratchFolder

LARGE = 2_000_000  # [bytes] of an allocation that fails; smaller ones succeed
FINE_STEP = 8e-5  # [s]; of a motion that is just held as a whole
SERIES = 390_000  # [bytes]; a number a sample takes more


class OutOfMemory(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM)

    def change(self, name, **changes):
        document = json.loads((self.folder / name).read_text(encoding="utf-8"))
        self.write(name, {**document, **changes})

    def fail(self, *arguments, disturbance=f"fail 1 allocate {LARGE}"):
        said = self.run_program(*arguments, code=ERROR, disturbance=disturbance)
        self.assertEqual(said.stdout, "")
        return said.stderr

    def test_reading(self):
        self.change("study.json", description="x" * 2 * LARGE)
        before = self.contents()
        for command in ("run", "sensitivity"):
            self.assertEqual(self.fail(command, "study.json"),
                             "not enough memory for study.json and the files that it names\n")
        self.assertEqual(self.fail("check", "study.json"),
                         "not enough memory for counterpoise check study.json\n")
        self.assertEqual(self.contents(), before)

    def test_evaluating(self):
        self.change("motion.json", step=FINE_STEP)
        series = f"fail 1 allocate {SERIES}"
        before = self.contents()
        self.assertIn("not enough memory for the cases of study two_link_arm; fewer --threads take less",
                      self.fail("run", "study.json", disturbance=series))
        self.assertIn("designs; fewer --samples or --threads take less",
                      self.fail("sensitivity", "study.json", disturbance=series))
        simulate = ("simulate", "model.json", "--motion", "motion.json")
        self.assertIn("not enough memory for counterpoise simulate model.json",
                      self.fail(*simulate, "--json", disturbance=series))
        self.assertEqual(self.contents(), before)
        self.run_program(*simulate, disturbance=series)  # needs no such memory

    def test_a_run_that_ran_out_of_memory_is_resumed(self):
        self.change("study.json", variables={"spring_rate": {"range": [500, 2500]}},
                    sampling={"method": "sobol", "count": 100_000, "seed": 1},
                    objectives=[{"name": "counted",
                                 "expression": "shoulder.max + tan(1e-9 * spring_rate)"}])
        self.run_program("run", "study.json", "-o", "whole.db")
        points = 8 * 2048  # bytes of a window's; at most 24 windows of the 49 are under way at once
        self.assertIn("not enough memory for the cases",
                      self.fail("run", "study.json", "-o", "results.db",
                                disturbance=f"fail 30000 evaluate {points}"))
        self.assertLess(len(self.cases("results.db")), 100_000)
        self.run_program("run", "study.json", "-o", "results.db", "--resume")
        self.assert_same_results("results.db", "whole.db")


if __name__ == "__main__":
    unittest.main()
