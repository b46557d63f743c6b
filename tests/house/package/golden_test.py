#!/usr/bin/env python3
"""The program gives the golden numbers: golden_test.py, with the program to ask in COUNTERPOISE_PROGRAM.

These comparisons and their tolerances repeat tests/input/golden_test.cpp and tests/examples, made
from what users see: the tables that `simulate` and `forward` print."""

import csv
import io
import json
import pathlib
import subprocess
import unittest

from program import PROGRAM

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
GOLDEN = ROOT / "tests" / "golden"
ROUNDING = 1e-12  # of terms of some 100 N or N m, in a column that symmetry makes zero
SUFFIX = "_without_springs"


def printed(*words):
    return subprocess.run([PROGRAM, *map(str, words)], check=True, text=True,
                          capture_output=True).stdout


def columns_of(text):
    names, *rows = csv.reader(io.StringIO(text))
    return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}


def simulated(example, model, motion, *options):
    return columns_of(printed("simulate", EXAMPLES / example / model, "--motion",
                              EXAMPLES / example / motion, *options))


def at(columns, name, time):
    """A column's value at a time of the table, and the column's largest."""
    k = min(range(len(columns["t"])), key=lambda i: abs(columns["t"][i] - time))
    assert abs(columns["t"][k] - time) <= 1e-12, f"there is no sample at {time} s"
    return columns[name][k], max(map(abs, columns[name]))


class Golden(unittest.TestCase):
    def check_charmie(self, robot, motion, golden, names):
        files = (robot, "model.json", f"motion_{motion}.json", "--reactions")
        loaded, bare = simulated(*files), simulated(*files, "--without-springs")
        expected = columns_of((GOLDEN / golden).read_text(encoding="utf-8"))
        compared = 0
        for name, values in expected.items():
            if name == "t":
                continue
            self.assertIn(name.removesuffix(SUFFIX), loaded)
            compared += 1
            for time, value in zip(expected["t"], values):
                found, largest = at(bare if name.endswith(SUFFIX) else loaded,
                                    name.removesuffix(SUFFIX), time)
                largest = max(largest, *map(abs, values))
                self.assertLessEqual(abs(found - value), 1e-9 * largest + ROUNDING,
                                     f"{name} at {time} s: {found} instead of {value}")
        self.assertEqual(compared, names)

    def test_charmie_24(self):
        for motion in ("published", "squat", "reach"):
            with self.subTest(motion):
                self.check_charmie("charmie24", motion, f"charmie24/golden_{motion}.csv", 35)

    def test_charmie_40(self):
        self.check_charmie("charmie40", "validation", "charmie40/validation.csv", 33)

    def test_schoenflies(self):
        found = simulated("schoenflies", "model_spinless.json", "motion.json")
        golden = columns_of((GOLDEN / "schoenflies" / "golden_forces.csv").read_text(encoding="utf-8"))
        self.assertEqual(len(golden["t"]), 14)
        for leg in range(1, 5):
            for time, force, length in zip(golden["t"], golden[f"f{leg}"], golden[f"l{leg}"]):
                load, largest = at(found, f"leg{leg}.load", time)
                self.assertLessEqual(abs(load - force), 1e-9 * largest)
                self.assertAlmostEqual(at(found, f"leg{leg}.position", time)[0] / length, 1, delta=1e-12)

    def test_impacts_of_a_tree(self):
        golden = json.loads((GOLDEN / "impact_tree" / "impact_tree.json").read_text(encoding="utf-8"))
        example = EXAMPLES / "impact_tree"
        found = json.loads(printed("forward", example / "model.json", "--scenario",
                                   example / "scenario.json", "--json"))["events"]
        for event in golden["golden_events"]:
            for point, impulse in zip(event["points"], event["impulse"]):
                near = [hit for hit in found if hit["point"].endswith(f".{point}")
                        and abs(hit["t"] / event["t"] - 1) <= 1e-8]
                self.assertEqual(len(near), 1, (point, event["t"]))
                self.assertAlmostEqual(near[0]["impulse"] / impulse, 1, delta=1e-8)


if __name__ == "__main__":
    unittest.main()
