#!/usr/bin/env python3
"""Results that keep some cases only: the right ones, whatever the threads, shards and kills, and
totals of all. The same study with all cases, and Python, give the expected results."""

import fractions
import json
import re
import shutil
import signal
import unittest

from disturbed_runs import DisturbedRuns
from program import BAD_INPUT, CHARMIE, DONE, ERROR, INFEASIBLE, TWO_LINK_ARM, altered

# the tangent of a small angle is what the disturbances count
COUNTED = {"name": "counted", "expression": "lift.mean + tan(1e-9 * lift.max)"}
KEEP = {"best": 40, "front": True, "sample": 300, "seed": 5}


class Kept(DisturbedRuns):
    def use(self, example, file, keep, code=DONE, **changes):
        """The study twice: all.json keeps all cases, study.json some; all.db has the results."""
        source = json.loads((example / file).read_text(encoding="utf-8"))
        source.update(changes)
        shutil.copytree(example, self.folder, dirs_exist_ok=True)
        self.write("all.json", source)
        self.write("study.json", {**source, "keep": keep})
        self.run_program("run", "all.json", "-o", "all.db", code=code)
        self.all = self.rows("all.db")
        names = self.query("all.db", "SELECT name FROM columns WHERE role = 'objective'")
        self.objectives = [row["name"] for row in names]
        motion = self.query("all.db", "SELECT name FROM variables WHERE kind = 'motion'")
        self.motion = motion[0]["name"] if motion else None

    def use_charmie(self, **changes):
        source = json.loads((CHARMIE / "robust.json").read_text(encoding="utf-8"))
        self.use(CHARMIE, "robust.json", {**KEEP, "per": ["lift_spring", "lean_spring"]},
                 objectives=[*source["objectives"], COUNTED],
                 sampling={"method": "sobol", "count": 4000, "seed": 3}, **changes)

    def rows(self, file):
        return {row["id"]: dict(row) for row in self.query(file, "SELECT * FROM cases")}

    def values(self, row):
        return tuple(row[name] for name in self.objectives)

    def dominated(self, row, group):
        own = self.values(row)
        return any(other != own and all(a <= b for a, b in zip(other, own))
                   for other in map(self.values, group))

    def groups(self):
        """The feasible cases by motion, each best first."""
        groups = {}
        for row in self.all.values():
            if row["status"] == "feasible":
                groups.setdefault(row[self.motion] if self.motion else "", []).append(row)
        for group in groups.values():
            group.sort(key=lambda row: (self.values(row), row["id"]))
        return groups.values()

    def chosen(self, keep):
        """What is to be kept beside the sample and designs that tie with the best."""
        ids = set()
        for group in self.groups():
            ids |= {row["id"] for row in group[:keep["best"]]}
            if keep["front"]:
                ids |= {row["id"] for row in group if not self.dominated(row, group)}
            for variable in keep.get("per", []):
                best = {}
                for row in group:
                    best.setdefault(row[variable], row["id"])
                ids |= set(best.values())
        return ids

    def contents_of(self, file):
        tables = ("cases", "failures", "sample", "evaluated", "status_counts", "totals", "histograms",
                  "failure_counts")
        return {table: [tuple(row) for row in self.query(file, f"SELECT * FROM {table}")]
                for table in tables}

    def check(self, file, keep):
        kept = self.rows(file)
        for number, row in kept.items():
            self.assertEqual(row, self.all[number])
        chosen = self.chosen(keep)
        self.assertLessEqual(chosen, set(kept))
        sample = {row["id"] for row in self.query(file, "SELECT id FROM sample")}
        self.assertEqual(len(sample), keep["sample"])
        self.assertEqual(set(kept), chosen | sample)
        self.check_totals(file)
        for command in (("rank", file, "--top", str(keep["best"])), ("rank", file, "--pareto")):
            shown = [self.run_json(*command[:1], name, *command[2:], "--json")
                     for name in (file, "all.db")]
            self.assertEqual(*shown)
        tallies = [self.run_json("why", name, "--json")["first_reasons"] for name in (file, "all.db")]
        self.assertEqual(*tallies)

    def check_totals(self, file):
        counts = {row["status"]: row["count"] for row in
                  self.query(file, "SELECT * FROM status_counts")}
        for status, count in counts.items():
            self.assertEqual(count, sum(row["status"] == status for row in self.all.values()))
        feasible = [row for row in self.all.values() if row["status"] == "feasible"]
        for total in self.query(file, "SELECT * FROM totals"):
            name = total["name"]
            values = [row[name] for row in feasible]
            self.assertEqual(total["count"], len(values))
            for end, pick in (("least", min), ("most", max)):
                self.assertEqual(total[end], pick(values))
                self.assertEqual(total[end + "_id"], next(
                    row["id"] for row in feasible if row[name] == total[end]))
            exact = sum(map(fractions.Fraction, values))
            self.assertEqual(total["mean"], float(exact) / len(values))
            parts = [map(int, part.split(":")) for part in total["sum"].split() if ":" in part]
            self.assertEqual(sum((high * 2 ** 32 + low) * fractions.Fraction(2) ** exponent
                                 for exponent, high, low in parts), exact)
            bins = self.query(file, f"SELECT * FROM histograms WHERE name = '{name}'")
            for one in bins:
                self.assertEqual(one["count"], sum(
                    one["low"] <= value < one["high"] if one["low"] >= 0.0 else
                    one["low"] < value <= one["high"] and value != 0.0 for value in values))
            self.assertEqual(sum(one["count"] for one in bins), len(values))

    def test_a_sobol_study_of_two_catalogues(self):
        self.use_charmie()
        self.run_program("run", "study.json", "-o", "kept.db")
        self.check("kept.db", {**KEEP, "per": ["lift_spring", "lean_spring"]})

    def test_a_grid_of_motions(self):
        variables = {"move": {"motion": ["raise", "swing"]},
                     "spring_rate": {"range": [500, 1200], "count": 40, "unit": "N/m"},
                     "mount_radius": {"range": [0.03, 0.1], "count": 40}}
        study = json.loads((TWO_LINK_ARM / "study.json").read_text(encoding="utf-8"))
        motions = list(study["motions"])
        motion = study["motions"][motions[0]]
        variables["move"]["motion"] = ["first", "second"]
        keep = {**KEEP, "per": ["spring_rate"]}
        self.use(TWO_LINK_ARM, "study.json", keep, variables=variables,
                 motions={"first": motion, "second": motion}, sampling={"method": "grid"})
        self.run_program("run", "study.json", "-o", "kept.db")
        self.check("kept.db", keep)
        # parts of a grid are parts of the order of evaluation, so that their ids lie between others
        for study, whole in (("study.json", "kept.db"), ("all.json", "all.db")):
            parts = [f"{whole}.{part}" for part in (1, 2, 3)]
            for number, part in enumerate(parts, 1):
                self.run_program("run", study, "-o", part, "--shard", f"{number}/3")
            first, second = (self.query(part, "SELECT min(id) AS a, max(id) AS z FROM cases")[0]
                             for part in parts[:2])
            self.assertLess(second["a"], first["z"])
            self.run_program("merge", *parts, "-o", f"merged.{whole}")
            self.assert_same_results(f"merged.{whole}", whole)
        self.assertEqual(self.contents_of("merged.kept.db"), self.contents_of("kept.db"))

    def test_a_latin_hypercube_that_chooses_the_motion(self):
        keep = {"best": 7, "front": True, "sample": 500, "per": ["lift_spring"]}
        self.use(CHARMIE, "paper.json", keep,
                 sampling={"method": "latin-hypercube", "count": 3000, "seed": 2})
        self.run_program("run", "study.json", "-o", "kept.db", "--threads", "3")
        self.check("kept.db", keep)

    def test_threads_shards_and_kills_change_nothing(self):
        self.use_charmie()
        self.run_program("run", "study.json", "-o", "one.db", "--threads", "1")
        expected = self.contents_of("one.db")
        self.run_program("run", "study.json", "-o", "five.db", "--threads", "5")
        self.assertEqual(self.contents_of("five.db"), expected)
        parts = [f"part.{part}.db" for part in (1, 2, 3)]
        for number, part in enumerate(parts, 1):
            self.run_program("run", "study.json", "-o", part, "--shard", f"{number}/3")
        self.run_program("merge", *parts, "-o", "merged.db")
        self.assertEqual(self.contents_of("merged.db"), expected)

        run = ("run", "study.json", "-o", "results.db", "--threads", "2")
        done = []
        for cases in (50, 150, 250):
            self.run_program(*run, "--resume", code=-signal.SIGKILL,
                             disturbance=f"kill {cases} evaluate")
            done.append(self.run_json("export", "results.db", "-o", "x.csv", "--json")
                        ["complete"]["done"])
        self.assertEqual(done, sorted(done))
        for write in (3, 30, 60):  # the disk is full
            said = self.run_program(*run, "--resume", code=ERROR,
                                    disturbance=f"full {write} write results.db*")
            self.assertIn("results.db", said.stderr)
        self.run_program(*run, "--resume")
        self.assertEqual(self.contents_of("results.db"), expected)
        self.assertIn("0 evaluated", self.run_program(*run, "--resume").stdout)

    def test_parts_that_overlap_are_refused(self):
        self.use_charmie()
        self.run_program("run", "study.json", "-o", "one.db", "--shard", "1/2")
        self.run_program("run", "study.json", "-o", "two.db", "--shard", "1/3")
        shutil.copy(self.folder / "one.db", self.folder / "again.db")
        said = self.run_program("merge", "one.db", "again.db", "-o", "all2.db", code=BAD_INPUT)
        self.assertIn("some of which another file has too", said.stderr)

    def test_what_is_not_kept_is_evaluated_again(self):
        self.use_charmie()
        self.run_program("run", "study.json", "-o", "kept.db")
        kept = self.rows("kept.db")
        for status in ("feasible", "infeasible"):
            number = next(id for id, row in self.all.items()
                          if id not in kept and row["status"] == status)
            shown = [self.run_json("show", file, str(number), "--json")
                     for file in ("kept.db", "all.db")]
            for one in shown:
                for key in ("standing", "complete"):
                    (one.get("explanation") or one).pop(key, None)
            self.assertEqual(*(json.dumps(one.get("metrics"), sort_keys=True) for one in shown))
            whys = [self.run_program("why", file, str(number)).stdout
                    for file in ("kept.db", "all.db")]
            self.assertEqual(*whys)
        self.run_program("apply", "kept.db", str(number), "-o", "one.json")
        self.assertIn("has no case 4001",
                      self.run_program("show", "kept.db", "4001", code=BAD_INPUT).stderr)

    def test_what_is_kept_is_said(self):
        self.use_charmie()
        said = self.run_program("run", "study.json", "-o", "kept.db").stdout
        kept = len(self.rows("kept.db"))
        words = (f"{kept} of 4,000 cases are kept: the best 40, those that no other dominates, the "
                 "best for each lift_spring, the best for each lean_spring, a sample of 300")
        self.assertIn(words, said)
        self.assertIn("feasible cases that are kept", said)
        rank = self.run_program("rank", "kept.db", "--top", "40")
        self.assertIn(words, rank.stderr)
        self.assertIn("complete down to number 39", rank.stderr)  # others may tie with number 40
        self.assertNotIn("note:", self.run_program("rank", "kept.db", "--top", "39").stderr)
        for options in (("--by", "lift_peak"), ("--pareto", "--objectives", "worst,lift_peak")):
            self.assertIn("only the cases that are kept",
                          self.run_program("rank", "kept.db", *options).stderr)
        self.assertIn("--where sees only", self.run_program(
            "rank", "kept.db", "--where", "worst < 0.8").stderr)
        self.assertIn(f"kept.db: {kept} of 4,000", self.run_program(
            "export", "kept.db", "-o", "kept.csv").stderr)

    def test_wide_ties_say_how_far_a_ranking_is_complete(self):
        for ties in (0.001, 0.01, 0.05):
            self.use_charmie(ties=ties)
            self.run_program("run", "study.json", "-o", "kept.db", "--force")
            certain = int(re.search(r"complete down to number (\d+)", self.run_program(
                "rank", "kept.db", "--top", "100", "--all").stderr)[1])
            kept, whole = (self.run_json("rank", file, "--top", "100", "--json")
                           for file in ("kept.db", "all.db"))
            self.assertEqual(kept[:certain], whole[:certain])
            self.assertNotEqual(kept[:41], whole[:41])
            (self.folder / "all.db").unlink()

    def test_nothing_feasible_and_no_sample(self):
        study = json.loads((CHARMIE / "robust.json").read_text(encoding="utf-8"))
        self.use(CHARMIE, "robust.json", {"best": 0, "front": False, "sample": 0},
                 sampling={"method": "sobol", "count": 200, "seed": 3},
                 constraints=[*study.get("constraints", []),
                              {"name": "none", "expression": "lift.max", "max": 0}], code=INFEASIBLE)
        said = self.run_program("run", "study.json", "-o", "kept.db", code=INFEASIBLE).stdout
        self.assertIn("0 of 200 cases are kept: the best, and what ties with it", said)
        why = self.run_json("why", "kept.db", "--json")
        self.assertEqual((why["failed"], why["evaluated"], why["excluding"]), (200, 0, None))

    def test_a_file_that_was_changed_is_refused(self):
        self.use_charmie()
        self.run_program("run", "study.json", "-o", "kept.db", "--shard", "1/2")
        for change in ("UPDATE totals SET sum = '0x1p3x' WHERE name = 'worst'",
                       "UPDATE totals SET least = 'small' WHERE name = 'worst'",
                       "DELETE FROM totals WHERE name = 'worst'",
                       "UPDATE evaluated SET first = 0", "DROP TABLE evaluated",
                       "UPDATE histograms SET count = -1", "UPDATE histograms SET high = 'x'",
                       "UPDATE status_counts SET status = 'x' WHERE status = 'failed'",
                       "UPDATE status_counts SET count = 9223372036854775807",
                       "DELETE FROM status_counts", "DELETE FROM totals", "DELETE FROM evaluated",
                       "UPDATE totals SET count = count + 1 WHERE name = 'worst'",
                       "UPDATE histograms SET count = count + 1", "DELETE FROM sample",
                       "DROP TABLE sample", "DELETE FROM baselines",
                       "UPDATE baselines SET motion = 'x'",
                       "DELETE FROM cases WHERE worst = (SELECT min(worst) FROM cases)",
                       "UPDATE failure_counts SET count = 0",
                       "UPDATE study SET value = 'x' WHERE key = 'keep.best'",
                       "UPDATE study SET value = 'no_such' WHERE key = 'keep.per'",
                       "UPDATE cases SET id = 3999 WHERE id = (SELECT max(id) FROM cases)"):
            shutil.copy(self.folder / "kept.db", self.folder / "changed.db")
            with altered(self.folder / "changed.db") as database:
                database.execute(change)
                database.commit()
            codes = []
            for command in (("merge", "changed.db", "-o", "out.db"),
                            ("run", "study.json", "-o", "changed.db", "--shard", "1/2", "--resume")):
                process = self.start(*command)
                process.communicate()
                codes.append(process.returncode)
            self.assertIn(BAD_INPUT, codes, change)
            self.assertLessEqual(set(codes), {0, BAD_INPUT}, change)


if __name__ == "__main__":
    unittest.main()
