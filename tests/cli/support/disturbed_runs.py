"""Runs that are killed, interrupted or out of disk at a counted write, commit or evaluation."""

import contextlib
import pathlib
import shutil
import signal
import sqlite3
import tempfile

from program import INTERRUPTED, ScratchFolder


def commit(number):
    """Just before a run's n-th commit. The first are the birth of the file, one or two, or the
    rollback of what a killed run left."""
    return f"{number} remove results.db-journal"


class DisturbedRuns(ScratchFolder):
    """Disturbs runs into results.db and compares what `--resume` makes of them with whole.db.
    Disturbances follow the rules of tests/support/interposed. A study here has so many writes,
    commits and evaluations, however fast or slow the machine is, that each one comes."""

    total = 0  # rows of the undisturbed run

    def run_whole(self):
        """The undisturbed run."""
        self.total = self.run_json("run", "study.json", "-o", "whole.db", "--json",
                                   "--threads", "2")["cases"]

    def arguments(self, *options):
        return ("run", "study.json", "-o", "results.db", "--threads", "2", *options)

    def kept(self, folder=None, table="cases"):
        """Rows kept so far; none if the results are not born yet."""
        path = (folder or self.folder) / "results.db"
        if not path.exists() or path.stat().st_size == 0:
            return 0
        with contextlib.closing(sqlite3.connect(path)) as database:
            born = database.execute("SELECT * FROM sqlite_master WHERE name = ?", (table,))
            if not born.fetchone():
                return 0
            return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]

    def kept_by_the_dead(self, table="cases"):
        """The same without a hand on the file: a look would roll back what was under way."""
        with tempfile.TemporaryDirectory(dir=self.folder) as copies:
            for file in self.folder.glob("results.db*"):
                shutil.copy(file, copies)
            return self.kept(pathlib.Path(copies), table)

    def kill_at(self, *moments):
        """Starts the run, or continues it, and kills it: once for each of the moments. The number
        of rows kept after each."""
        kept = []
        for moment in moments:
            self.run_program(*self.arguments("--resume"), code=-signal.SIGKILL, disturbance=moment)
            kept.append(self.kept_by_the_dead())
        self.assertEqual(kept, sorted(kept), "cases were lost")
        self.assertLess(kept[-1], self.total)
        return kept

    def interrupt_at(self, moment):
        """Continues the run until a rule sends its signal: it keeps what it has, and says how to
        go on."""
        before = self.kept()
        said = self.run_program(*self.arguments("--resume"), code=INTERRUPTED, disturbance=moment)
        self.assertIn("--resume continues", said.stderr)
        self.assertLess(before, self.kept())
        self.assertLess(self.kept(), self.total)

    def finish(self):
        """Continues to the end: the results of the undisturbed run, and nothing left to do."""
        self.run_program(*self.arguments("--resume"))
        self.check_results()
        with contextlib.closing(sqlite3.connect(self.folder / "results.db")) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        before = self.contents()
        self.run_program(*self.arguments("--resume"))
        self.assertEqual(self.contents(), before, "finished results were touched")

    def check_results(self):
        self.assert_same_results("results.db", "whole.db")
