#!/usr/bin/env python3
"""Studies shared by a real Slurm cluster on this machine."""

import os
import subprocess
import sys
import tempfile
import unittest

from program import BAD_INPUT, CHARMIE, PROGRAM, ScratchFolder
from slurm import Cluster, what_lacks


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
        self.copy_example(CHARMIE, "paper.json")
        self.run_program("run", "study.json", "-o", "one.db")

    def submit(self, *options, code=0):
        return self.run_program("submit", "study.json", "--tasks", "8", "-o", "all.db", *options,
                                code=code, env=self.cluster.environment)

    def test_eight_tasks_leave_what_one_process_leaves(self):
        self.folder = self.folder / "it's a study"
        self.folder.mkdir()
        self.use_paper()
        self.assertIn("Submitted batch job", self.submit("--option=--comment=a study").stdout)
        while self.cluster.queue():
            os.sched_yield()
        progress = self.run_json("progress", "all.db", "--json")
        self.assertEqual((progress["done"], progress["cases"]), (8, {"done": 47570, "of": 47570}))
        merge, = (line for line in self.run_program("progress", "all.db").stdout.splitlines()
                  if line.startswith("counterpoise merge"))
        subprocess.run(["bash", "-c", merge.replace("counterpoise", PROGRAM, 1)], check=True,
                       cwd=self.folder)
        self.assert_same_results("all.db", "one.db")

    def test_srun_starts_a_launch(self):
        self.use_paper()
        self.cluster.call("srun", "--ntasks=3", "--cpus-per-task=1", PROGRAM, "run", "study.json",
                          "-o", "all.db", "--shard", "auto", "--threads", "1", cwd=self.folder)
        self.assert_same_results("all.db", "one.db")

    def test_a_refused_submission_leaves_nothing(self):
        self.copy_example(CHARMIE, "paper.json")
        before = self.contents()
        said = self.submit("--partition", "unheardof", code=BAD_INPUT)
        self.assertIn("invalid partition", said.stderr.lower())
        self.assertEqual(self.contents(), before)


if __name__ == "__main__":
    unittest.main()
