#!/usr/bin/env python3
"""The pages tell the truth: their sessions are run in their order, and what the program prints is what
the page says. A block that begins with "$ " is a session. In it "..." or "[...]" alone on a line stands
for any number of lines, "[...]" or "..." at a line's end for the rest of it, and times are not compared.
A command without any lines below it has to succeed. A block marked `text` is not looked at: it shows
times, or what a program that is not here prints."""

import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, ScratchFolder, on_terminal

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
COLUMNS = 100  # of the terminal that the pages show
PROGRESS = re.compile(r"\d+ of \d+ cases, \d+ a second")  # said of a run that waits for a busy disk
BLOCK = re.compile(r"(?:`(?P<name>[\w.]+)`:\n\n)?^```(?P<kind>\w*)\n(?P<text>.*?)^```",
                   re.DOTALL | re.MULTILINE)


def steps(page):
    """("file", name, text), ("command", line, printed lines) and ("excerpt", "", lines of what the
    last command printed), in the order of the page."""
    for block in BLOCK.finditer(page):
        if block["kind"] in ("json", "csv") and block["name"]:
            yield "file", block["name"], block["text"]
        elif not block["kind"] and not block["text"].startswith("$ "):
            yield "excerpt", "", ["...", *block["text"].splitlines(), "..."]
        elif not block["kind"]:
            for command in re.split(r"^\$ ", block["text"], flags=re.MULTILINE)[1:]:
                lines = command.splitlines()
                ends = next(i for i, _ in enumerate(lines)
                            if "\n".join(lines[:i + 1]).count('"') % 2 == 0)
                yield ("command", "\n".join(lines[:ends + 1]).split("   #")[0],
                       [line.rstrip() for line in lines[ends + 1:]])


def rounded(line):
    """The line with numbers of more digits rounded to 9: the last ones depend on the processor."""
    return re.sub(r"-?\d+\.\d{7,}(e-?\d+)?", lambda number: f"{float(number[0]):.9g}", line.rstrip())


def pattern_of(line):
    if line.strip() in ("...", "[...]"):
        return r"(?:.*\n)*?"
    line = rounded(line)
    rest = ""
    for end in ("[...]", " ..."):
        if line.endswith(end):
            line, rest = line.removesuffix(end), ".*"
    return re.sub(r"in\\ [\d.e\\-]+\\ s\b", r"in \\S+ s", re.escape(line)) + rest + r"\n"


def same(expected, printed):
    """Whether the lines are these, but for what is left out."""
    return re.fullmatch("".join(map(pattern_of, expected)),
                        "".join(rounded(line) + "\n" for line in printed)) is not None


def changed(document, **changes):
    return {**json.loads((EXAMPLES / document).read_text(encoding="utf-8")), **changes}


class Pages(ScratchFolder):
    def setUp(self):
        super().setUp()
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "counterpoise").symlink_to(pathlib.Path(PROGRAM).resolve())
        self.place = self.folder
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "NO_COLOR": "1"}

    def said_by(self, command):
        """The lines that a command prints, and its exit code. SQL is asked without SQLite's shell."""
        if query := re.fullmatch(r'sqlite3 (\S+) "(.*)"', command, re.DOTALL):
            with sqlite3.connect(self.folder / query[1]) as file:
                return ["|".join(f"{cell:.15g}" if isinstance(cell, float) and cell % 1 else str(cell)
                                 for cell in row) for row in file.execute(query[2])], 0
        with tempfile.TemporaryFile() as messages:
            output, code = on_terminal(["bash", "-c", command], COLUMNS, cwd=self.place,
                                       stdin=subprocess.DEVNULL, stderr=messages,
                                       env=self.environment)
            messages.seek(0)
            lines = (messages.read().decode() + output).splitlines()
        return [line for line in lines if not PROGRESS.match(line)], code

    def follow(self, page, commands, files=False, excerpts=False):
        """Does what the page says; `commands` is how many it must have."""
        found = 0
        last = []
        for kind, name, content in steps((ROOT / page).read_text(encoding="utf-8")):
            if kind == "file" and files:
                (self.place / name).write_text(content, encoding="utf-8")
            elif kind == "command":
                found += 1
                last, code = self.said_by(name)
            with self.subTest(f"{page}: {name or content[1]}"):
                if kind == "command" and not content:
                    self.assertEqual(code, 0, "\n".join(last))
                elif kind == "command" or (kind == "excerpt" and excerpts):
                    self.assertTrue(same(content, last), "\n".join(last))
        self.assertEqual(found, commands)

    def follow_in(self, example, page, commands, **options):
        """Does what the page says among copies of the example's files."""
        self.place = self.folder / "examples" / example
        if not self.place.exists():
            shutil.copytree(EXAMPLES, self.folder / "examples")
        self.follow(page, commands, **options)

    def test_the_first_mechanism(self):
        self.follow("docs/FIRST_MECHANISM.md", 11, files=True)

    def test_the_readme(self):
        model = (EXAMPLES / "two_link_arm" / "model.json").read_text(encoding="utf-8")
        shutil.copytree(EXAMPLES / "two_link_arm", self.folder, dirs_exist_ok=True)
        self.write("model_with_a_typo.json", model.replace('"free_length":', '"free_lenght":'))
        self.follow("README.md", 6)

    def test_pictures(self):
        probe = self.start("view", EXAMPLES / "two_link_arm" / "model.json")
        if "built without pages" in probe.communicate()[1]:
            self.skipTest("the program was built without pages")
        self.follow_in("two_link_arm", "docs/pictures/README.md", 2)

    def test_units(self):
        shutil.copytree(EXAMPLES / "two_link_arm", self.folder, dirs_exist_ok=True)
        study = changed("two_link_arm/study.json")
        page = (ROOT / "docs" / "UNITS.md").read_text(encoding="utf-8")
        in_mm = json.loads("{" + re.search(r'```json\n("variables".*?)```', page, re.DOTALL)[1] + "}")
        self.write("study_mm.json", {**study, **in_mm})
        self.write("bare.json", {**study, "variables": {
            **study["variables"], "spring_rate": {"range": [0.5, 2.5], "count": 9}}})
        self.write("wrong.json", {**study, "variables": {
            **study["variables"], "mount_radius": {"range": [30, 100], "unit": "N", "count": 8}}})
        model = (EXAMPLES / "two_link_arm" / "model.json").read_text(encoding="utf-8")
        self.write("heavy.json", model.replace('"mass": "forearm_mass"', '"mass": "spring_rate"'))
        self.follow("docs/UNITS.md", 6)

    def test_slack_springs(self):
        shutil.copytree(EXAMPLES / "two_link_arm", self.folder, dirs_exist_ok=True)
        model = json.loads((self.folder / "model.json").read_text(encoding="utf-8"))
        spring = model["springs"][0]
        del spring["min_length"]
        self.write("model.json", {**model, "springs": [{**spring, "type": "extension", "may_go_slack": True}]})
        self.write("study.json", changed("two_link_arm/study.json", variables={
            "spring_free_length": {"range": [140, 260], "unit": "mm", "count": 4}}, objectives=[
                {"name": "peak", "minimize": "max", "of": ["shoulder"]},
                {"name": "most_tension", "expression": "spring.max_tension"},
                {"name": "least_tension", "expression": "spring.min_tension"}]))
        self.follow("docs/mechanisms/SLACK_SPRINGS.md", 2, files=True)

    def test_falls(self):
        self.follow_in("two_link_arm", "docs/mechanisms/FALLS.md", 1, files=True)

    def test_profiles_of_cams(self):
        self.follow("docs/mechanisms/CAM_PROFILES.md", 4, files=True)

    def test_mass_of_springs(self):
        self.follow("docs/mechanisms/SPRING_MASS.md", 2, files=True)

    def test_groups_of_springs(self):
        self.follow("docs/mechanisms/SPRING_GROUPS.md", 1, files=True)

    def test_friction_of_springs(self):
        self.follow("docs/mechanisms/GAS_SPRINGS.md", 1, files=True)

    def test_results(self):
        shutil.copytree(EXAMPLES / "two_link_arm", self.folder, dirs_exist_ok=True)
        shutil.copytree(EXAMPLES, self.folder / "examples")
        (self.folder / "demo-results").mkdir()
        self.run_program("run", EXAMPLES / "charmie24" / "robust.json", "-o",
                         "demo-results/robust.db")
        self.run_program("run", "study.json")
        self.write("strict.json", changed("two_link_arm/study.json", constraints=[
            {"name": "pull", "expression": "spring.max_tension", "max": 150},
            {"name": "peak", "expression": "shoulder.max", "max": 6}]))
        self.run_program("run", "strict.json", "-o", "strict.db", code=3)
        self.follow("docs/RESULTS.md", 12)

    def test_explanation(self):
        exact = changed("charmie24/exact.json")
        self.write("lift.json", {
            **exact,
            "variables": {name: said for name, said in exact["variables"].items() if "lift" in name}
            | {"lift_free_length": {"range": [0.1, 0.2]}},
            "objectives": [{"name": "lift_peak", "minimize": "max", "of": ["lift"]}],
            "constraints": [{"name": "pull", "expression": "left_lift_spring.max_tension",
                             "max": 150}]})
        shutil.copytree(EXAMPLES / "charmie24", self.folder, dirs_exist_ok=True)
        self.run_program("run", "lift.json", "-o", "lift.db")
        self.follow("docs/EXPLANATION.md", 3, excerpts=True)

    def test_pages_that_name_examples(self):
        (self.folder / "examples").symlink_to(EXAMPLES)
        self.run_program("run", "examples/charmie24/stock.json")
        for page, commands in (("COMMANDS", 1), ("BEST_SPRINGS", 5), ("BEST_MOUNTS", 4),
                               ("TOLERANCES", 2), ("SENSITIVITY", 3), ("IMPORT", 6),
                               ("WORKSPACE", 3), ("MOTIONS", 1), ("DRIVES", 7)):
            for path in self.folder.glob("*.db"):
                if page != "COMMANDS":
                    path.unlink()
            self.follow(f"docs/{page}.md", commands, files=page == "DRIVES")
        self.follow("examples/imported/README.md", 2)

    def test_examples(self):
        for example, commands in (("cable_arm", 2), ("cam_lid", 2), ("charmie40", 3), ("clearance", 3),
                                  ("counterweights", 5), ("exoskeleton", 3),
                                  ("four_bar", 3), ("hatch", 2), ("lamp", 2),
                                  ("palletiser", 2),
                                  ("schoenflies", 4), ("impact_tree", 1), ("ways", 5)):
            self.follow_in(example, f"examples/{example}/README.md", commands)

    def test_templates(self):
        for kind, commands in (("arm", 3), ("four-bar", 4), ("lamp", 3), ("wearable", 4)):
            shutil.copytree(ROOT / "cli" / "templates" / kind, self.folder, dirs_exist_ok=True)
            self.follow(f"cli/templates/{kind}/README.md", commands)

    def test_no_page_with_sessions_is_left_out(self):
        told = pathlib.Path(__file__).read_text(encoding="utf-8")
        for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *EXAMPLES.glob("*/*.md"),
                     *ROOT.glob("cli/templates/*/*.md")]:
            kinds = {kind for kind, _, _ in steps(path.read_text(encoding="utf-8"))}
            if "command" in kinds:
                name = path.stem if path.stem != "README" else path.parent.name
                self.assertIn(name, told + ROOT.name)


class Comparison(unittest.TestCase):
    def test_last_digits_do_not_count(self):
        self.assertTrue(same(["0,47.08800000000001"], ["0,47.088000000000015"]))
        self.assertFalse(same(["0,47.08800000000001"], ["0,47.0880001"]))

    def test_times_do_not_count(self):
        self.assertTrue(same(["2 evaluated in 0.01 s"], ["2 evaluated in 3e-05 s"]))
        self.assertFalse(same(["2 evaluated in 0.01 s"], ["3 evaluated in 0.01 s"]))

    def test_lines_that_differ(self):
        printed = ["a", "b", "c and d", "d"]
        for expected in (["a", "b", "c and d", "d"], ["a", "...", "d"], ["...", "b", "[...]"],
                         ["..."], ["a", "b", "c [...]", "   ..."]):
            self.assertTrue(same(expected, printed), expected)
        for expected in (["a"], ["a", "...", "c"], ["b", "..."], ["...", "x", "..."], []):
            self.assertFalse(same(expected, printed), expected)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
