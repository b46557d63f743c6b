#!/usr/bin/env python3
"""Rules of the house, read from the source tree: a library includes only what its CMake target links, no
folders include each other in a cycle, how large folders and files may grow, what may not be left
behind. structure.py ROOT prints what breaks a rule; exit code 1."""

import os
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
CODE = {".cpp", ".hpp"}
COUNTED = {".cpp", ".hpp", ".py", ".cmake", ".txt", ".ts", ".mjs", ".css"}
TEXT = COUNTED | {".md", ".json", ".in"}
ENTRIES_PER_FOLDER = 30
LINES_PER_FILE = 600

# The three that everything else stands on never include each other, whatever is linked, but for one
# header of plain arithmetic.
APART = {"engine", "optimizer", "results"}
SHARED = {"optimizer/sampling/random_bits.hpp"}
# Who includes one of these links the target; all lie in the same folder of the system.
PACKAGES = {"Eigen/": "Eigen3::Eigen", "boost/": "Boost::headers", "CLI/": "CLI11::CLI11",
            "nlohmann/": "nlohmann_json::nlohmann_json", "nlopt.hpp": "counterpoise_nlopt",
            "oneapi/": "TBB::tbb", "pugixml.hpp": "pugixml::pugixml", "sqlite3.h": "SQLite::SQLite3",
            "tbb/": "TBB::tbb", "xxhash.h": "PkgConfig::xxhash", "zlib.h": "ZLIB::ZLIB"}

# A test that waits or measures passes or fails by the load of the machine.
CLOCKS = re.compile(r"\b(sleep|sleep_for|sleep_until|usleep|nanosleep|perf_counter|monotonic"
                    r"|std::chrono|steady_clock|system_clock|clock_gettime|time\.time)\b")
PRINTER = "cli/output/streams.cpp"  # escapes what it prints, and notices what cannot be written
PRINTS = re.compile(r"\b(fmt::print\(|std::(cout|cerr|clog|f?printf|puts)\b|stdout\b|stderr\b)")
MARKERS = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b")


def visible(name):
    return not name.startswith(".") and name not in {"build", "demo-results", "node_modules",
                                                      "__pycache__"}


def folders(root):
    for path, names, files in os.walk(root):
        names[:] = sorted(filter(visible, names))
        yield pathlib.Path(path), names, sorted(filter(visible, files))


class Targets:
    """The libraries, by the folder that all their sources lie in, and what each links."""

    DECLARED = re.compile(r"^(?:counterpoise_library\(|add_library\(counterpoise_)(\w+)([^)]*)\)",
                          re.MULTILINE)
    LINKED = re.compile(r"^\s*target_link_libraries\(counterpoise_(\w+)([^)]*)\)", re.MULTILINE)

    def __init__(self, root):
        self.homes, self.links = {}, {}
        for folder, _, files in folders(root):
            if "CMakeLists.txt" not in files:
                continue
            text = re.sub(r"#.*", "", (folder / "CMakeLists.txt").read_text(encoding="utf-8"))
            here = folder.relative_to(root).as_posix()
            for name, words in self.DECLARED.findall(text):
                if "ALIAS" in words:
                    continue
                below = {source.partition("/")[0] if "/" in source else ""
                         for source in re.findall(r"(?<=\s)(?!\.)[\w./-]+\.cpp\b", words)}
                home = here if len(below) != 1 or "" in below else f"{here}/{below.pop()}"
                self.homes.setdefault(home, set()).add(name)
                self.links.setdefault(name, set())
            for name, words in self.LINKED.findall(text):
                self.links.setdefault(name, set()).update(
                    word.removeprefix("counterpoise::") for word in words.split())

    def of(self, path):
        """The libraries of the longest folder that the file lies in."""
        inside = [home for home in self.homes if path.startswith(home + "/")]
        return self.homes[max(inside, key=len)] if inside else set()

    def reached(self, names):
        seen, queue = set(names), list(names)
        while queue:
            for link in self.links.get(queue.pop(), ()):
                if link not in seen:
                    seen.add(link)
                    queue.append(link)
        return seen


def includes_of(root, targets, path, text):
    mine = targets.of(path)
    reached = targets.reached(mine)
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match[1] is None:
            needed = next((target for header, target in PACKAGES.items()
                           if match[2].startswith(header)), None)
            if mine and needed and needed not in reached:
                yield f"{path}:{line}: includes {match[2]}, but {', '.join(sorted(mine))} links no {needed}"
            continue
        header = match[1]
        if not (root / header).is_file():
            yield f"{path}:{line}: no file {header}, as seen from the project's root"
        tops = {path.partition("/")[0], header.partition("/")[0]}
        theirs = targets.of(header)
        apart = len(tops) == 2 and tops <= APART
        if mine and header not in SHARED and (apart or not theirs & reached):
            yield f"{path}:{line}: includes {header}, but {', '.join(sorted(mine))} links no library of it"


def sizes_and_markers(path, suffix, text):
    lines = text.count("\n")
    if suffix in COUNTED and lines > LINES_PER_FILE:
        yield f"{path}: {lines} lines, more than {LINES_PER_FILE}"
    for number, line in enumerate(text.splitlines(), 1):
        if MARKERS.search(line):
            yield f"{path}:{number}: a marker left behind: {line.strip()}"


def clocks(path, suffix, text):
    # the library that disturbs programs has the functions that it stands for, clocks among them
    if (not path.startswith("tests/") or path.startswith(("tests/house/", "tests/support/interposed/"))
            or suffix not in COUNTED):
        return
    for number, line in enumerate(text.splitlines(), 1):
        if CLOCKS.search(line):
            yield f"{path}:{number}: a test that looks at a clock: {line.strip()}"


def prints(path, text):
    """Who prints past the one file that knows what a terminal acts on."""
    if path.startswith(("tests/", "bench/")) or path == PRINTER:
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
    targets = Targets(root)
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
                yield from includes_of(root, targets, path, text)
                yield from prints(path, text)
                for one, other in arrows(path, text):
                    graph.setdefault(one, {}).setdefault(other, path)
            if suffix == ".cpp" and not path.startswith("tests/house/consumer/"):
                yield from unbuilt(root, path)
    yield from cycles(graph)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(findings(root))
    print("\n".join(found) or "The house is in order.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
