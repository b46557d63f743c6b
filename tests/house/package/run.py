#!/usr/bin/env python3
"""Installs a package into a clean Debian 12 and tries it there: run.py PACKAGE [--folder FOLDER]
[--mirror URL] [--keep]. Needs root and debootstrap. Exit code 1 if anything is not as it should be.

FOLDER (default: test, beside the package) keeps the base system and what was downloaded; the root that
the package was installed into is removed, unless --keep is given."""

import argparse
import os
import pathlib
import sys

import clean_root

ROOT = pathlib.Path(__file__).resolve().parents[3]
WALK = "walk"  # the folder of the pages and tests in the clean root
VARIANTS = ("x86-64-v2", "x86-64-v3", "x86-64-v4")
PYTHON = ("/usr/bin/python3", "-B")
NOTEBOOK_PACKAGES = ["python3-ipykernel", "python3-matplotlib", "python3-nbclient", "python3-pandas",
                     "python3-scipy", "python3-tqdm"]


class Trial:
    def __init__(self, root):
        self.root = root
        self.failed = []

    def step(self, name, *words, code=0, said="", **environment):
        """Runs a command in the root: it has to end with this exit code and, where `said` is given, to
        print that."""
        print(f"\n== {name}", flush=True)
        done = self.root.run(*words, environment=environment, capture_output=True)
        text = (done.stdout + done.stderr).strip()
        good = done.returncode == code and said in " ".join(text.split())
        print(text[-300:] if good else text, flush=True)
        if not good:
            print(f"FAILED: {' '.join(map(str, words))}: exit code {done.returncode}, expected {code}"
                  + (f" and \"{said}\"" if said else ""), flush=True)
            self.failed.append(name)

    def test(self, name, tests, variant=""):
        folders = ("cli/support", "house", "house/package")
        self.step(name, *PYTHON, "-m", "unittest", tests, COUNTERPOISE_ISA=variant,
                  COUNTERPOISE_PROGRAM="/usr/bin/counterpoise", COUNTERPOISE_DISTURBANCE_LIBRARY="",
                  PYTHONPATH=":".join(f"/{WALK}/tests/{folder}" for folder in folders))


def supported_variants(root):
    """Those that this processor runs; the package's own tests see how it refuses the others."""
    return [variant for variant in VARIANTS
            if root.run("counterpoise", "--version", environment={"COUNTERPOISE_ISA": variant},
                        capture_output=True).returncode == 0]


def copy_walk(root):
    """The pages and the tests, with the package's examples."""
    for source in ("README.md", "docs", "cli/templates", "tests/cli/support", "tests/golden",
                   "tests/house"):
        root.copy(ROOT / source, f"{WALK}/{source}")
    (root.path / WALK / "examples").symlink_to("/usr/share/counterpoise/examples")


def try_consumers(trial):
    folder = f"/{WALK}/tests/house/consumer"
    configure = ("cmake", "-S", folder, "-B", "/walk/consumer", "-D", "CMAKE_BUILD_TYPE=Debug")
    trial.root.install("cmake", "g++", "make")
    trial.step("each library of a variant shows one function", "sh", "-c",
               "for file in /usr/lib/x86_64-linux-gnu/counterpoise/*/*.so; do "
               'nm -D --defined-only "$file" | cut -d" " -f3 | paste -s; done | sort | uniq -c; echo end',
               said="3 PyInit__core 3 counterpoise_main end")
    trial.step("a CMake project is told what its libraries need", *configure, code=1,
               said="Eigen3 (libeigen3-dev)")
    suggested = trial.root.run("dpkg-query", "-W", "-f", "${Suggests}", "counterpoise", check=True,
                               capture_output=True).stdout
    needed = [name for name in suggested.split(", ") if not name.startswith("python3-")]
    trial.root.install(*needed)
    trial.step("a CMake project finds the libraries", *configure)
    trial.step("and builds", "cmake", "--build", "/walk/consumer")
    trial.step("and runs", "/walk/consumer/consumer")


def try_notebooks(trial):
    notebooks = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
    if not notebooks:
        return
    trial.root.install(*NOTEBOOK_PACKAGES)
    trial.step("examples for the notebooks", "cp", "-rL", "/usr/share/counterpoise/examples",
               "/walk/notebooks")
    for notebook in notebooks:
        trial.step(f"notebook {notebook.name}", "sh", "-c",
                   'cd /walk/notebooks/notebooks && exec jupyter-execute "$1"', "sh", notebook.name,
                   MPLBACKEND="Agg")


def try_package(trial, package):
    root = trial.root
    root.copy(package, f"{WALK}/{package.name}")
    root.install(f"/{WALK}/{package.name}")
    trial.step("the program alone, without Python", "counterpoise", "check",
               "/usr/share/counterpoise/examples/two_link_arm/study.json")
    # again, so that py3compile of the package sees Python
    root.install("python3", "python3-numpy", "qemu-user")
    trial.step("installed again", "dpkg", "--install", f"/{WALK}/{package.name}")
    copy_walk(root)
    trial.test("the package", "package_test")
    variants = supported_variants(root)
    for variant in variants:
        trial.test(f"golden numbers of {variant}", "golden_test", variant=variant)
        trial.test(f"walk of the README with {variant}", "sessions_test.Pages.test_the_readme",
                   variant=variant)
    trial.test("walks of all pages", "sessions_test")
    try_notebooks(trial)
    try_consumers(trial)
    trial.step("removed", "dpkg", "--purge", "counterpoise")
    trial.step("nothing is left", "sh", "-c",
               'left=$(find /usr /etc /var/lib -name "*counterpoise*" ! -path "/usr/src/*"); '
               'echo "$left"; [ -z "$left" ]')
    left_out = [variant for variant in VARIANTS if variant not in variants]
    if left_out:
        print(f"\nThis processor does not run {', '.join(left_out)}: not tried.")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("package", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--mirror", default=clean_root.MIRROR)
    parser.add_argument("--keep", action="store_true", help="leave the root as it is in the end")
    options = parser.parse_args()
    if os.geteuid() != 0:
        raise SystemExit("A clean root needs root: run this with sudo.")
    folder = options.folder or options.package.parent / "test"
    root = clean_root.CleanRoot(folder, options.mirror)
    trial = Trial(root)
    try:
        try_package(trial, options.package)
    finally:
        if not options.keep:
            root.remove(root.path)
    print(f"\n{len(trial.failed)} steps failed: {', '.join(trial.failed)}" if trial.failed
          else "\nThe package is as it should be.")
    return 1 if trial.failed else 0


if __name__ == "__main__":
    sys.exit(main())
