#!/usr/bin/env python3
"""Completions and man pages, which a build writes from the program's help: nothing of the help is
missing, and shells and man read them without a complaint."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

from program import PROGRAM, ScratchFolder

WRITER = pathlib.Path(__file__).resolve().parents[3] / "cmake" / "manual"
SHELL = """source ./counterpoise.bash
compopt() { printf '%s\\n' "compopt $*"; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_counterpoise
printf '%s\\n' "${COMPREPLY[@]}"
"""
FILES = ["compopt -o default"]  # what bash is asked for in place of words
FAKE = """#!/bin/sh
cat << END
A program.
Usage: counterpoise [OPTIONS]

Options:
  --which-just-fits TEXT:PART after one space
  --much-longer-than-that TEXT Needs: --other
                              below
  --other                     beside
                              and below
  --half                      .5 of 'all' - or --other
  --none
END
"""


def tool(name):
    """A decorator for a test that needs a program which not every machine has."""
    return unittest.skipUnless(shutil.which(name), f"{name} is not installed")


class Manual(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.written = self.write_manual(PROGRAM)
        self.assertEqual((self.written.returncode, self.written.stderr), (0, ""))

    def write_manual(self, program, folder="."):
        return subprocess.run([sys.executable, "-B", WRITER, program, folder], cwd=self.folder,
                              capture_output=True, text=True,
                              env={**os.environ, "SOURCE_DATE_EPOCH": "86400"})

    def help_of(self, *command):
        return self.run_program(*command, "--help").stdout

    def commands(self):
        found = re.findall(r"(?m)^  ([a-z][\w-]*) ", self.help_of().partition("Subcommands:")[2])
        self.assertGreater(len(found), 8)
        return found

    def options(self, *command):
        """Long options of a help text, and the words that each may be followed by."""
        text = self.help_of(*command)
        found = re.findall(r"(?m)^  (?:-\w,)?(--[\w-]+)(?: TEXT:\{(.*?)\})?", text)
        self.assertEqual(len(found), len(re.findall(r"(?m)^  -", text)))
        return {name: choices.split(",") if choices else [] for name, choices in found}

    def text(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def page(self, *command):
        return self.text("-".join(["counterpoise", *command]) + ".1").replace("\\-", "-")

    def complete(self, *words):
        """What bash offers for the last of the words; files are a request to bash itself."""
        done = subprocess.run(["bash", "--norc", "-c", SHELL, "bash", "counterpoise", *words],
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return [line for line in done.stdout.split("\n") if line]

    def quiet(self, *command):
        """A tool that has nothing to say about a file."""
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{command}\n{done.stdout}")
        return done.stdout

    def test_no_command_and_no_option_is_missing(self):
        commands = self.commands()
        pages = {f"counterpoise-{command}.1" for command in commands} | {"counterpoise.1"}
        self.assertEqual({path.name for path in self.folder.iterdir()},
                         pages | {"counterpoise.bash", "_counterpoise"})
        bash, zsh = self.text("counterpoise.bash"), self.text("_counterpoise")
        for command in commands:
            self.assertIn(f"'{command}') words=", bash)
            self.assertRegex(zsh, rf"(?m)^    '{command}:.*'$")
            self.assertIn(f"\\fBcounterpoise {command}\\fR", self.page())
            part = re.search(rf"(?ms)^        {command}\)$.*?^          ;;$", zsh)[0]
            options = self.options(command)
            self.assertIn("--help", options)
            for option, choices in options.items():
                with self.subTest(command=command, option=option):
                    self.assertRegex(part, rf"['{{,]{option}[=,}}']")
                    self.assertIn(f"\\fB{option}\\fR", self.page(command))
                    if choices:
                        self.assertIn(f"({' '.join(choices)})'", part)
                        self.assertIn("|".join(f"\\fB{word}\\fR" for word in choices),
                                      self.page(command))

    def test_every_explanation_is_told_again(self):
        zsh = " ".join(shlex.split(self.text("_counterpoise"), comments=True))
        for command in self.commands():
            page = self.page(command).replace("\\(aq", "'")
            told = self.help_of(command)
            for text in re.findall(r"(?m)^(?:  \S.*?\S {2,}| {30})(\S.*)$", told):
                self.assertIn(text, page)
            options = re.findall(r"(?m)^  -.*?\S {2,}(\S.*)$", told)
            self.assertGreater(len(options), 0)
            for text in options:
                self.assertIn(text.replace("[", "(").replace("]", ")").replace(":", "\\:"), zsh)
        self.assertIn("from 16 to 1048576; default: 1024", self.page("sensitivity"))
        self.assertIn("not with --force", self.page("run"))
        self.assertIn("only with --pareto", self.page("rank"))
        self.assertIn("results file; required", self.page("merge"))

    def test_bash_completes_commands_and_options(self):
        self.assertEqual(self.complete("ra"), ["rank"])
        self.assertEqual(sorted(self.complete("")), sorted(self.commands()))
        self.assertEqual(self.complete("--v"), ["--version"])
        self.assertEqual(self.complete("rank", "a.db", "--par"), ["--pareto"])
        for command in self.commands():
            self.assertEqual(sorted(self.complete(command, "--")), sorted(self.options(command)))

    def test_bash_completes_values(self):
        for command in self.commands():
            for option, choices in self.options(command).items():
                if choices:
                    for words in ([option, ""], [option, "=", ""], [option, "="]):
                        self.assertEqual(self.complete(command, *words), choices)
        self.assertEqual(self.complete("rank", "--format", "c"), ["csv"])
        self.assertEqual(self.complete("schema", "mo"), ["model", "motion"])
        self.assertEqual(self.complete("run", "--threads", ""), [], "a number")
        self.assertEqual(self.complete("why", "a.db", ""), [], "a number")
        self.assertEqual(self.complete("show", "a.db", ""), ["best"], "or a number")

    def test_bash_completes_files(self):
        for words in (["run", ""], ["run", "--plan", "st"], ["run", "-o", ""],
                      ["run", "--threads", "2", ""], ["run", "--output", "=", ""],
                      ["merge", "a.db", "b.db", ""], ["simulate", "model.json", "--motion", "m"]):
            with self.subTest(words):
                self.assertEqual(self.complete(*words), FILES)
        self.assertEqual(self.complete("run", "study.json", ""), [], "there is one study")

    def test_shells_can_read_the_completions(self):
        self.quiet("bash", "-n", "counterpoise.bash")

    @tool("zsh")
    def test_zsh_can_read_its_completion(self):
        self.quiet("zsh", "-n", "_counterpoise")

    @tool("groff")
    def test_groff_has_no_warning(self):
        for page in self.folder.glob("*.1"):
            self.quiet("groff", "-man", "-ww", "-Tutf8", "-z", page.name)

    @tool("mandoc")
    def test_mandoc_has_no_warning(self):
        for page in self.folder.glob("*.1"):
            self.quiet("mandoc", "-T", "lint", "-W", "warning", page.name)

    @tool("man")
    def test_man_shows_a_page(self):
        shown = self.quiet("man", "--warnings", "-l", "./counterpoise-rank.1")
        self.assertRegex(shown, r"counterpoise-rank - Rank the feasible cases of a results file\n")
        self.assertRegex(shown, r"(?m)^ +--format table\|csv\|json$")
        self.assertIn("e.g. 'lift.max < 60 N'\n", shown)
        self.assertIn("1970-01-02", shown)

    def test_explanations_anywhere_and_of_any_kind(self):
        """An explanation may begin after one space, stand below, or go on there; and it may have
        what man would take for a request, a quote or a hyphen."""
        self.write("program", FAKE)
        (self.folder / "program").chmod(0o755)
        done = self.write_manual("./program", "new")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        source = self.text("new/counterpoise.1")
        self.assertIn("\n\\&.5 of \\(aqall\\(aq - or \\-\\-other\n", source)
        page = source.replace("\\-", "-")
        for option, text in (("which-just-fits\\fR \\fITEXT", "after one space"),
                             ("much-longer-than-that\\fR \\fITEXT", "below; only with --other"),
                             ("other", "beside and below"), ("none", "")):
            self.assertIn(f".TP\n\\fB--{option}\\fR\n{text}\n", page)

    def test_a_program_without_such_a_help_is_refused(self):
        for program, words in (("./none", "No such file"), ("true", "has no form"),
                               ("false", "non-zero exit status")):
            done = self.write_manual(program, "new")
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            self.assertFalse((self.folder / "new").exists())


if __name__ == "__main__":
    unittest.main()
