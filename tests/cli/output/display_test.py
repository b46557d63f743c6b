#!/usr/bin/env python3
"""--display in every command that prints lengths or angles: the numbers of JSON, which are SI, in
the units that were asked for, and no length in metres beside them."""

import contextlib
import re
import sqlite3
import unittest

from program import BAD_INPUT, INFEASIBLE, TWO_LINK_ARM, ScratchFolder

METRES = re.compile(r"\[m\]|[0-9] m\b(?!/)|\[m,|[0-9] rad\b(?!/)|\[rad\]")


class Display(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM, "study.json", variables={
            "spring_rate": {"range": [500, 2500], "count": 4},
            "post_height": {"range": [0.14, 0.281234], "count": 4},
            "mount_radius": {"range": [0.03, 0.1], "count": 4}},
            tolerances={"samples": 4, "of": {"mount_radius": {"percent": 1}}})
        self.run_program("run", "study.json", "-o", "arm.db")
        self.best = self.run_json("rank", "arm.db", "--top", "1", "--json")[0]

    def said(self, *arguments, **options):
        text = self.run_program(*arguments, "--display", "mm,deg", **options).stdout
        self.assertNotRegex(text, METRES)
        return text

    def test_rankings(self):
        height = f"{1e3 * self.best['post_height']:.6g}"
        for command in (("run", "study.json", "-o", "arm.db", "--force"), ("rank", "arm.db"),
                        ("robustness", "arm.db", "--top", "2")):
            said = self.said(*command)
            self.assertIn(height, said)
            self.assertIn("[mm]", said)

    def test_one_design(self):
        shown = self.run_json("show", "arm.db", "best", "--json")
        said = self.said("show", "arm.db", "best")
        self.assertRegex(said, rf"\n  post_height +{1e3 * shown['parameters']['post_height']:.6g} +mm")
        length = shown["metrics"]["spring.max_length"]
        self.assertRegex(said, rf"\n  spring \[mm, N\].* {1e3 * length:.6g} ")
        metres = self.run_program("show", "arm.db", "best", "--bill", "--display", "m").stdout
        self.assertRegex(metres, rf"longest working length +{length:.6g} m\n")
        rate = shown["parameters"]["spring_rate"]
        self.assertRegex(metres, rf"\n  rate +{rate:.6g} N/m\n")
        self.assertIn("world z [m]", metres)
        self.assertRegex(self.said("show", "arm.db", "best", "--bill"),
                         rf"\n  rate +{1e-3 * rate:.6g} N/mm\n")

    def test_why(self):
        self.copy_example(TWO_LINK_ARM, "study.json", constraints=[
            {"name": "drawn", "expression": "spring.max_length", "max": 0.01}])
        self.run_program("run", "study.json", "-o", "none.db", code=INFEASIBLE)
        opened = self.run_json("why", "none.db", "--json")["openings"][0]
        metres = self.run_program("why", "none.db", "--display", "m").stdout
        self.assertRegex(metres, r"drawn max \+0\.[0-9]+ m would make")
        self.assertRegex(metres, r"by 0\.[0-9]+ m\n")
        self.assertNotRegex(metres, r"\[mm\]|[0-9] mm")
        said = self.said("why", "none.db")
        self.assertLessEqual(1e3 * opened["all"],
                             float(re.search(r"drawn max \+([0-9.]+) mm would", said).group(1)))
        case = opened["nearest_case"]
        self.assertIn(" 10 mm ", self.said("why", "none.db", case))
        self.assertIn(" 0.01 m", self.run_program("why", "none.db", case, "--display", "m").stdout)

    def infeasible(self):
        with contextlib.closing(sqlite3.connect(self.folder / "arm.db")) as database:
            return database.execute("select min(id) from cases where status = 'infeasible'").fetchone()[0]

    def test_reasons(self):
        case = self.run_json("show", "arm.db", self.infeasible(), "--json")
        longer = re.search(r"\(([0-9.]+) m against ([0-9.]+) m\)", case["reason"])
        self.assertIsNotNone(longer, case["reason"])
        inside = "({:.6g} mm against {:.6g} mm)".format(*(1e3 * float(x) for x in longer.groups()))
        for command in ("show", "why"):
            self.assertIn(inside, self.said(command, "arm.db", case["case"]))
            self.assertIn(case["reason"], self.run_program(command, "arm.db", case["case"]).stdout)

    def test_sensitivity(self):
        study = ("sensitivity", "study.json", "--samples", "16")
        said = self.said(*study)
        places = re.search(r"\npost_height \[mm\] +([0-9.]+) +([0-9.]+) +([0-9.]+) ", said).groups()
        self.assertEqual([float(place) for place in places[::2]], [140, 281.2])

    def test_the_study_says_it_once_for_all(self):
        study = (self.folder / "study.json").read_text(encoding="utf-8")
        self.write("study.json", study.replace('"name":', '"display": ["mm", "deg"], "name":', 1))
        self.run_program("run", "study.json", "-o", "arm.db", "--force")
        for command in (("show", "arm.db", "best"), ("rank", "arm.db"), ("why", "arm.db"),
                        ("robustness", "arm.db", "--top", "1"),
                        ("sensitivity", "study.json", "--samples", "16")):
            self.assertNotRegex(self.run_program(*command).stdout, METRES)
        self.assertRegex(self.run_program("show", "arm.db", "best", "--display", "m").stdout, METRES)

    def test_a_fall(self):
        self.write("pendulum.json", {
            "format": "counterpoise-model/1",
            "bodies": [{"name": "link", "parent": "world", "mass": 1, "com": [0.5, 0, 0],
                        "inertia": [0.01, 0.01, 0.01, 0, 0, 0],
                        "joint": {"type": "revolute", "axis": [0, -1, 0]}}],
            "actuators": [{"name": "motor", "joint": "link"}]})
        self.write("fall.json", {
            "format": "counterpoise-scenario/1", "duration": 0.5, "step": 0.01,
            "start": {"coordinates": {"motor": 0.2}},
            "stops": [{"name": "rest", "of": "motor", "min": -0.5, "restitution": 0}]})
        said = self.said("forward", "pendulum.json", "--scenario", "fall.json")
        self.assertIn("[deg]", said)

    def test_a_wrong_unit_is_told_before_anything_runs(self):
        before = self.contents()
        for command in (("run", "study.json", "-o", "other.db"), ("show", "arm.db", "1"),
                        ("why", "arm.db"), ("robustness", "arm.db"), ("sensitivity", "study.json"),
                        ("report", "arm.db"), ("rank", "arm.db"), ("view", TWO_LINK_ARM / "model.json")):
            said = self.run_program(*command, "--display", "mmm", code=BAD_INPUT).stderr
            self.assertIn("expected a unit of lengths or angles", said, command)
        self.assertEqual(self.contents(), before)


if __name__ == "__main__":
    unittest.main()
