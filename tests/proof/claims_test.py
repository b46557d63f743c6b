#!/usr/bin/env python3
"""What is said of springs holds for every design: claims of exact searches and proofs against grids of
designs, which are sampled without any of it. The inputs are in inputs/, a folder each."""

import json
import shutil
import unittest
from pathlib import Path

from program import DONE, INFEASIBLE, ScratchFolder

INPUTS = Path(__file__).parent / "inputs"


class Claims(ScratchFolder):
    def use(self, name):
        shutil.copytree(INPUTS / name, self.folder, dirs_exist_ok=True)

    def summary(self, study, code=DONE, **changes):
        """Runs a study, with some members of its search changed, and returns what it prints as JSON."""
        text = json.loads((self.folder / f"{study}.json").read_text(encoding="utf-8"))
        text["search" if "search" in text else "sampling"].update(changes)
        self.write(f"{study}.json", text)
        options = ("--json", "--force", "--output", f"{study}.db")
        return json.loads(self.run_program("run", f"{study}.json", *options, code=code).stdout)

    def best(self, study, objective, code=DONE):
        self.summary(study, code)
        values = [row[objective] for row in self.cases(f"{study}.db")
                  if row["status"] == "feasible"]
        return min(values, default=None)

    def verdicts(self, study, code=DONE):
        return json.loads(self.run_program("verify", f"{study}.db", "--json", code=code).stdout)

    def assert_proof_above_no_design(self, study, best, proved=True, **changes):
        """A proof says the same in `run` and `verify`, and no design of a grid is below its bound."""
        mounts = self.summary(study, **changes)["proof"]["mounts"]
        verdict = self.verdicts(study)[-1]
        self.assertTrue(verdict["mounts"])
        self.assertEqual((mounts["proved"], mounts["bound"], mounts["best"]),
                         (verdict["proved"], verdict["bound"], verdict["value"]))
        self.assertEqual(mounts["proved"], proved)
        self.assertLessEqual(mounts["bound"], best)
        self.assertLessEqual(mounts["best"], best * (1 + 1e-9))
        text = self.run_program("verify", f"{study}.db").stdout
        self.assertEqual("mounts: proved: " in text, proved)
        return mounts

    def test_a_spring_that_passes_through_zero_length(self):
        self.use("zero_length")
        best = self.best("grid", "o")
        self.assertAlmostEqual(best, 29.5862, delta=1e-4)
        self.assertEqual(sum(row["status"] == "feasible" for row in self.cases("grid.db")), 12)
        self.assert_proof_above_no_design("prove1", best)
        self.summary("exact")
        self.assertEqual([verdict["proved"] for verdict in self.verdicts("exact")], [True])

    def test_a_parameter_with_a_bound_that_follows_from_a_rate(self):
        self.use("parameter_bound")
        best = self.best("grid", "peak")
        self.assertAlmostEqual(best, 2.4126, delta=1e-4)
        self.assertGreater(self.assert_proof_above_no_design("prove", best)["best"], 2.0)

    def test_a_parameter_with_a_bound_that_follows_from_mounts(self):
        self.use("mount_parameter_bound")
        best = self.best("grid", "peak")
        self.assertLess(self.assert_proof_above_no_design("prove", best)["simplices"], 10_000)

    def test_a_mount_whose_path_goes_through_the_post(self):
        self.use("zero_crossing")
        self.summary("study")
        best = min(row["o"] for row in self.cases("study.db") if row["status"] == "feasible")
        self.assert_proof_above_no_design("study", best, proved=False)

    def test_bounds_so_small_that_nothing_may_be_added_to_them(self):
        self.use("tiny_bound")
        best = self.best("w3_grid", "peak")
        passed = {row["wire_d"] for row in self.cases("w3_grid.db") if row["status"] == "feasible"}
        self.assertEqual(passed, {"w0", "w1", "w2", "w3"})
        self.assertLessEqual(self.summary("w3_exact")["proof"]["bound"], best * (1 + 1e-9))
        # other mounts than the grid's
        mounts = self.assert_proof_above_no_design("w3_prove", 8.31244)
        self.assertAlmostEqual(mounts["best"], 8.31243, delta=1e-5)
        self.assertEqual(mounts["ended"], "proved")

    def test_that_there_is_no_design_is_proved_with_one_word_and_code(self):
        self.use("no_design")
        mounts = self.summary("study", INFEASIBLE)["proof"]["mounts"]
        self.assertTrue(mounts["proved"])
        self.assertEqual([verdict["proved"] for verdict in self.verdicts("study")], [True])
        text = self.run_program("verify", "study.db").stdout
        self.assertIn("mounts: proved: no springs at any mounts within the ranges meet all limits",
                      text)
        self.assertNotIn("NOT PROVED", text)

    def test_limits_are_named_as_a_conflict_only_if_each_is_needed(self):
        for name, limit in (("conflict_of_rows", "max_load of s0"),
                            ("conflict_of_rates", "constraint c0 at most 0.300966")):
            with self.subTest(name):
                self.use(name)
                for study in ("study", "wider"):  # the ranges that were named, as wide as they can be
                    self.summary(study, INFEASIBLE)
                    row, = self.cases(f"{study}.db")
                    self.assertEqual(row["reason"], f"no springs can meet {limit}")

    def test_a_front_is_proved_at_a_distance_of_nothing(self):
        self.use("front")
        self.summary("study")
        self.assertTrue(all(verdict["proved"] for verdict in self.verdicts("study")))

    def test_a_proved_bound_stays_with_more_simplices(self):
        self.use("elbow")
        bounds = [self.summary("elbow3", max_simplices=simplices)["proof"]["mounts"]["bound"]
                  for simplices in (1500, 2200, 2600, 3200)]
        self.assertEqual(bounds, sorted(bounds))
        self.assertLess(bounds[0], bounds[-1])

    def prove_upright_link(self, variables, side, aside, simplices, proved=True):
        """The proof of a link's spring with so many simplices. At every third of 51 instants, which are
        looked at first, and at those behind them, the spring is of use or harm; at those between the
        link stands upright, with the spring about in line, and its weight is `aside` of the pivot."""
        upright = 1.5707963267948966
        poses = [(0.2, upright, 2.8)[k % 3] if k % 6 < 3 else (-0.9, upright, 0.9)[k % 3]
                 for k in range(51)]
        self.write("model.json", {
            "format": "counterpoise-model/1", "parameters": {"k": 10, "up": 0.3, "out": 0.15},
            "world": {"points": {"post": [0, side, "up"]}},
            "bodies": [{"name": "link", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]},
                        "mass": 2, "com": [0.5, 0, aside], "points": {"hook": ["out", 0, 0]}}],
            "springs": [{"name": "lift", "connect": ["world.post", "link.hook"], "rate": "k",
                         "free_length": 0.25}],
            "actuators": [{"name": "motor", "joint": "link"}]})
        self.write("prove.json", {
            "format": "counterpoise-study/1", "name": "prove", "model": "model.json",
            "motions": {"m": {"duration": 5, "step": 0.1, "inertia": False, "coordinates": {
                "motor": {"type": "spline", "times": [k / 10 for k in range(51)], "values": poses}}}},
            "variables": {name: {"range": ends} for name, ends in variables.items()},
            "search": {"method": "exact-springs", "geometry": "prove", "max_simplices": simplices},
            "objectives": [{"name": "peak", "minimize": "max", "of": ["motor"]}]})
        return self.assert_proof_above_no_design("prove", float("inf"), proved)["bound"]

    def test_a_load_at_an_instant_that_is_looked_at_last(self):
        bound = self.prove_upright_link({"k": [0, 500], "up": [-0.1, 0.5], "out": [-0.1, 0.4]},
                                        side=0.1, aside=0.03, simplices=1)
        self.assertAlmostEqual(bound, 2 * 9.81 * 0.03)

    def test_no_simplex_is_left_without_a_look_at_all_instants(self):
        # the post comes to the hook, and simplices without a bound are no eighths
        bound = self.prove_upright_link({"k": [0, 200], "up": [-0.04, 0.46], "out": [0.13, 0.36]},
                                        side=0, aside=0.08, simplices=40, proved=False)
        self.assertGreater(bound, 1)

    def test_a_proof_begins_with_what_a_search_finds(self):
        self.use("tailgate")
        found = self.best("search", "peak")
        self.assertLess(found, 42)
        mounts = self.summary("prove", max_simplices=2000)["proof"]["mounts"]
        self.assertFalse(mounts["proved"])
        self.assertLess(mounts["best"], found * 1.01)
        text = self.run_program("run", "prove.json", "--force").stdout
        self.assertIn("NOT PROVED over mounts as far as asked", text)
        self.assertIn("no more were allowed", text)


if __name__ == "__main__":
    unittest.main()
