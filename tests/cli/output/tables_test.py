#!/usr/bin/env python3
"""What people see: units in headings and beside numbers, colours, all mistakes at once."""

import csv
import io
import json
import os
import re
import unittest

from program import BAD_INPUT, CHARMIE, DONE, PROGRAM, TWO_LINK_ARM, ScratchFolder, on_terminal

ESCAPE = "\x1b["


class Units(ScratchFolder):
    def test_headings_have_units(self):
        self.copy_example(CHARMIE)
        said = self.run_program("run", "robust.json", "-o", "all.db").stdout
        head = said[:said.index("\n   1 ")]
        flat = re.sub(r"\s+", "", head)
        for unit, count in (("[m]", 3), ("[N]", 4)):
            self.assertEqual(flat.count(unit), count, head)
        self.assertRegex(said, r"\n  lift_peak [0-9.]+ N; the baseline has [0-9.]+ N: ")
        self.assertRegex(said, r"\n  worst [0-9.]+; the baseline has [0-9.]+: ")

    def test_lengths_as_the_user_thinks(self):
        self.copy_example(CHARMIE)
        study = json.loads((CHARMIE / "robust.json").read_text(encoding="utf-8"))
        self.run_program("run", "robust.json", "-o", "all.db")
        best = self.run_json("rank", "all.db", "--top", "1", "--json")[0]
        shown = self.run_program("rank", "all.db", "--top", "1", "--display", "mm,deg").stdout
        self.assertIn(f"{1e3 * best['anchor_height']:.6g}", shown)
        self.assertIn("[mm]", shown)
        self.assertNotIn("[m]", shown)
        self.write("study.json", {**study, "display": ["mm"]})
        said = self.run_program("run", "study.json", "-o", "mm.db").stdout
        self.assertIn(f"{1e3 * best['anchor_height']:.6g}", said)
        self.assertEqual(self.query("mm.db", "SELECT * FROM cases"),
                         self.query("all.db", "SELECT * FROM cases"))
        self.assertIn('found "cm" beside "mm"', self.run_program(
            "rank", "all.db", "--display", "mm,cm", code=BAD_INPUT).stderr)
        for wrong in ("N", "mmm"):
            self.assertIn("expected a unit of lengths or angles: ", self.run_program(
                "rank", "all.db", "--display", wrong, code=BAD_INPUT).stderr)
        self.write("study.json", {**study, "display": ["kg"]})
        self.assertRegex(self.run_program("check", "study.json", code=BAD_INPUT).stderr,
                         r"study.json:\d+:\d+: /display/0: found \"kg\", expected a unit of")

    def test_csv_has_units_if_asked(self):
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "arm.db")
        plain = self.run_program("rank", "arm.db", "--format", "csv").stdout
        units = self.run_program("rank", "arm.db", "--format", "csv", "--units").stdout
        self.assertEqual(plain.split("\n", 1)[1], units.split("\n", 1)[1])
        names = next(csv.reader(io.StringIO(plain)))
        with_units = next(csv.reader(io.StringIO(units)))
        self.assertEqual([name.split(" [")[0] for name in with_units], names)
        self.assertIn("spring_rate [N/m]", with_units)
        self.assertIn("shoulder_peak [N*m]", with_units)
        self.run_program("export", "arm.db", "-o", "plain.csv")
        self.run_program("export", "arm.db", "-o", "units.csv", "--units")
        first, second = ((self.folder / name).read_text(encoding="utf-8").split("\n", 1)
                         for name in ("plain.csv", "units.csv"))
        self.assertEqual(first[1], second[1])
        self.assertIn("mount_radius [m]", second[0])
        self.assertIn("spring.max_tension [N]", second[0])
        self.assertIn("spring.min_tension [N]", second[0])
        self.assertEqual([h.split(" [")[0] for h in second[0].split(",")], first[0].split(","))

    def test_an_infeasible_baseline_is_said_once(self):
        self.copy_example(TWO_LINK_ARM, "study.json", constraints=[
            {"name": "pull", "expression": "spring.max_tension", "max": 150}])
        said = self.run_program("run", "study.json", "-o", "arm.db").stdout
        self.assertEqual(said.count("the baseline is infeasible"), 1)

    def test_the_run_ends_with_the_file(self):
        self.copy_example(TWO_LINK_ARM)
        said = self.run_program("run", "study.json", "-o", "arm.db").stdout
        self.assertTrue(said.splitlines()[-1].startswith("arm.db: 576 cases, "))
        self.assertNotIn("tree forces", said)
        timed = self.run_program("run", "study.json", "-o", "arm.db", "--force", "--timing").stdout
        self.assertIn("\ntree forces ", timed)


class Colour(ScratchFolder):
    def on_terminal(self, *arguments, **environment):
        text, code = on_terminal([PROGRAM, *arguments], cwd=self.folder,
                                 env={**os.environ, "TERM": "xterm", **environment})
        self.assertEqual(code, DONE)
        return text

    def test_colours_where_a_terminal_has_them(self):
        self.copy_example(TWO_LINK_ARM)
        plain = self.run_program("run", "study.json", "-o", "arm.db").stdout
        self.assertNotIn(ESCAPE, plain)
        seen = self.on_terminal("run", "study.json", "-o", "arm.db", "--force")
        self.assertRegex(seen, r"\x1b\[32m[0-9.]+ % less\x1b\[0m")
        self.assertIn(ESCAPE + "1mbest: case ", seen)
        bare = re.sub(r"\x1b\[[0-9]*m", "", seen)
        self.assertEqual(bare.split(" evaluated in")[0].split("best: ")[1],
                         plain.split(" evaluated in")[0].split("best: ")[1])
        self.assertNotIn(ESCAPE, self.on_terminal("show", "arm.db", "best", NO_COLOR="1"))
        self.assertNotIn(ESCAPE, self.on_terminal("show", "arm.db", "best", TERM="dumb"))
        self.assertIn(ESCAPE, self.on_terminal("show", "arm.db", "best", NO_COLOR=""))


class AllMistakes(ScratchFolder):
    def test_mistakes_that_do_not_depend_on_each_other_are_shown_together(self):
        self.copy_example(TWO_LINK_ARM)
        model = json.loads((TWO_LINK_ARM / "model.json").read_text(encoding="utf-8"))
        model["springs"][0]["rate"] = "spring_rat"
        model["actuators"][0]["joint"] = "uper_arm"
        model["actuators"][1]["max_lod"] = 3
        self.write("model.json", model)
        before = self.contents()
        said = self.run_program("check", "model.json", code=BAD_INPUT).stderr.splitlines()
        self.assertEqual(len(said), 3, said)
        for line, place in zip(said, ("/springs/0/rate", "/actuators/0/joint", "/actuators/1"),
                               strict=True):
            self.assertRegex(line, rf"^model.json:\d+:\d+: {place}.*did you mean")
        self.assertEqual(self.contents(), before)

    def test_every_file_is_checked(self):
        self.copy_example(TWO_LINK_ARM, "study.json", objectives=[
            {"name": "a", "minimize": "maxx", "of": ["shoulder"]},
            {"name": "b", "minimize": "max", "of": ["sholder"]}])
        self.write("other.json", {**json.loads((TWO_LINK_ARM / "motion.json").read_text()),
                                  "step": -1})
        ran = self.run_program("check", "other.json", "model.json", "study.json", code=BAD_INPUT)
        self.assertIn("model.json: model two_link_arm", ran.stdout)
        for place in (r"other.json:\d+:\d+: /step", r"study.json:\d+:\d+: /objectives/0/minimize",
                      r"study.json:\d+:\d+: /objectives/1/of/0"):
            self.assertRegex(ran.stderr, place)
        self.assertEqual(ran.stderr.count("\n"), 3)

    def test_a_count_ends_the_list(self):
        self.copy_example(TWO_LINK_ARM)
        model = json.loads((TWO_LINK_ARM / "model.json").read_text(encoding="utf-8"))
        model["parameters"].update({f"p{i}": {"value": 1, "unit": "metre"} for i in range(30)})
        self.write("model.json", model)
        said = self.run_program("check", "model.json", code=BAD_INPUT).stderr.splitlines()
        self.assertEqual(len(said), 21)
        self.assertEqual(said[-1], "and 10 more mistakes")


if __name__ == "__main__":
    unittest.main()
