#!/usr/bin/env python3
"""`robustness`: its formats agree, it writes nothing, and wrong tolerances are located."""

import csv
import io
import json
import unittest

from program import BAD_INPUT, INFEASIBLE, TWO_LINK_ARM, ScratchFolder

TOLERANCES = {"samples": 8, "of": {"spring_rate": {"percent": 10},
                                   "post_height": {"plus_minus": 1, "unit": "mm"}}}
DESIGN_KEYS = {"rank", "nominal_rank", "case", "spring_rate", "post_height", "mount_radius",
               "nominal", "worst", "percentile", "percentile_error", "broken", "best",
               "upper_bound", "sampled", "worst_reason", "broken_reason"}


class Robustness(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM, "study.json", tolerances=TOLERANCES)
        self.run_program("run", "study.json", "-o", "arm.db")
        self.write("tolerances.json", TOLERANCES)

    def designs(self, *arguments):
        found = self.run_json("robustness", "arm.db", "--json", *arguments)
        self.assertEqual(len(found["motions"]), 1)
        return found["motions"][0]["designs"]

    def test_nothing_is_written(self):
        before = self.contents()
        for arguments in ([], ["--json"], ["--format", "csv"], ["--tolerances", "tolerances.json"]):
            self.run_program("robustness", "arm.db", *arguments)
            self.assertEqual(self.contents(), before)

    def test_designs_are_those_of_the_ranking(self):
        for by in ("shoulder_peak", "shoulder_mean"):
            ranked = self.run_json("rank", "arm.db", "--by", by, "--top", "7", "--json")
            found = self.designs("--rank", "nominal", "--by", by, "--top", "7")
            self.assertEqual([d["case"] for d in found], [r["case"] for r in ranked])
            self.assertEqual([d["nominal"] for d in found], [r[by] for r in ranked])
            self.assertEqual(set(found[0]), DESIGN_KEYS)

    def test_orders(self):
        for order in ("worst", "percentile"):
            found = self.designs("--rank", order)
            self.assertEqual(len(found), 20)
            values = [float("inf") if d[order] is None else d[order] for d in found]
            self.assertEqual(values, sorted(values))
            self.assertEqual([d["rank"] for d in found], list(range(1, 21)))
            self.assertEqual(sorted(d["nominal_rank"] for d in found), list(range(1, 21)))
            for design in found:
                self.assertEqual(design["worst"] is None, design["worst_reason"] is not None)
                if design["worst"] is not None:
                    self.assertGreaterEqual(design["worst"], design["percentile"])
                    self.assertEqual(design["broken"], 0)

    def test_the_formats_agree(self):
        designs = self.designs()
        text = self.run_program("robustness", "arm.db", "--format", "csv").stdout
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(len(rows), len(designs))
        for row, design in zip(rows, designs):
            self.assertEqual(row["case"], str(design["case"]))
            for key in ("worst", "percentile", "best"):
                self.assertEqual(row[key], "" if design[key] is None else row[key])
                if design[key] is not None:
                    self.assertEqual(float(row[key]), design[key])
        table = self.run_program("robustness", "arm.db").stdout.splitlines()
        best = next(line for line in table if line.split()[:1] == ["1"])
        self.assertEqual(best.split()[2], str(designs[0]["case"]))
        self.assertFalse(any("nan" in line or "inf " in line for line in table))

    def test_tolerances_from_a_file_replace_the_studys(self):
        same = self.designs("--tolerances", "tolerances.json")
        self.assertEqual(same, self.designs())
        self.write("none.json", {"samples": 1, "of": {"spring_rate": {"percent": 0}}})
        for design in self.designs("--tolerances", "none.json"):
            self.assertAlmostEqual(design["worst"] / design["nominal"], 1, delta=1e-12)
            self.assertEqual(design["percentile"], design["nominal"])

    def test_wrong_inputs(self):
        def said(*arguments, code=BAD_INPUT):
            before = self.contents()
            text = self.run_program("robustness", *arguments, code=code).stderr
            self.assertEqual(self.contents(), before)
            return text

        self.write("wrong.json", '{"of":\n  {"spring_rat": {"percent": 10}}}')
        self.assertIn('wrong.json:2:4: /of/spring_rat: found "spring_rat"',
                      said("arm.db", "--tolerances", "wrong.json"))
        self.assertIn('did you mean "spring_rate"?', said("arm.db", "--tolerances", "wrong.json"))
        self.assertIn("missing.json", said("arm.db", "--tolerances", "missing.json"))
        self.assertIn("shoulder_peak", said("arm.db", "--by", "peak"))
        self.assertIn("missing.db", said("missing.db"))
        said("arm.db", "--rank", "best")
        said("arm.db", "--top", "0")

        study = json.loads((self.folder / "study.json").read_text())
        del study["tolerances"]
        self.write("plain.json", study)
        self.run_program("run", "plain.json", "-o", "plain.db")
        self.assertIn("--tolerances FILE", said("plain.db"))

    def test_a_study_without_feasible_cases(self):
        study = json.loads((self.folder / "study.json").read_text())
        study["constraints"] = [{"name": "never", "expression": "1", "max": 0}]
        self.write("never.json", study)
        self.run_program("run", "never.json", "-o", "never.db", code=INFEASIBLE)
        self.run_program("robustness", "never.db", code=INFEASIBLE)
        found = json.loads(self.run_program("robustness", "never.db", "--json",
                                            code=INFEASIBLE).stdout)
        self.assertEqual(found["motions"][0]["designs"], [])


if __name__ == "__main__":
    unittest.main()
