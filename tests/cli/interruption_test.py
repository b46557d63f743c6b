#!/usr/bin/env python3
"""Runs that are killed, interrupted or out of disk: what was finished stays, `--resume` completes
it, and the results equal those of a run that nothing disturbed."""

import contextlib
import json
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from program import BAD_INPUT, CHARMIE, ERROR, INTERRUPTED, ScratchFolder, file_size_limit

SECONDS = 7  # of work for both threads, so that ten kills all come before its end
KILLS = 10
LONGEST_LIFE = 0.8  # of a run that is killed; rows are kept about every quarter of a second
TRIAL = 300  # cases, and more until they take TRIAL_SECONDS, to see how fast this machine is
TRIAL_SECONDS = 0.5
FINE_STEP = 0.002  # [s] between samples


class Interruption(ScratchFolder):
    def use(self, study, **changes):
        """An example with many more samples a motion, so that there is time to interrupt it."""
        self.copy_example(CHARMIE, study, **changes)
        for name in ("motion_squat.json", "motion_reach.json"):
            motion = json.loads((CHARMIE / name).read_text(encoding="utf-8"))
            self.write(name, {**motion, "step": FINE_STEP})

    def run_whole(self):
        return self.run_json("run", "study.json", "-o", "whole.db", "--force", "--json",
                             "--threads", "2")

    def arguments(self, *options):
        return ("run", "study.json", "-o", "results.db", "--threads", "2", *options)

    def count(self, folder=None):
        """Cases kept so far; none if the results are not born yet."""
        path = (folder or self.folder) / "results.db"
        if not path.exists() or path.stat().st_size == 0:
            return 0
        with contextlib.closing(sqlite3.connect(path)) as database:
            if not database.execute("SELECT * FROM sqlite_master WHERE name = 'cases'").fetchone():
                return 0
            return database.execute("SELECT count(*) FROM cases").fetchone()[0]

    def count_of_the_dead(self):
        """The same without a hand on the file: a look would roll back what was under way."""
        with tempfile.TemporaryDirectory(dir=self.folder) as copies:
            for file in self.folder.glob("results.db*"):
                shutil.copy(file, copies)
            return self.count(pathlib.Path(copies))

    def cases_in(self, seconds, use):
        """How many cases make a run of that length; `use` prepares a study of some cases."""
        count, took = TRIAL, 0.0
        while seconds > 0:
            use(count)
            took = self.run_whole()["seconds"]
            if took > TRIAL_SECONDS:
                return max(count, int(seconds * count / took))
            count *= 4
        return count

    def use_samples(self, seconds=SECONDS):
        def use(count):
            self.use("robust.json", sampling={"method": "sobol", "count": count, "seed": 1})
        self.total = self.cases_in(seconds, use)
        use(self.total)
        self.run_whole()

    def use_search(self):
        def use(evaluations):
            self.use("springs.json", search={
                "method": "nlopt", "algorithm": "GN_ESCH", "starts": 4,
                "max_evaluations": evaluations, "seed": 1})
        use(self.cases_in(5, use))
        self.total = self.run_whole()["cases"]

    def kill_after(self, seconds):
        """Starts the run, or continues it, and kills it; whether it was killed before its end."""
        process = self.start(*self.arguments("--resume"))
        try:
            process.communicate(timeout=seconds)
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.assertEqual(process.returncode, -signal.SIGKILL)
            return True

    def check_kills(self, kills, seed, longest=LONGEST_LIFE):
        moments = random.Random(seed)
        kept = [0]
        for _ in range(kills):
            self.assertTrue(self.kill_after(moments.uniform(0, longest)), "it was too fast")
            kept.append(self.count_of_the_dead())
        self.assertEqual(kept, sorted(kept), "cases were lost")
        self.assertTrue(0 < kept[-1] < self.total, kept)
        self.finish()

    def finish(self):
        self.run_program(*self.arguments("--resume"))
        self.assert_same_results("results.db", "whole.db")
        with contextlib.closing(sqlite3.connect(self.folder / "results.db")) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        before = self.contents()
        self.run_program(*self.arguments("--resume"))
        self.assertEqual(self.contents(), before, "finished results were touched")

    def test_killed_ten_times(self):
        self.use_samples()
        self.check_kills(KILLS, seed=20240607)

    def test_a_search_killed_four_times(self):
        self.use_search()
        self.check_kills(4, seed=20240608, longest=1.2)

    def test_killed_while_it_writes(self):
        self.use_samples(seconds=4)
        kept = [0]
        for _ in range(KILLS):
            process = self.start(*self.arguments("--resume"))
            journal = self.folder / "results.db-journal"
            while process.poll() is None and not journal.exists():
                pass
            process.kill()
            process.communicate()
            self.assertEqual(process.returncode, -signal.SIGKILL, "it never wrote")
            kept.append(self.count_of_the_dead())
        self.assertEqual(kept, sorted(kept), "cases were lost")
        self.finish()

    def interrupt(self, signal_number):
        process = self.start(*self.arguments("--resume"))
        before = self.count()
        while process.poll() is None and self.count() <= before:
            time.sleep(0.01)
        process.send_signal(signal_number)
        _, messages = process.communicate()
        self.assertEqual(process.returncode, INTERRUPTED, messages)
        self.assertIn("--resume continues", messages)
        self.assertTrue(before < self.count() < self.total)

    def test_interrupted(self):
        self.use_samples(seconds=4)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            self.interrupt(number)
        self.finish()

    def test_an_interrupted_search(self):
        self.use_search()
        self.interrupt(signal.SIGINT)
        self.finish()

    def test_the_disk_is_full_midway(self):
        self.use_samples(seconds=6)
        whole = (self.folder / "whole.db").stat().st_size
        kept = []
        for share in (0.45, 0.8, 0.8):
            message = self.run_program(
                *self.arguments("--resume"), code=ERROR,
                preexec_fn=file_size_limit(int(share * whole))).stderr
            self.assertIn("results.db: cannot be written: the disk is full", message)
            kept.append(self.count())
        self.assertTrue(0 < kept[0] < kept[1] <= kept[2] < self.total, kept)
        self.finish()

    def test_the_disk_is_full_from_the_beginning(self):
        self.use_samples(seconds=0)
        before = self.contents()
        for limit in (0, 4096):
            self.run_program(*self.arguments(), code=BAD_INPUT, preexec_fn=file_size_limit(limit))
            self.assertEqual(self.contents(), before)
        self.finish()


if __name__ == "__main__":
    unittest.main()
