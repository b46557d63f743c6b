#!/usr/bin/env python3
"""Rules of the house, read from the source tree: who may include whom, how large folders and files
may grow, what may not be left behind. structure.py ROOT prints what breaks a rule; exit code 1."""

import os
import pathlib
import re
import sys

STANDARD = re.compile(r"^[a-z_]+$")
SYSTEM = {"unistd.h", "fcntl.h", "signal.h", "sys/stat.h", "sys/types.h", "sys/file.h",
          "sys/wait.h", "sys/ioctl.h", "sys/mman.h", "sys/resource.h", "sys/sysmacros.h",
          "malloc.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)

# Folder -> what its files may include, besides the standard library and themselves. A folder is
# judged by its longest entry here. Names without a slash at the end are whole headers.
ALLOWED = {
    "engine/math": ["Eigen/", "sleef.h"],
    "engine/math/pack.hpp": ["engine/math/", "Eigen/", "immintrin.h"],
    "engine/mechanism": ["engine/math/", "Eigen/"],
    "engine/motion": ["engine/math/", "engine/mechanism/index.hpp", "Eigen/"],
    "engine/reuse": ["engine/math/", "engine/mechanism/"],
    "engine/kinematics": ["engine/math/", "engine/mechanism/", "engine/motion/", "engine/reuse/",
                          "Eigen/"],
    "engine/dynamics": ["engine/math/", "engine/mechanism/", "engine/motion/",
                        "engine/kinematics/", "Eigen/"],
    "engine/evaluation": ["engine/", "Eigen/"],
    "engine/contact": ["engine/math/", "engine/mechanism/", "engine/kinematics/",
                       "engine/dynamics/", "Eigen/"],
    "engine/forward": ["engine/", "Eigen/"],
    "engine/forward/integrator.cpp": ["engine/", "Eigen/", "arkode/", "nvector/", "sundials/"],
    "formulations": ["engine/math/", "engine/mechanism/", "engine/kinematics/",
                     "engine/dynamics/", "Eigen/"],
    "optimizer": ["nlopt.hpp", "boost/", "fmt/", "Eigen/", "ClpSimplex.hpp"],
    "results": ["sqlite3.h", "fmt/", *SYSTEM],
    "results/rows/row_hash.cpp": ["results/", "xxhash.h"],
    "results/keeping": ["results/", "fmt/", "optimizer/sampling/random_bits.hpp"],
    "results/text": ["results/", "nlohmann/", "fmt/"],
    "studies": ["engine/", "optimizer/", "results/", "tbb/", "oneapi/tbb/", "fmt/", *SYSTEM],
    "studies/stored/provenance.cpp": ["engine/", "results/", "studies/", "xxhash.h", "fmt/"],
    "studies/text": ["nlohmann/", "fmt/", *SYSTEM],
    "studies/stored": ["engine/", "optimizer/", "results/", "studies/", "nlohmann/", "fmt/", *SYSTEM],
    "studies/exact/proof": ["engine/", "optimizer/", "results/", "studies/", "nlohmann/", "fmt/"],
    "studies/expressions": ["studies/text/input_error.hpp", "fmt/"],
    "studies/definition": ["engine/", "studies/text/", "studies/expressions/", "fmt/"],
    "studies/reading": ["engine/", "studies/text/", "studies/expressions/", "studies/definition/",
                        "fmt/", *SYSTEM],
    "studies/pages": ["engine/", "results/", "studies/", "Eigen/", "nlohmann/", "fmt/"],
    "studies/text/compressed.cpp": ["studies/text/", "zlib.h"],
    "studies/exchange/model/model_draft.hpp": ["engine/math/vector.hpp", "nlohmann/", "studies/exchange/"],
    "studies/exchange": ["results/text/cells.hpp", "studies/text/", "studies/reading/read.hpp",
                         "studies/exchange/", "Eigen/", "nlohmann/", "fmt/"],
    "studies/exchange/urdf": ["results/text/cells.hpp", "studies/text/", "studies/exchange/",
                              "studies/reading/read.hpp", "Eigen/", "nlohmann/", "fmt/",
                              "urdf_model/", "urdf_parser/", "console_bridge/"],
    "studies/exchange/urdf/write_urdf.cpp": ["studies/definition/model.hpp", "studies/text/",
                                             "studies/exchange/", "engine/", "Eigen/", "fmt/"],
    "studies/exchange/mjcf": ["studies/definition/model.hpp", "studies/text/",
                              "studies/exchange/", "engine/", "Eigen/", "fmt/", "mujoco/"],
    "studies/exchange/model/written_robot.hpp": ["studies/definition/model.hpp"],
    "studies/exchange/xml/xml_writing.hpp": ["engine/math/vector.hpp", "studies/exchange/",
                                             "pugixml.hpp"],
    "studies/exchange/xml/xml_writing.cpp": ["studies/exchange/", "results/text/"],
    "studies/exchange/xml/xml_document.cpp": ["studies/exchange/", "expat.h", "fmt/"],
    "schemas": [],
    "report": [],
    "cli/templates": [],
    "cli": ["studies/", "results/", "engine/", "optimizer/", "schemas/", "report/",
            "nlohmann/", "fmt/", *SYSTEM],
    "python": ["cli/", "studies/", "results/", "engine/", "optimizer/", "pybind11/", "nlohmann/",
               "fmt/", "pthread.h", "Python.h"],
    "cli/variants": ["cli/run_command.hpp", "results/text/printable.hpp", "dlfcn.h", "unistd.h"],
    "cli/command.cpp": ["cli/", "CLI/"],  # its header costs seconds wherever it is included
}
# Other folders of the product see one header of these.
FACES = {"studies/exact/": "studies/exact/exact.hpp", "studies/reading/": "studies/reading/read.hpp"}
CODE = {".cpp", ".hpp"}
COUNTED = {".cpp", ".hpp", ".py", ".cmake", ".txt", ".ts", ".mjs", ".css"}
TEXT = COUNTED | {".md", ".json", ".in"}
# A test that waits or measures passes or fails by the load of the machine.
CLOCKS = re.compile(r"\b(sleep|sleep_for|sleep_until|usleep|nanosleep|perf_counter|monotonic"
                    r"|std::chrono|steady_clock|system_clock|clock_gettime|time\.time)\b")
ENTRIES_PER_FOLDER = 20
LINES_PER_FILE = 320
PRINTER = "cli/output/streams.cpp"  # escapes what it prints, and notices what cannot be written
PRINTS = re.compile(r"\b(fmt::print\(|std::(cout|cerr|clog|f?printf|puts)\b|stdout\b|stderr\b)")
MARKERS = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b")
README_FOLDERS = ["engine", "formulations", "optimizer", "studies", "studies/text",
                  "studies/expressions", "studies/definition", "studies/exact", "results", "cli",
                  "examples", "tests", "tests/faults", "bench", "report", "studies/exchange", "python"]


def visible(name):
    return not name.startswith(".") and name not in {"build", "demo-results", "node_modules",
                                                      "__pycache__"}


def folders(root):
    for path, names, files in os.walk(root):
        names[:] = sorted(filter(visible, names))
        yield pathlib.Path(path), names, sorted(filter(visible, files))


def home_of(path):
    """The entry of ALLOWED that judges this file, or None (tests, for example)."""
    homes = [home for home in ALLOWED if path == home or path.startswith(home + "/")]
    return max(homes, key=len, default=None)


def allowed(path, header, quoted):
    home = home_of(path)
    if home is None or (not quoted and STANDARD.match(header)):
        return True
    entries = [*ALLOWED[home], home + "/"]
    return any(header.startswith(e) if e.endswith("/") else header == e for e in entries)


def includes_of(root, path, text):
    for match in INCLUDE.finditer(text):
        quoted = match[1] is not None
        header = match[1] or match[2]
        line = text.count("\n", 0, match.start()) + 1
        if not allowed(path, header, quoted):
            yield f"{path}:{line}: {home_of(path)} may not include {header}"
        for folder, face in FACES.items():
            if (home_of(path) is not None and header.startswith(folder) and header != face
                    and not path.startswith(folder)):
                yield f"{path}:{line}: of {folder} only {face} is for other folders, not {header}"
        if quoted and not (root / header).is_file():
            yield f"{path}:{line}: no file {header}, as seen from the project's root"


def sizes_and_markers(path, suffix, text):
    lines = text.count("\n")
    if suffix in COUNTED and lines > LINES_PER_FILE:
        yield f"{path}: {lines} lines, more than {LINES_PER_FILE}"
    for number, line in enumerate(text.splitlines(), 1):
        if MARKERS.search(line):
            yield f"{path}:{number}: a marker left behind: {line.strip()}"


def clocks(path, suffix, text):
    if not path.startswith("tests/") or path.startswith("tests/house/") or suffix not in COUNTED:
        return
    for number, line in enumerate(text.splitlines(), 1):
        if CLOCKS.search(line):
            yield f"{path}:{number}: a test that looks at a clock: {line.strip()}"


def prints(path, text):
    """Who prints past the one file that knows what a terminal acts on."""
    if home_of(path) is None or path == PRINTER:
        return
    for number, line in enumerate(text.splitlines(), 1):
        if PRINTS.search(line) and not line.lstrip().startswith("//"):
            yield f"{path}:{number}: prints, which only {PRINTER} may: {line.strip()}"


def unbuilt(root, path):
    """A source that no CMakeLists.txt above it names is compiled by nobody."""
    folder = (root / path).parent
    while True:
        lists = folder / "CMakeLists.txt"
        if lists.is_file():
            name = (root / path).relative_to(folder).as_posix()
            if re.search(rf"(^|[\s/\"]){re.escape(name)}([\s)\"]|$)", lists.read_text()):
                return
        if folder == root:
            break
        folder = folder.parent
    yield f"{path}: no CMakeLists.txt names this source"


def arrows(path, text):
    """Pairs of folders that an include draws an arrow between, from the top of the house down to
    the two files' own: the nearest siblings that hold them, and the folders that they lie in."""
    here = pathlib.PurePosixPath(path).parent.parts
    for match in INCLUDE.finditer(text):
        if match[1] is None:
            continue
        there = pathlib.PurePosixPath(match[1]).parent.parts
        if here == there:
            continue
        common = 0
        while common < min(len(here), len(there)) and here[common] == there[common]:
            common += 1
        yield "/".join(here), "/".join(there)
        if common < len(here) and common < len(there):
            yield "/".join(here[:common + 1]), "/".join(there[:common + 1])


def way(graph, start, end):
    """A shortest way from one folder to another, or nothing."""
    before = {start: None}
    queue = [start]
    for at in queue:
        for to in sorted(graph.get(at, {})):
            if to in before:
                continue
            before[to] = at
            if to == end:
                found = [to]
                while found[-1] != start:
                    found.append(before[found[-1]])
                return found[::-1]
            queue.append(to)
    return []


def cycles(graph):
    """Each cycle of folders once, with a file for every arrow."""
    seen = set()
    for one in sorted(graph):
        for other in sorted(graph[one]):
            back = way(graph, other, one)
            if back and not seen & set(back):
                seen.update(back)
                steps = list(zip([one, *back], back))
                text = ", ".join(f"{a} -> {b} ({graph[a][b]})" for a, b in steps)
                yield f"folders include each other in a cycle: {text}"


def findings(root):
    graph = {}
    for folder, names, files in folders(root):
        entries = len(names) + len(files)
        if entries > ENTRIES_PER_FOLDER:
            yield f"{folder.relative_to(root)}/: {entries} entries, more than {ENTRIES_PER_FOLDER}"
        for name in files:
            suffix = pathlib.Path(name).suffix
            if suffix not in TEXT:
                continue
            path = (folder / name).relative_to(root).as_posix()
            text = (folder / name).read_text(encoding="utf-8")
            yield from sizes_and_markers(path, suffix, text)
            yield from clocks(path, suffix, text)
            if suffix in CODE:
                yield from includes_of(root, path, text)
                if home_of(path) is not None:
                    for one, other in arrows(path, text):
                        graph.setdefault(one, {}).setdefault(other, path)
                yield from prints(path, text)
            if suffix == ".cpp" and not path.startswith("tests/house/consumer/"):
                yield from unbuilt(root, path)
    yield from cycles(graph)
    for folder in README_FOLDERS:
        if not (root / folder / "README.md").is_file():
            yield f"{folder}/: no README.md"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(findings(root))
    print("\n".join(found) or "The house is in order.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
