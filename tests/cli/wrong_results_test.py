#!/usr/bin/env python3
"""Results that cannot be used, or may not be overwritten: a message, and nothing is touched."""

import contextlib
import signal
import sqlite3
import unittest

from arm_files import FILES, MODEL, STUDY
from program import BAD_INPUT, INFEASIBLE, INTERRUPTED, ScratchFolder, altered

RUN = ("run", "study.json", "-o", "results.db")
RESUME = (*RUN, "--resume")
RANK = ("rank", "results.db")
EVERY_READER = [RANK, ("show", "results.db", "1"), ("export", "results.db", "-o", "cases.csv"),
                ("merge", "results.db", "-o", "all.db")]


class WrongResults(ScratchFolder):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.write(name, text)

    def refused(self, *command, texts=(), code=BAD_INPUT):
        """The command fails, says why and leaves every file as it was."""
        with self.subTest(command):
            before = self.contents()
            result = self.run_program(*command, code=code)
            for text in texts:
                self.assertIn(text, result.stderr)
            self.assertEqual(self.contents(), before)

    def test_results_that_exist_stay_without_force(self):
        self.run_program(*RUN)
        self.refused(*RUN, texts=["results.db", "exists", "not overwritten", "--resume",
                                   "--force"])
        self.refused("merge", "results.db", "-o", "results.db", texts=["one of the files to merge"])
        self.run_program(*RUN, "--force")
        self.run_program("merge", "results.db", "-o", "all.db")
        self.refused("merge", "results.db", "-o", "all.db", texts=["all.db", "exists",
                                                                        "--force"])
        self.run_program("merge", "results.db", "-o", "all.db", "--force")

    def test_what_is_no_database(self):
        self.write("results.db", "id,status\n1,feasible\n")
        for command in [RUN, RESUME, *EVERY_READER]:
            self.refused(*command, texts=["results.db", "is not a results file"])

    def test_a_database_of_something_else(self):
        with contextlib.closing(sqlite3.connect(self.folder / "results.db")) as database:
            database.execute("CREATE TABLE cases(id INTEGER PRIMARY KEY, owner TEXT)")
            database.commit()
        for command in [RUN, RESUME, *EVERY_READER]:
            self.refused(*command, texts=["results.db"])
        self.refused(*RESUME, texts=["not a results file of counterpoise"])

    def test_what_is_not_there(self):
        for command in EVERY_READER:
            self.refused(*command, texts=["results.db"])
        self.refused("run", "none.json", texts=["none.json"])

    def test_a_database_that_another_process_holds(self):
        self.run_program(*RUN)
        before = self.contents()
        with contextlib.closing(sqlite3.connect(self.folder / "results.db")) as database:
            database.execute("BEGIN EXCLUSIVE")
            for command in [RESUME, (*RUN, "--force"), RANK]:
                result = self.run_program(*command, code=BAD_INPUT)
                self.assertIn("another process is writing results.db", result.stderr)
        self.assertEqual(self.contents(), before)

    def test_two_runs_at_once(self):
        self.write("study.json", STUDY.replace('"count": 5', '"count": 2000000'))
        first = self.start(*RUN)
        results = self.folder / "results.db"
        while not results.exists() or results.stat().st_size == 0:
            self.assertIsNone(first.poll())
        first.send_signal(signal.SIGSTOP)  # however fast it is, it does not end before the others
        for command in (RESUME, (*RUN, "--force")):
            message = self.run_program(*command, code=BAD_INPUT).stderr
            self.assertIn("another process is writing results.db\n", message)
        first.send_signal(signal.SIGINT)
        first.send_signal(signal.SIGCONT)
        messages = first.communicate()[1]
        self.assertEqual(first.returncode, INTERRUPTED, messages)

    def test_an_output_that_is_an_input(self):
        self.run_program(*RUN)
        simulate = ("simulate", "model.json", "--motion", "motion.json")
        for command in [("export", "results.db", "-o", "./results.db"),
                        ("show", "results.db", "1", "-o", "results.db"),
                        (*simulate, "-o", "model.json"), (*simulate, "-o", "motion.json"),
                        ("run", "study.json", "--force", "-o", "study.json"),
                        ("run", "study.json", "--force", "-o", "model.json")]:
            self.refused(*command, texts=[command[-1]])

    def test_what_does_not_exist_in_the_results(self):
        self.run_program(*RUN)
        for command, texts in [
                ((*RANK, "--by", "paek"), ["paek", "peak"]),
                ((*RANK, "--motion", "swing"), ["swing"]),
                ((*RANK, "--top", "0"), ["--top"]),
                ((*RANK, "--format", "xml"), ["xml"]),
                ((*RANK, "--where", "paek < 1"), ["--where", 'did you mean "peak"?']),
                ((*RANK, "--where", "peak <"), ["--where"]),
                ((*RANK, "--where", ""), ["--where", "found nothing"]),
                ((*RANK, "--by", ""), ["--by", "found nothing"]),
                (("show", "results.db", "6"), ["has no case 6"]),
                (("show", "results.db", "one"), ["one"]),
                (("show", "results.db", "1", "-o", "none/loads.csv"), ["none/loads.csv"]),
                (("export", "results.db", "-o", "none/cases.csv"), ["none/cases.csv"]),
                (("export", "results.db", "-o", "."), ["."]),
                (("merge", "results.db", "-o", "none/all.db"), ["none/all.db"])]:
            self.refused(*command, texts=texts)

    def test_results_of_another_study_are_not_continued(self):
        catalogue = STUDY.replace('"range": [100, 2000], "count": 5',
                                  '"catalogue": "springs.csv", "sets": {"rate": "rate"}')
        self.write("study.json", catalogue)
        self.run_program(*RUN)
        for name, old, new in [("study.json", '"peak"', '"largest"'),
                               ("model.json", '"weight": 2', '"weight": 3'),
                               ("motion.json", "0.5", "0.6"),
                               ("springs.csv", "soft,0.5", "soft,0.6")]:
            right = (self.folder / name).read_text()
            self.write(name, right.replace(old, new))
            changed = "catalogue" if name.endswith(".csv") else name.removesuffix(".json")
            self.refused(*RESUME, texts=["results.db", "differs", changed])
            self.write(name, right)
        self.run_program(*RESUME)

    def test_results_of_another_vector_width_are_not_mixed_unless_told(self):
        self.run_program(*RUN, "--shard", "1/2")
        self.run_program("run", "study.json", "-o", "other.db", "--shard", "2/2")
        with altered(self.folder / "other.db") as database:
            database.execute("UPDATE study SET value = '1' WHERE key = 'vector_width'")
            database.commit()
        merge = ("merge", "results.db", "other.db", "-o", "all.db")
        resume = ("run", "study.json", "-o", "other.db", "--shard", "2/2", "--resume")
        for command in (merge, resume):
            self.refused(*command, texts=["vector_width"])
            self.run_program(*command, "--allow-mixed")

    def test_to_resume_what_was_never_born_is_to_start(self):
        self.run_program("run", "study.json", "-o", "fresh.db")
        self.run_program(*RESUME)
        self.assert_same_results("results.db", "fresh.db")
        self.write("results.db", "")
        self.run_program(*RESUME)
        self.assert_same_results("results.db", "fresh.db")

    def test_a_shard_is_not_continued_as_another(self):
        self.run_program(*RUN, "--shard", "1/2")
        self.refused(*RESUME, "--shard", "2/2", texts=["the part of the study"])
        self.refused(*RESUME, texts=["the part of the study"])

    def test_results_of_two_studies_are_not_merged(self):
        self.run_program(*RUN, "--shard", "1/2")
        self.write("model.json", MODEL.replace('"weight": 2', '"weight": 3'))
        self.run_program("run", "study.json", "-o", "other.db", "--shard", "2/2")
        self.refused("merge", "results.db", "other.db", "-o", "all.db", texts=["model"])

    def test_a_study_with_nothing_feasible(self):
        self.write("study.json", STUDY.replace(
            '"objectives"',
            '"constraints": [{"name": "none", "expression": "shoulder.max", "max": 0.001}],\n'
            '  "objectives"'))
        self.run_program(*RUN, code=INFEASIBLE)
        rows = self.cases("results.db")
        self.assertEqual({row["status"] for row in rows}, {"infeasible"})
        for row in rows:
            self.assertIn("constraint none", row["reason"])
            self.assertIsNone(row["peak"])
            self.assertIsNone(row["shoulder.max"])
        ranking = self.run_json("rank", "results.db", "--format", "json")
        self.assertEqual(ranking, [])
        self.run_program(*RESUME, code=INFEASIBLE)


if __name__ == "__main__":
    unittest.main()
