#!/usr/bin/env python3
"""`run`, `rank`, `show` and `export`: what they print is what the results file holds."""

import csv
import io
import subprocess
import unittest

from program import BAD_INPUT, CHARMIE, ERROR, PROGRAM, TWO_LINK_ARM, ScratchFolder, file_size_limit, altered

OBJECTIVES = ("shoulder_peak", "shoulder_mean")
VARIABLES = ("spring_rate", "post_height", "mount_radius")


def dominates(a, b, objectives):
    return (all(a[o] <= b[o] for o in objectives) and any(a[o] < b[o] for o in objectives))


class OneStudy(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM, "study.json")
        self.printed = self.run_program("run", "study.json").stdout  # makes two_link_arm.db

    def feasible(self, by, keep=lambda row: True):
        rows = [r for r in self.cases("two_link_arm.db") if r["status"] == "feasible" and keep(r)]
        return sorted(rows, key=lambda row: (row[by], row["id"]))

    def rank(self, *options):
        return self.run_json("rank", "two_link_arm.db", "--format", "json", *options)

    def check_ranking(self, ranking, expected):
        self.assertEqual([row["case"] for row in ranking], [row["id"] for row in expected])
        self.assertEqual([row["rank"] for row in ranking], list(range(1, len(expected) + 1)))
        for found, row in zip(ranking, expected):
            for name in VARIABLES + OBJECTIVES:
                self.assertEqual(found[name], row[name])

    def test_every_case_of_the_grid_is_there_in_its_order(self):
        rows = self.cases("two_link_arm.db")
        self.assertEqual([row["id"] for row in rows], list(range(1, 9 * 8 * 8 + 1)))
        points = [tuple(row[name] for name in VARIABLES) for row in rows]
        self.assertEqual(points, sorted(points))
        self.assertEqual(len(set(points)), len(points))
        for row in rows:
            feasible = row["status"] == "feasible"
            self.assertEqual(row["shoulder.max"] is not None, feasible)
            self.assertEqual(row["reason"] in ("", None), feasible)

    def test_rank(self):
        ranking = self.rank()
        self.check_ranking(ranking, self.feasible("shoulder_peak")[:20])
        reductions = [f"{o}.{kind}" for kind in ("reduction", "reduction_without_springs")
                      for o in OBJECTIVES]
        self.assertEqual(list(ranking[0]), ["rank", "case", *VARIABLES, *OBJECTIVES, *reductions])
        before = {row["name"]: row
                  for row in self.query("two_link_arm.db", "SELECT * FROM baselines")}
        for row in ranking:
            for objective in OBJECTIVES:
                for kind, baseline in [("reduction", "baseline"),
                                       ("reduction_without_springs", "without_springs")]:
                    self.assertEqual(row[f"{objective}.{kind}"],
                                     1 - row[objective] / before[baseline][objective])

    def test_rank_by_another_objective_and_how_many(self):
        self.check_ranking(self.rank("--by", "shoulder_mean", "--top", "3"),
                           self.feasible("shoulder_mean")[:3])

    def test_rank_where(self):
        expected = self.feasible("shoulder_peak", lambda row: row["spring_rate"] > 1000
                                 and (row["shoulder.rms"] < 5 or row["mount_radius"] == 0.03))
        self.assertTrue(0 < len(expected) < len(self.feasible("shoulder_peak")))
        self.check_ranking(self.rank("--top", "9999", "--where", "spring_rate > 1000 && "
                                     "(shoulder.rms < 5 || mount_radius == 0.03)"), expected)
        self.assertEqual(self.rank("--where", "shoulder_peak < 0"), [])
        nothing = self.run_program("rank", "two_link_arm.db", "--where", "shoulder_peak < 0").stderr
        self.assertEqual(nothing, "note: none of the feasible cases meets --where "
                         '"shoulder_peak < 0"\n')

    def test_rank_pareto(self):
        rows = self.feasible("shoulder_peak")
        front = [r for r in rows if not any(dominates(o, r, OBJECTIVES) for o in rows)]
        self.check_ranking(self.rank("--pareto", "--top", "9999"), front)

    def test_rank_as_csv_and_as_a_table(self):
        ranking = self.rank()
        text = self.run_program("rank", "two_link_arm.db", "--format", "csv").stdout
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual([{k: float(v) for k, v in row.items()} for row in rows], ranking)
        table = self.run_program("rank", "two_link_arm.db").stdout.splitlines()
        header = [line for line in table if not line.split()[0].isdigit()]
        for column in ranking[0]:  # long names are broken over several lines
            for piece in column.replace("_", "_ ").replace(".", ". ").split():
                self.assertIn(piece, " ".join(header))
        cases = [int(line.split()[1]) for line in table if line.split()[0].isdigit()
                 and "feasible cases" not in line]
        self.assertEqual(cases, [row["case"] for row in ranking])

    def test_run_ends_with_the_head_of_the_ranking_and_the_reductions(self):
        best = self.rank("--top", "10")
        rows = [line.split() for line in self.printed.splitlines()]
        head = [int(row[1]) for row in rows if len(row) > 5 and row[0].isdigit()
                and row[1].isdigit()]
        self.assertEqual(head, [row["case"] for row in best])
        for kind in ("reduction", "reduction_without_springs"):
            self.assertIn(f"{100 * best[0]['shoulder_peak.' + kind]:.1f} % less", self.printed)

    def test_export(self):
        self.run_program("export", "two_link_arm.db", "-o", "cases.csv")
        exported = self.read_csv("cases.csv")
        stored = self.cases("two_link_arm.db")
        self.assertEqual(list(exported[0]), list(stored[0]))
        for found, row in zip(exported, stored, strict=True):
            for name, value in row.items():
                text = found[name]
                self.assertEqual(float(text) if isinstance(value, float) else text,
                                 value if isinstance(value, float) else
                                 "" if value is None else str(value))

    def test_a_full_standard_output(self):
        commands = [("rank", "two_link_arm.db"), ("show", "two_link_arm.db", "1"),
                    ("simulate", "model.json", "--motion", "motion.json"), ("check", "model.json"),
                    ("schema", "model"), ("run", "study.json", "--force")]
        for command in commands:
            with self.subTest(command), open("/dev/full", "w", encoding="utf-8") as full:
                process = subprocess.run([PROGRAM, *command], cwd=self.folder, stdout=full,
                                         stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(process.returncode, ERROR)
                self.assertNotEqual(process.stderr, "")

    def test_a_disk_that_is_full_leaves_the_old_output(self):
        self.write("cases.csv", "mine")
        before = self.contents()
        for command in (("export", "two_link_arm.db"), ("show", "two_link_arm.db", "1")):
            self.run_program(*command, "-o", "cases.csv", code=ERROR,
                             preexec_fn=file_size_limit(4096))
            self.assertEqual(self.contents(), before)

    def test_show(self):
        best = self.feasible("shoulder_peak")[0]
        result = self.run_program("show", "two_link_arm.db", best["id"], "--json")
        self.assertEqual(result.stderr, "")
        shown = self.run_json("show", "two_link_arm.db", best["id"], "--json")
        self.assertEqual(list(shown), ["case", "status", "reason", "parameters", "set_by_case",
                                       "catalogue_parts", "metrics", "objectives", "explanation",
                                       "complete", "mounts"])
        self.assertIsNone(shown["mounts"])
        self.assertEqual((shown["case"], shown["status"]), (best["id"], "feasible"))
        self.assertEqual(shown["objectives"], {name: best[name] for name in OBJECTIVES})
        for name in VARIABLES:
            self.assertEqual(shown["parameters"][name], best[name])
        self.assertEqual(len(shown["parameters"]), 8)
        self.assertEqual(set(shown["set_by_case"]), set(VARIABLES))
        self.assertEqual(shown["catalogue_parts"], {})
        self.assertEqual(len(shown["metrics"]), 2 * 5 + 4)
        for name, value in shown["metrics"].items():
            self.assertEqual(value, best.get(name, value), name)
        text = self.run_program("show", "two_link_arm.db", best["id"]).stdout
        self.assertIn(f"case {best['id']} of two_link_arm: feasible", text)
        self.assertIn("invented", text)

    def test_show_explains_the_case(self):
        ranking = self.feasible("shoulder_peak")
        best, second = ranking[:2]
        self.run_program("show", "two_link_arm.db", best["id"], "-o", "loads.csv")
        loads = {float(row["t"]): row for row in self.read_csv("loads.csv")}
        shown = self.run_json("show", "two_link_arm.db", best["id"], "--json")
        explained = shown["explanation"]
        self.assertEqual(list(explained), ["critical_instants", "optimum", "binding", "rank",
                                           "feasible_cases", "of_kept_cases", "next_best",
                                           "side_effects"])
        (shoulder,) = explained["critical_instants"]
        self.assertEqual((shoulder["actuator"], shoulder["unit"]), ("shoulder", "N*m"))
        peak = shoulder["instants"][0]
        self.assertAlmostEqual(abs(peak["load"]), best["shoulder_peak"], delta=1e-12)
        for instant in shoulder["instants"]:
            row = loads[instant["t"]]
            parts = instant["gravity"] + instant["inertia"] + sum(instant["springs"].values())
            self.assertAlmostEqual(parts, float(row["shoulder.load"]), delta=1e-10)
            self.assertEqual(instant["baseline_load"], float(row["baseline.shoulder.load"]))
        self.assertIsNone(explained["optimum"])
        self.assertEqual((explained["rank"], explained["feasible_cases"]), (1, len(ranking)))
        after = explained["next_best"]
        self.assertEqual((after["case"], after["rank"]), (second["id"], 2))
        self.assertEqual(after["variables"], {
            name: {"here": best[name], "there": second[name]}
            for name in VARIABLES if best[name] != second[name]})
        for name in OBJECTIVES:
            self.assertEqual(after["objectives"][name]["change"], second[name] - best[name])
        effects = explained["side_effects"]
        (spring,) = effects["tensions"]
        self.assertEqual(spring["case"]["value"],
                         max(abs(float(row["spring.tension"])) for row in loads.values()))
        (work,) = effects["actuators"]
        signs = [float(row["shoulder.load"]) > 0 for row in loads.values()]
        self.assertEqual(work["case"]["sign_changes"],
                         sum(a != b for a, b in zip(signs, signs[1:])))
        self.assertEqual(work["case"]["energy"], shown["metrics"]["shoulder.energy"])
        text = self.run_program("show", "two_link_arm.db", best["id"]).stdout
        for words in ("critical instants", "limits that bind", "the next best choice",
                      f"number 1 of {len(ranking)} feasible ones", f"case {second['id']}, number 2",
                      "side effects"):
            self.assertIn(words, text)

    def test_show_explains_a_case_against_a_limit_and_none_that_cannot_move(self):
        cases = [row for row in self.cases("two_link_arm.db") if row["status"] == "infeasible"]
        kinds = set()
        for row in cases[::7]:
            shown = self.run_json("show", "two_link_arm.db", row["id"], "--json")
            known = shown["metrics"]["shoulder.max"] is not None
            kinds.add(known)
            self.assertEqual(shown["explanation"] is not None, known)
            if not known:
                continue
            self.assertIsNone(shown["explanation"]["rank"])
            self.assertIsNotNone(shown["explanation"]["next_best"])
            self.assertTrue(any(limit["broken"] for limit in shown["explanation"]["binding"]))
            text = self.run_program("show", "two_link_arm.db", row["id"]).stdout
            self.assertIn("broken", text)
            self.assertLess(text.index(row["reason"]), text.index("critical instants"))
        self.assertIn(True, kinds)

    def test_show_needs_no_file_but_the_results(self):
        for file in self.folder.glob("*.json"):
            file.unlink()
        self.run_program("show", "two_link_arm.db", 1)

    def test_show_an_infeasible_case(self):
        row = next(r for r in self.cases("two_link_arm.db") if r["status"] == "infeasible")
        shown = self.run_json("show", "two_link_arm.db", row["id"], "--json")
        self.assertEqual((shown["status"], shown["reason"]), (row["status"], row["reason"]))

    def test_show_says_when_the_case_has_changed(self):
        best = self.feasible("shoulder_peak")[0]["id"]
        with altered(self.folder / "two_link_arm.db") as database:
            database.execute("UPDATE cases SET shoulder_peak = 1 WHERE id = ?", (best,))
            database.commit()
        message = self.run_program("show", "two_link_arm.db", best).stderr
        self.assertIn("differs from the stored row", message)

    def test_loads_of_a_case_are_those_of_simulate(self):
        best = self.feasible("shoulder_peak")[0]
        self.run_program("show", "two_link_arm.db", best["id"], "-o", "loads.csv")
        settings = [f"--set={name}={best[name]!r}" for name in VARIABLES]
        simulate = ("simulate", "model.json", "--motion", "motion.json", "-o")
        self.run_program(*simulate, "design.csv", *settings)
        self.run_program(*simulate, "today.csv")
        shown, design, today = (self.read_csv(name)
                                for name in ("loads.csv", "design.csv", "today.csv"))
        expected = [{**a, **{f"baseline.{k}": v for k, v in b.items() if k != "t"}}
                    for a, b in zip(design, today, strict=True)]
        self.assertEqual(shown, expected)
        peak = max(abs(float(row["shoulder.load"])) for row in design)
        self.assertAlmostEqual(peak, best["shoulder_peak"], delta=1e-12 * peak)


class StudyWithAMotionVariable(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(CHARMIE, "paper.json",
                          sampling={"method": "sobol", "count": 400, "seed": 1})
        self.run_program("run", "study.json", "-o", "results.db")

    def test_there_is_one_ranking_a_motion(self):
        ranking = self.run_json("rank", "results.db", "--format", "json", "--top", "5")
        self.assertEqual([row["motion"] for row in ranking], ["squat"] * 5 + ["reach"] * 5)
        self.assertEqual([row["rank"] for row in ranking], [1, 2, 3, 4, 5] * 2)
        rows = self.cases("results.db")
        before = {(row["name"], row["motion"]): row
                  for row in self.query("results.db", "SELECT * FROM baselines")}
        self.assertEqual(len(before), 4)
        for motion in ("squat", "reach"):
            expected = sorted((r["worst"], r["id"]) for r in rows
                              if r["status"] == "feasible" and r["motion"] == motion)[:5]
            of_motion = [row for row in ranking if row["motion"] == motion]
            self.assertEqual([(row["worst"], row["case"]) for row in of_motion], expected)
            for row in of_motion:
                self.assertEqual(row["lift_peak.reduction"],
                                 1 - row["lift_peak"] / before["baseline", motion]["lift_peak"])
            only = self.run_json("rank", "results.db", "--json", "--top", "5", "--motion", motion)
            self.assertEqual(only, of_motion)

    def test_the_motion_can_be_compared_with_a_text(self):
        found = self.run_json("rank", "results.db", "--json", "--where",
                              'motion == "reach" && lift_spring.row > 20')
        self.assertTrue(found)
        self.assertEqual({row["motion"] for row in found}, {"reach"})

    def test_catalogue_columns(self):
        parts = [row["part"] for row in self.read_csv("springs.csv")]
        for row in self.cases("results.db"):
            self.assertEqual(parts[row["lift_spring.row"] - 1], row["lift_spring"])
            self.assertEqual(parts[row["lean_spring.row"] - 1], row["lean_spring"])

    def test_an_unknown_motion(self):
        result = self.run_program("rank", "results.db", "--motion", "squatt", code=BAD_INPUT)
        self.assertIn("squat", result.stderr)


if __name__ == "__main__":
    unittest.main()
