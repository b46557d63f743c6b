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
    limits(found)
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
                    for name, of in found.items() if name.startswith("design_change/")])


def limits(found):
    """The share of the processor's peak rate that a kernel in lanes reaches, in the same run."""
    multiply_adds = found["limit/multiply_adds"]["median"]["operations"]
    rows = [["multiply-adds that wait for nothing", f"{multiply_adds / 1e9:.1f}", "100 %", "", ""]]
    for name, of in found.items():
        median = of["median"]
        if "operations" not in median or "/lanes/" not in name:
            continue
        row = [name, f"{median['operations'] / 1e9:.1f}",
               f"{100 * median['operations'] / multiply_adds:.0f} %", "", ""]
        if "bytes" in median:
            columns = 2 * int(name.rpartition("springs")[2]) + 2
            reading = found[f"limit/read_columns/{columns}"]["median"]["bytes"]
            row[3:] = [f"{median['bytes'] / 1e9:.1f}", f"{100 * median['bytes'] / reading:.0f} %"]
        rows.append(row)
    markdown.section("How far kernels are from what the processor can do, one core")
    markdown.table(["kernel / scalar / tree", "10⁹ operations a second", "of all multiply-adds",
                    "GB/s", "of columns only read"], rows)


def nanoseconds(of, counter):
    return f"{1e9 * of['median'][counter]:.2f}" if counter in of["median"] else ""


def deviation(of):
    return f"± {100 * of['cv']['cpu_time']:.0f} %"
