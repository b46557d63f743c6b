#!/usr/bin/env python3
"""Prints the table of docs/project/PACKAGE.md: CPU times of the packaged program's variants over those
of a build for this machine.

package.py PACKAGED NATIVE EXAMPLES [--rounds N]: PACKAGED is the program of the package, installed or
unpacked, NATIVE that of build/release, and EXAMPLES the project's folder of that name. Every
run has one thread; the programs take turns. Variants that this processor does not run are left out."""

import argparse
import os
import pathlib
import resource
import subprocess
import tempfile
import time

import markdown
from interleaved import in_turns

VARIANTS = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]
STUDIES = [("CHARMIE-24, 47,570 designs", "charmie24/robust.json"),
           ("CHARMIE-24, mounts with proof", "charmie24/mounts.json"),
           ("CHARMIE-40, catalogue springs", "charmie40/robust.json"),
           ("four-bar", "four_bar/study.json"),
           ("exoskeleton", "exoskeleton/spring.json")]


class Run:
    """A program's run of one study; the program is asked for a variant, or for none."""

    def __init__(self, program, study, folder, variant=None):
        self.command = [program, "run", study, "--output", folder / "results.db", "--force",
                        "--threads", "1"]
        self.environment = {**os.environ, **({"COUNTERPOISE_ISA": variant} if variant else {})}

    def __call__(self):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        ran = subprocess.run(self.command, check=False, capture_output=True, text=True,
                             env=self.environment)
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        if ran.returncode != 0:
            raise SystemExit(f"{self.command[2]}: exit code {ran.returncode}\n{ran.stderr}")
        return wall, sum(getattr(after, of) - getattr(before, of) for of in ("ru_utime", "ru_stime"))


def runs_here(program, variant):
    return subprocess.run([program, "--version"], check=False, capture_output=True,
                          env={**os.environ, "COUNTERPOISE_ISA": variant}).returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("packaged", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("native", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    variants = [variant for variant in VARIANTS if runs_here(options.packaged, variant)]
    markdown.machine(options.rounds)
    rows = []
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for label, study in STUDIES:
            file = options.examples / study
            tasks = [Run(options.native, file, folder)]
            tasks += [Run(options.packaged, file, folder, variant) for variant in variants]
            native, *packaged = in_turns(tasks, options.rounds)
            rows.append([label, f"{native.median():.2f} s",
                         *(f"{series.times_slower_than(native):.2f}" for series in packaged)])
    markdown.section("CPU time of one thread: the native build's, and the package's over it")
    markdown.table(["study", "native", *variants], rows)


if __name__ == "__main__":
    main()
