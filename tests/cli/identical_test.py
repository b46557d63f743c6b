#!/usr/bin/env python3
"""Threads, shards and the order of cases change no bit of the results."""

import unittest

from program import CHARMIE, DONE, ScratchFolder

CASES = 900
SEARCH = {"method": "nlopt", "algorithm": "LN_COBYLA", "starts": 3, "max_evaluations": 150,
          "seed": 1}
GLOBAL_SEARCH = {"method": "nlopt", "algorithm": "GN_CRS2_LM", "starts": 2, "max_evaluations": 150,
                 "seed": 7}


class Identical(ScratchFolder):
    def use(self, study, **changes):
        self.copy_example(CHARMIE, study, **changes)

    def run_with(self, threads, output):
        self.run_program("run", "study.json", "-o", output, "--threads", threads)

    def check_threads(self):
        for threads in (1, 2, 5):
            self.run_with(threads, f"with_{threads}.db")
        for threads in (2, 5):
            self.assert_same_results(f"with_{threads}.db", "with_1.db")

    def test_threads_with_a_motion_variable(self):
        self.use("paper.json", sampling={"method": "sobol", "count": CASES, "seed": 1})
        self.check_threads()
        self.assertEqual(len(self.cases("with_1.db")), CASES)

    def test_threads_in_every_method_of_sampling(self):
        for method in ("latin-hypercube", "random"):
            with self.subTest(method):
                self.use("robust.json", sampling={"method": method, "count": 200, "seed": 3})
                self.run_with(1, f"{method}_1.db")
                self.run_with(2, f"{method}_2.db")
                self.assert_same_results(f"{method}_2.db", f"{method}_1.db")

    def test_threads_in_searches(self):
        for search in (SEARCH, GLOBAL_SEARCH):
            with self.subTest(search["algorithm"]):
                self.use("springs.json", search=search)
                self.check_threads()
                self.check_ids_of_starts("with_1.db", search)
                for threads in (1, 2, 5):
                    (self.folder / f"with_{threads}.db").unlink()

    def check_ids_of_starts(self, database, search):
        """Case id = start * max_evaluations + evaluation, and no evaluation is missing."""
        ids, longest = {row["id"] for row in self.cases(database)}, search["max_evaluations"]
        for start in range(search["starts"]):
            of_start = sorted(i for i in ids if start * longest < i <= (start + 1) * longest)
            first = start * longest + 1
            self.assertEqual(of_start, list(range(first, first + len(of_start))))
            self.assertTrue(of_start)
            ids -= set(of_start)
        self.assertFalse(ids)

    def check_shards(self, count):
        parts = [f"part_{i}.db" for i in range(1, count + 1)]
        for i, part in enumerate(parts, 1):
            self.run_program("run", "study.json", "-o", part, "--shard", f"{i}/{count}",
                             code=DONE)
        self.run_program("merge", *reversed(parts), "-o", "merged.db")
        self.assert_same_results("merged.db", "whole.db")
        rank = [self.run_program("rank", file, "--format", "json").stdout
                for file in ("merged.db", "whole.db")]
        self.assertEqual(*rank)
        cases = [self.cases(part) for part in parts]
        self.assertEqual(sum(map(len, cases)), len(self.cases("whole.db")))
        self.assertTrue(all(cases))

    def test_shards_of_samples(self):
        self.use("robust.json", sampling={"method": "sobol", "count": CASES + 1, "seed": 1})
        self.run_with(2, "whole.db")
        self.check_shards(3)

    def test_shards_of_a_search_are_starts(self):
        self.use("springs.json", search=SEARCH)
        self.run_with(2, "whole.db")
        self.check_shards(3)
        ids = [row["id"] for row in self.cases("part_2.db")]
        self.assertTrue(150 < min(ids) and max(ids) <= 300)

    def test_a_case_does_not_depend_on_the_cases_before_it(self):
        """The same points in another order: what an evaluator keeps of the case before is right."""
        self.use("robust.json", sampling={"method": "sobol", "count": 200, "seed": 1})
        self.run_with(1, "whole.db")
        rows = self.cases("whole.db")
        names = ["lift_spring", "lean_spring", "crank_spring_radius", "anchor_height",
                 "lean_mount_y"]
        shuffled = sorted(rows, key=lambda row: (row["id"] * 71) % 211)
        lines = [",".join(str(row[name]) for name in names) for row in shuffled]
        self.write("designs.csv", "\n".join([",".join(names), *lines]) + "\n")
        self.use("robust.json", sampling={"method": "list", "file": "designs.csv"})
        self.run_with(2, "list.db")
        for found, row in zip(self.cases("list.db"), shuffled, strict=True):
            self.assertEqual(repr({**found, "id": row["id"]}), repr(row))


if __name__ == "__main__":
    unittest.main()
