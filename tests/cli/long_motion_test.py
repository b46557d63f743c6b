#!/usr/bin/env python3
"""What `simulate` holds of a motion does not grow with its samples."""

import json
import os
import subprocess
import unittest

from program import DONE, EXAMPLES, INFEASIBLE, PROGRAM, TWO_LINK_ARM, ScratchFolder

SAMPLES = (50_000, 400_000)
GROWTH = 4e6  # [bytes]; one more number a sample, of a dozen, would take 2.8 MB
STRETCH = 8192  # samples that are held at a time
OUTPUT = "loads.csv"


class LongMotions(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.use_example(TWO_LINK_ARM)

    def use_example(self, example):
        self.copy_example(example)
        self.motion = json.loads((self.folder / "motion.json").read_text(encoding="utf-8"))

    def use(self, samples, **changes):
        step = self.motion["duration"] / (samples - 1)
        self.write("motion.json", {**self.motion, "step": step, **changes})

    def simulate(self, *options, **expected):
        return self.run_program("simulate", "model.json", "--motion", "motion.json", *options,
                                **expected)

    def peak(self, *options):
        """Bytes of memory at most, of one simulation."""
        with subprocess.Popen([PROGRAM, "simulate", "model.json", "--motion", "motion.json",
                               *options], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, DONE)
        return usage.ru_maxrss * 1024

    def check_growth(self, *options):
        peaks = []
        for samples in SAMPLES:
            self.use(samples)
            peaks.append(self.peak(*options))
        self.assertLess(peaks[1] - peaks[0], GROWTH)
        return peaks

    def test_standard_output(self):
        self.check_growth()

    def test_a_file(self):
        self.check_growth("-o", OUTPUT)
        with open(self.folder / OUTPUT, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(len(lines), 1 + SAMPLES[-1])
        self.assertEqual(float(lines[-1].split(",")[0]), self.motion["duration"])

    def test_reactions(self):
        self.check_growth("--reactions")

    def test_json_holds_a_double_a_number(self):
        columns = len(self.simulate().stdout.splitlines()[0].split(","))
        peaks = []
        for samples in SAMPLES:
            self.use(samples)
            peaks.append(self.peak("--json"))
        more = SAMPLES[1] - SAMPLES[0]
        self.assertLess(peaks[1] - peaks[0], 8 * columns * more + 120 * more)

    def test_numbers_do_not_depend_on_what_is_held(self):
        texts = []
        for samples in (5001, 10_001):  # every other time is the same number
            self.assertEqual(samples > STRETCH, bool(texts))
            self.use(samples)
            texts.append(self.simulate().stdout.splitlines())
        self.assertEqual(texts[0][0], texts[1][0])
        self.assertEqual(texts[0][1:], texts[1][1::2])

    def test_a_motion_that_cannot_be_followed_to_its_end(self):
        self.use_example(EXAMPLES / "four_bar")
        far = {"lift": {"type": "point-to-point", "from": -1.1, "to": 2.2, "profile": "quintic"}}
        self.write(OUTPUT, "as before")
        for options in ((), ("-o", OUTPUT), ("--json",)):
            self.use(2 * STRETCH, coordinates=far)
            said = self.simulate(*options, code=INFEASIBLE)
            self.assertEqual(said.stdout, "")
            self.assertRegex(said.stderr, "singular")
        self.assertEqual((self.folder / OUTPUT).read_text(encoding="utf-8"), "as before")


if __name__ == "__main__":
    unittest.main()
