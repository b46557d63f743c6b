#!/usr/bin/env python3
"""The installed package, as run.py has it tried in a clean root: what is in it, how it chooses among
its variants, and what a variant says of itself. Needs Python, numpy and qemu-user there."""

import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

VARIANTS = {  # name: instructions that it has, instructions that it lacks, lanes of its kernels
    "x86-64-v2": ({"sse4.2"}, {"avx", "fma", "avx2", "avx512f"}, "4"),
    "x86-64-v3": ({"avx2", "fma"}, {"avx512f"}, "4"),
    "x86-64-v4": ({"avx2", "fma", "avx512f", "avx512vl"}, set(), "8")}
EXAMPLES = pathlib.Path("/usr/share/counterpoise/examples")
LIBRARIES = pathlib.Path("/usr/lib/x86_64-linux-gnu/counterpoise")
PROCESSORS = {"Nehalem": "x86-64-v2", "Haswell": "x86-64-v3"}  # of qemu: the widest that each runs


def environment(variant=None):
    kept = {name: value for name, value in os.environ.items() if name != "COUNTERPOISE_ISA"}
    return kept if variant is None else {**kept, "COUNTERPOISE_ISA": variant}


def counterpoise(*words, variant=None, before=()):
    return subprocess.run([*before, "/usr/bin/counterpoise", *map(str, words)], text=True,
                          capture_output=True, env=environment(variant))


def in_python(script, variant=None):
    return subprocess.run(["/usr/bin/python3", "-c", script], text=True, capture_output=True,
                          env=environment(variant))


RUN_HERE = [name for name in VARIANTS if counterpoise("--version", variant=name).returncode == 0]


class Package(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        shutil.copytree(EXAMPLES / "two_link_arm", scratch.name, dirs_exist_ok=True)
        os.chdir(scratch.name)

    def run_study(self, *options, variant=None, code=0, before=()):
        done = counterpoise("run", "study.json", *options, variant=variant, before=before)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def program_of(self, results):
        """What the results say of the program that made them."""
        with contextlib.closing(sqlite3.connect(results)) as file:
            return dict(file.execute("SELECT key, value FROM study"))

    def check_variant(self, said, variant):
        present, absent, lanes = VARIANTS[variant]
        instructions = set(said["instruction_set"].split())
        self.assertLessEqual(present, instructions)
        self.assertFalse(absent & instructions)
        self.assertIn(f"-march={variant}", said["flags"].split())
        self.assertEqual(said.get("vector_width", lanes), lanes)

    def test_it_has_everything(self):
        share = pathlib.Path("/usr/share")
        files = [share / "man/man1/counterpoise.1.gz", share / "man/man1/counterpoise-run.1.gz",
                 share / "bash-completion/completions/counterpoise.bash",
                 share / "zsh/site-functions/_counterpoise",
                 share / "doc/counterpoise/copyright", share / "doc/counterpoise/changelog.gz",
                 share / "doc/counterpoise/changelog.Debian.gz",
                 share / "counterpoise/examples/charmie24/robust.json",
                 pathlib.Path("/usr/include/counterpoise/engine/mechanism/mechanism.hpp"),
                 pathlib.Path("/usr/lib/x86_64-linux-gnu/libcounterpoise_engine.a"),
                 pathlib.Path("/usr/lib/x86_64-linux-gnu/cmake/counterpoise/counterpoise-config.cmake"),
                 pathlib.Path("/usr/lib/python3/dist-packages/counterpoise/__init__.py")]
        files += [share / f"counterpoise/schemas/{kind}.schema.json"
                  for kind in ("model", "motion", "study", "scenario")]
        files += [LIBRARIES / variant / library for variant in VARIANTS
                  for library in ("libcounterpoise.so", "libcounterpoise_python.so")]
        owned = subprocess.run(["dpkg", "-L", "counterpoise"], check=True, text=True,
                               capture_output=True).stdout.splitlines()
        for file in files:
            with self.subTest(str(file)):
                self.assertTrue(file.is_file())
                self.assertIn(str(file), owned)
        self.assertEqual([path for path in owned if "/home/" in path or "node_modules" in path], [])

    def test_it_chooses_the_widest(self):
        self.run_study("-o", "chosen.db")
        self.check_variant(self.program_of("chosen.db"), RUN_HERE[-1])
        self.run_study("-o", "empty.db", variant="")
        self.check_variant(self.program_of("empty.db"), RUN_HERE[-1])

    def test_the_variable_chooses_and_results_say_it(self):
        for variant in RUN_HERE:
            with self.subTest(variant):
                self.run_study("-o", f"{variant}.db", variant=variant)
                self.check_variant(self.program_of(f"{variant}.db"), variant)

    def test_a_wrong_value_is_refused(self):
        for value in ("avx", "x86-64-v5", "X86-64-V3", "x86-64-v3 ", "\x1b[2J"):
            with self.subTest(value):
                done = counterpoise("run", "study.json", variant=value)
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stderr, r"^COUNTERPOISE_ISA: found \".*\", expected x86-64-v2, "
                                              r"x86-64-v3 or x86-64-v4; unset it .*\n$")
                self.assertNotIn("\x1b", done.stderr)
                self.assertFalse(pathlib.Path("two_link_arm.db").exists())
                done = in_python("import counterpoise", value)
                self.assertRegex(done.stderr, "ImportError: COUNTERPOISE_ISA: found")

    def test_a_run_goes_on_with_its_variant_only(self):
        first, other = RUN_HERE[-1], RUN_HERE[0]
        if first == other:
            self.skipTest("this processor runs one variant only")
        self.run_study("-o", "begun.db", variant=first)
        before = pathlib.Path("begun.db").read_bytes()
        done = self.run_study("-o", "begun.db", "--resume", variant=other, code=2)
        for word in ("instruction_set", f"-march={first}", f"-march={other}", "--allow-mixed"):
            self.assertIn(word, done.stderr)
        self.assertEqual(pathlib.Path("begun.db").read_bytes(), before)
        self.run_study("-o", "begun.db", "--resume", variant=first)
        self.run_study("-o", "begun.db", "--resume", "--allow-mixed", variant=other)

    def test_variants_rank_alike(self):
        best = []
        for variant in RUN_HERE:
            self.run_study("-o", f"{variant}.db", variant=variant)
            done = counterpoise("rank", f"{variant}.db", "--top", "5")
            best.append([line.split()[1] for line in done.stdout.splitlines() if line[:4].strip().isdigit()])
        self.assertEqual(len(best[0]), 5)
        self.assertEqual(best, [best[0]] * len(RUN_HERE))

    def test_a_batch_script_names_the_variant(self):
        done = counterpoise("submit", "study.json", "--tasks", "2", "--print", variant=RUN_HERE[0])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"export COUNTERPOISE_ISA={RUN_HERE[0]}\n/usr/bin/counterpoise run ", done.stdout)

    def test_older_processors_run_what_they_can(self):
        for processor, variant in PROCESSORS.items():
            with self.subTest(processor):
                emulated = ("qemu-x86_64", "-cpu", processor)
                self.run_study("-o", f"{processor}.db", "--threads", "1", before=emulated)
                self.check_variant(self.program_of(f"{processor}.db"), variant)
                done = counterpoise("--version", variant="x86-64-v4", before=emulated)
                self.assertEqual(done.returncode, 2)
                self.assertIn(f"this processor runs at most {variant}", done.stderr)
        done = counterpoise("--version", before=("qemu-x86_64", "-cpu", "core2duo"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("this processor lacks instructions of x86-64-v2", done.stderr)

    def test_a_lost_library_is_named(self):
        library = LIBRARIES / "x86-64-v2" / "libcounterpoise.so"
        away = library.with_suffix(".away")
        library.rename(away)
        self.addCleanup(away.rename, library)
        done = counterpoise("--version", variant="x86-64-v2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("x86-64-v2/libcounterpoise.so: cannot open shared object file", done.stderr)
        self.assertIn("install the package counterpoise again", done.stderr)

    def test_python_gives_the_numbers_of_the_program(self):
        script = ("import json, sys; import counterpoise as cp\n"
                  "run = cp.simulate(cp.Model.load('model.json'), cp.Motion.load('motion.json'))\n"
                  "print(json.dumps([dict(cp.build_info), list(run.t), list(run['shoulder.load'])]))")
        for variant in [None, *RUN_HERE]:
            with self.subTest(variant):
                done = in_python(script, variant)
                self.assertEqual(done.returncode, 0, done.stderr)
                build, t, load = json.loads(done.stdout)
                self.check_variant(build, variant or RUN_HERE[-1])
                said = counterpoise("simulate", "model.json", "--motion", "motion.json", "--json",
                                    variant=variant)
                columns = json.loads(said.stdout)
                self.assertEqual((columns["t"], columns["shoulder.load"]), (t, load))

    def test_python_runs_a_study(self):
        script = ("import counterpoise as cp\n"
                  "results = cp.Study.load('study.json').run('out.db')\n"
                  "print(cp.__file__); print(results.rank(top=1))")
        done = in_python(script)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("/usr/lib/python3/dist-packages/counterpoise/__init__.py", done.stdout)
        self.assertIn("491", done.stdout)


if __name__ == "__main__":
    unittest.main()
