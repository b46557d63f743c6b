"""The engine's kernels alone, timed by Google Benchmark."""

import json
import subprocess

import markdown


def run(program, *options):
    return subprocess.run([program, *options], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout


def table(program, rounds):
    answer = run(program, f"--benchmark_repetitions={rounds}", "--benchmark_min_time=0.02",
                 "--benchmark_enable_random_interleaving=true", "--benchmark_format=json")
    found = {name: {} for name in run(program, "--benchmark_list_tests").split()}
    for entry in json.loads(answer)["benchmarks"]:
        if entry["run_type"] == "aggregate":
            found[entry["run_name"]][entry["aggregate_name"]] = entry
    title = "one core (Google Benchmark, CPU time)"
    markdown.section(f"Kernels, {title}")
    markdown.table(["kernel / scalar / tree", "ns per sample", "ns per sample and body",
                    "deviation"],
                   [[name, nanoseconds(of, "sample"), nanoseconds(of, "body"), deviation(of)]
                    for name, of in found.items() if "sample" in of["median"]])
    markdown.section(f"One more design of CHARMIE, 601 samples, by what it changes, {title}")
    markdown.table(["design change", "µs", "deviation"],
                   [[name.removeprefix("design_change/"), f"{of['median']['cpu_time'] / 1000:.2f}",
                     deviation(of)]
                    for name, of in found.items() if "sample" not in of["median"]])


def nanoseconds(of, counter):
    return f"{1e9 * of['median'][counter]:.2f}" if counter in of["median"] else ""


def deviation(of):
    return f"± {100 * of['cv']['cpu_time']:.0f} %"
