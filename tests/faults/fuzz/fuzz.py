#!/usr/bin/env python3
"""Runs libFuzzer on the program's readers: fuzz.py PROGRAM FOLDER (--runs N | --minutes M)
[--jobs N] [--no-coverage] [READER...]. Below FOLDER, corpus/READER grows by inputs that reach new
code, and found/ gets those at which a reader fails. Prints a line for each reader; exit code 1 if
anything was found."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from seeds import ROOT, write_seeds

# the sources that read, of which the lines that ran are counted; all of the program where there is
# no narrower place
SOURCES = {
    "json": ["studies/text/json_document.cpp"],
    "model": ["studies/reading/read_model.cpp", "studies/reading/model_reading.cpp",
              "studies/reading/bodies.cpp", "studies/reading/elements.cpp",
              "studies/reading/parameters.cpp", "studies/reading/quantities.cpp"],
    "motion": ["studies/reading/motion"],
    "study": ["studies/reading/read_study.cpp", "studies/reading/method",
              "studies/reading/study_constraints.cpp", "studies/reading/study_metrics.cpp",
              "studies/reading/study_objectives.cpp", "studies/reading/study_tolerances.cpp",
              "studies/reading/study_variables.cpp", "studies/reading/variable_targets.cpp"],
    "scenario": ["studies/reading/scenario"],
    "csv": ["studies/text/csv.cpp"],
    "expression": ["studies/expressions"],
    "where": ["studies/expressions", "cli/arguments.cpp"],
    "robot": ["studies/exchange/import_robot.cpp", "studies/exchange/urdf", "studies/exchange/mjcf",
              "studies/exchange/xml/xml_document.cpp"],
    "results": ["results/sqlite/reading.cpp", "results/sqlite/plain_tables.cpp",
                "results/sqlite/checksum_tables.cpp", "results/sqlite/selection_tables.cpp",
                "results/sqlite/digest_tables.cpp", "results/integrity", "results/results_file.cpp",
                "studies/stored/stored_study.cpp"],
    "certificate": ["studies/exact/proof"],
}
LONGEST = {"results": 200, "expression": 2000, "where": 2000}  # bytes; else:
LONG = 6000
SLOWEST = 30  # s that one input may take


class Fuzzer:
    def __init__(self, options):
        self.program = str(options.program.resolve())
        self.folder = options.folder.resolve()
        self.options = options

    def environment(self, reader, profile):
        place = self.folder / "places" / reader
        place.mkdir(parents=True, exist_ok=True)
        return {**os.environ, "COUNTERPOISE_READER": reader, "COUNTERPOISE_FUZZ_FOLDER": str(place),
                "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:verify_asan_link_order=0",
                "LLVM_PROFILE_FILE": str(profile)}

    def run(self, reader):
        """The number of inputs executed, and what libFuzzer said if one failed."""
        seeds, grown, found = (self.folder / kind / reader for kind in ("seeds", "corpus", "found"))
        for folder in (seeds, grown, found):
            folder.mkdir(parents=True, exist_ok=True)
        if self.options.runs:  # the same at every call
            shutil.rmtree(grown)
            grown.mkdir()
            limits = [f"-runs={self.options.runs}", "-seed=1"]
        else:
            limits = [f"-max_total_time={self.options.minutes * 60}"]
        profile = self.folder / f"{reader}.profraw"
        shutil.rmtree(seeds)
        write_seeds(reader, seeds)
        if reader == "certificate":  # a right one, which the program makes at its start
            environment = self.environment(reader, "/dev/null")
            subprocess.run([self.program, "-runs=0"], env=environment, capture_output=True)
            place = pathlib.Path(environment["COUNTERPOISE_FUZZ_FOLDER"])
            shutil.copy(place / "certificate.json", seeds)
        said = subprocess.run(
            [self.program, *limits, f"-max_len={LONGEST.get(reader, LONG)}", f"-timeout={SLOWEST}",
             "-print_final_stats=1", "-rss_limit_mb=4096", f"-artifact_prefix={found}/",
             *self.dictionary(reader), str(grown), str(seeds)],
            env=self.environment(reader, profile), capture_output=True, text=True, errors="replace")
        executed = re.search(r"stat::number_of_executed_units: (\d+)", said.stderr)
        return int(executed[1]) if executed else 0, said.stderr if said.returncode else ""

    def dictionary(self, reader):
        """The keys of a format, from its schema."""
        schema = ROOT / "schemas" / f"{reader}.schema.json"
        if not schema.is_file():
            return []
        words = set(re.findall(r'"([a-z_-]{2,})"', schema.read_text(encoding="utf-8")))
        path = self.folder / f"{reader}.dict"
        path.write_text("".join(f'"\\"{word}\\""\n' for word in sorted(words)), encoding="utf-8")
        return [f"-dict={path}"]

    def coverage(self, reader):
        """Lines that ran, and all lines, of the sources that read."""
        profile = self.folder / f"{reader}.profdata"
        subprocess.run(["llvm-profdata", "merge", "-o", profile, self.folder / f"{reader}.profraw"],
                       check=True)
        sources = [ROOT / source for source in SOURCES[reader]]
        told = subprocess.run(["llvm-cov", "export", "--summary-only", self.program,
                               f"-instr-profile={profile}", *map(str, sources)],
                              check=True, capture_output=True, text=True)
        lines = json.loads(told.stdout)["data"][0]["totals"]["lines"]
        return lines["covered"], lines["count"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--runs", type=int)
    limit.add_argument("--minutes", type=float)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-coverage", action="store_true")
    parser.add_argument("readers", nargs="*", metavar="READER")
    options = parser.parse_args()
    unknown = set(options.readers) - set(SOURCES)
    if unknown:
        parser.error(f"no reader {', '.join(sorted(unknown))}; there are {', '.join(SOURCES)}")
    fuzzer = Fuzzer(options)
    readers = options.readers or list(SOURCES)
    failed = False
    print(f"{'reader':12} {'executions':>10}  lines of its sources", flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for reader, (executed, fault) in zip(readers, pool.map(fuzzer.run, readers)):
            failed = failed or bool(fault)
            lines = ""
            if not options.no_coverage and not fault:
                covered, count = fuzzer.coverage(reader)
                lines = f"{covered} of {count}, {100 * covered / count:.0f} %"
            print(f"{reader:12} {executed:10}  {lines}{'FAILED' if fault else ''}", flush=True)
            if fault:
                print(fault[-4000:], file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
