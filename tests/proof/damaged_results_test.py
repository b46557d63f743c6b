#!/usr/bin/env python3
"""Results in which another program has changed what was kept of a study, a proof or a choice: every
command that reads it says what is wrong, with exit code 2."""

import json
import shutil
import unittest

from exact_studies import OTHERS, STOCK, StoredProofs
from program import BAD_INPUT, altered

DAMAGED = "wrong.db: is damaged: "
RESUME = ("run", "study.json", "-o", "wrong.db", "--resume")
READERS = [("rank", "wrong.db", "--pareto"), ("show", "wrong.db", "1"),
           ("robustness", "wrong.db", "--tolerances", "tolerances.json")]


def without(members, name):
    return {key: value for key, value in members.items() if key != name}


class DamagedResults(StoredProofs):
    def refused(self, command, *words, way_out="run --force"):
        before = self.contents()
        said = self.run_program(*command, code=BAD_INPUT)
        self.assertEqual(said.stdout, "")
        self.assertIn(DAMAGED, said.stderr)
        for word in (*words, way_out):
            self.assertIn(word, said.stderr)
        self.assertEqual(self.contents(), before)

    def reshape(self, script):
        """The right results after more than one row has changed."""
        shutil.copy(self.folder / "right.db", self.folder / "wrong.db")
        with altered(self.folder / "wrong.db") as database:
            database.executescript(script)

    def resume_refused(self, *words):
        for options in ((), ("--json",)):
            self.refused((*RESUME, *options), *words)

    def put_choice(self, text):
        self.change("UPDATE study SET value = ? WHERE key = 'search.choice.0'", text)

    def test_what_a_choice_came_to(self):
        self.make(variables=STOCK)
        row, = self.query("right.db", "SELECT value FROM study WHERE key = 'search.choice.0'")
        right = json.loads(row["value"])
        variables = right["variables"]
        # earlier versions did not count rows that are equal
        self.put_choice(json.dumps(without(right, "equal_to_others")))
        self.run_program(*RESUME)
        for key in without(right, "equal_to_others"):
            self.put_choice(json.dumps(without(right, key)))
            self.resume_refused("search.choice", f'"{key}"')
        for key in variables[0]:
            self.put_choice(json.dumps({**right, "variables": [without(variables[0], key)]}))
            self.resume_refused("/variables/0", f'"{key}"')
        for text in ("{}", "[]", "null", "", "{", json.dumps({**right, "best": "low"}),
                     json.dumps({**right, "variables": {}}),
                     json.dumps({**right, "variables": [None]})):
            self.put_choice(text)
            self.resume_refused("search.choice")

    def test_a_certificate(self):
        self.make()
        right = self.certificate()
        part = right["goal"]["largest"][0]
        for wrong in ("{}", "[]", "null", "", "{", without(right, "goal"), {**right, "goal": []},
                      {**right, "goal": {**right["goal"], "largest": []}},
                      {**right, "allowed_gap": "small"},
                      *({**right, "goal": {**right["goal"], "largest": [without(part, key)]}}
                        for key in part)):
            self.write_certificate(wrong)
            self.resume_refused("certificate of case 1")
            if wrong != {**right, "allowed_gap": "small"}:
                self.refused(("show", "wrong.db", "1"), "certificate of case 1")
        for sql in ("UPDATE certificates SET bound = NULL", "UPDATE certificates SET gap = 'low'",
                    "UPDATE certificates SET certificate = NULL"):
            self.change(sql)
            for command in (RESUME, ("show", "wrong.db", "1"), ("verify", "wrong.db"),
                            ("merge", "wrong.db", "-o", "all.db")):
                self.refused(command, "certificate of case 1")

    def test_the_study(self):
        self.make(trade_off=OTHERS)
        self.write("tolerances.json", {"of": {"lean_rate": {"percent": 5}}})
        for key in ("study.text", "model.text", "motion.text", "study.path"):
            self.change("DELETE FROM study WHERE key = ?", key)
            word = "it holds no study" if key == "study.path" else f"no key {key}"
            for command in (*READERS, ("verify", "wrong.db")):
                if command[0] != "verify" or key != "study.path":
                    self.refused(command, word)
        for sql, word in (
                ("UPDATE study SET value = value || ' ' WHERE key = 'model.text'", "model"),
                ("UPDATE study SET value = NULL WHERE key = 'model.text'", "model.text")):
            self.change(sql)
            for command in READERS:
                self.refused(command, word)

    def test_tables(self):
        self.make()
        for sql, words in (
                ("UPDATE columns SET role = 'odd' WHERE name = 'worst'", ["odd"]),
                ("UPDATE columns SET type = 'BLOB' WHERE name = 'lean_rate'", ["BLOB"]),
                ("DELETE FROM columns WHERE name = 'lean_rate'", ["columns"]),
                ("UPDATE variables SET kind = 'motion' WHERE name = 'lean_rate'", ["variables"]),
                ("DELETE FROM variables WHERE name = 'lean_rate'", ["variables"])):
            self.change(sql)
            for command in (RESUME, ("rank", "wrong.db"), ("show", "wrong.db", "1"),
                            ("export", "wrong.db", "-o", "cases.csv"), ("verify", "wrong.db"),
                            ("merge", "wrong.db", "-o", "all.db")):
                with self.subTest(sql=sql, command=command):
                    if command is RESUME:
                        before = self.contents()
                        self.run_program(*command, code=BAD_INPUT)
                        self.assertEqual(self.contents(), before)
                    else:
                        self.refused(command, *words)

    def test_rows(self):
        self.make()
        table, = self.query("right.db", "SELECT sql FROM sqlite_master WHERE name = 'cases'")
        without_key = table["sql"].replace("TABLE cases", "TABLE two").replace(" PRIMARY KEY", "", 1)
        for sql, word in (
                ("UPDATE cases SET lean_rate = 9e999 WHERE id = 1", "no finite number"),
                (f"{without_key}; INSERT INTO two SELECT * FROM cases; DROP TABLE cases;"
                 "ALTER TABLE two RENAME TO cases; INSERT INTO cases SELECT * FROM cases",
                 "its id stands there twice"),
                ("UPDATE study SET value = '-1' WHERE key = 'cases'", "key cases")):
            self.reshape(sql)
            self.refused(("rank", "wrong.db"), word)
            if word != "key cases":
                self.refused(("merge", "wrong.db", "-o", "all.db"), word)

    def test_sql_of_its_own(self):
        self.make()
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n"
        for sql, word in (
                ("CREATE TRIGGER lose AFTER INSERT ON cases BEGIN DELETE FROM cases; END",
                 'a trigger "lose"'),
                (f"DROP TABLE cases; CREATE VIEW cases AS {endless}", 'a view "cases"'),
                (f"DROP TABLE study; CREATE VIEW study AS {endless}", 'a view "study"'),
                ("DROP TABLE study; CREATE VIRTUAL TABLE study USING fts5(key, value)",
                 'a virtual table "study"')):
            self.reshape(sql)
            for command in (RESUME, ("rank", "wrong.db"), ("show", "wrong.db", "1"),
                            ("verify", "wrong.db"), ("merge", "wrong.db", "-o", "all.db")):
                self.refused(command, word, way_out="drop it")

    def test_certificates_of_a_study_without_proofs(self):
        self.make()
        shutil.copy(self.folder / "right.db", self.folder / "proofs.db")
        sampled = {**self.use("sampled"), "sampling": {"method": "sobol", "count": 2}}
        del sampled["search"]
        self.write("sampled.json", sampled)
        self.run_study("sampled")
        shutil.copy(self.folder / "sampled.db", self.folder / "right.db")
        self.reshape(f"ATTACH '{self.folder}/proofs.db' AS proofs;"
                     "CREATE TABLE IF NOT EXISTS certificates AS SELECT * FROM proofs.certificates;"
                     "INSERT OR REPLACE INTO certificates SELECT * FROM proofs.certificates")
        self.refused(("verify", "wrong.db"), "its study asks for no exact springs")

    def test_of_another_run(self):
        self.make()
        self.reshape("UPDATE study SET value = 'of another' WHERE key = 'model.hash';"
                     "DROP TABLE certificates")
        before = self.contents()
        said = self.run_program(*RESUME, code=BAD_INPUT).stderr
        self.assertIn("belongs to another run", said)
        self.assertEqual(self.contents(), before)

    def test_hashes_of_an_unknown_kind(self):
        self.make()
        self.reshape("UPDATE study SET value = 'md5:0cc175b9c0f1b6a8' WHERE key LIKE '%.hash'")
        before = self.contents()
        for command in (RESUME, ("verify", "wrong.db"), *READERS):
            said = self.run_program(*command, code=BAD_INPUT)
            self.assertEqual(said.stdout, "")
            self.assertIn("wrong.db: this program does not know this kind of hash", said.stderr)
            for word in ("is damaged", "another run", "texts kept with the results"):
                self.assertNotIn(word, said.stderr)
        merged = self.run_program("merge", "right.db", "wrong.db", "-o", "all.db", code=BAD_INPUT)
        self.assertIn('the text of the study "study.json" (md5 and xxh3 cannot be compared)', merged.stderr)
        self.assertEqual(self.contents(), before)

    def test_damage_beside_lost_cases(self):
        self.make(trade_off=OTHERS)
        self.reshape("DELETE FROM cases WHERE id = 2;"
                     "UPDATE variables SET kind = 'motion' WHERE name = 'lean_rate'")
        self.refused(RESUME, "table variables")

    def test_a_choice_of_a_case(self):
        self.make(variables=STOCK)
        self.change('UPDATE cases SET "lean_spring.row" = 9999 WHERE id = 1')
        said = self.run_program("show", "wrong.db", "1", code=BAD_INPUT).stderr
        self.assertIn("case 1: the stored choice of variable lean_spring is none", said)
        shutil.copy(self.folder / "right.db", self.folder / "wrong.db")
        self.run_program("show", "wrong.db", "1")


if __name__ == "__main__":
    unittest.main()
