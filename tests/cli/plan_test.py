#!/usr/bin/env python3
"""What `run --plan` says before anything runs, and the table that `run --timing` prints."""

import resource
import unittest

from program import BAD_INPUT, CHARMIE, TWO_LINK_ARM, ScratchFolder

STAGES = ["coordinates", "tree forces", "transmission", "bare loads", "spring geometry", "loads"]


def table(text):
    """Rows of the table of stages by their first words."""
    rows = [line for line in text.splitlines() if line.startswith(tuple(STAGES))]
    names = [next(s for s in STAGES if row.startswith(s)) for row in rows]
    return {name: row[len(name):].split() for name, row in zip(names, rows)}


class Plan(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM)

    def test_nothing_is_written(self):
        before = self.contents()
        for arguments in ([], ["--json"], ["--resume"], ["--force"], ["-o", "elsewhere.db"],
                          ["--threads", "2"], ["--shard", "1/2"]):
            with self.subTest(arguments):
                self.run_program("run", "study.json", "--plan", *arguments)
                self.assertEqual(self.contents(), before)

    def test_an_output_that_exists_is_left_alone(self):
        self.run_program("run", "study.json")
        self.write("mine.db", "not results")
        before = self.contents()
        for output in ("two_link_arm.db", "mine.db", "study.json"):
            self.run_program("run", "study.json", "--plan", "-o", output)
            self.assertEqual(self.contents(), before)

    def test_keys(self):
        plan = self.run_json("run", "study.json", "--plan", "--json", "--threads", "1")
        self.assertEqual(list(plan), ["study", "search", "kind", "cases", "threads", "rehearsed",
                                      "feasible_share", "seconds_per_case", "seconds",
                                      "seconds_least", "seconds_most", "rows", "kept",
                                      "bytes_per_row", "file_bytes"])
        self.assertEqual((plan["study"], plan["kind"]), ("two_link_arm", "cases"))
        self.assertEqual((plan["cases"], plan["rows"], plan["kept"], plan["threads"]),
                         (576, 576, 576, 1))
        self.assertFalse(plan["search"])
        self.assertTrue(0 < plan["rehearsed"] <= 576)
        each = plan["seconds_per_case"]
        self.assertTrue(0 < each["least"] <= each["mean"] <= each["most"])
        if plan["seconds_least"]:  # else one place took all the time there is
            self.assertTrue(0 < plan["seconds_least"] <= plan["seconds"] <= plan["seconds_most"])
        self.assertGreaterEqual(plan["seconds"], 576 * each["mean"])
        self.assertTrue(0 <= plan["feasible_share"] <= 1)
        self.assertAlmostEqual(plan["file_bytes"], 11 * 16384 + 576 * plan["bytes_per_row"], delta=1)

    def test_text(self):
        said = self.run_program("run", "study.json", "--plan", "--threads", "1").stdout
        self.assertRegex(said, r"\Atwo_link_arm: 576 cases, 1 thread\n"
                         r"tried: [0-9]+ of them in [0-9]+ places, [0-9.]+ % of them feasible; .*\n"
                         r"the run takes about \S+ \S+[,;] .* places? .*\n"
                         r"its file takes about [0-9]+ B a row, [0-9.]+ kB for 576 rows\n\Z")
        nothing = self.run_program("run", "study.json", "--plan", "--shard", "600/600").stdout
        self.assertRegex(nothing, r"\Atwo_link_arm: 0 cases, 1 thread\n\Z")
        plan = self.run_json("run", "study.json", "--plan", "--json", "--shard", "600/600")
        self.assertEqual((plan["rehearsed"], plan["feasible_share"], plan["seconds_least"]),
                         (0, None, None))

    def test_the_table_of_a_run(self):
        result = self.run_json("run", "study.json", "--json", "--threads", "1")
        timed = ("run", "study.json", "--threads", "1", "--force", "--timing")
        printed = self.run_program(*timed).stdout
        self.assertEqual(table(self.run_program(*timed[:-1]).stdout), {}, "only if asked for")
        self.assertEqual(result["evaluated"], 576)
        self.assertGreater(result["cases_per_second"], 0)
        self.assertEqual(list(table(printed)), STAGES)
        self.assertIn("cases a second", printed)
        for stage, done in zip(STAGES, result["stages"], strict=True):
            self.assertEqual(stage, done["stage"])
            self.assertEqual(table(printed)[stage][:2], [str(done["runs"]), str(done["reused"])])

    def test_times_are_cpu_times_and_add_up(self):
        search = {"method": "nlopt", "algorithm": "LN_COBYLA", "starts": 2, "max_evaluations": 50,
                  "seed": 1}
        for study, changes in (("paper.json", {"sampling": {"method": "sobol", "count": 500, "seed": 1}}),
                               ("springs.json", {"search": search}),
                               ("exact.json", {})):
            with self.subTest(study):
                self.copy_example(CHARMIE, study, **changes)
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                result = self.run_json("run", "study.json", "-o", study + ".db", "--json")
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                used = (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
                times = result["cpu_seconds"]
                self.assertEqual(list(times), ["binding", "judging", "sizing", "writing", "ranking",
                                               "reasons", "other", "total"])
                self.assertTrue(all(time >= 0 for time in times.values()))
                self.assertEqual(times["sizing"] > 0, study == "exact.json")
                for part in ("binding", "judging", "writing", "ranking"):
                    self.assertGreater(times[part], 0, part)
                # the system counts CPU time of processes in ticks
                self.assertLessEqual(times["total"], used + 0.02)
                parts = sum(time for part, time in times.items() if part != "total")
                parts += result["falls"]["seconds"]
                parts += sum(stage["seconds"] for stage in result["stages"])
                self.assertAlmostEqual(parts, times["total"], delta=1e-9)

    def test_a_finished_study_has_no_table(self):
        self.run_program("run", "study.json")
        printed = self.run_program("run", "study.json", "--resume").stdout
        self.assertEqual(table(printed), {})

    def test_a_wrong_study(self):
        self.write("wrong.json", "{")
        self.run_program("run", "wrong.json", "--plan", code=BAD_INPUT)
        self.run_program("run", "missing.json", "--plan", code=BAD_INPUT)
        self.run_program("run", "study.json", "--plan", "--shard", "3/2", code=BAD_INPUT)


if __name__ == "__main__":
    unittest.main()
