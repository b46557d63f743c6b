#!/usr/bin/env python3
"""`submit` and `progress`, with a program named sbatch in Slurm's place that runs the tasks at once."""

import os
import re
import subprocess
import unittest

from program import BAD_INPUT, CHARMIE, PROGRAM, TWO_LINK_ARM, ScratchFolder, disturbed

# Runs the tasks of an array, one after the other, and notes how each ended. It leaves out those in
# LOST and disturbs those in HURT.
SBATCH = r"""#!/bin/bash
script=$(realpath "${@: -1}")
array=$(sed -n 's/^#SBATCH --array=//p' "$script")
[[ $1 == --array=* ]] && array=${1#--array=}
cd "$(sed -n 's/^#SBATCH --chdir="\(.*\)"$/\1/p' "$script")" || exit 1
for range in ${array//,/ }; do
  for task in $(seq "${range%-*}" "${range#*-}"); do
    [[ " $LOST " == *" $task "* ]] && continue
    [[ " $HURT " == *" $task "* ]] && export LD_PRELOAD=$DISTURBANCE || unset LD_PRELOAD
    SLURM_ARRAY_TASK_ID=$task bash "$script" >> "task.$task.log" 2>&1
    echo "$task $?" >> ended
  done
done
echo Submitted batch job 17
"""
VARIABLES = {"spring_rate": {"range": [500, 1200], "unit": "N/m"},
             "mount_radius": {"range": [0.03, 0.1]}}
# a tangent of a small angle, which disturbances count
COUNTED = [{"name": "counted", "expression": "shoulder.mean + tan(1e-9 * spring_rate)"}]


class Submit(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.use_tools(self.folder)

    def use_tools(self, folder):
        tools = folder / "tools"
        tools.mkdir()
        (tools / "counterpoise").symlink_to(os.path.realpath(PROGRAM))
        (tools / "sbatch").write_text(SBATCH)
        (tools / "sbatch").chmod(0o755)
        hurt = disturbed("kill 300 evaluate")
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}",
                            "COUNTERPOISE_DISTURBANCE": hurt["COUNTERPOISE_DISTURBANCE"],
                            "ASAN_OPTIONS": hurt["ASAN_OPTIONS"], "DISTURBANCE": hurt["LD_PRELOAD"]}

    def use(self, count=3000, **changes):
        self.copy_example(TWO_LINK_ARM, "study.json", variables=VARIABLES, objectives=COUNTED,
                          **changes, sampling={"method": "sobol", "count": count, "seed": 1})

    def submit(self, *options, code=0, lost="", hurt=""):
        return self.run_program("submit", "study.json", "--tasks", "4", "-o", "all.db", *options,
                                code=code, env={**self.environment, "LOST": lost, "HURT": hurt})

    def progress(self):
        return self.run_json("progress", "all.db", "--json")

    def do(self, start):
        """Does what a line of `progress` tells to do, which starts so."""
        said = self.run_program("progress", "all.db").stdout
        line = re.search(f"^{start}.*$", said, re.MULTILINE)[0]
        subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)

    def ended(self):
        return (self.folder / "all.db.tasks" / "ended").read_text().split("\n")[:-1]

    def check_whole(self):
        """Joins the parts, and compares the results with those of one process."""
        self.assertEqual(self.progress()["done"], 4)
        self.do("counterpoise merge")
        self.run_program("run", "study.json", "-o", "one.db")
        self.assert_same_results("all.db", "one.db")

    def test_four_tasks_leave_what_one_process_leaves(self):
        self.use()
        said = self.submit().stdout
        self.assertIn("Submitted batch job 17", said)
        self.assertIn("3000 cases in 4 tasks", said)
        self.assertIn("\ncounterpoise merge all.db.tasks/part.*.db -o all.db --whole\n", said)
        self.assertEqual(self.ended(), ["1 0", "2 0", "3 0", "4 0"])
        progress = self.progress()
        self.assertEqual((progress["tasks"], progress["done"], progress["missing"]), (4, 4, []))
        self.assertEqual(progress["cases"], {"done": 3000, "of": 3000})
        self.assertEqual([part["cases"] for part in progress["parts"]], [750] * 4)
        self.assertIn("4 tasks: 4 finished, 0 begun, 0 without a part\n3000 of 3000 cases\n",
                      self.run_program("progress", "all.db").stdout)
        self.check_whole()
        before = self.contents()
        self.assertIn("all.db: exists already", self.submit(code=BAD_INPUT).stderr)
        self.assertEqual(self.contents(), before)

    def test_all_variants_have_tasks_of_their_own(self):
        self.copy_example(TWO_LINK_ARM, "study.json", variables=None, sampling=None, variants={
            name: {"variables": VARIABLES, "sampling": {"method": "sobol", "count": count, "seed": 1}}
            for name, count in (("few", 30), ("many", 300))})
        printed = self.run_program("submit", "study.json", "--tasks", "3", "-o", "all", "--print").stdout
        self.assertEqual(re.findall(r"study\.json#\w+", printed), ["study.json#few", "study.json#many"])
        said = self.run_program("submit", "study.json", "--tasks", "3", "-o", "all", env=self.environment).stdout
        self.assertRegex(said, r"(?s)variant few\n30 cases in 3 tasks.+\n\nvariant many\n300 cases in 3 tasks")
        self.assertTrue(said.endswith("\n`counterpoise compare all` ranks all variants then\n"))
        for line in re.findall("^counterpoise merge.*$", said, re.MULTILINE):
            subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.environment, check=True, stdout=subprocess.DEVNULL)
        self.run_program("run", "study.json", "-o", "one")
        for name in ("few", "many"):
            self.assert_same_results(f"all/{name}.db", f"one/{name}.db")
        self.run_program("compare", "all")
        before = self.contents()
        self.assertIn("few.db: exists already", self.run_program("submit", "study.json", "--tasks", "3", "-o", "all",
                                                                 code=BAD_INPUT, env=self.environment).stderr)
        self.assertEqual(self.contents(), before)

    def test_variants_that_were_not_submitted_are_named(self):
        self.copy_example(TWO_LINK_ARM, "study.json", variables=None, sampling=None, variants={
            name: {"variables": VARIABLES, "sampling": {"method": "sobol", "count": 8, "seed": 1}}
            for name in ("one", "two", "three")})
        sbatch = self.folder / "tools" / "sbatch"
        sbatch.write_text("#!/bin/bash\ncase $1 in *two*) exit 1;; esac\n")
        said = self.run_program("submit", "study.json", "--tasks", "2", "-o", "all", code=BAD_INPUT,
                                env=self.environment).stderr
        self.assertIn("the variants before two were submitted; submit the others by their names: study.json#two -o all/two.db",
                      said)
        self.assertEqual(sorted(path.name for path in (self.folder / "all").iterdir()), ["one.db.tasks"])

    def test_tasks_that_were_killed_or_lost_go_on(self):
        self.use()
        self.submit(hurt="2", lost="3 4")
        self.assertEqual(self.ended()[0], "1 0")
        self.assertNotEqual(self.ended()[1], "2 0")
        progress = self.progress()
        self.assertEqual((progress["done"], progress["missing"]), (1, [3, 4]))
        self.assertEqual([part["finished"] for part in progress["parts"]],
                         [True, False, False, False])
        killed, lost = progress["parts"][1:3]
        self.assertLess(killed["cases"], 750)
        self.assertIn("Killed", killed["said"])
        self.assertEqual((lost["cases"], lost["said"]), (None, None))
        said = self.run_program("progress", "all.db").stdout
        self.assertIn("4 tasks: 1 finished, 1 begun, 2 without a part\n", said)
        self.assertRegex(said, r"\ntask 2: \d+ cases; .*Killed")
        self.assertIn("\nsbatch --array=2-4 ", said)
        self.assertIn("exists already: `counterpoise progress`", self.submit(code=BAD_INPUT).stderr)
        self.do("sbatch --array")
        self.assertEqual(self.ended()[2:], ["2 0", "3 0", "4 0"])
        self.check_whole()

    def test_a_part_without_a_feasible_design_is_no_failure(self):
        self.use(constraints=[{"name": "never", "expression": "1", "max": 0}])
        self.submit()
        self.assertEqual(self.ended(), ["1 0", "2 0", "3 0", "4 0"])

    def test_a_task_that_fails_says_why(self):
        self.use()
        (self.folder / "study.json").rename(self.folder / "moved.json")
        self.submit(code=BAD_INPUT)
        (self.folder / "moved.json").rename(self.folder / "study.json")
        self.submit(lost="1 2 3 4")
        (self.folder / "study.json").rename(self.folder / "moved.json")
        self.do("sbatch --array=1-4")
        self.assertEqual(self.ended(), ["1 2", "2 2", "3 2", "4 2"])
        self.assertRegex(self.run_program("progress", "all.db").stdout,
                         r"\ntask 1: 0 cases; .*study\.json")

    def test_a_part_that_is_none(self):
        self.use()
        self.submit(lost="2")
        self.write("all.db.tasks/part.2.db", "no database")
        self.assertEqual(self.progress()["done"], 3)
        self.assertRegex(self.run_program("progress", "all.db").stdout,
                         r"\ntask 2: 0 cases; .*part\.2\.db: is not a results file")

    def test_the_script_has_what_was_asked(self):
        self.use()
        before = self.contents()
        said = self.submit("--print", "--partition", "long", "--time=1:00:00", "--memory", "2G",
                           "--cpus", "8", "--option=--account=me", "--option=--nice").stdout
        for line in ("#!/bin/bash", "#SBATCH --array=1-4", "#SBATCH --cpus-per-task=8",
                     "#SBATCH --partition=long", "#SBATCH --time=1:00:00", "#SBATCH --mem=2G",
                     "#SBATCH --account=me", "#SBATCH --nice",
                     f'#SBATCH --chdir="{self.folder}/all.db.tasks"'):
            self.assertIn(line, said.splitlines())
        self.assertEqual(self.contents(), before)
        subprocess.run(["bash", "-n"], input=said, text=True, check=True)

    def test_a_folder_with_spaces_and_quotes(self):
        self.folder = self.folder / "it's a study"
        self.folder.mkdir()
        self.use()
        self.submit()
        self.check_whole()

    def test_wrong_submissions_write_nothing(self):
        self.copy_example(CHARMIE, "paper.json")
        self.write("there.db", "")
        os.mkdir(self.folder / "mine.db.tasks")
        self.write("mine.db.tasks/thesis.tex", "")
        (self.folder / "tools" / "sbatch").write_text("#!/bin/sh\nexit 1\n")
        before = self.contents()
        for options, words in (((), "one that submits to Slurm"),
                               (("-o", "there.db"), "exists already"),
                               (("-o", "mine.db"), "exists already"),
                               (("-o", "no/such/folder.db"), "folder.db.tasks: cannot be created"),
                               (("--option", "account"), "one option of sbatch"),
                               (("--time", "1\n#SBATCH -n9"), "one option of sbatch")):
            output = () if "-o" in options else ("-o", "all.db")
            said = self.run_program("submit", "study.json", "--tasks", "2", *output, *options,
                                    code=BAD_INPUT, env=self.environment)
            self.assertIn(words, said.stderr)
        for output in ("all.db", ".", "there.db", "mine.db"):
            said = self.run_program("progress", output, code=BAD_INPUT)
            self.assertIn("nothing was submitted", said.stderr)
        self.assertEqual(self.contents(), before)
        for script in ("", "#!/bin/bash\n#SBATCH --array=1-\n", "#SBATCH --array=1-0\n"):
            self.write("mine.db.tasks/task.sh", script)
            said = self.run_program("progress", "mine.db", code=BAD_INPUT)
            self.assertIn("expected a line #SBATCH --array=1-N", said.stderr)


if __name__ == "__main__":
    unittest.main()
