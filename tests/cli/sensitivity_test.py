#!/usr/bin/env python3
"""`sensitivity`: its tables, its JSON, what it refuses, and that it writes nothing."""

import json
import re
import unittest

from program import BAD_INPUT, CHARMIE, INFEASIBLE, INTERRUPTED, TWO_LINK_ARM, ScratchFolder

ESTIMATES = ("first", "total", "mu_star")


class Sensitivity(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM)

    def test_json(self):
        before = self.contents()
        found = self.run_json("sensitivity", "study.json", "--json", "--samples", "64")
        self.assertEqual(self.contents(), before)
        self.assertEqual((found["study"], found["samples"]), ("two_link_arm", 64))
        self.assertEqual(found["evaluations"], 64 * 5 + found["trajectories"] * 4 + 7)
        motion, = found["motions"]
        self.assertIsNone(motion["motion"])
        self.assertEqual((motion["designs"], motion["computable_share"]), (320, 1))
        self.assertTrue(0 < motion["feasible_share"] < 1)
        self.assertEqual([o["objective"] for o in motion["objectives"]],
                         ["shoulder_peak", "shoulder_mean"])
        for objective in motion["objectives"]:
            self.assertIsNone(objective["no_indices"])
            self.assertGreater(objective["variance"], 0)
            variables = objective["variables"]
            self.assertEqual([(v["variable"], v["unit"]) for v in variables],
                             [("spring_rate", "N/m"), ("post_height", "m"), ("mount_radius", "m")])
            for variable in variables:
                for name in ESTIMATES:
                    self.assertLessEqual(variable[f"{name}_low"], variable[name])
                    self.assertLessEqual(variable[name], variable[f"{name}_high"])
                self.assertLessEqual(abs(variable["mu"]), variable["mu_star"])
                self.assertGreaterEqual(variable["sigma"], 0)
            self.assertEqual((variables[0]["tornado_low_at"], variables[0]["tornado_high_at"]),
                             (500, 2500))
            self.assertAlmostEqual(sum(v["first"] for v in variables), objective["first_sum"])

    def test_ends_of_the_tornado_are_the_robots_own_loads(self):
        found = self.run_json("sensitivity", "study.json", "--json", "--samples", "16")
        for variable in found["motions"][0]["objectives"][0]["variables"]:
            for end in ("low", "high"):
                setting = f"{variable['variable']}={variable[f'tornado_{end}_at']!r}"
                self.run_program("simulate", "model.json", "--motion", "motion.json", "--set",
                                 setting, "-o", "loads.csv")
                peak = max(abs(float(row["shoulder.load"])) for row in self.read_csv("loads.csv"))
                self.assertAlmostEqual(variable[f"tornado_{end}"], peak, delta=1e-9 * peak)

    def test_tables(self):
        ran = self.run_program("sensitivity", "study.json", "--samples", "100", "--objective",
                               "shoulder_mean")
        self.assertIn("128 base samples instead of 100", ran.stderr)
        self.assertRegex(ran.stderr, r"two_link_arm: 687 evaluations: 128 x \(3 \+ 2\)")
        self.assertNotIn("shoulder_peak", ran.stdout)
        self.assertIn("objective shoulder_mean: mean ", ran.stdout)
        self.assertRegex(ran.stdout, r"first orders sum to 0\.\d+")
        self.assertIn("take more samples, e.g. --samples 512", ran.stdout)
        self.assertLessEqual(max(map(len, ran.stdout.splitlines())), 100)
        self.assertNotIn("nan", ran.stdout)
        tables = [line for line in ran.stdout.splitlines() if line.startswith("spring_rate")]
        self.assertEqual(len(tables), 2)
        lines = ran.stdout.splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("variable"))
        for line in lines[at + 1:at + 4]:  # numbers end where their headings do
            self.assertEqual(*([word.end() for word in re.finditer(r"\S+", text)][-3:]
                               for text in (line, lines[at])))

    def test_charmie_fits_a_hundred_columns(self):
        ran = self.run_program("sensitivity", CHARMIE / "springs.json", "--samples", "16")
        self.assertLessEqual(max(map(len, ran.stdout.splitlines())), 100)

    def test_threads_change_nothing(self):
        one, two = (self.run_program("sensitivity", "study.json", "--json", "--threads", n).stdout
                    for n in "15")
        self.assertEqual(one, two)

    def test_a_constant_objective_has_no_indices(self):
        self.copy_example(TWO_LINK_ARM, "study.json",
                          objectives=[{"name": "elbow", "minimize": "max", "of": ["elbow"]}])
        found = self.run_json("sensitivity", "study.json", "--json", "--samples", "16")
        objective, = found["motions"][0]["objectives"]
        self.assertEqual(objective["no_indices"], "the objective does not vary among the designs that indices are made from")
        self.assertEqual(objective["variance"], 0)
        for variable in objective["variables"]:
            self.assertIsNone(variable["first"])
            self.assertIsNone(variable["total_high"])
        text = self.run_program("sensitivity", "study.json").stdout
        self.assertIn("no indices: the objective does not vary among the designs", text)
        self.assertRegex(text, r"spring_rate +- +- +- +- +- ")

    def test_designs_that_cannot_be_computed(self):
        def root_of(text):
            self.copy_example(
                TWO_LINK_ARM, "study.json", sampling={"method": "random", "count": 1},
                variables={"mount_radius": {"range": [0.044, 0.1]},
                           "spring_rate": {"range": [500, 2500]}},
                objectives=[{"name": "root", "expression": f"sqrt({text})"}])

        root_of("mount_radius - 0.05")
        text = self.run_program("sensitivity", "study.json").stdout
        self.assertIn("warning: 10.7 % of the designs cannot be computed and are left out; the "
                      "first: objective root is not a finite number", text)
        root_of("mount_radius - 1")
        text = self.run_program("sensitivity", "study.json", code=INFEASIBLE).stdout
        self.assertIn("no indices: no design that was tried can be computed", text)
        self.assertNotIn("nan", text)
        found = json.loads(
            self.run_program("sensitivity", "study.json", "--json", code=INFEASIBLE).stdout)
        objective, = found["motions"][0]["objectives"]
        self.assertIsNone(objective["mean"])
        self.assertIsNone(objective["variables"][0]["mu_star"])
        self.assertIsNone(objective["variables"][0]["tornado_swing"])

    def test_wrong_options(self):
        for arguments, words in ((["--samples", "0"], "--samples"),
                                 (["--samples", "8"], "--samples"),
                                 (["--threads", "0"], "--threads"),
                                 (["--objective", "shoulder_paek"],
                                  'did you mean "shoulder_peak"?')):
            with self.subTest(arguments):
                before = self.contents()
                said = self.run_program("sensitivity", "study.json", *arguments, code=BAD_INPUT)
                self.assertIn(words, said.stderr)
                self.assertEqual(said.stdout, "")
                self.assertEqual(self.contents(), before)
        self.run_program("sensitivity", "missing.json", code=BAD_INPUT)

    def test_an_interrupt_ends_it(self):
        self.copy_example(
            TWO_LINK_ARM, "study.json", sampling={"method": "random", "count": 1},
            objectives=[{"name": "counted", "expression": "shoulder.max + tan(spring_rate / 1e6)"}])
        for sign, at in (("interrupt", 100), ("terminate", 900)):
            said = self.run_program("sensitivity", "study.json", "--samples", "1024",
                                    code=INTERRUPTED, disturbance=f"{sign} {at} evaluate")
            self.assertEqual(said.stdout, "")
            self.assertIn("evaluations", said.stderr)
            self.assertIn("interrupted", said.stderr)


if __name__ == "__main__":
    unittest.main()
