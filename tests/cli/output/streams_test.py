#!/usr/bin/env python3
"""Every command with standard streams that are closed, or that are a full disk."""

import itertools
import os
import subprocess
import unittest

from arm_files import FILES, STUDY
from program import BAD_INPUT, DONE, ERROR, INTERRUPTED, PROGRAM, ScratchFolder

SIMULATE = ("simulate", "model.json", "--motion", "motion.json")
# What prints on standard output, and what does not.
PRINTING = [("--help",), ("--version",), ("run", "--help"), ("schema", "study"),
            ("check", "study.json"), ("check", "study.json", "--json"), SIMULATE,
            ("run", "study.json", "-o", "new.db", "--force"), ("run", "study.json", "--plan"),
            ("sensitivity", "study.json", "--samples", "16"), ("rank", "results.db"),
            ("rank", "results.db", "--format", "csv"), ("rank", "results.db", "--json"),
            ("robustness", "results.db", "--tolerances", "tolerances.json", "--top", "1"),
            ("show", "results.db", "1"), ("verify", "exact.db"),
            ("merge", "results.db", "-o", "all.db", "--force"),
            ("export", "results.db", "-o", "cases.csv", "--json")]
SILENT = [((*SIMULATE, "-o", "loads.csv"), DONE), (("export", "results.db", "-o", "cases.csv"), DONE),
          (("check", "none.json"), BAD_INPUT), (("rank", "none.db"), BAD_INPUT),
          (("rnk",), BAD_INPUT), (("rank", "results.db", "--tpo", "1"), BAD_INPUT)]
EXACT = STUDY.replace('"sampling": {"method": "grid"}', '"search": {"method": "exact-springs"}') \
             .replace(', "count": 5', "")
CLOSED = [closed for count in range(4) for closed in itertools.combinations(range(3), count)]


class Streams(ScratchFolder):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.write(name, text)
        self.write("exact.json", EXACT)
        self.write("tolerances.json", {"samples": 4, "of": {"radius": {"percent": 1}}})
        self.run_program("run", "study.json", "-o", "results.db")
        self.run_program("run", "exact.json", "-o", "exact.db")

    def ends(self, command, closed=(), full=()):
        """Exit code, output and messages of a command without these descriptors, or with a full
        disk behind them; what cannot be read is empty."""
        streams = {1: subprocess.PIPE, 2: subprocess.PIPE}
        with open("/dev/full", "wb") as disk:
            streams.update(dict.fromkeys(full, disk))
            process = subprocess.run([PROGRAM, *command], cwd=self.folder, stdin=subprocess.DEVNULL,
                                     stdout=streams[1], stderr=streams[2], check=False, text=True,
                                     preexec_fn=lambda: [os.close(number) for number in closed])
        return process.returncode, process.stdout or "", process.stderr or ""

    def check(self, command, code, output_is_lost, messages_are_lost, found):
        said = f"{command}: {found}"
        self.assertEqual(found[0], ERROR if output_is_lost else code, said)
        if output_is_lost and not messages_are_lost:
            self.assertIn("standard output cannot be written", found[2], said)
            self.assertNotIn("internal error", found[2], said)
        if not messages_are_lost and code == BAD_INPUT:
            self.assertNotEqual(found[2], "", said)

    def test_whatever_is_closed(self):
        for closed in CLOSED:
            for command in PRINTING:
                found = self.ends(command, closed)
                self.check(command, DONE, 1 in closed, 2 in closed, found)
                if 1 not in closed:
                    self.assertNotEqual(found[1], "", command)
            for command, code in SILENT:
                self.check(command, code, False, 2 in closed, self.ends(command, closed))

    def test_on_a_full_disk(self):
        for full in [(1,), (2,), (1, 2)]:
            for command in PRINTING:
                self.check(command, DONE, 1 in full, 2 in full, self.ends(command, (), full))
            for command, code in SILENT:
                self.check(command, code, False, 2 in full, self.ends(command, (), full))

    def test_no_message_gets_into_a_file(self):
        for closed in CLOSED:
            self.ends(("run", "study.json", "-o", "other.db", "--force"), closed)
            self.assert_same_results("other.db", "results.db")

    def test_an_interrupted_run_with_no_one_to_tell(self):
        self.write("study.json", STUDY.replace('"count": 5', '"count": 200000'))
        for number in (1, 2):
            self.run_program("run", "study.json", "-o", f"long{number}.db",
                             code=INTERRUPTED if number == 2 else ERROR,
                             disturbance=f"interrupt 2 remove long{number}.db-journal",
                             preexec_fn=lambda n=number: os.close(n))


if __name__ == "__main__":
    unittest.main()
