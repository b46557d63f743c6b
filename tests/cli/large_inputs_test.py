#!/usr/bin/env python3
"""Input files without an end or of a size that nobody means are refused, whoever reads them."""

import os
import threading
import unittest

from arm_files import FILES
from program import BAD_INPUT, ScratchFolder

LARGEST = 256 << 20  # bytes
TOO_LARGE = "is larger than 256 MiB"
SIMULATE = ("simulate", "model.json", "--motion", "motion.json", "-o", "loads.csv")


class LargeInputs(ScratchFolder):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.write(name, text)

    def write_large(self, name, size):
        """A file that takes no room on the disk."""
        with open(self.folder / name, "wb") as file:
            file.truncate(size)

    def pipe_in(self, write):
        """pipe.json, into which `write(file)` writes once somebody reads it."""
        os.mkfifo(self.folder / "pipe.json")

        def write_until_closed():
            try:
                with open(self.folder / "pipe.json", "wb") as file:
                    write(file)
            except BrokenPipeError:
                pass

        writer = threading.Thread(target=write_until_closed)
        writer.start()
        self.addCleanup(writer.join)

    def refuse(self, *arguments, name):
        said = self.run_program(*arguments, code=BAD_INPUT)
        self.assertIn(f"{name}", said.stderr)
        self.assertIn(TOO_LARGE, said.stderr)
        self.assertEqual(said.stdout, "")

    def test_a_device_without_end(self):
        self.refuse("check", "/dev/zero", name="/dev/zero")
        self.refuse("run", "/dev/zero", name="/dev/zero")
        self.refuse("simulate", "model.json", "--motion", "/dev/zero", name="/dev/zero")

    def test_a_pipe_without_end(self):
        def write(file):
            while True:
                file.write(bytes(1 << 20))

        self.pipe_in(write)
        self.refuse("simulate", "pipe.json", "--motion", "motion.json", name="pipe.json")

    def test_a_pipe_with_an_end(self):
        self.run_program(*SIMULATE)
        loads = (self.folder / "loads.csv").read_bytes()
        self.pipe_in(lambda file: file.write(FILES["model.json"].encode()))
        self.run_program("simulate", "pipe.json", *SIMULATE[2:])
        self.assertEqual((self.folder / "loads.csv").read_bytes(), loads)

    def test_files(self):
        self.run_program("run", "study.json", "-o", "right.db")
        self.write_large("large.json", LARGEST + 1)
        self.refuse("check", "large.json", name="large.json")
        self.refuse("run", "large.json", name="large.json")
        self.refuse("robustness", "right.db", "--tolerances", "large.json", name="large.json")
        self.write_large("large.json", LARGEST)
        self.assertNotIn(TOO_LARGE, self.run_program("check", "large.json", code=BAD_INPUT).stderr)

    def test_tables(self):
        self.write_large("large.csv", LARGEST + 1)
        self.write("study.json", FILES["study.json"].replace(
            '{"range": [100, 2000], "count": 5}',
            '{"catalogue": "large.csv", "sets": {"rate": "rate"}}'))
        self.refuse("run", "study.json", name="large.csv")
        self.write("motion.json", FILES["motion.json"].replace(
            '{"type": "sine", "amplitude": 0.5, "period": 1}',
            '{"type": "table", "file": "large.csv", "time": "t", "column": "x"}'))
        self.refuse(*SIMULATE, name="large.csv")


if __name__ == "__main__":
    unittest.main()
