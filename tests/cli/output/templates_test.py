#!/usr/bin/env python3
"""The templates: `new` makes a project of each that is right, runs, and gains by its springs."""

import json
import math
import pathlib
import re
import shlex
import shutil
import unittest

import jsonschema

from program import BAD_INPUT, ScratchFolder

ROOT = pathlib.Path(__file__).resolve().parents[3]
TEMPLATES = {"arm": "arm", "four-bar": "four_bar", "lamp": "lamp", "wearable": "wearable"}
EXAMPLES = {"cable": "cable_arm", "cam": "cam_lid", "gas-spring": "hatch", "counterweight": "counterweights", "ways": "ways"}
GAIN = 0.6  # the least share of the load without springs that the springs of a template save
KINDS = ("model", "motion", "study")


def changes(text):
    """The percentages after each objective of the best design, as `run` prints them."""
    lines = re.findall(r"(?m)^  (\w+) \S+ \S+; (the baseline has .*)$", text.replace("\n    ", " "))
    return {name: [float(share) for share in re.findall(r": (\S+) % less", rest)]
            for name, rest in lines}


class Templates(ScratchFolder):
    def for_each_template(self, check):
        """Makes one project after the other in the empty folder, and calls `check` with the name of
        its study."""
        for kind, study in TEMPLATES.items():
            with self.subTest(kind):
                for path in self.folder.iterdir():
                    if path.is_dir():
                        shutil.rmtree(path)
                    else:
                        path.unlink()
                self.run_program("new", kind, ".")
                check(study)

    def read(self, name):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def run_study(self, study):
        """What the run printed, its best design by the first objective, and its baselines."""
        said = self.run_program("run", "study.json")
        self.assertEqual(said.stderr, "")
        least = self.read("study.json")["objectives"][0]["name"]
        best = self.query(f"{study}.db", f"SELECT * FROM cases WHERE status = 'feasible' "
                                         f"ORDER BY {least} LIMIT 1")
        self.assertEqual(len(best), 1, "no design is feasible")
        baselines = self.query(f"{study}.db", "SELECT * FROM baselines")
        return said.stdout, best[0], {row["name"]: row for row in baselines}

    def test_there_is_no_other(self):
        folders = {path.name for path in (ROOT / "cli" / "templates").iterdir() if path.is_dir()}
        self.assertEqual(folders, set(TEMPLATES))

    def test_they_are_valid_by_their_schemas(self):
        def check(_):
            for kind in KINDS:
                document = self.read(f"{kind}.json")
                self.assertEqual(document["$schema"], f"schemas/{kind}.schema.json")
                schema = self.read(document["$schema"])
                jsonschema.Draft7Validator(schema).validate(document)

        self.for_each_template(check)

    def test_check_finds_nothing_to_say(self):
        def check(study):
            files = [f"{kind}.json" for kind in KINDS]
            said = self.run_program("check", *files)
            self.assertEqual(said.stderr, "")
            self.assertIn(f"study.json: study {study}\n", said.stdout)
            found = self.run_json("check", *files, "--json")
            self.assertEqual([entry["file"] for entry in found], files)

        self.for_each_template(check)

    def test_every_number_says_where_it_is_from(self):
        def check(_):
            for name, parameter in self.read("model.json")["parameters"].items():
                self.assertRegex(parameter["source"], r"invented|springs\.csv", name)

        self.for_each_template(check)

    def test_the_best_design_holds_less(self):
        def check(study):
            _, best, baselines = self.run_study(study)
            least = self.read("study.json")["objectives"][0]["name"]
            self.assertEqual({row["status"] for row in baselines.values()}, {"feasible"})
            self.assertLess(best[least], baselines["baseline"][least])
            self.assertLess(best[least], (1 - GAIN) * baselines["without_springs"][least])

        self.for_each_template(check)

    def test_the_lamp_without_springs_by_hand(self):
        """The shades do not turn: a pivot holds its arm's weight at the middle and, at the arm's
        end, all that hangs there. The lower arm is lowest at 20 degrees, the upper one level."""
        self.run_program("new", "lamp", ".")
        _, _, baselines = self.run_study("lamp")
        bare = baselines["without_springs"]
        lower = 9.81 * (0.35 * 0.2 + (0.09 + 0.3 + 0.52) * 0.4) * math.cos(math.radians(20))
        upper = 9.81 * (0.3 * 0.18 + 0.52 * 0.36)
        self.assertAlmostEqual(bare["lower_pivot.max"], lower, 9)
        self.assertAlmostEqual(bare["upper_pivot.max"], upper, 9)

    def test_no_spring_of_the_best_design_pushes(self):
        def check(study):
            springs = self.read("model.json")["springs"]
            _, best, _ = self.run_study(study)
            self.run_program("show", f"{study}.db", best["id"], "-o", "best.csv")
            rows = self.read_csv("best.csv")
            self.assertGreater(len(rows), 100)
            for spring in springs:
                self.assertEqual(spring["min_length"], spring["free_length"])
                pulls = [float(row[f"{spring['name']}.tension"]) for row in rows]
                self.assertGreater(min(pulls), 0, spring["name"])

        self.for_each_template(check)

    def test_the_readme_says_what_the_run_prints(self):
        def check(study):
            told = changes((self.folder / "README.md").read_text(encoding="utf-8"))
            printed = changes(self.run_study(study)[0])
            self.assertEqual(set(told), set(printed))
            for objective, shares in printed.items():
                self.assertEqual(len(shares), 2, objective)
                for share, expected in zip(told[objective], shares, strict=True):
                    self.assertAlmostEqual(share, expected, delta=0.5)  # a search varies a little

        self.for_each_template(check)

class New(ScratchFolder):
    def test_it_writes_the_templates_and_the_schemas(self):
        for kind in TEMPLATES:
            with self.subTest(kind):
                folder = f"projects/{kind}"
                said = self.run_program("new", kind, folder)
                expected = {pathlib.Path(path.name): path.read_bytes()
                            for path in (ROOT / "cli" / "templates" / kind).iterdir()}
                expected |= {pathlib.Path("schemas", f"{name}.schema.json"):
                             (ROOT / "schemas" / f"{name}.schema.json").read_bytes()
                             for name in (*KINDS, "scenario")}
                written = {path.relative_to(self.folder / folder): path.read_bytes()
                           for path in (self.folder / folder).rglob("*") if path.is_file()}
                self.assertEqual(written, expected)
                commands = [line.split() for line in said.stdout.splitlines()
                            if line.startswith("  ")]
                self.assertEqual(commands[0], ["cd", folder])
                self.assertEqual([command[:2] for command in commands[1:]],
                                 [["counterpoise", "check"], ["counterpoise", "run"], ["counterpoise", "studio"]])
                self.assertEqual(commands[3:], [["counterpoise", "studio"]])  # of the folder; the studio has tests of its own
                for command in commands[1:3]:
                    self.run_program(*command[1:], cwd=self.folder / folder)

    def test_examples_of_further_ways_are_written_as_projects_of_their_own(self):
        for kind, example in EXAMPLES.items():
            with self.subTest(kind):
                said = self.run_program("new", kind, kind)
                source = ROOT / "examples" / example
                names = {path.name for path in (self.folder / kind).iterdir()}
                self.assertEqual(names, {"schemas", *(path.name for path in source.iterdir())})
                for path in (self.folder / kind).iterdir():
                    if path.is_file():
                        text = path.read_text(encoding="utf-8")
                        self.assertNotIn("../", text)
                        original = (source / path.name).read_text(encoding="utf-8")
                        self.assertEqual(text, re.sub(r"\[([^]]*)\]\(\.\./[^)]*\)", r"\1", original.replace("../../schemas/", "schemas/")))
                    if path.suffix == ".json":
                        document = json.loads(path.read_text(encoding="utf-8"))
                        schema = json.loads((self.folder / kind / document["$schema"]).read_text(encoding="utf-8"))
                        jsonschema.Draft7Validator(schema).validate(document)
                commands = [shlex.split(line) for line in said.stdout.splitlines() if line.startswith("  ")]
                self.assertEqual([commands[0], commands[-1]], [["cd", kind], ["counterpoise", "studio"]])
                self.assertEqual(sorted(commands[1][2:]), sorted(name for name in names if name.endswith(".json")))
                for command in commands[1:-1]:
                    self.assertEqual(command[0], "counterpoise")
                    self.run_program(*command[1:], cwd=self.folder / kind)

    def test_check_takes_all_files_beside_the_study(self):
        self.run_program("new", "arm", "arm")
        files = sorted(str(path.relative_to(self.folder)) for path in self.folder.glob("arm/*.json"))
        self.assertEqual(len(files), len(KINDS))
        self.run_program("check", *files)

    def test_a_kind_that_does_not_exist(self):
        said = self.run_program("new", "crane", "crane", code=BAD_INPUT)
        for kind in ("crane", *TEMPLATES, *EXAMPLES):
            self.assertIn(kind, said.stderr)
        self.assertEqual(self.contents(), {})

    def test_a_folder_that_is_in_use(self):
        (self.folder / "arm").mkdir()
        self.write("arm/notes.txt", "mine")
        self.write("file", "mine")
        before = self.contents()
        for folder in ("arm", "file"):
            with self.subTest(folder):
                said = self.run_program("new", "arm", folder, code=BAD_INPUT)
                self.assertTrue(said.stderr.startswith(f"{folder}: "), said.stderr)
                self.assertEqual(self.contents(), before)


if __name__ == "__main__":
    unittest.main()
