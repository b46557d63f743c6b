#!/usr/bin/env python3
"""docs/FIRST_MECHANISM.md can be followed: its files are written as they stand there, its commands are
run in their order, and what they print is what the page says."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from program import PROGRAM, ScratchFolder

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "FIRST_MECHANISM.md").read_text(encoding="utf-8")
FILE = re.compile(r"`(?P<name>[\w.]+)`:\n\n```(?:json|csv)\n(?P<text>.*?)```", re.DOTALL)
SESSION = re.compile(r"```\n(?P<lines>\$ .*?)```", re.DOTALL)


def steps(page):
    """("file", name, text) and ("command", line, printed lines), in the order of the page."""
    found = [(match.start(), [("file", match["name"], match["text"])])
             for match in FILE.finditer(page)]
    for match in SESSION.finditer(page):
        commands = []
        for line in match["lines"].splitlines():
            if line.startswith("$ "):
                commands.append(("command", line.removeprefix("$ "), []))
            else:
                commands[-1][2].append(line.rstrip())
        found.append((match.start(), commands))
    return [step for _, several in sorted(found) for step in several]


def rounded(line):
    """The line with numbers of more digits rounded to 9: the last ones depend on the processor."""
    return re.sub(r"-?\d+\.\d{7,}(e-?\d+)?", lambda number: f"{float(number[0]):.9g}", line.rstrip())


def same(expected, printed):
    """Whether the lines are these, where "..." stands for any number of lines."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(rounded(line)) + r"\n"
                      for line in expected)
    return re.fullmatch(pattern, "".join(rounded(line) + "\n" for line in printed)) is not None


class Walk(ScratchFolder):
    def test_the_page_can_be_followed(self):
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "counterpoise").symlink_to(pathlib.Path(PROGRAM).resolve())
        path = f"{tools}:{os.environ['PATH']}"
        kinds = [step[0] for step in steps(PAGE)]
        self.assertEqual((kinds.count("file"), kinds.count("command")), (5, 11))
        for kind, name, content in steps(PAGE):
            if kind == "file":
                self.write(name, content)
                continue
            with self.subTest(command=name):
                run = subprocess.run(["bash", "-c", name], cwd=self.folder, text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     env={**os.environ, "PATH": path})
                self.assertTrue(same(content, run.stdout.splitlines()), run.stdout)


class Comparison(unittest.TestCase):
    def test_last_digits_do_not_count(self):
        self.assertTrue(same(["0,47.08800000000001"], ["0,47.088000000000015"]))
        self.assertFalse(same(["0,47.08800000000001"], ["0,47.0880001"]))

    def test_lines_that_differ(self):
        printed = ["a", "b", "c", "d"]
        for expected in (["a", "b", "c", "d"], ["a", "...", "d"], ["...", "b", "..."], ["..."]):
            self.assertTrue(same(expected, printed), expected)
        for expected in (["a"], ["a", "...", "c"], ["b", "..."], ["...", "x", "..."], []):
            self.assertFalse(same(expected, printed), expected)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
