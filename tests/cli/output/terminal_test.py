#!/usr/bin/env python3
"""What a person sees on a terminal: lines that fit and end between words, every objective, one line
of progress that never stays beside anything else, and nothing of all that in a pipe."""

import os
import re
import subprocess
import unittest

from program import CHARMIE, DONE, INTERRUPTED, PROGRAM, TWO_LINK_ARM, ScratchFolder, disturbed, on_terminal

COLUMNS = (80, 100, 120)
OBJECTIVES = [{"name": f"{what}_of_the_{joint}_with_a_long_name", "minimize": what, "of": [joint]}
              for what in ("max", "mean", "rms") for joint in ("shoulder", "elbow")]
VARIABLES = {"spring_rate": {"range": [500, 2500], "count": 3},
             "post_height": {"range": [0.14, 0.28], "count": 2},
             "mount_radius": {"range": [0.03, 0.1], "count": 2}}


def environment(**more):
    return {**{k: v for k, v in os.environ.items() if k != "COLUMNS"}, "NO_COLOR": "1", **more}


def seen(written):
    """The lines that stay on a screen after a program's output."""
    lines, at = [""], 0
    for piece in re.findall(r"\x1b\[[0-9]*[A-Za-z]|[^\x1b]", written, re.DOTALL):
        if piece == "\n":
            lines.append("")
            at = 0
        elif piece == "\r":
            at = 0
        elif piece == "\x1b[K":
            lines[-1] = lines[-1][:at]
        elif not piece.startswith("\x1b"):
            lines[-1] = lines[-1][:at] + piece + lines[-1][at + 1:]
            at += 1
    return lines


class OnTerminal(ScratchFolder):
    def on(self, columns, *arguments, code=DONE, messages=False, **more):
        text, ended = on_terminal([PROGRAM, *map(str, arguments)], columns, messages,
                                  cwd=self.folder, env=environment(**more))
        self.assertEqual(ended, code, text)
        return text

    def check_width(self, text, columns):
        for line in text.splitlines():
            self.assertTrue(len(line) <= columns or " " not in line.strip(), line)

    def long_names(self):
        self.copy_example(TWO_LINK_ARM, "study.json", objectives=OBJECTIVES, variables=VARIABLES,
                          constraints=None)
        return self.run_program("run", "study.json", "-o", "arm.db").stdout


class Terminal(OnTerminal):
    def test_every_objective_and_as_many_variables_as_fit(self):
        self.long_names()
        best = self.run_json("rank", "arm.db", "--top", "1", "--json")[0]
        for columns in COLUMNS:
            for command in (("rank", "arm.db"), ("run", "study.json", "-o", "arm.db", "--force")):
                with self.subTest(command[0], columns=columns):
                    text = self.on(columns, *command)
                    self.check_width(text, columns)
                    head = text[:text.index(" feasible cases")]
                    for objective in OBJECTIVES:
                        self.assertIn(f"{best[objective['name']]:.6g}", head)
                    left_out = re.search(r"not shown: ([^0-9]*)", head)
                    if left_out:
                        names = re.split(r",\s+", left_out.group(1).strip())
                        self.assertFalse({o["name"] for o in OBJECTIVES} & set(names), names)
                    shown = sum(f"{best[name]:.6g}" in head for name in VARIABLES)
                    self.assertGreaterEqual(shown, 1)

    def test_a_pipe_gets_whole_tables(self):
        ran = self.long_names()
        plain = self.run_program("rank", "arm.db").stdout
        narrow = self.run_program("rank", "arm.db", env=environment(COLUMNS="40")).stdout
        self.assertEqual(plain, narrow)
        self.assertNotIn("not shown", plain + ran)
        rows = [line for line in plain.splitlines() if re.match(r" +[0-9]+ +[0-9]+ ", line)]
        self.assertEqual(len(rows), len(self.run_json("rank", "arm.db", "--json")))
        self.assertEqual(len({len(row.split()) for row in rows}), 1)
        self.assertGreater(max(map(len, rows)), 120)

    def test_the_environment_may_say_how_wide_it_is(self):
        self.long_names()
        wanted = self.on(80, "rank", "arm.db")
        self.assertEqual(self.on(0, "rank", "arm.db", COLUMNS="80"), wanted)
        self.assertEqual(self.on(200, "rank", "arm.db", COLUMNS="80"), wanted)
        self.assertEqual(self.on(80, "rank", "arm.db", COLUMNS="wide"), wanted)

    def test_what_is_printed_fits_and_loses_no_word(self):
        self.copy_example(CHARMIE)
        self.run_program("run", "exact.json", "-o", "exact.db")
        self.run_program("run", "robust.json", "-o", "robust.db")
        commands = [("--help",), ("run", "--help"), ("rank", "--help"), ("show", "exact.db", "best"),
                    ("show", "exact.db", "best", "--bill"), ("why", "robust.db"),
                    ("verify", "exact.db"), ("check", "model.json", "robust.json")]
        for columns in COLUMNS:  # which leaves out variables, and names them
            self.check_width(self.on(columns, "robustness", "robust.db", "--top", "2"), columns)
        for command in commands:
            plain = self.run_program(*command).stdout
            for columns in COLUMNS:
                with self.subTest(command, columns=columns):
                    text = self.on(columns, *command)
                    self.check_width(text, columns)
                    # names of columns may be broken after their own marks
                    flat = re.sub(r"[\s_.]+", "", text)
                    for word in plain.split():
                        self.assertIn(re.sub(r"[_.]", "", word), flat)

    def test_a_mistake_is_told_in_lines_that_fit(self):
        self.copy_example(TWO_LINK_ARM, "study.json", objectives=[
            {"name": "a", "minimize": "maxx", "of": ["shoulder"]}])
        plain = self.run_program("check", "study.json", code=2).stderr
        self.assertGreater(max(map(len, plain.splitlines())), 60)
        text = self.on(60, "check", "study.json", code=2, messages=True)
        self.check_width(text, 60)
        self.assertEqual(text.split(), plain.split())


class Progress(OnTerminal):
    def test_it_is_one_line_and_goes_before_anything_is_printed(self):
        self.copy_example(TWO_LINK_ARM)
        plain = self.run_program("run", "study.json", "-o", "plain.db").stdout
        for columns in (30, *COLUMNS):
            with self.subTest(columns=columns):
                text = self.on(columns, "run", "study.json", "-o", "arm.db", "--force",
                               messages=True)
                drawn = re.findall(r"\r([^\r\n]*)\x1b\[K", text)
                self.assertTrue([line for line in drawn if "576 of 576" in line], text)
                for line in drawn:
                    self.assertLess(len(line), columns)
                screen = seen(text)
                self.assertFalse([line for line in screen if "% 576 of" in line], screen)
                end = plain.splitlines()[-1].replace("plain.db", "arm.db").split(" evaluated in")[0]
                self.assertIn(" ".join(end.split()), " ".join(" ".join(screen).split()))

    def test_a_proof_tells_whole_parts(self):
        self.copy_example(CHARMIE)
        for columns in (30, 60, 79, 80, 100):
            text = self.on(columns, "run", "stock_mounts.json", "-o", "proof.db", "--force",
                           messages=True)
            drawn = [line for line in re.findall(r"\r([^\r\n]*)\x1b\[K", text) if " simplices: " in line]
            self.assertTrue(drawn, text)
            for line in drawn:
                self.assertLess(len(line), columns)
                self.assertRegex(line, r"^\d+ simplices: best 0\.\d+(, no bound yet"
                                       r"|, none below [0-9.]+(, gap [0-9.e-]+ of [0-9.]+e-[0-9]+)?)?$")

    def test_it_goes_where_the_run_is_interrupted_or_fails(self):
        self.copy_example(TWO_LINK_ARM, "study.json", sampling={"method": "sobol", "count": 200000,
                                                                 "seed": 1})
        text, code = on_terminal([PROGRAM, "run", "study.json", "-o", "long.db"], 80, True,
                                 cwd=self.folder,
                                 env={**disturbed("interrupt 2 remove long.db-journal"), "NO_COLOR": "1"})
        self.assertEqual(code, INTERRUPTED, text)
        screen = seen(text)
        self.assertIn("interrupted; --resume continues", screen)
        self.assertFalse([line for line in screen if " % " in line and "of 200000 cases" in line],
                         screen)

    def test_no_message_stands_within_a_line_of_a_file(self):
        many = [{"name": f"objective_number_{i}_{what}", "minimize": what, "of": ["shoulder"]}
                for i in range(8) for what in ("max", "mean", "rms")]
        self.copy_example(TWO_LINK_ARM, "study.json", objectives=many, variables=VARIABLES,
                          constraints=None, keep={"best": 1, "sample": 9})
        apart = self.run_program("run", "study.json", "-o", "arm.db")
        self.assertIn("note: the ranking is complete down to number", apart.stderr)
        self.assertGreater(len(apart.stdout), 4096)  # more than is written at once
        with open(self.folder / "both.txt", "w", encoding="utf-8") as both:
            subprocess.run([PROGRAM, "run", "study.json", "-o", "arm.db", "--force"], check=True,
                           cwd=self.folder, stdout=both, stderr=both)
        lines = (self.folder / "both.txt").read_text(encoding="utf-8").splitlines()
        self.assertEqual(sorted(line for line in lines if " evaluated in " not in line),
                         sorted(line for line in (apart.stdout + apart.stderr).splitlines()
                                if " evaluated in " not in line))


if __name__ == "__main__":
    unittest.main()
