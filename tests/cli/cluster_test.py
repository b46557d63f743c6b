#!/usr/bin/env python3
"""Studies shared by a real Slurm cluster on this machine, whatever happens to its tasks."""

import json
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import unittest

from program import BAD_INPUT, CHARMIE, DISTURBANCE, INTERRUPTED, PROGRAM, ScratchFolder
from slurm import Cluster, what_lacks

TASKS = 8
# a tangent of a small angle, which disturbances count
COUNTED = {"name": "counted", "expression": "lift.mean + tan(1e-9 * lift.max)"}


class OnCluster(ScratchFolder):
    @classmethod
    def setUpClass(cls):
        if why := what_lacks():
            print(f"there is no cluster: {why}", file=sys.stderr)  # ctest reads it
            raise unittest.SkipTest(why)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = Cluster(folder.name)
        cls.addClassCleanup(cls.cluster.end)

    def use_paper(self):
        """The 47,570 designs of CHARMIE, evaluated by one process for comparison."""
        study = json.loads((CHARMIE / "paper.json").read_text(encoding="utf-8"))
        self.copy_example(CHARMIE, "paper.json", objectives=[*study["objectives"], COUNTED])
        self.run_program("run", "study.json", "-o", "one.db")

    def submit(self, *options, disturbance="", code=0):
        environment = dict(self.cluster.environment)
        if disturbance:  # of the jobs, not of `submit` itself
            submitter = self.folder / "bin" / "sbatch"
            submitter.parent.mkdir(exist_ok=True)
            submitter.write_text(f"#!/bin/sh\nexport LD_PRELOAD='{DISTURBANCE}' "
                                 f"COUNTERPOISE_DISTURBANCE='{disturbance}'\n"
                                 f"exec '{shutil.which('sbatch')}' \"$@\"\n")
            submitter.chmod(0o755)
            environment["PATH"] = f"{submitter.parent}:{environment['PATH']}"
        output = () if "-o" in options else ("-o", "all.db")
        return self.run_program("submit", "study.json", "--tasks", TASKS, *output,
                                "--copy-every", "1", *options, code=code, env=environment)

    def progress(self):
        return self.run_json("progress", "all.db", "--json")

    def programs(self, stopped=None):
        """Of each task that runs, by its number: the process of the program. With `stopped`, only
        those that a disturbance has stopped."""
        found = {}
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().decode().split("\0")
                state = (process / "stat").read_text().rsplit(")", 1)[1].split()[0]
            except (OSError, UnicodeDecodeError):
                continue
            if words[0] == os.path.realpath(PROGRAM) and words[1:2] == ["run"] \
                    and words[2].startswith(str(self.folder)) and (not stopped or state == "T"):
                found[int(words[words.index("--shard") + 1].split("/")[0])] = int(process.name)
        return found

    def until(self, condition):
        """Waits for what has to come, however slow the machine is."""
        while not (value := condition()):
            os.sched_yield()
        return value

    def go_on_until_queue_is_empty(self):
        def is_empty():
            for pid in self.programs(stopped=True).values():
                os.kill(pid, signal.SIGCONT)
            self.cluster.start_requeued()
            return not self.cluster.queue()
        self.until(is_empty)

    def events(self, task):
        lines = (self.folder / "all.db.tasks" / f"task.{task}.state").read_text().splitlines()
        return [tuple(line.split()[1:]) for line in lines]

    def test_eight_tasks_leave_what_one_process_leaves(self):
        self.use_paper()
        said = self.submit().stdout
        self.assertIn("8 of 8 tasks submitted", said)
        self.until(lambda: not self.cluster.queue())
        self.assert_same_results("all.db", "one.db")
        progress = self.progress()
        self.assertEqual((progress["done"], progress["whole"]), (8, True))
        self.assertEqual(progress["cases"], {"done": 47570, "of": 47570})
        self.assertEqual(list((self.folder / "all.db.tasks").glob("part.*")), [])
        self.assertIn("nothing is left to do", self.submit().stdout)
        self.assertEqual(self.cluster.queue(), [])

    def test_whatever_happens_to_tasks(self):
        self.use_paper()
        self.submit(disturbance="stop 700 evaluate")  # each part has more feasible designs
        stopped = self.until(lambda: len(found := self.programs(stopped=True)) >= 4 and found)
        self.assertEqual(self.progress()["running"], 4)
        killed, limited, *others = sorted(stopped)
        os.kill(self.script_of(stopped[limited]), signal.SIGUSR1)  # as before the time limit
        self.until(lambda: self.has_pending_end(stopped[limited]))
        os.kill(stopped[killed], signal.SIGKILL)
        self.cluster.kill_node("n1")
        self.cluster.start_node("n1")
        self.go_on_until_queue_is_empty()

        self.assertEqual(self.events(killed)[-1], ("ended", "137"))
        limited_events = [event for event, _ in self.events(limited)]
        self.assertEqual(limited_events, ["started", "stopped", "started", "ended"])
        for task in others:
            self.assertEqual([event for event, _ in self.events(task)], ["started", "ended"])
        progress = self.progress()
        self.assertEqual((progress["done"], progress["failed"], progress["whole"]), (7, 1, False))
        self.assertEqual(progress["problems"][0]["task"], killed)
        self.assertIn("exit code 137", progress["problems"][0]["why"])
        merge_log = (self.folder / "all.db.tasks" / "merge.log").read_text()
        self.assertRegex(merge_log, rf"shards {killed}/8 are missing|part\.{killed}\.db is not")
        self.assertFalse((self.folder / "all.db").exists())

        # what is not finished, and a part that has been cut off, are submitted again; the merge
        # dies midway
        cut = self.folder / "all.db.tasks" / f"part.{others[0]}.db"
        with open(cut, "r+b") as part:
            part.truncate(cut.stat().st_size // 2)
        said = self.submit(disturbance="kill 5 write all.db*").stdout
        self.assertIn("2 of 8 tasks submitted, 0 in the queue before, 6 finished", said)
        self.until(lambda: not self.cluster.queue())
        progress = self.progress()
        self.assertEqual((progress["done"], progress["whole"]), (8, False))
        self.assertFalse((self.folder / "all.db").exists())
        self.assertIn("not joined yet", self.run_program("progress", "all.db.tasks").stdout)

        self.assertIn("0 of 8 tasks submitted", self.submit().stdout)
        self.until(lambda: not self.cluster.queue())
        self.assert_same_results("all.db", "one.db")
        self.assertTrue(self.progress()["whole"])

    def script_of(self, pid):
        """The batch script that has started a program."""
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])

    def has_pending_end(self, pid):
        """Whether SIGTERM waits for a process to be continued."""
        pending = re.findall(r"^S(?:ig|hd)Pnd:\s*(\w+)", pathlib.Path(
            f"/proc/{pid}/status").read_text(), re.MULTILINE)
        return any(int(mask, 16) >> (signal.SIGTERM - 1) & 1 for mask in pending)

    def overwrite(self, part):
        """Damages rows: the study's texts, which also tell parts apart, are in the first half."""
        pages = part.stat().st_size // 4096
        with open(part, "r+b") as file:
            for page in range(pages // 2, pages, 4):
                file.seek(4096 * page + 200)
                file.write(bytes(3000))

    def test_parts_that_are_of_no_use_are_evaluated_again(self):
        self.use_paper()
        tasks = self.folder / "all.db.tasks"
        self.submit(disturbance="kill 1 write all.db*")
        self.until(lambda: not self.cluster.queue())
        self.overwrite(tasks / "part.2.db")
        shutil.copy(tasks / "part.1.db", tasks / "part.3.db")
        said = self.submit()
        self.assertIn("2 of 8 tasks submitted", said.stdout)
        self.assertRegex(said.stderr, "task 2 is evaluated again.*damaged")
        self.assertRegex(said.stderr, "task 3 is evaluated again.*is not the part 3/8")
        self.until(lambda: not self.cluster.queue())
        self.assert_same_results("all.db", "one.db")
        # another study is not taken for this one
        study = json.loads((self.folder / "study.json").read_text(encoding="utf-8"))
        self.write("study.json", {**study, "description": "another"})
        self.assertIn("begin afresh with --force", self.submit(code=BAD_INPUT).stderr)

    def test_a_study_is_submitted_anew_while_tasks_run(self):
        self.use_paper()
        self.submit(disturbance="stop 700 evaluate")
        self.until(lambda: len(self.programs(stopped=True)) >= 4)
        study = json.loads((self.folder / "study.json").read_text(encoding="utf-8"))
        self.write("study.json", {**study, "description": "another"})
        self.run_program("run", "study.json", "-o", "one.db", "--force")
        self.submit("--force")
        self.until(lambda: not self.cluster.queue())
        self.assert_same_results("all.db", "one.db")
        self.assertTrue(self.progress()["whole"])

    def test_srun_starts_a_launch(self):
        self.use_paper()
        self.cluster.call("srun", "--ntasks=3", "--cpus-per-task=1", PROGRAM, "run", "study.json",
                          "-o", "all.db", "--shard", "auto", "--threads", "1", cwd=self.folder)
        self.assert_same_results("all.db", "one.db")

    def test_another_processor(self):
        self.use_paper()
        printed = self.submit("--print").stdout.split(f"# {self.folder}/all.db.tasks/merge.sh")[0]
        self.assertFalse((self.folder / "all.db.tasks").exists())
        (self.folder / "all.db.tasks").mkdir()
        self.write("task.sh", re.sub("^for flag in .*; do", "for flag in fpu unheardof; do",
                                     printed[printed.index("#!"):], flags=re.MULTILINE))
        self.cluster.call("sbatch", "--wait", "--array=1", str(self.folder / "task.sh"),
                          check_code=False)
        log = (self.folder / "all.db.tasks" / "task.1.log").read_text()
        self.assertIn("lacks unheardof", log)
        self.assertEqual(self.events(1), [("ended", "1")])


    def test_a_refused_submission_leaves_nothing(self):
        self.copy_example(CHARMIE, "paper.json")
        before = self.contents()
        said = self.submit("--partition", "unheardof", code=BAD_INPUT)
        self.assertIn("invalid partition", said.stderr.lower())
        said = self.submit("-o", "no/such/folder.db", code=BAD_INPUT)
        self.assertIn("folder.db.tasks: cannot be created", said.stderr)
        self.assertEqual(self.contents(), before)

    def test_a_folder_with_spaces_and_quotes(self):
        self.folder = self.folder / "it's a study"
        self.folder.mkdir()
        self.use_paper()
        self.submit()
        self.until(lambda: not self.cluster.queue())
        self.assert_same_results("all.db", "one.db")


class WithoutCluster(ScratchFolder):
    def test_wrong_submissions_write_nothing(self):
        self.copy_example(CHARMIE, "paper.json")
        self.write("there.db", "")
        os.mkdir(self.folder / "bin")
        os.mkdir(self.folder / "mine.db.tasks")
        self.write("mine.db.tasks/thesis.tex", "")
        before = self.contents()
        nowhere = {**os.environ, "PATH": str(self.folder / "bin")}
        for arguments, words in ((("-o", "all.db"), "one that submits to Slurm"),
                                 (("-o", "there.db"), "exists already"),
                                 (("-o", "mine.db"), "is in the way"),
                                 (("-o", "mine.db", "--force"), "is in the way"),
                                 (("-o", "all.db", "--option", "account"), "one option of sbatch"),
                                 (("-o", "all.db", "--time", "1\n#SBATCH -n9"), "one option of")):
            said = self.run_program("submit", "study.json", "--tasks", "2", *arguments,
                                    code=BAD_INPUT, env=nowhere)
            self.assertIn(words, said.stderr)
        for place in ("all.db", ".", "there.db"):
            said = self.run_program("progress", place, code=BAD_INPUT)
            self.assertIn("nothing was submitted", said.stderr)
        self.assertEqual(self.contents(), before)

    def test_a_plan_that_was_changed(self):
        self.copy_example(CHARMIE, "paper.json")
        os.mkdir(self.folder / "all.db.tasks")
        for plan in ("", "[]", '{"format": "counterpoise-tasks/1"}', '{"tasks": "eight"}'):
            self.write("all.db.tasks/plan.json", plan)
            self.run_program("progress", "all.db", code=BAD_INPUT)
            self.run_program("submit", "study.json", "--tasks", "2", "-o", "all.db", code=BAD_INPUT)

    def test_a_copy_is_kept_and_begun_from(self):
        self.copy_example(CHARMIE, "paper.json")
        self.run_program("run", "study.json", "-o", "one.db")
        self.run_program("run", "study.json", "-o", "node/a.db", "--copy-to", "home.db",
                         code=BAD_INPUT)  # there is no such folder
        self.run_program("run", "study.json", "-o", "a.db", "--copy-to", "home.db")
        self.assert_same_results("home.db", "one.db")
        said = self.run_program("run", "study.json", "-o", "b.db", "--resume", "--copy-to", "home.db")
        self.assertIn("0 evaluated", said.stdout)
        self.assert_same_results("b.db", "one.db")
        # nothing that is no copy of this run is overwritten, or begun from
        self.write("text.db", "no database")
        self.run_program("run", "study.json", "-o", "part.db", "--shard", "1/3")
        study = json.loads((self.folder / "study.json").read_text(encoding="utf-8"))
        self.write("other.json", {**study, "sampling": {**study["sampling"], "count": 100}})
        before = self.contents()
        for output, home, words in (("c.db", "text.db", "not a results file"),
                                    ("c.db", "study.json", "study.json"),
                                    ("c.db", "springs.csv", "springs.csv"),
                                    ("c.db", "part.db", "another part"),
                                    ("c.db", "c.db.copying", "c.db.copying"),
                                    ("c.db", "bin", "bin"),
                                    ("c.db", "no/such/home.db", "no/such")):
            if home == "bin":
                (self.folder / "bin").mkdir()
                before = self.contents()
            said = self.run_program("run", "study.json", "-o", output, "--resume", "--copy-to", home,
                                    code=BAD_INPUT)
            self.assertIn(words, said.stderr)
        said = self.run_program("run", "other.json", "-o", "part.db", "--resume", "--copy-to",
                                "one.db", code=BAD_INPUT)
        self.assertIn("no copy of this run", said.stderr)
        said = self.run_program("run", "study.json", "-o", "c.db", "--copy-to", "home.db",
                                code=BAD_INPUT)
        self.assertIn("--resume begins from it", said.stderr)
        self.assertEqual(self.contents(), before)

    def test_results_that_are_replaced_are_not_what_is_copied(self):
        self.copy_example(CHARMIE, "paper.json")
        study = json.loads((self.folder / "study.json").read_text(encoding="utf-8"))
        self.write("few.json", {**study, "sampling": {**study["sampling"], "count": 100}})
        self.run_program("run", "few.json", "-o", "a.db")
        self.write("study.json", {**study, "sampling": {**study["sampling"], "count": 400_000}})
        self.run_program("run", "study.json", "-o", "a.db", "--force", "--copy-to", "home.db",
                         disturbance="terminate 2 sync a.db.partial", code=INTERRUPTED)
        self.assertGreater(len(self.cases("a.db.partial")), 100)
        self.assertEqual(self.cases("home.db"), self.cases("a.db.partial"))


if __name__ == "__main__":
    unittest.main()
