#!/usr/bin/env python3
"""The limits on input of docs/project/RELIABILITY.md: what is at a limit is read, what is one above it is
refused at its place, and nothing is written."""

import json
import unittest

from arm_files import MODEL, MOTION, STUDY
from program import BAD_INPUT, ScratchFolder

GRID = '"range": [100, 2000], "count": 5'


class Limits(ScratchFolder):
    def setUp(self):
        super().setUp()
        for name, text in (("model.json", MODEL), ("motion.json", MOTION), ("study.json", STUDY)):
            self.write(name, text)

    def check_limit(self, make, limit, words, command=("check", "study.json")):
        """`make` writes files with so many of something."""
        make(limit)
        self.run_program(*command)
        make(limit + 1)
        before = self.contents()
        said = self.run_program(*command, code=BAD_INPUT).stderr
        for word in words:
            self.assertIn(word, said)
        self.assertRegex(said, r"^[\w.]+:\d+:\d+: ")
        self.assertEqual(self.contents(), before)

    def change(self, name, old, new):
        right = {"model.json": MODEL, "motion.json": MOTION, "study.json": STUDY}[name]
        self.assertEqual(right.count(old), 1)
        self.write(name, right.replace(old, new))

    def test_nesting_of_arrays_and_objects(self):
        def nest(deep):
            # in a description of any kind nothing else is wrong before the nesting
            self.write("text.json", "[" * deep + "]" * deep)

        nest(100)
        said = self.run_program("check", "text.json", code=BAD_INPUT).stderr
        self.assertNotIn("nested", said)
        for deep in (101, 1_000_000):
            nest(deep)
            said = self.run_program("check", "text.json", code=BAD_INPUT).stderr
            self.assertRegex(said, r"^text.json:1:101: (/0)+: nested deeper than 100\n")

    def test_nesting_of_xml(self):
        def nest(deep):
            self.write("robot.urdf", "<robot name='r'>" + "<x>" * (deep - 1) + "</x>" * (deep - 1)
                       + "</robot>")

        for deep, refused in ((100, False), (101, True), (1_000_000, True)):
            nest(deep)
            said = self.run_program("import", "robot.urdf", "-o", "m.json", code=BAD_INPUT).stderr
            self.assertEqual("nested more than 100 deep" in said, refused)

    def test_nesting_of_expressions(self):
        def nest(deep):
            # each sum waits for its second number: deep numbers wait at the end
            self.change("model.json", '"radius": 0.1',
                        '"radius": "' + "0.01 + (weight * (" * (deep // 2) + "0"
                        + "))" * (deep // 2) + '"')

        nest(1022)
        self.run_program("check", "model.json")
        nest(1026)
        said = self.run_program("check", "model.json", code=BAD_INPUT).stderr
        self.assertIn("an expression is nested at most 1024 deep", said)
        nest(1_000_000)
        self.assertIn("1024 deep", self.run_program("check", "model.json", code=BAD_INPUT).stderr)

    def test_arguments_of_a_function(self):
        self.check_limit(lambda count: self.change("model.json", '"radius": 0.1', '"radius": "max('
                                                   + ", ".join(["0.1"] * count) + ')"'),
                         1000, ["max takes"], ("check", "model.json"))

    def test_samples_of_a_motion(self):
        self.check_limit(lambda count: self.change("motion.json", '"duration": 1, "step": 0.1',
                                                   f'"duration": {(count - 1) / 1024}, "step": {1 / 1024}'),
                         10_000_000, ["expected at most 10000000 samples"], ("check", "motion.json"))

    def test_cases_of_a_study(self):
        def sample(count):
            study = json.loads(STUDY)
            study["variables"] = {"rate": {"range": [100, 2000]}}
            study["sampling"] = {"method": "sobol", "count": count, "max_cases": 10 ** 12}
            self.write("study.json", study)

        self.check_limit(sample, 10 ** 12, ["a number of cases", "1000000000000"])

        def grid(levels):
            self.change("study.json", GRID, f'"range": [100, 2000], "count": {levels}')

        self.check_limit(grid, 10 ** 7, ["/variables/rate/count", "10000000"])

    def test_cases_that_are_kept(self):
        for key, most in (("best", 10 ** 6), ("sample", 10 ** 7)):
            def keep(count, key=key):
                self.write("study.json", {**json.loads(STUDY), "keep": {key: count}})

            self.check_limit(keep, most, [f"/keep/{key}", str(most)])

    def test_columns_of_results(self):
        def objectives(count):
            study = json.loads(STUDY)
            study["objectives"] = [{"name": f"o{i}", "expression": "shoulder.max"}
                                   for i in range(count)]
            self.write("study.json", study)

        objectives(1900)
        self.run_program("run", "study.json", "-o", "many.db")
        objectives(2000)
        before = self.contents()
        said = self.run_program("run", "study.json", "-o", "more.db", code=BAD_INPUT).stderr
        self.assertIn("more than the 2000 a table can have", said)
        self.assertEqual(self.contents(), before)

    def test_names_are_as_long_as_files(self):
        name = "n" * 100_000
        self.write("model.json", MODEL.replace("radius", name))
        self.run_program("check", "model.json")
        self.run_program("run", "study.json", "-o", "results.db")
        self.run_program("rank", "results.db")
        for wrong in ("1n", "a b", "ä", "a.b", ""):
            self.write("model.json", MODEL.replace("radius", wrong))
            self.run_program("check", "model.json", code=BAD_INPUT)


if __name__ == "__main__":
    unittest.main()
