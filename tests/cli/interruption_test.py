#!/usr/bin/env python3
"""Runs that are killed, interrupted or out of disk: what was finished stays, `--resume` completes
it, and the results equal those of a run that nothing disturbed."""

import json
import random
import signal
import time
import unittest

from long_runs import LongRuns, TooFast
from program import BAD_INPUT, CHARMIE, ERROR, file_size_limit

SECONDS = 7  # of work for both threads, so that ten kills all come before its end
KILLS = 10
LONGEST_LIFE = 0.8  # of a run that is killed; rows are kept about every quarter of a second
TRIAL = 300  # cases at first, to see how fast this machine is
FINE_STEP = 0.002  # [s] between samples


class Interruption(LongRuns):
    def use(self, study, **changes):
        """An example with many more samples a motion, so that there is time to interrupt it."""
        self.copy_example(CHARMIE, study, **changes)
        for name in ("motion_squat.json", "motion_reach.json"):
            motion = json.loads((CHARMIE / name).read_text(encoding="utf-8"))
            self.write(name, {**motion, "step": FINE_STEP})

    def use_samples(self, count):
        self.use("robust.json", sampling={"method": "sobol", "count": count, "seed": 1})

    def use_search(self, evaluations):
        self.use("springs.json", search={"method": "nlopt", "algorithm": "GN_ESCH", "starts": 4,
                                         "max_evaluations": evaluations, "seed": 1})

    def disturb_for(self, seconds, use, scenario):
        self.disturb(use, self.size_for(seconds, use, TRIAL), scenario)

    def check_kills(self, kills, seed, longest=LONGEST_LIFE):
        moments = random.Random(seed)
        if not self.kill_again_and_again(
                kills, lambda _: time.sleep(moments.uniform(0, longest))):
            raise TooFast  # too few cases for a first batch of them
        self.finish()

    def test_killed_ten_times(self):
        self.disturb_for(SECONDS, self.use_samples,
                         lambda: self.check_kills(KILLS, seed=20240607))

    def test_a_search_killed_four_times(self):
        self.disturb_for(5, self.use_search,
                         lambda: self.check_kills(4, seed=20240608, longest=1.2))

    def test_killed_while_it_writes(self):
        def until_it_writes(process):
            journal = self.folder / "results.db-journal"
            while process.poll() is None and not journal.exists():
                pass

        def scenario():
            self.kill_again_and_again(KILLS, until_it_writes)
            self.finish()

        self.disturb_for(4, self.use_samples, scenario)

    def test_interrupted(self):
        def scenario():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
                self.interrupt(number)
            self.finish()

        self.disturb_for(4, self.use_samples, scenario)

    def test_an_interrupted_search(self):
        def scenario():
            self.interrupt(signal.SIGINT)
            self.finish()

        self.disturb_for(5, self.use_search, scenario)

    def test_the_disk_is_full_midway(self):
        def size_of_whole():
            return (self.folder / "whole.db").stat().st_size

        self.use_samples(1)
        self.run_whole()
        smallest = size_of_whole()

        def scenario():
            room = size_of_whole() - smallest
            kept = []
            for share in (0.45, 0.8, 0.8):
                message = self.run_program(
                    *self.arguments("--resume"), code=ERROR,
                    preexec_fn=file_size_limit(int(smallest + share * room))).stderr
                self.assertIn("results.db: cannot be written: the disk is full", message)
                kept.append(self.kept())
            self.assertEqual(kept, sorted(kept), "cases were lost")
            if kept[0] == 0 or kept[0] == kept[1]:
                raise TooFast  # what was written at once is larger than the room
            self.check_unfinished(kept[-1])
            self.finish()

        self.disturb_for(6, self.use_samples, scenario)

    def test_the_disk_is_full_from_the_beginning(self):
        self.use_samples(TRIAL)
        self.run_whole()
        before = self.contents()
        for limit in (0, 4096):
            self.run_program(*self.arguments(), code=BAD_INPUT, preexec_fn=file_size_limit(limit))
            self.assertEqual(self.contents(), before)
        self.finish()


if __name__ == "__main__":
    unittest.main()
