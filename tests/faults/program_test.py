#!/usr/bin/env python3
"""The program when the n-th call of the system or allocation fails, for every n: a message and exit
code 1 (2 where nothing was begun), and whole files or none. Calls of SQLite's alone are tried in
disk/, inside one process."""

import bisect
import json
import os
import resource
import unittest

from arm_files import MODEL, MOTION, STUDY
from program import BAD_INPUT, DONE, ERROR, EXAMPLES, ScratchFolder

STEP = 1 if "COUNTERPOISE_ALL_TRIALS" in os.environ else 10  # each fault, or each so many
NOT_STARTED = 127  # the system's loader found no room for the libraries
OPERATIONS = ("write", "sync", "rename", "remove")


def address_space(size):
    """Given to a process as preexec_fn: it gets no more memory."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))


class FailingSystem(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.write("model.json", MODEL)
        self.write("motion.json", MOTION)
        self.write("study.json", STUDY)

    def operations(self, command, operation):
        """How many of the operations an undisturbed command does: the last that can kill it."""
        def kills(number):
            self.before()
            process = self.start(*command, disturbance=f"kill {number} {operation}")
            process.communicate()
            return process.returncode < 0

        beyond = 1
        while kills(beyond):
            beyond *= 2
        return bisect.bisect_left(range(beyond), True, lo=beyond // 2,
                                  key=lambda number: number > 0 and not kills(number)) - 1

    def endings(self, command):
        """Runs the command with the n-th of each kind of operations failing, for every n. Yields
        the exit code of each."""
        for operation in OPERATIONS:
            count = self.operations(command, operation)
            for action in ("fail", "lapse", "full"):
                for at in range(1, count + 1, STEP):
                    disturbance = f"{action} {at} {operation}"
                    self.before()
                    process = self.start(*command, disturbance=disturbance)
                    messages = process.communicate()[1]
                    with self.subTest(command=command, disturbance=disturbance):
                        self.assertIn(process.returncode, (DONE, ERROR, BAD_INPUT), messages)
                        if process.returncode != DONE:
                            self.assertTrue(messages.strip(), "no message")
                            self.assertNotIn("internal error", messages)
                        yield process.returncode

    def before(self):
        """Before each command: as the folder is then."""

    def check_command(self, command, output, right, whole):
        """The output is as before, or whole, or not there, and whole once the disk is mended."""
        tried = 0

        def before():
            for path in self.folder.glob(output.name + "*"):
                path.unlink()
            if right is not None:
                output.write_bytes(right)

        self.before = before
        for code in self.endings(command):
            tried += 1
            found = output.read_bytes() if output.exists() else None
            if code == DONE or found not in (None, right):
                self.assertEqual(whole(output), self.whole)
        print(f"{command[0]}: {tried} faults", flush=True)
        self.assertGreater(tried, 3)

    def try_writing(self, command, name, right):
        """A command that writes one file."""
        output = self.folder / name
        self.run_program(*command)
        self.whole = output.read_bytes()
        self.check_command(command, output, right, lambda path: path.read_bytes())

    def test_run(self):
        command = ("run", "study.json", "-o", "results.db", "--threads", "1")
        self.run_program("run", "study.json", "-o", "whole.db")

        def before():
            for path in self.folder.glob("results.db*"):
                path.unlink()

        self.before = before
        tried = 0
        for code in self.endings(command):
            if code != DONE:
                self.run_program(*command, "--resume")
            self.assert_same_results("results.db", "whole.db")
            tried += 1
        print(f"run: {tried} faults", flush=True)
        self.assertGreater(tried, 50 / STEP)

    def write_exact(self):
        study = json.loads(STUDY)
        self.write("exact.json", {**{k: v for k, v in study.items() if k != "sampling"},
                                  "variables": {"rate": {"range": [100, 2000]}},
                                  "search": {"method": "exact-springs"}})

    def test_run_without_memory(self):
        self.write_exact()
        results = self.folder / "results.db"
        tried = 0
        for name in ("study", "exact"):
            command = ("run", f"{name}.json", "-o", "results.db", "--threads", "1")
            self.run_program("run", f"{name}.json", "-o", "whole.db", "--force")
            at = 1
            while True:
                results.unlink(missing_ok=True)
                process = self.start(*command, disturbance=f"fail {at} allocate")
                said = process.communicate()[1]
                if process.returncode == DONE:
                    break
                with self.subTest(name=name, at=at):
                    self.assertEqual(process.returncode, ERROR, said)
                    self.assertIn("memory", said)
                    self.run_program(*command, "--resume")
                    self.assert_same_results("results.db", "whole.db")
                tried += 1
                at += STEP * (1 + at // 20)  # each of the first, then ever fewer
        print(f"run: {tried} allocations", flush=True)
        self.assertGreater(tried, 100 / STEP)

    def test_run_in_an_address_space_that_is_too_small(self):
        self.write_exact()
        self.write("motion.json", MOTION.replace('"step": 0.1', '"step": 0.00001'))
        tried = 0
        for name in ("exact", "study"):
            self.run_program("run", f"{name}.json", "-o", "whole.db", "--force")
            size = 32 << 20
            while True:
                (self.folder / "results.db").unlink(missing_ok=True)
                process = self.start("run", f"{name}.json", "-o", "results.db", "--threads", "1",
                                     preexec_fn=address_space(size))
                said = process.communicate()[1]
                size += min(STEP, 5) * (2 << 20)  # bytes
                if process.returncode == DONE:
                    break
                if process.returncode == NOT_STARTED:
                    continue
                with self.subTest(name=name, size=size):
                    self.assertEqual(process.returncode, ERROR, said)
                    self.assertIn("memory", said)
                    self.run_program("run", f"{name}.json", "-o", "results.db", "--resume")
                    self.assert_same_results("results.db", "whole.db")
                tried += 1
        print(f"run: {tried} address spaces", flush=True)
        self.assertGreater(tried, 2)

    def test_merge(self):
        for shard in (1, 2):
            self.run_program("run", "study.json", "-o", f"{shard}.db", "--shard", f"{shard}/2")
        command = ("merge", "1.db", "2.db", "-o", "all.db", "--force")
        self.run_program("merge", "1.db", "2.db", "-o", "whole.db")
        self.whole = self.cases("whole.db")
        for right in (None, (self.folder / "whole.db").read_bytes()):
            self.check_command(command, self.folder / "all.db", right,
                               lambda path: self.cases(path.name))

    def test_apply(self):
        self.run_program("run", "study.json", "-o", "results.db")
        for right in (None, b"{}\n"):
            self.try_writing(("apply", "results.db", "best", "-o", "best.json"), "best.json", right)

    def test_report(self):
        self.run_program("run", "study.json", "-o", "results.db")
        probe = self.start("report", "results.db", "-o", "report.html")
        if "without pages" in probe.communicate()[1]:
            self.skipTest("the program was built without pages")
        for right in (None, b"<html/>\n"):
            self.try_writing(("report", "results.db", "-o", "report.html"), "report.html", right)

    def test_import(self):
        robot = EXAMPLES / "imported" / "arm.urdf"
        for right in (None, b"{}\n"):
            self.try_writing(("import", robot, "-o", "robot.json"), "robot.json", right)


if __name__ == "__main__":
    unittest.main()
