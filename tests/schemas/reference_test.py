#!/usr/bin/env python3
"""docs/REFERENCE.md is what scripts/reference makes of the schemas; every key has what a reader needs,
and its examples and defaults are values that the key may have."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = ("model", "motion", "study", "scenario")
SCHEMAS = {kind: json.loads((ROOT / "schemas" / f"{kind}.schema.json").read_text(encoding="utf-8"))
           for kind in KINDS}


def made(*options):
    return subprocess.run([sys.executable, "-B", ROOT / "scripts" / "reference", "--print", *options],
                          capture_output=True, text=True)


def parts(schema, place=""):
    """Every schema inside a schema, with its place."""
    if isinstance(schema, dict):
        yield place, schema
        for key, value in schema.items():
            if key not in ("examples", "default", "enum", "const"):
                yield from parts(value, f"{place}/{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from parts(value, f"{place}/{index}")


class Page(unittest.TestCase):
    def test_it_is_what_the_script_makes(self):
        page = made()
        self.assertEqual(page.returncode, 0, page.stderr)
        self.assertEqual((ROOT / "docs" / "REFERENCE.md").read_text(encoding="utf-8"), page.stdout,
                         "run scripts/reference")

    def test_it_has_a_row_for_every_key(self):
        rows = {line.split("|")[1].strip() for line in made().stdout.splitlines()
                if line.startswith("| `")}
        keys = {f"`{key}`" for kind in KINDS for _, part in parts(SCHEMAS[kind])
                for key in (part.get("properties", {}) if "type" in part else {})}
        self.assertGreater(len(keys), 90)
        self.assertEqual(rows, keys)


class Lacks(unittest.TestCase):
    """A key that says too little of itself is named."""

    def check(self, kind, place, removed, expected):
        with tempfile.TemporaryDirectory() as folder:
            for name in KINDS:
                shutil.copy(ROOT / "schemas" / f"{name}.schema.json", folder)
            schema = json.loads(json.dumps(SCHEMAS[kind]))
            part = schema
            for step in place:
                part = part[step]
            for name in removed:
                del part[name]
            pathlib.Path(folder, f"{kind}.schema.json").write_text(json.dumps(schema))
            page = made("--schemas", folder)
            self.assertEqual((page.returncode, page.stderr.strip(), page.stdout), (1, expected, ""))

    def test_a_description(self):
        self.check("motion", ["properties", "inertia"], ["description"],
                   "motion: inertia has no description")

    def test_a_type(self):
        self.check("motion", ["properties", "inertia"], ["type"], "motion: inertia has no type")

    def test_an_example(self):
        self.check("model", ["definitions", "body", "properties", "mass"], ["examples"],
                   "body: mass has no example")

    def test_an_example_of_one_of_several_springs(self):
        self.check("model", ["definitions", "spring", "oneOf", 1, "properties", "initial_tension"],
                   ["examples"], "spring gas: initial_tension has no example")

    def test_an_example_of_a_section(self):
        self.check("model", ["definitions", "leg_part"], ["examples"],
                   "actuator linear: tube has no example\nactuator linear: rod has no example")

    def test_a_unit_that_editors_do_not_show(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in KINDS:
                text = (ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
                text = text.replace("Time between samples [s].", "Time between samples.")
                pathlib.Path(folder, f"{name}.schema.json").write_text(text, encoding="utf-8")
            self.assertEqual(made("--schemas", folder).stderr.strip(),
                             "motion: step does not say its unit [s] in its description")


class Annotations(unittest.TestCase):
    def values(self, word):
        """(place, validator, value) of each annotated value."""
        for kind in KINDS:
            for place, part in parts(SCHEMAS[kind], kind):
                if word in part:
                    whole = {**part, "definitions": SCHEMAS[kind]["definitions"]}
                    values = part[word] if word == "examples" else [part[word]]
                    for value in values:
                        yield place, jsonschema.Draft7Validator(whole), value

    def test_examples_and_defaults_are_valid(self):
        for word, least in (("examples", 200), ("default", 60)):
            count = 0
            for place, validator, value in self.values(word):
                with self.subTest(place=place, value=value):
                    count += 1
                    self.assertEqual([e.message for e in validator.iter_errors(value)], [])
            self.assertGreater(count, least)

    def test_every_file_says_since_when(self):
        for kind in KINDS:
            self.assertRegex(SCHEMAS[kind]["x-since"], r"^\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
