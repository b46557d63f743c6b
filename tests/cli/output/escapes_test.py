#!/usr/bin/env python3
"""Names, cells and paths with characters that a terminal acts on: none arrives there raw, JSON stays
JSON, and CSV holds no text that a spreadsheet would run."""

import csv
import io
import json
import os
import subprocess
import unittest

from arm_files import FILES, MODEL, MOTION, STUDY
from program import BAD_INPUT, DONE, PROGRAM, ScratchFolder, on_terminal

HOSTILE = "\x1b[31m \x7f \u009b2J \u202egnp.exe\u2066 \u200f \r \u2028 end"
ESCAPED = r"\x1b[31m \x7f \u009b2J \u202egnp.exe\u2066 \u200f \r \u2028 end"
NAME = HOSTILE.replace("\r", " ").replace("\x1b", " ")  # a study's name becomes that of a file
PARTS = [HOSTILE, "forged\ncase 1: proved", "=1+1", "+2", "-3", "@SUM(A1)", "\ttab", "'=quoted",
         "'plain", " blank ", "a,\"b\"", "Feder mit Öse"]
COMMANDS = [("rank", "results.db"), ("rank", "results.db", "--by", "peak", "--top", "3"),
            ("show", "results.db", "1"), ("show", "results.db", "2"), ("export", "results.db", "-o"),
            ("run", "study.json", "--plan"), ("run", "study.json", "-o", "again.db", "--force"),
            ("sensitivity", "study.json", "--samples", "16"), ("check", "model.json"),
            ("check", "motion.json"), ("check", "study.json"), ("merge", "results.db", "-o"),
            ("robustness", "results.db", "--tolerances", "tolerances.json", "--top", "2")]


def raw_characters(output):
    """What a terminal would act on, in bytes that a program wrote; bytes that are no UTF-8 too."""
    text = output.decode("utf-8", errors="surrogateescape")
    marks = {0x61C, *range(0x200E, 0x2010), *range(0x2028, 0x202F), *range(0x2066, 0x206A)}
    return {c for c in text if (ord(c) < 0x20 and c != "\n") or 0x7F <= ord(c) < 0xA0
            or ord(c) in marks or 0xDC80 <= ord(c) < 0xDD00}


def in_catalogue(part):
    """As a catalogue from elsewhere has it: a formula as it is, but an apostrophe in front of one
    would be taken for a guard."""
    return "'" + part if part.startswith("'=") else part


class Escapes(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.write("model.json", json.dumps({**json.loads(MODEL), "name": HOSTILE}))
        self.write("motion.json", json.dumps({**json.loads(MOTION), "name": HOSTILE}))
        study = json.loads(STUDY)
        study["name"] = NAME
        study["variables"] = {"part": {"catalogue": "springs.csv", "sets": {"rate": "rate"}}}
        self.write("study.json", json.dumps(study))
        table = io.StringIO()
        csv.writer(table, quoting=csv.QUOTE_ALL).writerows(
            [["part", "rate"], *[[in_catalogue(part), 500 + 10 * i]
                                 for i, part in enumerate(PARTS)]])
        self.write("springs.csv", table.getvalue())
        self.write("tolerances.json", {"samples": 4, "of": {"radius": {"percent": 1}}})
        self.run_program("run", "study.json", "-o", "results.db")

    def printed(self, *command, code=DONE):
        """Both streams, as bytes."""
        process = subprocess.run([PROGRAM, *command], cwd=self.folder, capture_output=True,
                                 check=False)
        self.assertEqual(process.returncode, code, (command, process))
        return process.stdout, process.stderr

    def test_text_for_people(self):
        for number, command in enumerate(COMMANDS):
            with self.subTest(command):
                extra = [f"{HOSTILE}{number}"] if command[-1] == "-o" else []
                output, messages = self.printed(*command, *extra)
                self.assertEqual(raw_characters(output + messages), set())
                self.assertNotIn(b"\ncase 1: proved", output)
        ranking = self.printed("rank", "results.db", "--top", "100")[0].decode()
        self.assertIn(ESCAPED, ranking)
        self.assertIn(r"forged\ncase 1: proved", ranking)
        self.assertIn("Feder mit Öse", ranking)

    def test_messages(self):
        self.write(HOSTILE, "{")
        for command in [("check", HOSTILE), ("check", "none" + HOSTILE), (HOSTILE,),
                        ("rank", "none" + HOSTILE), ("rank", "results.db", "--by", HOSTILE),
                        ("rank", "results.db", "--where", HOSTILE), ("rank", "--" + HOSTILE),
                        ("simulate", "model.json", "--motion", "motion.json", "--set", HOSTILE),
                        ("run", "study.json", "--shard", HOSTILE), ("check", os.fsdecode(b"\xff"))]:
            with self.subTest(command):
                output, messages = self.printed(*command, code=BAD_INPUT)
                self.assertEqual(raw_characters(output + messages), set())
                self.assertNotEqual(messages, b"")
                self.assertEqual(output, b"")

    def test_a_message_is_one_line_whatever_it_quotes(self):
        messages = self.printed("check", "none\nresults.db: proved", code=BAD_INPUT)[1]
        self.assertEqual(messages.count(b"\n"), 1)

    def test_bytes_that_are_no_text(self):
        (self.folder / "springs.csv").write_bytes(b"part,rate\nb\xffd \xed\xa0\x80 \xc0\xaf,500\n")
        self.run_program("run", "study.json", "-o", "results.db", "--force")
        output = self.printed("rank", "results.db")[0]
        self.assertEqual(raw_characters(output), set())
        self.assertIn(br"b\xffd \xed\xa0\x80 \xc0\xaf", output)
        found = json.loads(self.printed("rank", "results.db", "--json")[0].decode("utf-8"))
        self.assertEqual(found[0]["part"], "b\ufffdd \ufffd\ufffd\ufffd \ufffd\ufffd")

    def test_json(self):
        for command in [("rank", "results.db", "--top", "100"), ("show", "results.db", "1"),
                        ("check", "study.json"), ("check", "model.json"),
                        ("robustness", "results.db", "--tolerances", "tolerances.json"),
                        ("run", "study.json", "-o", "again.db", "--force")]:
            output, _ = self.printed(*command, "--json")
            self.assertEqual(raw_characters(output), set(), command)
            json.loads(output)
        ranking = json.loads(self.printed("rank", "results.db", "--top", "100", "--json")[0])
        self.assertEqual({row["part"] for row in ranking}, set(PARTS))

    def test_csv_has_no_formulas_and_reads_back(self):
        self.run_program("export", "results.db", "-o", "cases.csv")
        tables = [(self.folder / "cases.csv").read_bytes(),
                  self.printed("rank", "results.db", "--top", "100", "--format", "csv")[0]]
        for table in tables:
            rows = list(csv.DictReader(io.StringIO(table.decode("utf-8"), newline="")))
            cells = {row["part"] for row in rows}
            guarded = {p for p in PARTS if p.lstrip("'")[:1] in set("=+-@\t\r\n")}
            self.assertEqual(cells, {"'" + p if p in guarded else p for p in PARTS})
            self.assertEqual(len(guarded), 6)

    def test_numbers_in_csv_stay_as_they_are(self):
        self.write("negative.json", STUDY.replace('"minimize": "max", "of": ["shoulder"]',
                                                  '"expression": "-shoulder.max"'))
        self.run_program("run", "negative.json", "-o", "negative.db")
        self.run_program("export", "negative.db", "-o", "cases.csv")
        for row, case in zip(self.read_csv("cases.csv"), self.cases("negative.db")):
            self.assertLess(case["peak"], 0)
            self.assertEqual(float(row["peak"]), case["peak"])

    def test_a_ranking_in_csv_is_a_list_of_designs(self):
        table = self.printed("rank", "results.db", "--top", "100", "--format", "csv")[0]
        rows = list(csv.reader(io.StringIO(table.decode("utf-8"), newline="")))
        at = rows[0].index("part")
        designs = io.StringIO()
        csv.writer(designs, quoting=csv.QUOTE_ALL).writerows([[row[at]] for row in rows])
        self.write("designs.csv", designs.getvalue())
        study = json.loads((self.folder / "study.json").read_text(encoding="utf-8"))
        study["sampling"] = {"method": "list", "file": "designs.csv"}
        self.write("listed.json", json.dumps(study))
        self.run_program("run", "listed.json", "-o", "listed.db")
        ranking = self.run_json("rank", "results.db", "--top", "100", "--json")
        self.assertEqual([case["part"] for case in self.cases("listed.db")],
                         [row["part"] for row in ranking])

    def test_data_on_a_terminal(self):
        output, code = on_terminal([PROGRAM, "rank", "results.db", "--format", "csv", "--top", "1"],
                                   cwd=self.folder, stderr=subprocess.STDOUT)
        self.assertEqual(code, DONE)
        self.assertIn("part", output)
        self.assertEqual(raw_characters(output.encode()), set())


if __name__ == "__main__":
    unittest.main()
