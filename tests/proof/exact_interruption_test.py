#!/usr/bin/env python3
"""Exact searches that are killed or interrupted, resumed, run in shards and on any number of
threads: the same rows and the same proofs."""

import unittest

from disturbed_runs import DisturbedRuns, commit
from exact_studies import LEAN, MOUNT, ExactStudies

EVALUATIONS = 20  # a start
FRONT = {"objectives": ["lean_peak", "lean_mean"], "points": 4}


class ExactInterruption(ExactStudies, DisturbedRuns):
    def use_front(self, evaluations, starts):
        self.use(variables={**LEAN, **MOUNT}, trade_off=FRONT, starts=starts, seed=3,
                 max_evaluations=evaluations,
                 settings={"tolerance": 1e-12, "restarts": 1000})

    def use_many_starts(self):
        """Twelve, each ending with a transaction."""
        self.use_front(EVALUATIONS, starts=3)
        self.run_whole()
        self.assertGreater(len(self.certificates("whole.db")), 12)

    def check_results(self):
        self.assert_same_proofs("results.db", "whole.db")

    def test_killed(self):
        self.use_many_starts()
        kept = self.kill_at("kill 1 write results.db", f"kill {commit(1)}", f"kill {commit(6)}",
                            "tear 1 write results.db-journal", "kill 1 sync results.db-journal",
                            "tear 2 write results.db", f"kill {commit(3)}",
                            "kill 1 sync results.db")
        self.assertEqual(kept[1], 0)
        self.assertGreater(kept[2], 0)
        self.assertGreater(kept[6], kept[5])
        self.assertGreater(self.kept_by_the_dead("certificates"), 0)
        self.finish()
        self.run_program("verify", "results.db")

    def test_interrupted(self):
        self.use_many_starts()
        self.interrupt_at(f"interrupt {commit(4)}")
        self.interrupt_at(f"terminate {commit(1)}")
        self.finish()

    def test_threads(self):
        self.use_front(30, starts=2)
        for threads in (1, 2, 5):
            self.run_program("run", "study.json", "-o", f"{threads}.db", "--threads", threads)
        self.assertEqual(len(self.cases("1.db")), 4 * 2 * 30)
        for threads in (2, 5):
            self.assert_same_proofs(f"{threads}.db", "1.db")

    def test_shards(self):
        self.use(variables={**LEAN, **MOUNT}, starts=3, max_evaluations=30)
        self.run_program("run", "study.json", "-o", "whole.db")
        for part in (1, 2):
            self.run_program("run", "study.json", "-o", f"{part}.db", "--shard", f"{part}/2")
        self.run_program("merge", "2.db", "1.db", "-o", "all.db")
        self.assert_same_proofs("all.db", "whole.db")
        self.run_program("verify", "all.db")


if __name__ == "__main__":
    unittest.main()
