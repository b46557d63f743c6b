#!/usr/bin/env python3
"""`forward`: what it writes and prints, and the scenarios that it and `check` refuse."""

import unittest

import wrong_scenarios
from arm_files import FILES
from program import BAD_INPUT, ScratchFolder
from wrong_table import WrongTable


class WrongScenarios(WrongTable):
    def test_tables(self):
        for name, table in wrong_scenarios.TABLES.items():
            with self.subTest(name):
                self.check_all(table)


class Mistakes(ScratchFolder):
    def test_all_of_a_file_are_told_at_once(self):
        for name, text in FILES.items():
            self.write(name, text)
        text = FILES["scenario.json"]
        for old, new in (('"step": 0.1', '"step": 0.3'), ('"time": 0.25', '"time": 9'),
                         ('"restitution": 0.3', '"restitution": 3'), ('"upper.mount"', '"upper.mout"'),
                         ('"min": -60', '"min": 600'), ('"weight"', '"heavy"')):
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        self.write("scenario.json", text)
        said = self.run_program(*wrong_scenarios.FORWARD, code=BAD_INPUT).stderr
        for pointer in ("/step", "/start/time", "/contacts/0/points/0", "/stops/0",
                        "/parameters/heavy"):
            self.assertIn(f": {pointer}: ", said)
        self.assertEqual(said.count("\n"), 5)


if __name__ == "__main__":
    unittest.main()
