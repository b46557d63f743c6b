#!/usr/bin/env python3
"""What `run --plan` says of memory, beside what the system says that the run took."""

import json
import os
import subprocess
import unittest

from program import CHARMIE, DONE, PROGRAM, TWO_LINK_ARM, ScratchFolder

TOLERANCE = 1.3  # a plan is off by less, whichever way
FINE_STEP = 0.004  # [s]; one evaluator remembers 80 MB


class PlannedMemory(ScratchFolder):
    def planned(self, threads):
        return self.run_json("run", "study.json", "--plan", "--json",
                             "--threads", threads)["resident_bytes"]

    def used(self, threads):
        """Bytes of memory at most, of a run."""
        with subprocess.Popen([PROGRAM, "run", "study.json", "-o", "results.db", "--force",
                               "--threads", str(threads)], cwd=self.folder,
                              stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, DONE)
        return usage.ru_maxrss * 1024

    def check(self):
        self.assertLess(self.used(1), TOLERANCE * self.planned(1))
        self.assertGreater(TOLERANCE * self.used(1), self.planned(1))
        # a worker that comes late to a short run takes less than its share
        self.assertLess(self.used(2), TOLERANCE * self.planned(2))

    def use_fine(self, study, **changes):
        self.copy_example(CHARMIE, study, **changes)
        for name in ("motion_squat.json", "motion_reach.json"):
            motion = json.loads((CHARMIE / name).read_text(encoding="utf-8"))
            self.write(name, {**motion, "step": FINE_STEP})

    def test_examples(self):
        # of smaller ones the system says what the test's own process takes, before it is theirs
        for study in ("grid.json", "springs.json", "robust.json", "paper.json"):
            with self.subTest(study=study):
                self.copy_example(CHARMIE, study)
                self.check()

    def test_long_motions(self):
        self.use_fine("robust.json", sampling={"method": "sobol", "count": 300, "seed": 1})
        self.check()

    def test_a_search_over_long_motions(self):
        self.use_fine("springs.json", search={"method": "nlopt", "algorithm": "GN_ESCH",
                                              "starts": 2, "max_evaluations": 50, "seed": 1})
        self.check()

    def test_a_million_cases(self):
        self.copy_example(TWO_LINK_ARM, "study.json", variables={
            "spring_rate": {"range": [500, 2500], "count": 1000},
            "mount_radius": {"range": [0.03, 0.1], "count": 1000}})
        self.check()


if __name__ == "__main__":
    unittest.main()
