#!/usr/bin/env python3
"""Processes that a launcher has started share a study, and leave the file of one process."""

import os
import shutil
import signal
import subprocess
import unittest

from program import (BAD_INPUT, DISTURBANCE, DONE, INFEASIBLE, INTERRUPTED, PROGRAM, TWO_LINK_ARM,
                     ScratchFolder)

LAUNCHERS = {
    "Open MPI": ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE"),
    "PMI": ("PMI_RANK", "PMI_SIZE", "PMI_JOBID"),
    "Slurm": ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID"),
}
VARIABLES = {"spring_rate": {"range": [500, 1200], "unit": "N/m"},
             "mount_radius": {"range": [0.03, 0.1]}}


def plain_environment():
    known = ("OMPI_", "PMI", "SLURM_")
    return {name: value for name, value in os.environ.items() if not name.startswith(known)}


class Launched(ScratchFolder):
    output = "all.db"

    def use(self, count=3000, **changes):
        self.copy_example(TWO_LINK_ARM, "study.json", variables=VARIABLES, **changes,
                          sampling={"method": "sobol", "count": count, "seed": 1})
        self.run_program("run", "study.json", "-o", "one.db", "--force")

    def launch(self, ranks, count, *options, launcher="Open MPI", job="7"):
        """Starts some processes of a launch with the environment that a launcher sets."""
        rank_name, count_name, job_name = LAUNCHERS[launcher]
        return [self.start("run", "study.json", "-o", self.output, "--shard", "auto", *options,
                           env={**plain_environment(), rank_name: str(rank),
                                count_name: str(count), job_name: job}) for rank in ranks]

    def ends(self, processes):
        """Exit code, output and messages of each."""
        said = [process.communicate() for process in processes]
        return [(process.returncode, *words) for process, words in zip(processes, said)]

    def parts(self):
        return sorted(path.name for path in self.folder.glob("all.db*"))

    def assert_whole(self):
        self.assertEqual(self.parts(), ["all.db"])
        self.assert_same_results("all.db", "one.db")
        rank = ("rank", "--format", "json", "--all")
        self.assertEqual(self.run_program(rank[0], "all.db", *rank[1:]).stdout,
                         self.run_program(rank[0], "one.db", *rank[1:]).stdout)
        keys = [{row["key"] for row in self.query(file, "SELECT key FROM study")} - {"born_as"}
                for file in ("all.db", "one.db")]
        self.assertEqual(*keys)

    def test_what_a_study_keeps_is_the_same(self):
        self.use(keep={"best": 20, "sample": 100})
        for code, _, messages in self.ends(self.launch((0, 1, 2), 3)):
            self.assertEqual(code, DONE, messages)
        self.assert_whole()
        for table in ("sample", "evaluated", "status_counts", "totals", "histograms"):
            self.assertEqual(*(self.query(file, f"SELECT * FROM {table}")
                               for file in ("all.db", "one.db")))

    def test_each_launcher_is_understood(self):
        self.use()
        for launcher in LAUNCHERS:
            with self.subTest(launcher):
                (first, *others) = self.ends(self.launch(range(3), 3, "--force",
                                                         launcher=launcher))
                self.assertEqual(first[0], DONE, first)
                self.assertIn("3000 cases", first[1])
                for code, output, messages in others:
                    self.assertEqual((code, output, messages), (DONE, "", ""))
                self.assert_whole()

    def mpirun(self, *options, before=""):
        """Three processes; `before` is what the shell of each does first."""
        mpirun = shutil.which("mpirun")
        if not mpirun:
            self.skipTest("mpirun is not installed")
        environment = {**plain_environment(), "OMPI_ALLOW_RUN_AS_ROOT": "1",
                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

        def launched(*command):
            return subprocess.run([mpirun, "-n", "3", "--oversubscribe", *command], text=True,
                                  cwd=self.folder, env=environment, capture_output=True)

        if launched("true").returncode != 0:
            self.skipTest("mpirun starts no processes here")
        return launched("sh", "-c", f"{before} exec '{PROGRAM}' run study.json -o all.db "
                        f"--shard auto {' '.join(options)}")

    def test_under_mpirun(self):
        self.use()
        said = self.mpirun()
        self.assertEqual(said.returncode, DONE, said.stdout + said.stderr)
        self.assert_whole()

    def test_a_process_of_mpirun_is_killed(self):
        # a tangent of a small angle is what the disturbance counts
        self.use(objectives=[{"name": "counted",
                              "expression": "shoulder.mean + tan(1e-9 * spring_rate)"}])
        said = self.mpirun(before="if [ $OMPI_COMM_WORLD_RANK = 1 ]; then export "
                                  f"LD_PRELOAD='{DISTURBANCE}' ASAN_OPTIONS=verify_asan_link_order=0 "
                                  "COUNTERPOISE_DISTURBANCE='kill 300 evaluate'; fi;")
        self.assertNotEqual(said.returncode, DONE)
        self.assertFalse((self.folder / "all.db").exists())
        said = self.mpirun("--resume")
        self.assertEqual(said.returncode, DONE, said.stdout + said.stderr)
        self.assert_whole()

    def use_ways(self):
        """A study with two variants, and the folder of what one process makes of them."""
        self.copy_example(TWO_LINK_ARM, "study.json", variables=None, sampling=None, variants={
            name: {"variables": VARIABLES, "sampling": {"method": "sobol", "count": count, "seed": 1}}
            for name, count in (("few", 300), ("many", 2000))})
        self.run_program("run", "study.json", "-o", "one")

    def test_all_variants_of_a_study(self):
        self.use_ways()
        self.output = "all"
        first, *others = self.ends(self.launch(range(3), 3))
        self.assertEqual(first[0], DONE, first)
        self.assertRegex(first[1], r"(?s)variant few.+300 cases.+variant many.+2000 cases.+feasible designs")
        for ended in others:
            self.assertEqual(ended, (DONE, "", ""))
        self.assertEqual(sorted(path.name for path in (self.folder / "all").iterdir()), ["few.db", "many.db"])
        for name in ("few", "many"):
            self.assert_same_results(f"all/{name}.db", f"one/{name}.db")

    def test_variants_go_on_where_a_launch_was_lost(self):
        self.use_ways()
        self.output = "all"
        for code, _, messages in self.ends(self.launch((1, 2), 3)):
            self.assertEqual(code, DONE, messages)
        first, *others = self.ends(self.launch(range(3), 3, "--resume"))
        self.assertEqual(first[0], DONE, first)
        self.assertEqual({code for code, *_ in others}, {DONE})
        self.assertEqual(sorted(path.name for path in (self.folder / "all").iterdir()), ["few.db", "many.db"])
        for name in ("few", "many"):
            self.assert_same_results(f"all/{name}.db", f"one/{name}.db")
        again = self.ends(self.launch(range(2), 2, "--resume"))
        self.assertEqual([code for code, *_ in again], [DONE, DONE])
        refused = self.ends(self.launch(range(2), 2))
        self.assertEqual([code for code, *_ in refused], [BAD_INPUT, BAD_INPUT])
        self.assertIn("few.db: exists already", refused[0][2])

    def test_a_process_that_cannot_read_the_variants_leaves_word(self):
        self.use_ways()
        self.output = "all"
        (self.folder / "away").mkdir()
        lost = self.start("run", "study.json", "-o", self.folder / "all", "--shard", "auto", cwd=self.folder / "away",
                          env={**plain_environment(), "OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2",
                               "PMIX_NAMESPACE": "7"})
        self.assertEqual(self.ends([lost])[0][0], BAD_INPUT)
        told, = self.ends(self.launch([0], 2))
        self.assertEqual(told[0], BAD_INPUT)
        self.assertIn("part 2 of 2 has ended: study.json", told[2])

    def test_more_processes_than_cases(self):
        self.use(count=2)
        self.assertEqual({code for code, *_ in self.ends(self.launch(range(4), 4))}, {DONE})
        self.assert_whole()

    def test_parts_without_a_feasible_design_fail_nobody_else(self):
        self.copy_example(TWO_LINK_ARM, "study.json", sampling={"method": "grid"},
                          constraints=[{"name": "never", "expression": "1", "max": 0}])
        codes = [code for code, *_ in self.ends(self.launch(range(3), 3))]
        self.assertEqual(codes, [INFEASIBLE, DONE, DONE])

    def test_a_process_that_is_killed_is_waited_for_and_goes_on_later(self):
        self.use()
        waiting, = self.launch([0], 2)
        self.assertIn("waiting for 1 of 2 parts", waiting.stderr.readline())
        waiting.send_signal(signal.SIGTERM)
        output, messages = waiting.communicate()
        self.assertEqual(waiting.returncode, INTERRUPTED)
        self.assertIn("--resume continues", messages)
        self.assertEqual(self.parts(), ["all.db.1-of-2"])
        self.assertEqual([code for code, *_ in self.ends(self.launch(range(2), 2, "--resume"))],
                         [DONE, DONE])
        self.assert_whole()
        # there is nothing left to do
        before = self.contents()
        self.assertEqual([code for code, *_ in self.ends(self.launch(range(2), 2, "--resume"))],
                         [DONE, DONE])
        self.assertEqual(self.contents(), before)

    def test_a_process_that_ends_leaves_word(self):
        self.use()
        self.write("all.db.2-of-2", "no database")
        ended, = self.ends(self.launch([1], 2))
        self.assertEqual(ended[0], BAD_INPUT)
        # the word of another launch is not for this one
        waiting, = self.launch([0], 2, job="8")
        self.assertIn("waiting", waiting.stderr.readline())
        waiting.send_signal(signal.SIGTERM)
        waiting.communicate()
        told, = self.ends(self.launch([0], 2, "--resume"))
        self.assertEqual(told[0], BAD_INPUT)
        self.assertIn("part 2 of 2 has ended", told[2])
        self.assertIn("not a results file", told[2])
        self.assertFalse((self.folder / "all.db").exists())

    def test_a_process_that_cannot_read_the_study_leaves_word(self):
        self.use()
        waiting, = self.launch([0], 2)
        self.assertIn("waiting", waiting.stderr.readline())
        (self.folder / "study.json").rename(self.folder / "moved.json")
        ended, = self.ends(self.launch([1], 2))
        self.assertEqual(ended[0], BAD_INPUT)
        told, = self.ends([waiting])
        self.assertEqual(told[0], BAD_INPUT)
        self.assertIn("part 2 of 2 has ended: study.json", told[2])

    def test_what_was_not_shared_is_not_replaced(self):
        self.use(count=100_000)
        self.run_program("run", "study.json", "-o", "all.db", code=INTERRUPTED,
                         disturbance="terminate 3 sync all.db")
        before = self.contents()
        for code, _, messages in self.ends(self.launch(range(2), 2, "--resume")):
            self.assertEqual(code, BAD_INPUT)
            self.assertIn("without --shard auto", messages)
        self.assertEqual(self.contents(), before)

    def test_parts_of_an_older_study_are_not_taken(self):
        self.use(count=2000)
        self.run_program("run", "study.json", "-o", "all.db.2-of-2", "--shard", "2/2")
        self.use(count=3000)
        waiting, = self.launch([0], 2, "--force")
        self.assertIn("waiting", waiting.stderr.readline())
        self.assertEqual(self.ends(self.launch([1], 2, "--force"))[0][0], DONE)
        self.assertEqual(self.ends([waiting])[0][0], DONE)
        self.assert_whole()

    def test_what_is_there_stays(self):
        self.use()
        self.write("all.db", "")
        before = self.contents()
        for code, _, messages in self.ends(self.launch(range(2), 2)):
            self.assertEqual(code, BAD_INPUT)
            self.assertIn("--force", messages)
        self.assertEqual(self.contents(), before)

    def test_no_launcher(self):
        self.use()
        batch_script = {"SLURM_PROCID": "0", "SLURM_NTASKS": "4", "SLURM_JOB_ID": "1"}
        wrong = {"OMPI_COMM_WORLD_RANK": "one", "OMPI_COMM_WORLD_SIZE": "2"}
        beyond = {"PMI_RANK": "2", "PMI_SIZE": "2"}
        before = self.contents()
        for environment, words in (({}, "srun or mpirun"), (batch_script, "srun or mpirun"),
                                   (wrong, 'found "one" in OMPI_COMM_WORLD_RANK'),
                                   (beyond, "found rank 2 in PMI_RANK of 2 processes")):
            said = self.run_program("run", "study.json", "-o", "all.db", "--shard", "auto",
                                    code=BAD_INPUT, env={**plain_environment(), **environment})
            self.assertIn(words, said.stderr)
        self.assertEqual(self.contents(), before)
        # without the option nothing is read from the environment
        self.run_program("run", "study.json", "-o", "whole.db", env={**plain_environment(), **wrong})


if __name__ == "__main__":
    unittest.main()
