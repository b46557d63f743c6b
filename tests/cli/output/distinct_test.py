#!/usr/bin/env python3
"""A ranking of different designs, in tables that fit the terminal."""

import unittest

from program import CHARMIE, DONE, PROGRAM, TWO_LINK_ARM, ScratchFolder, on_terminal

VARIABLES = ["spring_rate", "post_height", "mount_radius"]
RANGES = {"spring_rate": 2000.0, "post_height": 0.14, "mount_radius": 0.07}


class Distinct(ScratchFolder):
    def search(self, **more):
        self.copy_example(
            TWO_LINK_ARM, "study.json", sampling=None, constraints=None,
            variables={"spring_rate": {"range": [500, 2500]}, "post_height": {"range": [0.14, 0.28]},
                       "mount_radius": {"range": [0.03, 0.1]}},
            search={"method": "nlopt", "starts": 2, "max_evaluations": 600, "seed": 3, **more})
        self.run_program("run", "study.json", "-o", "arm.db")

    def rows_of_table(self, *arguments):
        text = self.run_program("rank", "arm.db", *arguments).stdout
        return text, [line.split() for line in text.splitlines()
                      if line.split() and line.split()[0].isdigit() and "feasible" not in line
                      and "left out" not in line and "tie within" not in line]

    def test_a_table_lists_no_design_twice(self):
        self.search()
        text, rows = self.rows_of_table("--top", "30")
        self.assertEqual(len(rows), 30)
        printed = [tuple(row[2:7]) for row in rows]
        self.assertEqual(len(set(printed)), 30)
        every = self.run_json("rank", "arm.db", "--json", "--top", "1200")
        seen, expected, left_out = set(), [], 0
        for row in every:
            key = tuple(f"{row[c]:.6g}" for c in VARIABLES + ["shoulder_peak", "shoulder_mean"])
            if key in seen:
                left_out += 1
                continue
            seen.add(key)
            expected.append(str(row["case"]))
            if len(expected) == 30:
                break
        self.assertEqual([row[1] for row in rows], expected)
        self.assertGreater(left_out, 0)
        self.assertIn(f"{left_out} cases are left out, of designs that are listed", text)
        _, all_rows = self.rows_of_table("--top", "30", "--all")
        self.assertEqual([row[1] for row in all_rows], [str(row["case"]) for row in every[:30]])

    def test_neighbours_are_left_out_as_asked(self):
        self.search()
        every = self.run_json("rank", "arm.db", "--json", "--top", "1200")
        for part in (0.01, 0.2):
            kept = []
            for row in every:
                if not any(all(abs(row[v] - other[v]) <= part * RANGES[v] for v in VARIABLES)
                           for other in kept):
                    kept.append(row)
            found = self.run_json("rank", "arm.db", "--json", "--top", "1000", "--distinct", part)
            self.assertEqual([row["case"] for row in found], [row["case"] for row in kept[:1000]])
            self.assertLess(len(found), len(every))
            self.assertGreater(len(found), 1)

    def test_machines_get_every_row(self):
        self.search()
        rows = self.run_json("rank", "arm.db", "--json", "--top", "100")
        self.assertEqual([row["rank"] for row in rows], list(range(1, 101)))
        listed = self.run_json("run", "study.json", "-o", "again.db", "--json")["ranking"]
        self.assertEqual([row["case"] for row in listed], [row["case"] for row in rows[:10]])

    def test_a_table_fits_the_terminal(self):
        self.copy_example(CHARMIE)
        self.run_program("run", "exact.json", "-o", "all.db")
        wide = self.run_program("rank", "all.db").stdout
        self.assertGreater(max(len(line) for line in wide.splitlines()), 150)
        self.assertNotIn("not shown", wide)
        for columns in (40, 80, 120):
            text, code = on_terminal([PROGRAM, "rank", "all.db"], columns, cwd=self.folder)
            self.assertEqual(code, DONE)
            table = text[:text.index("not shown: ")].splitlines()
            self.assertLessEqual(max(len(line) for line in table), max(columns, 30))
            shown = text[text.index("not shown: "):text.index(" feasible cases")]
            self.assertIn("lean_mean.reduction_without_springs", shown)
            self.assertNotIn("lean_mean [N]", shown)  # an objective


if __name__ == "__main__":
    unittest.main()
