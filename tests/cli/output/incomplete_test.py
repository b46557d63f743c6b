#!/usr/bin/env python3
"""Results that are not the whole study: every command that reads them says so."""

import json
import unittest

from arm_files import FILES, STUDY
from program import ScratchFolder, altered

TOLERANCES = {"samples": 4, "of": {"radius": {"percent": 1}}}
READERS = [("rank", "results.db"), ("show", "results.db", "1"),
           ("export", "results.db", "-o", "cases.csv"),
           ("robustness", "results.db", "--tolerances", "tolerances.json", "--top", "2")]
EXACT = STUDY.replace('"sampling": {"method": "grid"}', '"search": {"method": "exact-springs"}') \
             .replace(', "count": 5', "")


class Incomplete(ScratchFolder):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.write(name, text)
        self.write("study.json", STUDY.replace('"count": 5', '"count": 1200'))
        self.write("tolerances.json", TOLERANCES)

    def change(self, *statements):
        with altered(self.folder / "results.db") as database:
            for statement in statements:
                database.execute(statement)
            database.commit()

    def check(self, message, done, of, readers=READERS):
        """All readers end as ever; they say `message`, or nothing, and objects hold the counts."""
        for command in readers:
            with self.subTest(command):
                text, found = (self.run_program(*command, *more) for more in ([], ["--json"]))
                if message:
                    for said in (text, found):
                        self.assertEqual(said.stderr.splitlines()[0], f"results.db: {message}")
                else:
                    self.assertNotIn("results.db:", text.stderr + found.stderr)
                document = json.loads(found.stdout)
                if isinstance(document, dict):
                    self.assertEqual(document["complete"], {"done": done, "of": of})

    def test_the_whole_study(self):
        self.run_program("run", "study.json", "-o", "results.db")
        self.check("", 1200, 1200)

    def test_an_interrupted_run(self):
        self.run_program("run", "study.json", "-o", "results.db")
        self.change("DELETE FROM study WHERE key = 'finished'", "DELETE FROM cases WHERE id > 1100")
        self.check("1,100 of 1,200 cases; not finished", 1100, 1200)
        self.run_program("run", "study.json", "-o", "results.db", "--resume")
        self.check("", 1200, 1200)

    def test_a_shard(self):
        self.run_program("run", "study.json", "-o", "results.db", "--shard", "1/3")
        self.check("400 of 1,200 cases; shard 1/3", 400, 1200)
        self.change("DELETE FROM study WHERE key = 'finished'", "DELETE FROM cases WHERE id > 9")
        self.check("9 of 1,200 cases; shard 1/3, not finished", 9, 1200)

    def test_rows_that_somebody_deleted(self):
        self.run_program("run", "study.json", "-o", "results.db")
        self.change("DELETE FROM cases WHERE id > 1000")
        self.check("1,000 of 1,200 cases; the others were deleted since the run finished", 1000,
                   1200)

    def test_a_search(self):
        self.write("study.json", EXACT)
        self.run_program("run", "study.json", "-o", "results.db")
        self.check("", 1, 1, [*READERS, ("verify", "results.db")])
        self.change("DELETE FROM study WHERE key = 'finished'")
        self.check("1 of 1 cases; not finished", 1, 1, [*READERS, ("verify", "results.db")])


if __name__ == "__main__":
    unittest.main()
