#!/usr/bin/env python3
"""Runs that are killed, interrupted or out of disk: what was finished stays, `--resume` completes
it, and the results equal those of a run that nothing disturbed."""

import unittest

from disturbed_runs import DisturbedRuns, commit
from program import BAD_INPUT, ERROR, INTERRUPTED, TWO_LINK_ARM, file_size_limit

SAMPLES = 120_000  # at least eight transactions, as each holds 16,384 rows at most
STARTS, EVALUATIONS = 12, 200  # each start ends with a transaction
# the tangent of a small angle is what the disturbances count
COUNTED = {"name": "counted", "expression": "shoulder.mean + tan(1e-6 * spring_rate)"}
VARIABLES = {"spring_rate": {"range": [500, 1200]}, "mount_radius": {"range": [0.03, 0.1]}}


class Interruption(DisturbedRuns):
    def use(self, **changes):
        self.copy_example(TWO_LINK_ARM, "study.json", objectives=[COUNTED], variables=VARIABLES,
                          **changes)
        self.run_whole()

    def use_samples(self, count=SAMPLES):
        self.use(sampling={"method": "sobol", "count": count, "seed": 1})

    def use_search(self, starts=STARTS, evaluations=EVALUATIONS):
        self.use(sampling=None,
                 search={"method": "nlopt", "algorithm": "GN_ESCH", "starts": starts,
                         "max_evaluations": evaluations, "seed": 1})

    def test_killed_before_anything_is_kept(self):
        self.use_samples()
        kept = self.kill_at("kill 1 write results.db*", "kill 1 sync results.db-journal",
                            f"kill {commit(1)}", f"kill {commit(2)}", "kill 1 write results.db",
                            "kill 100 evaluate")
        self.assertEqual(kept[-1], 0)
        self.finish()

    def test_killed_again_and_again(self):
        self.use_samples()
        kept = self.kill_at(f"kill {commit(5)}", "kill 3000 evaluate", "kill 9 write results.db",
                            "kill 2 sync results.db", f"kill {commit(3)}", "kill 2000 evaluate",
                            "kill 2 write results.db-journal")
        self.assertGreater(kept[0], 0)
        self.assertGreater(kept[4], kept[3])
        self.finish()

    def test_killed_amid_a_write(self):
        self.use_samples()
        self.kill_at("tear 1 write results.db", f"kill {commit(2)}",
                     "tear 1 write results.db-journal", "tear 2 write results.db-journal",
                     "tear 1 write results.db", "tear 7 write results.db")
        self.finish()

    def test_a_search_killed_again_and_again(self):
        self.use_search()
        kept = self.kill_at("kill 300 evaluate", f"kill {commit(4)}",
                            "tear 1 write results.db-journal", "tear 2 write results.db",
                            "kill 1 sync results.db", f"kill {commit(3)}")
        self.assertGreater(kept[1], 0)
        self.assertGreater(kept[-1], kept[-2])
        self.finish()

    def test_interrupted(self):
        self.use_samples()
        for moment in ("interrupt 1000 evaluate", "terminate 1000 evaluate",
                       "interrupt 700 evaluate"):
            self.interrupt_at(moment)
        self.finish()

    def test_an_interrupted_search(self):
        self.use_search()
        self.interrupt_at("interrupt 500 evaluate")
        self.interrupt_at(f"terminate {commit(1)}")
        self.finish()

    def test_a_start_that_is_cut_short(self):
        self.use_search(starts=1, evaluations=2000)
        self.run_program(*self.arguments(), code=INTERRUPTED,
                         disturbance="interrupt 1000 evaluate")
        self.assertTrue(0 < self.kept() <= 1001, self.kept())
        self.finish()

    def test_the_disk_is_full_midway(self):
        self.use_samples()
        writes = (self.folder / "whole.db").stat().st_size // 16384  # pages, more with journals
        kept = []
        for share in (0.4, 0.3, 0.2):
            said = self.run_program(*self.arguments("--resume"), code=ERROR,
                                    disturbance=f"full {int(share * writes)} write results.db*")
            self.assertIn("results.db: cannot be written: the disk is full", said.stderr)
            kept.append(self.kept())
        self.assertEqual(kept, sorted(kept), "cases were lost")
        self.assertTrue(0 < kept[0] < kept[1] <= kept[2] < self.total, kept)
        self.finish()

    def test_a_file_size_limit_from_the_beginning(self):
        self.use_samples(300)
        before = self.contents()
        for limit in (0, 4096):
            self.run_program(*self.arguments(), code=BAD_INPUT, preexec_fn=file_size_limit(limit))
            self.assertEqual(self.contents(), before)
        self.finish()


if __name__ == "__main__":
    unittest.main()
