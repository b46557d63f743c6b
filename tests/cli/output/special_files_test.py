#!/usr/bin/env python3
"""Outputs that are no ordinary files: the message says what they are, and they stay as they are."""

import contextlib
import os
import socket
import stat
import unittest

from arm_files import FILES
from program import BAD_INPUT, DONE, ERROR, ScratchFolder

RUN = ("run", "study.json", "-o")
MERGE = ("merge", "results.db", "-o")
TABLES = [("export", "results.db", "-o"), ("show", "results.db", "1", "-o"),
          ("simulate", "model.json", "--motion", "motion.json", "-o")]


class SpecialFiles(ScratchFolder):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.write(name, text)
        self.run_program(*RUN, "results.db")
        os.mkfifo(self.folder / "pipe")
        door = socket.socket(socket.AF_UNIX)
        self.addCleanup(door.close)
        with contextlib.chdir(self.folder):  # the path of a socket has to be short
            door.bind("socket")
        (self.folder / "folder").mkdir()
        (self.folder / "device").symlink_to("/dev/full")

    def kinds(self):
        return {name: stat.S_IFMT((self.folder / name).lstat().st_mode)
                for name in sorted(os.listdir(self.folder))}

    def test_results_go_to_ordinary_files(self):
        before = self.kinds()
        for command in [RUN, MERGE, (*RUN[:-1], "--force", "-o"), (*MERGE[:-1], "--force", "-o"),
                        (*RUN[:-1], "--resume", "-o")]:
            for output in ("pipe", "socket", "folder"):
                with self.subTest((*command, output)):
                    said = self.run_program(*command, output, code=BAD_INPUT).stderr
                    self.assertTrue(said.startswith(f"{output}: is a "), said)
                    self.assertIn(output, said)
                    self.assertNotIn("disk", said)
                    self.assertEqual(self.kinds(), before)

    def test_results_are_read_from_ordinary_files(self):
        for source in ("pipe", "/dev/null", "folder"):
            for command in [("rank", source), ("export", source, "-o", "cases.csv"),
                            ("merge", "results.db", source, "-o", "all.db")]:
                said = self.run_program(*command, code=BAD_INPUT).stderr
                self.assertTrue(said.startswith(f"{source}: is a "), said)

    def test_tables_go_to_devices_and_pipes_too(self):
        for command in TABLES:
            with self.subTest(command):
                self.run_program(*command, "/dev/null", code=DONE)
                said = self.run_program(*command, "device", code=ERROR).stderr
                self.assertIn("cannot be written: No space left on device", said)
                said = self.run_program(*command, "folder", code=BAD_INPUT).stderr
                self.assertIn("folder: cannot be created: Is a directory", said)
                reader = os.open(self.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
                self.run_program(*command, "pipe", code=DONE)
                self.assertIn(b",", os.read(reader, 1 << 16))
                os.close(reader)


if __name__ == "__main__":
    unittest.main()
