#!/usr/bin/env python3
"""A run holds a few windows of cases at a time, however many the study has."""

import json
import resource
import unittest

from arm_files import MODEL, MOTION, STUDY
from program import ScratchFolder

LEVELS = 1400  # of each of two variables: about two million cases
LARGEST = 280e6  # [bytes]; all their rows at once would take as much again


class Memory(ScratchFolder):
    def test_two_million_cases(self):
        study = json.loads(STUDY)
        study["variables"] = {"rate": {"range": [100, 2000], "count": LEVELS},
                              "radius": {"range": [0.05, 0.15], "count": LEVELS}}
        self.write("model.json", MODEL)
        self.write("motion.json", MOTION)
        self.write("study.json", study)
        result = self.run_json("run", "study.json", "-o", "results.db", "--json")
        self.assertEqual(result["cases"], LEVELS * LEVELS)
        kibibytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(kibibytes * 1024, LARGEST)


if __name__ == "__main__":
    unittest.main()
