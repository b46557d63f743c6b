#!/usr/bin/env python3
"""Exact searches that are killed or interrupted, resumed, run in shards and on any number of
threads: the same rows and the same proofs."""

import random
import signal
import time
import unittest

from exact_studies import LEAN, MOUNT, ExactStudies
from long_runs import LongRuns, TooFast

KILLS = 8
SECONDS = 4  # of work for both threads, so that the kills come before its end
LONGEST_LIFE = 0.9  # of a run that is killed
TRIAL = 25  # evaluations a start at first, to see how fast this machine is
FRONT = {"objectives": ["lean_peak", "lean_mean"], "points": 4}


class ExactInterruption(ExactStudies, LongRuns):
    def use_front(self, evaluations):
        self.use(variables={**LEAN, **MOUNT}, trade_off=FRONT, starts=2, seed=3,
                 max_evaluations=evaluations,
                 settings={"tolerance": 1e-12, "restarts": 1000})

    def disturb_front(self, scenario):
        self.disturb(self.use_front, self.size_for(SECONDS, self.use_front, TRIAL), scenario)

    def check_results(self):
        self.assert_same_proofs("results.db", "whole.db")

    def test_killed(self):
        moments = random.Random(20240609)

        def scenario():
            if not self.kill_again_and_again(
                    KILLS, lambda _: time.sleep(moments.uniform(0, LONGEST_LIFE))):
                raise TooFast
            self.assertGreater(self.kept_by_the_dead("certificates"), 0)
            self.finish()
            self.run_program("verify", "results.db")

        self.disturb_front(scenario)
        self.assertGreater(len(self.certificates("whole.db")), 10)

    def test_interrupted(self):
        def scenario():
            for number in (signal.SIGINT, signal.SIGTERM):
                self.interrupt(number)
            self.finish()

        self.disturb_front(scenario)

    def test_threads(self):
        self.use_front(30)
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
