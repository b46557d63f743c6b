#!/usr/bin/env python3
"""Results that replace others: these stay, byte for byte, until the new ones are whole, whatever
happens in between."""

import contextlib
import json
import signal
import sqlite3
import unittest

from arm_files import FILES, STUDY
from program import BAD_INPUT, ERROR, INTERRUPTED, ScratchFolder, altered

CASES = 40_000  # three transactions
RUN = ("run", "study.json", "-o", "results.db", "--threads", "2")
PARTIAL = "results.db.partial"
PROGRAM_KEYS = ("tool_version", "commit", "compiler", "flags", "instruction_set", "vector_width")


class Replacement(ScratchFolder):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.write(name, text)

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def change(self, database, sql):
        with altered(self.folder / database) as connection:
            connection.execute(sql)
            connection.commit()

    def make_large(self):
        """Old results, whole ones of a larger study, and the former's bytes."""
        self.run_program(*RUN)
        self.write("study.json", STUDY.replace('"count": 5', f'"count": {CASES}'))
        self.run_program("run", "study.json", "-o", "whole.db")
        return self.bytes_of("results.db")

    def check_end(self):
        self.assert_same_results("results.db", "whole.db")
        self.assertFalse((self.folder / PARTIAL).exists())

    def test_killed_the_new_run_is_continued_beside_the_old_results(self):
        before = self.make_large()
        for rules, option in [("kill 1 write results.db.partial", "--force"),
                              (f"kill 2 remove {PARTIAL}-journal", "--resume"),
                              ("kill 1 rename results.db", "--resume")]:
            self.run_program(*RUN, option, code=-signal.SIGKILL, disturbance=rules)
            self.assertEqual(self.bytes_of("results.db"), before, rules)
        self.assertIn("exists already", self.run_program(*RUN, code=BAD_INPUT).stderr)
        self.run_program(*RUN, "--resume")
        self.check_end()

    def test_interrupted_it_says_where_the_new_results_are(self):
        before = self.make_large()
        said = self.run_program(*RUN, "--force", "--json", code=INTERRUPTED,
                                disturbance=f"interrupt 1 remove {PARTIAL}-journal")
        self.assertIn("--resume continues in results.db.partial", said.stderr)
        self.assertTrue(json.loads(said.stdout)["output"].endswith(PARTIAL))
        self.assertEqual(self.bytes_of("results.db"), before)
        self.run_program(*RUN, "--resume")
        self.check_end()

    def test_on_a_full_disk_the_old_results_stay(self):
        before = self.make_large()
        files = set(self.contents())
        self.run_program(*RUN, "--force", code=BAD_INPUT, disturbance="full 1 write")
        self.assertEqual(set(self.contents()), files)
        said = self.run_program(*RUN, "--force", code=ERROR,
                                disturbance="full 20 write results.db.partial*")
        self.assertIn(f"{PARTIAL}: cannot be written", said.stderr)
        self.assertEqual(self.bytes_of("results.db"), before)
        self.run_program(*RUN, "--resume")
        self.check_end()

    def test_what_is_no_results_file_is_not_replaced(self):
        self.write("results.db", "dear diary\n")
        other = self.folder / "other.db"
        with contextlib.closing(sqlite3.connect(other)) as database:
            database.execute("CREATE TABLE cases(id)")
            database.commit()
        self.run_program("run", "study.json", "-o", "part.db")
        before = self.contents()
        for output in ("results.db", "other.db"):
            for command in (("run", "study.json"), ("merge", "part.db")):
                said = self.run_program(*command, "-o", output, "--force", code=BAD_INPUT)
                self.assertIn(output, said.stderr)
        self.assertEqual(self.contents(), before)

    def test_a_merge_that_fails_loses_nothing(self):
        before = self.make_large()
        self.run_program("run", "study.json", "-o", "part.db")
        self.write("results.db.merging", "mine\n")
        merge = ("merge", "part.db", "-o", "results.db", "--force")
        self.run_program(*merge, code=ERROR, disturbance="full 20 write results.db.merging*")
        for rules in ("kill 9 write results.db.merging*", "kill 1 rename results.db"):
            self.run_program(*merge, code=-signal.SIGKILL, disturbance=rules)
            self.assertEqual(self.bytes_of("results.db"), before)
        self.run_program(*merge)
        self.assert_same_results("results.db", "whole.db")
        self.assertEqual({path.name for path in self.folder.glob("results.db*")},
                         {"results.db", "results.db.merging"})
        self.assertEqual(self.bytes_of("results.db.merging"), b"mine\n")

    def test_a_killed_merge_goes_on(self):
        self.make_large()
        for i in (1, 2, 3):
            self.run_program("run", "study.json", "-o", f"{i}.db", "--shard", f"{i}/3")
        merge = ("merge", "1.db", "2.db", "3.db", "-o", "all.db")
        rows = []
        for _ in range(3):
            self.run_program(*merge, code=-signal.SIGKILL,
                             disturbance="kill 60 write all.db.merging*")
            rows.append(self.query("all.db.merging", "SELECT count(*) AS n FROM cases")[0]["n"])
        self.assertEqual(rows, sorted(set(rows)))
        self.assertGreater(rows[0], 0)
        said = self.run_program(*merge)
        self.assertIn("goes on after case", said.stderr)
        self.assert_same_results("all.db", "whole.db")
        self.assertIn(f"all.db: {CASES} cases", said.stdout)
        self.assertEqual([path.name for path in self.folder.glob("all.db*")], ["all.db"])

        # a part that is another file now is not taken for the one before
        merge = ("merge", "1.db", "2.db", "3.db", "-o", "again.db")
        self.run_program(*merge, code=-signal.SIGKILL,
                         disturbance="kill 60 write again.db.merging*")
        self.run_program("run", "study.json", "-o", "2.db", "--shard", "2/3", "--force")
        self.assertNotIn("goes on", self.run_program(*merge).stderr)
        self.assert_same_results("again.db", "whole.db")

    def test_a_merge_names_what_is_missing_and_is_not_finished(self):
        self.write("study.json", STUDY.replace('"count": 5', '"count": 9'))
        for i in (1, 2, 3):
            self.run_program("run", "study.json", "-o", f"{i}.db", "--shard", f"{i}/3")
        said = self.run_program("merge", "1.db", "3.db", "-o", "two.db")
        self.assertIn("shards 2/3 are missing", said.stderr)
        self.assertIn("6 of 9 cases", self.run_program("rank", "two.db").stderr)
        self.assertEqual(self.run_program("merge", "2.db", "two.db", "-o", "all.db").stderr, "")
        self.assertEqual(self.run_program("rank", "all.db").stderr, "")
        self.run_program("run", "study.json", "-o", "two.db", "--resume")
        self.assert_same_results("two.db", "all.db")

    def test_lost_rows_are_evaluated_again(self):
        self.run_program(*RUN)
        self.run_program("run", "study.json", "-o", "whole.db")
        self.change("results.db", "DELETE FROM cases WHERE id IN (2, 5)")
        said = self.run_program(*RUN, "--resume")
        self.assertIn("cases were missing", said.stderr)
        self.assert_same_results("results.db", "whole.db")
        self.assertEqual(self.run_program(*RUN, "--resume").stderr, "")

    def test_lost_rows_of_a_search_are_evaluated_again(self):
        study = json.loads(STUDY)
        study["variables"] = {"rate": {"range": [100, 2000]}}
        study["search"] = {"method": "nlopt", "algorithm": "LN_SBPLX", "starts": 3,
                           "max_evaluations": 60, "seed": 2}
        del study["sampling"]
        self.write("study.json", study)
        self.run_program(*RUN)
        self.run_program("run", "study.json", "-o", "whole.db")
        self.assertEqual(self.run_program(*RUN, "--resume").stderr, "")
        self.change("results.db", "DELETE FROM cases WHERE id IN (2, 70)")
        said = self.run_program(*RUN, "--resume")
        self.assertIn("cases were missing", said.stderr)
        self.assert_same_results("results.db", "whole.db")

    def test_rows_of_no_case_are_refused(self):
        self.run_program(*RUN)
        for sql in ("UPDATE cases SET id = 9 WHERE id = 5", "UPDATE cases SET id = -5 WHERE id = 9"):
            self.change("results.db", sql)
            said = self.run_program(*RUN, "--resume", code=BAD_INPUT)
            self.assertIn("results.db: is damaged", said.stderr)

    def test_rows_of_another_program_are_not_mixed_unless_told(self):
        self.run_program(*RUN, "--shard", "1/2")
        (kept,) = self.query("results.db", "SELECT value FROM study WHERE key = 'compiler'")
        self.assertRegex(kept["value"], r"^\w+ [\d.]+$")
        for key in PROGRAM_KEYS:
            other = f"{key}.db"
            self.run_program("run", "study.json", "-o", other, "--shard", "2/2")
            (own,) = self.query(other, f"SELECT value FROM study WHERE key = '{key}'")
            self.change(other, f"UPDATE study SET value = 'odd' WHERE key = '{key}'")
            merge = ("merge", "results.db", other, "-o", "all.db", "--force")
            resume = ("run", "study.json", "-o", other, "--shard", "2/2", "--resume")
            for command in (merge, resume):
                said = self.run_program(*command, code=BAD_INPUT).stderr
                for text in (key, '"odd"', f'"{own["value"]}"', "--allow-mixed"):
                    self.assertIn(text, said)
                self.run_program(*command, "--allow-mixed")
            (mixed,) = self.query("all.db", f"SELECT value FROM study WHERE key = '{key}'")
            self.assertEqual(mixed["value"], f"{own['value']} | odd")


if __name__ == "__main__":
    unittest.main()
