#!/usr/bin/env python3
"""`--help` everywhere, `--version`, `schema` and `check`."""

import collections
import json
import unittest

from program import CHARMIE, EXAMPLES, TWO_LINK_ARM, ScratchFolder

SINGULAR = EXAMPLES / "schoenflies" / "model_singular.json"

COMMANDS = ("check", "schema", "motion", "simulate", "forward", "view", "run", "sensitivity", "rank", "robustness", "show", "sheet",
            "merge", "export")


class Help(ScratchFolder):
    def test_of_the_program(self):
        text = self.run_program("--help").stdout
        for command in COMMANDS:
            with self.subTest(command):
                self.assertRegex(text, rf"(?m)^\s+{command}\b")

    def test_of_every_command(self):
        for command in COMMANDS:
            with self.subTest(command):
                self.assertIn("--help", self.run_program(command, "--help").stdout)

    def test_version(self):
        self.assertRegex(self.run_program("--version").stdout, r"^counterpoise \d+\.\d+\.\d+\n$")


class Schema(ScratchFolder):
    def test_the_schemas_are_json(self):
        for kind in ("model", "motion", "study", "scenario"):
            with self.subTest(kind):
                schema = self.run_json("schema", kind)
                self.assertIn(f"counterpoise-{kind}/1", json.dumps(schema))
                self.assertIn("$schema", schema)


class Check(ScratchFolder):
    def test_charmie(self):
        found = self.run_json("check", CHARMIE / "model.json", "--json")
        bodies = json.loads((CHARMIE / "model.json").read_text())["bodies"]
        joints = collections.Counter(body["joint"]["type"] for body in bodies)
        self.assertEqual(found["joints"], {**joints, "point": 2})
        self.assertEqual(found["redundant_equations"], 2)
        for key, value in {"bodies": 26, "degrees_of_freedom": 19, "loops": 2, "couplings": 0,
                           "springs": 3, "actuators": 19}.items():
            self.assertEqual(found[key], value, key)
        text = self.run_program("check", CHARMIE / "model.json").stdout
        self.assertRegex(text, r"degrees of freedom 19\b")

    def test_every_example_is_right(self):
        files = sorted(file for file in EXAMPLES.rglob("*.json") if file != SINGULAR)
        found = self.run_json("check", *files, "--json")
        # of a study with variants there is an entry for each
        self.assertEqual(list(dict.fromkeys(entry["file"] for entry in found)), [str(file) for file in files])

    def test_the_one_example_that_cannot_work_is_refused(self):
        said = self.run_program("check", SINGULAR, code=2).stderr
        self.assertIn("in every pose tried leg1, leg2, leg3, leg4 depend on each other", said)

    def test_a_motion_and_a_study(self):
        motion = self.run_json("check", TWO_LINK_ARM / "motion.json", "--json")
        self.assertEqual((motion["samples"], motion["coordinates"]), (201, 2))
        text = self.run_program("check", TWO_LINK_ARM / "motion.json").stdout
        self.assertIn("coordinates 2\n", text)
        study = self.run_json("check", TWO_LINK_ARM / "study.json", "--json")
        self.assertEqual((study["cases"], study["samples"]), (9 * 8 * 8, 201))
        self.assertEqual((study["variables"], study["objectives"]), (3, 2))
        paper = self.run_json("check", CHARMIE / "paper.json", "--json")
        self.assertEqual((paper["cases"], paper["samples"]), (47570, 601))
        robust = self.run_json("check", CHARMIE / "robust.json", "--json")
        self.assertEqual((robust["cases"], robust["samples"]), (47570, 1202))


if __name__ == "__main__":
    unittest.main()
