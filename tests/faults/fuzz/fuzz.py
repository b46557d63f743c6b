#!/usr/bin/env python3
"""Runs libFuzzer on the program's readers: fuzz.py PROGRAM FOLDER (--runs N | --minutes M |
--executions N --sanitized PROGRAM) [--jobs N] [--no-coverage] [READER...]. Below FOLDER,
corpus/READER grows by inputs that reach new code, and found/ gets those at which a reader fails. With
--executions the second program then gets all inputs that reached new code, now or before. Prints a
line for each reader; exit code 1 if anything was found."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from seeds import LONGEST, ROOT, write_seeds

# the sources whose covered lines are counted: a reader's own, or the whole program's where nothing
# narrower fits
SOURCES = {
    "json": ["input/text/json_document.cpp"],
    "model": ["input/reading/read_model.cpp", "input/reading/model_reading.cpp"],
    "motion": ["input/reading/read_motion.cpp"],
    "study": ["input/reading/read_study.cpp", "input/reading/study_method.cpp",
              "input/reading/study_goals.cpp", "input/reading/study_tolerances.cpp",
              "input/reading/study_variables.cpp"],
    "scenario": ["input/reading/read_scenario.cpp", "input/reading/scenario_contacts.cpp"],
    "csv": ["input/text/csv.cpp"],
    "expression": ["input/expressions"],
    "arguments": ["cli/arguments.cpp", "input/expressions/expression.cpp",
                  "input/expressions/expression_parser.cpp",
                  "input/expressions/expression_tokens.cpp"],
    "robot": ["exchange/robot", "exchange/model_draft.cpp", "exchange/mjcf",
              "exchange/xml_document.cpp"],
    "mesh": ["exchange/shapes/mesh_file.cpp", "exchange/shapes/read_apart.cpp"],
    "results": ["results/sqlite/reading.cpp", "results/sqlite/schema.cpp",
                "results/sqlite/checksum.cpp", "results/sqlite/selection_tables.cpp",
                "results/sqlite/digest_tables.cpp", "results/results_file.cpp",
                "cases/provenance.cpp"],
    "certificate": ["springs/proof"],
}
SHORT = {"results": 200, "expression": 500, "arguments": 500}  # bytes; else LONGEST
SLOWEST = 300  # s that one input may take; the program may have to wait for others


class Fuzzer:
    def __init__(self, options, scratch):
        self.folder = options.folder.resolve()
        self.scratch = pathlib.Path(scratch)
        self.options = options

    def environment(self, reader):
        place = self.scratch / reader
        place.mkdir(exist_ok=True)
        return {**os.environ, "COUNTERPOISE_READER": reader, "COUNTERPOISE_FUZZ_FOLDER": str(place),
                "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:verify_asan_link_order=0:"
                                "quarantine_size_mb=16",
                "LLVM_PROFILE_FILE": str(self.folder / f"{reader}.profraw")}

    def execute(self, program, reader, *arguments):
        """The number of inputs executed, in how many seconds, and what libFuzzer said if one failed."""
        said = subprocess.run(
            [program.resolve(), f"-max_len={SHORT.get(reader, LONGEST)}", f"-timeout={SLOWEST}",
             "-rss_limit_mb=4096", f"-artifact_prefix={self.folder}/found/{reader}/",
             "-entropic=0",  # half of the time went into it
             *arguments],
            env=self.environment(reader), cwd=ROOT, capture_output=True, text=True, errors="replace")
        done = re.search(r"^Done (\d+) runs in (\d+) second", said.stderr, re.M)
        executed, seconds = map(int, done.groups()) if done else (0, 0)
        return executed, seconds, said.stderr if said.returncode else ""

    def run(self, reader):
        """The number of inputs executed, how many seconds this took, how many inputs the sanitizers
        saw, and what libFuzzer said if one failed."""
        seeds, grown, found = (self.folder / kind / reader for kind in ("seeds", "corpus", "found"))
        for folder in (seeds, grown, found):
            folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(seeds)
        write_seeds(reader, seeds)
        self.add_made_seeds(reader, seeds)
        options = self.options
        if options.runs:  # the same at every call
            shutil.rmtree(grown)
            grown.mkdir()
        limits = [f"-runs={options.runs}", "-seed=1"]
        if options.minutes:
            limits = [f"-max_total_time={options.minutes * 60:.0f}"]
        if options.executions:
            limits = [f"-runs={options.executions}"]
        executed, seconds, fault = self.execute(options.program, reader, *limits,
                                                *self.dictionary(reader), grown, seeds)
        watched = executed
        if options.executions and not fault:
            watched, _, fault = self.execute(options.sanitized, reader, "-runs=0", grown, seeds)
        return executed, seconds, watched, fault

    def add_made_seeds(self, reader, folder):
        """What the program makes at its start: a right certificate, and robots."""
        pattern = {"certificate": "certificate.json", "robot": "seed*.xml"}.get(reader)
        if pattern:
            self.execute(self.options.program, reader, "-runs=0")
            for made in (self.scratch / reader).glob(pattern):
                shutil.copy(made, folder)

    def dictionary(self, reader):
        """The words of a format: keys of its schema, texts in the sources that read, and the names of
        XML in the seeds."""
        paths = [ROOT / source for source in SOURCES[reader]]
        paths += [source for path in paths if path.is_dir() for source in path.glob("*.cpp")]
        paths.append(ROOT / "schemas" / f"{reader}.schema.json")
        words = {word for path in paths if path.is_file()
                 for word in re.findall(r'"([\w.<>=!&|*/^+-]{1,24})"', path.read_text(encoding="utf-8"))}
        if reader == "robot":
            for path in (self.folder / "seeds" / reader).iterdir():
                words |= set(re.findall(r"\w+(?==)|(?<=<)\w+", path.read_text(errors="replace")))
        entries = [f'"{word}"' for word in sorted(words)]
        if reader not in ("robot", "csv"):
            entries += [f'"\\"{word}\\""' for word in sorted(words)]
        path = self.folder / f"{reader}.dict"
        path.write_text("\n".join([*entries, ""]), encoding="utf-8")
        return [f"-dict={path}"]

    def coverage(self, reader):
        """Lines that ran, and all lines, of the sources that read."""
        profile = self.folder / f"{reader}.profdata"
        subprocess.run(["llvm-profdata", "merge", "-o", profile, self.folder / f"{reader}.profraw"],
                       check=True)
        sources = [ROOT / source for source in SOURCES[reader]]
        told = subprocess.run(["llvm-cov", "export", "--summary-only", self.options.program.resolve(),
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
    limit.add_argument("--executions", type=int)
    parser.add_argument("--sanitized", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-coverage", action="store_true")
    parser.add_argument("readers", nargs="*", metavar="READER")
    options = parser.parse_intermixed_args()
    unknown = set(options.readers) - set(SOURCES)
    if unknown:
        parser.error(f"no reader {', '.join(sorted(unknown))}; there are {', '.join(SOURCES)}")
    readers = options.readers or list(SOURCES)
    failed = False
    print(f"{'reader':12} {'executions':>10} {'s':>6} {'watched':>8}  lines of its sources", flush=True)
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with (tempfile.TemporaryDirectory(dir=memory) as scratch,
          concurrent.futures.ThreadPoolExecutor(options.jobs) as pool):
        fuzzer = Fuzzer(options, scratch)
        for reader, (executed, seconds, watched, fault) in zip(readers, pool.map(fuzzer.run, readers)):
            failed = failed or bool(fault)
            lines = ""
            if not options.no_coverage and not fault:
                covered, count = fuzzer.coverage(reader)
                lines = f"{covered} of {count}, {100 * covered / count:.0f} %"
            print(f"{reader:12} {executed:10} {seconds:6} {watched:8}  {lines}"
                  f"{'FAILED' if fault else ''}", flush=True)
            if fault:
                print(fault[-4000:], file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
