#!/usr/bin/env python3
"""Runs of every kind that are killed or interrupted at any write, commit, evaluation or look at the
clock, once or several times: what `--resume` makes of them is what the undisturbed run leaves, every
row of every table, every word and the exit code."""

import collections
import contextlib
import json
import random
import re
import shutil
import signal
import sqlite3
import tempfile
import unittest

from program import DONE, INFEASIBLE, INTERRUPTED, ScratchFolder, disturbed, trials
from resume_studies import EXACT, FILES, PROVED, SAMPLED, SEARCHED

KILLED = -signal.SIGKILL
# what a run does every few seconds it does as often as it asks for the time
HASTE = "leap 1 look"
OF_ONE_RUN = ("evaluated", "seconds", "stages", "falls", "cpu_seconds", "cases_per_second")
PROGRESS = re.compile(r"^\d+ (simplices: |of \d+ cases).*\n", re.MULTILINE)
COMMIT = "kill {} remove study.db-journal"
LAST_COMMITS = 3
DISTURBANCES = (COMMIT, "kill {} write study.db*", "tear {} write study.db*",
                "kill {} sync study.db*", "interrupt {} write study.db*",
                "terminate {} remove study.db-journal", "interrupt {} sync study.db*")

Ended = collections.namedtuple("Ended", ("code", "output", "messages"))


def lasting(ended):
    """What a run says, without what it says of itself, and of its progress where it takes long."""
    ended = ended._replace(messages=PROGRESS.sub("", ended.messages))
    if not ended.output.startswith("{"):
        text = re.sub(r"; \d+ evaluated in .*", "", ended.output)
        return ended._replace(output=text)
    answer = json.loads(ended.output)
    return ended._replace(output={key: answer[key] for key in answer if key not in OF_ONE_RUN})


@contextlib.contextmanager
def opened(path):
    with contextlib.closing(sqlite3.connect(path)) as database:
        yield database


def tables_of(path):
    """All rows of all tables, but for when, as what and by how many writes the file was made, and but
    for the checksum, which covers these entries too."""
    what = {"study": "* FROM study WHERE key NOT IN ('created', 'born_as')",
            "checksum": "count(*) FROM checksum",
            "digest": "feasible, infeasible, failed FROM digest"}
    with opened(path) as database:
        names = [name for name, in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: sorted(map(repr, database.execute(
            f"SELECT {what.get(name, f'* FROM {name}')}"))) for name in names}


class Resumed(ScratchFolder):
    def use(self, study):
        """The undisturbed run in the folder whole, and a folder to disturb runs in."""
        self.whole, self.cut = self.folder / "whole", self.folder / "cut"
        for folder in (self.whole, self.cut):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for name, content in {**FILES, "study.json": study}.items():
                self.write(folder / name, content)
        self.said = {}
        for form in ((), ("--json",)):
            self.said[form] = lasting(self.run_in(self.whole, *form))
            (self.whole / "study.db").rename(self.whole / "kept.db")
        (self.whole / "kept.db").rename(self.whole / "study.db")
        self.code = self.said[()].code
        self.assertIn(self.code, (DONE, INFEASIBLE), self.said[()].messages)
        self.tables = tables_of(self.whole / "study.db")
        self.files = sorted(path.name for path in self.whole.iterdir())

    def run_in(self, folder, *options, **more):
        process = self.start("run", "study.json", *options, cwd=folder, **more)
        output, messages = process.communicate()
        return Ended(process.returncode, output, messages)

    def begin(self):
        for path in self.cut.glob("study.db*"):
            path.unlink()

    def disturb(self, moment, *options):
        """Continues the run until it is disturbed; returns whether it was."""
        begun = (self.cut / "study.db").exists()
        ended = self.run_in(self.cut, "--resume", *options, disturbance=f"{HASTE};{moment}")
        killed = moment.startswith(("kill", "tear"))
        codes = (KILLED if killed else INTERRUPTED, self.code)
        self.assertIn(ended.code, codes, ended)
        if ended.code == INTERRUPTED:
            begun = begun or (self.cut / "study.db").exists()
            self.assertEqual(ended.messages.splitlines()[-1],
                             "interrupted; --resume continues" if begun else
                             "interrupted before anything was stored")
        self.check_kept()
        return ended.code != self.code

    def check_kept(self):
        """The file after a disturbance holds a part of the final results."""
        with tempfile.TemporaryDirectory(dir=self.folder) as copies:
            for file in self.cut.glob("study.db*"):
                shutil.copy(file, copies)  # as a look would roll back what was under way
            path = f"{copies}/study.db"
            if not (self.cut / "study.db").exists():
                return
            tables = tables_of(path)
            for table in ("variables", "columns", "baselines", "failure_names"):
                self.assertEqual(tables[table], self.tables[table])
            if "sample" not in tables:
                for table in ("cases", "certificates", "failures"):
                    self.assertLessEqual(set(tables[table]), set(self.tables[table]), table)
            with opened(path) as database:
                ids = {row for row, in database.execute("SELECT id FROM cases")}
                proved = {row for row, in database.execute("SELECT id FROM certificates")}
                self.assertLessEqual(proved, ids)
                for text, in database.execute(
                        "SELECT value FROM study WHERE key = 'search.mounts'"):
                    self.assertEqual(ids, set(range(1, json.loads(text)["cases"] + 1)))

    def finish(self, *form):
        """Continues the run to its end."""
        ended = lasting(self.run_in(self.cut, "--resume", *form))
        self.assertEqual(ended, self.said[form])
        self.check_whole()

    def check_whole(self):
        tables = tables_of(self.cut / "study.db")
        self.assertEqual(tables.keys(), self.tables.keys())
        for name, rows in tables.items():
            self.assertEqual(rows, self.tables[name], name)
        self.assertEqual(sorted(path.name for path in self.cut.iterdir()), self.files)

    def check_readers(self):
        """What other commands say of the finished results, and `run` that has nothing left to do."""
        before = (self.cut / "study.db").read_bytes()
        for form in self.said:
            self.assertEqual(lasting(self.run_in(self.cut, "--resume", *form)), self.said[form])
        for command in (("rank", "--json"), ("verify",), ("why",)):
            said = []
            for folder in (self.whole, self.cut):
                process = self.start(command[0], "study.db", *command[1:], cwd=folder)
                said.append((*process.communicate(), process.returncode))
            self.assertEqual(*said)
        self.assertEqual((self.cut / "study.db").read_bytes(), before)

    def counts_of(self, disturbances):
        """How many of each operation an undisturbed run has that is in the same haste."""
        self.begin()
        far_away = [each.format(10 ** 9) for each in disturbances]
        seen = self.folder / "seen"
        rules = disturbed(";".join((HASTE, *far_away)))
        ended = self.run_in(self.cut, env={**rules, "COUNTERPOISE_DISTURBANCE_SEEN": str(seen)})
        self.assertEqual(lasting(ended), self.said[()])
        self.check_whole()
        return dict(zip(disturbances, map(int, seen.read_text().split()[1:]), strict=True))

    def kill_at_the_end(self, commits):
        """Kills the run before each of its last commits."""
        for left in range(min(LAST_COMMITS, commits)):
            moment = COMMIT.format(commits - left)
            with self.subTest(moment=moment):
                self.begin()
                self.disturb(moment)
                self.finish()

    def try_kinds(self, kinds, all_trials, seed, disturbances=DISTURBANCES):
        """So many trials that cut a run short, as many of each kind."""
        chance = random.Random(seed)
        count = max(2, -(-trials(all_trials) // len(kinds)))
        for kind, study in kinds.items():
            self.use(study)
            counts = self.counts_of(disturbances)
            self.assertGreater(min(counts.values()), 0, counts)
            self.kill_at_the_end(counts[COMMIT])
            cut_short, tried = 0, 0
            # what a run has done before need not be done again, and one on a busy machine commits less often than
            # the one that was counted, so that some come to their end
            while cut_short < count:
                moments = [each.format(chance.randint(1, counts[each]))
                           for each in chance.choices(disturbances, k=chance.choice((1, 1, 2, 5)))]
                threads = ("--threads", chance.choice((1, 2, 3)))
                with self.subTest(kind=kind, moments=moments, threads=threads):
                    self.begin()
                    cut_short += any([self.disturb(moment, *threads) for moment in moments])
                    self.finish(*chance.choice(list(self.said)))
                tried += 1
                self.assertLess(tried, 20 * count, kind)
            self.check_readers()

    def test_sampled_studies(self):
        self.try_kinds(SAMPLED, 60, 1, (*DISTURBANCES, "kill {} evaluate", "interrupt {} evaluate"))

    def test_searches(self):
        self.try_kinds(SEARCHED, 20, 2, (*DISTURBANCES, "kill {} evaluate", "interrupt {} evaluate"))

    def test_exact_springs(self):
        self.try_kinds(EXACT, 90, 3, (*DISTURBANCES, "interrupt {} look"))

    def test_proofs_over_mounts(self):
        self.try_kinds(PROVED, 160, 4, (*DISTURBANCES, "kill {} look", "interrupt {} look"))

    def test_shards_and_their_merge(self):
        chance = random.Random(5)
        for kind in ("sobol", "kept", "nlopt", "springs and mounts"):
            self.use({**SAMPLED, **SEARCHED, **EXACT}[kind])
            for _ in range(trials(10)):
                moments = [f"kill {chance.randint(1, 12)} write {part}.db*" for part in (1, 2)]
                merged = f"kill {chance.randint(1, 20)} write study.db*"
                with self.subTest(kind=kind, moments=moments, merged=merged):
                    self.begin()
                    for part, moment in zip((1, 2), moments):
                        shard = ("-o", f"{part}.db", "--shard", f"{part}/2")
                        self.run_in(self.cut, *shard, disturbance=f"{HASTE};{moment}")
                        ended = self.run_in(self.cut, *shard, "--resume")
                        self.assertIn(ended.code, (DONE, INFEASIBLE), ended)
                    merge = ("merge", "2.db", "1.db", "-o", "study.db")
                    self.start(*merge, cwd=self.cut, disturbance=merged).communicate()
                    if not (self.cut / "study.db").exists():
                        self.run_program(*merge, cwd=self.cut)
                    for part in self.cut.glob("[12].db"):
                        part.unlink()
                    self.check_whole()

    def test_results_that_replace_others(self):
        chance = random.Random(6)
        for kind in ("grid", "kept", "a trade-off", "stock"):
            self.use({**SAMPLED, **EXACT, **PROVED}[kind])
            for _ in range(trials(10)):
                moment = f"{chance.choice(('kill', 'interrupt'))} {chance.randint(1, 20)} write *"
                with self.subTest(kind=kind, moment=moment):
                    self.begin()
                    shutil.copy(self.whole / "study.db", self.cut / "study.db")
                    ended = self.run_in(self.cut, "--force", disturbance=f"{HASTE};{moment}")
                    self.assertIn(ended.code, (KILLED, INTERRUPTED, self.code))
                    self.assertEqual(tables_of(self.cut / "study.db"), self.tables)
                    # what a kill left before the new file had its tables, which the next one would take
                    (self.cut / "study.db.partial.writing").unlink(missing_ok=True)
                    self.finish()


if __name__ == "__main__":
    unittest.main()
