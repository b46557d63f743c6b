"""Runs that last long enough to be disturbed: killed, interrupted or out of disk."""

import contextlib
import pathlib
import shutil
import signal
import sqlite3
import tempfile
import time

from program import DONE, INTERRUPTED, ScratchFolder

SIZES = 5  # each twice the one before


class TooFast(Exception):
    """A run was over before it could be disturbed."""


class LongRuns(ScratchFolder):
    """Disturbs runs into results.db and compares what `--resume` makes of them with whole.db.
    How fast a machine is changes while it is measured, so a study that turns out to be too short
    is tried again with more cases."""

    total = 0  # rows of the undisturbed run

    def run_whole(self):
        """The undisturbed run, and what it says of itself."""
        said = self.run_json("run", "study.json", "-o", "whole.db", "--force", "--json",
                             "--threads", "2")
        self.total = said["cases"]
        return said

    def arguments(self, *options):
        return ("run", "study.json", "-o", "results.db", "--threads", "2", *options)

    def size_for(self, seconds, use, size):
        """About how large a study has to be for a run of that length; `use` prepares one."""
        while True:
            use(size)
            took = self.run_whole()["seconds"]
            if took > 0.5:
                return max(size, int(seconds * size / took))
            size *= 4

    def disturb(self, use, size, scenario):
        """Plays a scenario on a study of that size, or of a larger one if it was too fast."""
        for _ in range(SIZES):
            use(size)
            self.run_whole()
            try:
                scenario()
                return
            except TooFast:
                for file in self.folder.glob("results.db*"):
                    file.unlink()
                size *= 2
        self.fail(f"it was too fast, even at size {size // 2}")

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

    def check_end(self, process, expected):
        """The end that a disturbed run has to have; it may only have been done before."""
        _, messages = process.communicate()
        if process.returncode == DONE:
            raise TooFast
        self.assertEqual(process.returncode, expected, messages)
        return messages

    def check_unfinished(self, kept):
        self.assertLessEqual(kept, self.total)
        if kept == self.total:
            raise TooFast

    def kill_again_and_again(self, kills, wait):
        """Starts the run, or continues it, and kills it when `wait(process)` comes back; the
        number of rows kept in the end."""
        kept = [0]
        for _ in range(kills):
            process = self.start(*self.arguments("--resume"))
            wait(process)
            process.kill()
            self.check_end(process, -signal.SIGKILL)
            kept.append(self.kept_by_the_dead())
        self.assertEqual(kept, sorted(kept), "cases were lost")
        self.check_unfinished(kept[-1])
        return kept[-1]

    def interrupt(self, signal_number):
        process = self.start(*self.arguments("--resume"))
        before = self.kept()
        while process.poll() is None and self.kept() <= before:
            time.sleep(0.01)
        process.send_signal(signal_number)
        self.assertIn("--resume continues", self.check_end(process, INTERRUPTED))
        self.assertLess(before, self.kept())
        self.check_unfinished(self.kept())

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
