#!/usr/bin/env python3
"""Wrong models, motions, studies and commands: input, and what the message has to say."""

import unittest

import wrong_models
import wrong_studies
from arm_files import CRANK_MOTION, FILES, FOUR_BAR
from program import ScratchFolder
from wrong_table import RUN, SIMULATE, WrongTable


class RightInputs(ScratchFolder):
    def test_the_files_that_the_tables_change_are_right(self):
        for name, text in FILES.items():
            self.write(name, text)
        self.run_program(*SIMULATE)
        self.run_program(*RUN)
        self.write("model.json", FOUR_BAR)
        self.write("motion.json", CRANK_MOTION)
        self.run_program(*SIMULATE)


class WrongInputs(WrongTable):
    def test_models(self):
        self.check_all(wrong_models.TABLE)

    def test_motions(self):
        self.check_all(wrong_studies.MOTIONS)

    def test_studies(self):
        self.check_all(wrong_studies.STUDIES)

    def test_commands(self):
        self.check_all(wrong_studies.COMMANDS)


if __name__ == "__main__":
    unittest.main()
