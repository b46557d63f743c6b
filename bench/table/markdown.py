"""Sections and tables as they stand in docs/project/PERFORMANCE.md."""

import os
import platform


def section(title):
    print(f"\n### {title}\n")


def table(heads, rows):
    print("| " + " | ".join(heads) + " |")
    print("| --- |" + " ---: |" * (len(heads) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)


def pace(share):
    """Adds a note if the machine was busy with something else."""
    if share < 0.95:
        print(f"\nThe machine was busy: processes that could run ran {100 * share:.0f} % of the "
              "time. CPU times suffer less from this than wall times, but they do.", flush=True)


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def machine(rounds):
    section("Machine")
    print(f"{processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}; "
          f"{rounds} rounds, load {os.getloadavg()[0]:.1f} at the start.", flush=True)
