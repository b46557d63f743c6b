#!/usr/bin/env python3
"""Exact searches that are killed or interrupted, resumed, run in shards and on any number of
threads: the same rows and the same proofs."""

import contextlib
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from exact_studies import LEAN, MOUNT, ExactStudies
from program import INTERRUPTED

KILLS = 8
SECONDS = 4  # of work for both threads, so that the kills come before its end
FRONT = {"objectives": ["lean_peak", "lean_mean"], "points": 4}


class ExactInterruption(ExactStudies):
    def use_front(self, evaluations):
        self.use(variables={**LEAN, **MOUNT}, trade_off=FRONT, starts=2, seed=3,
                 max_evaluations=evaluations,
                 settings={"tolerance": 1e-12, "restarts": 1000})

    def use_long(self):
        """As many evaluations as this machine needs some seconds for, and their results."""
        evaluations = 25
        while True:
            self.use_front(evaluations)
            took = self.run_json("run", "study.json", "-o", "whole.db", "--force", "--threads",
                                 "2", "--json")["seconds"]
            if took > SECONDS or evaluations > 5000:
                break
            evaluations = max(evaluations + 1, min(4 * evaluations,
                                                   int(1.2 * SECONDS / took * evaluations)))
        self.total = len(self.cases("whole.db"))
        self.assertGreater(len(self.certificates("whole.db")), 10)

    def arguments(self):
        return "run", "study.json", "-o", "results.db", "--threads", "2", "--resume"

    def kept(self, folder=None):
        """Cases and certificates in the file so far."""
        path = (folder or self.folder) / "results.db"
        if not path.exists() or path.stat().st_size == 0:
            return 0, 0
        with contextlib.closing(sqlite3.connect(path)) as database:
            tables = {name for name, in database.execute("SELECT name FROM sqlite_master")}
            return tuple(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                         if table in tables else 0 for table in ("cases", "certificates"))

    def kept_by_the_dead(self):
        """The same without a hand on the file: a look would roll back what was under way."""
        with tempfile.TemporaryDirectory(dir=self.folder) as copies:
            for file in self.folder.glob("results.db*"):
                shutil.copy(file, copies)
            return self.kept(pathlib.Path(copies))

    def finish(self):
        self.run_program(*self.arguments())
        self.assert_same_proofs("results.db", "whole.db")
        before = self.contents()
        self.run_program(*self.arguments())
        self.assertEqual(self.contents(), before, "finished results were touched")

    def test_killed(self):
        self.use_long()
        moments = random.Random(20240609)
        kept = [(0, 0)]
        for _ in range(KILLS):
            process = self.start(*self.arguments())
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=moments.uniform(0, 0.9))
            process.kill()
            process.communicate()
            self.assertEqual(process.returncode, -signal.SIGKILL, "it was too fast")
            kept.append(self.kept_by_the_dead())
        self.assertEqual([cases for cases, _ in kept], sorted(cases for cases, _ in kept))
        self.assertTrue(0 < kept[-1][0] < self.total, kept)
        self.assertGreater(kept[-1][1], 0)
        self.finish()
        self.run_program("verify", "results.db")

    def test_interrupted(self):
        self.use_long()
        for number in (signal.SIGINT, signal.SIGTERM):
            before = self.kept()[0]
            process = self.start(*self.arguments())
            while process.poll() is None and self.kept()[0] <= before:
                time.sleep(0.01)
            process.send_signal(number)
            _, messages = process.communicate()
            self.assertEqual(process.returncode, INTERRUPTED, messages)
            self.assertIn("--resume continues", messages)
        self.assertTrue(0 < self.kept()[0] < self.total)
        self.finish()

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
