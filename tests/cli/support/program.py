"""Runs the program in a scratch folder and reads back what it left there."""

import contextlib
import copy
import csv
import fcntl
import itertools
import json
import os
import pathlib
import pty
import resource
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import termios
import threading
import unittest

PROGRAM = os.environ["COUNTERPOISE_PROGRAM"]
DISTURBANCE = os.environ["COUNTERPOISE_DISTURBANCE_LIBRARY"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
CHARMIE = EXAMPLES / "charmie24"
TWO_LINK_ARM = EXAMPLES / "two_link_arm"

DONE, ERROR, BAD_INPUT, INFEASIBLE, INTERRUPTED = 0, 1, 2, 3, 130


def trials(of_all):
    """How many of so many random cases a test looks at: a tenth, or each with `scripts/test --all`."""
    return of_all if "COUNTERPOISE_ALL_TRIALS" in os.environ else (of_all + 9) // 10


def changed(model, **changes):
    """A copy of a model with values replaced or added by their pointers: springs__0__acts="push"."""
    model = copy.deepcopy(model)
    for pointer, value in changes.items():
        at = model
        *path, last = pointer.split("__")
        for key in path:
            at = at[int(key)] if key.isdigit() else at[key]
        at[int(last) if last.isdigit() else last] = value
    return model


def file_size_limit(size):
    """Given to a process as preexec_fn: no file may become larger, as on a disk that is full."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def disturbed(rules):
    """The environment of a program that tests/support/interposed disturbs."""
    return {**os.environ, "LD_PRELOAD": DISTURBANCE, "COUNTERPOISE_DISTURBANCE": rules,
            "ASAN_OPTIONS": "verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", "")}


def on_terminal(command, columns=0, messages=False, **options):
    """What a command writes to a terminal of so many columns, with its messages or without, and its
    exit code. The end is marked, not hung up on: a hang-up may discard what was not yet read, and
    one read may get only a part."""
    end = b"\x04 the end of the output \x04"
    terminal, its_end = pty.openpty()
    fcntl.ioctl(its_end, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    if messages:
        options["stderr"] = its_end
    with subprocess.Popen(command, stdout=its_end, **options) as process:
        ended = threading.Thread(target=lambda: (process.wait(), os.write(its_end, end)))
        ended.start()
        said = b""
        while not said.endswith(end):
            said += os.read(terminal, 65536)
        ended.join()
    os.close(terminal)
    os.close(its_end)
    return said.removesuffix(end).decode().replace("\r\n", "\n"), process.returncode


@contextlib.contextmanager
def altered(results):
    """A connection by which somebody changes results. Their checksum is taken away too, so that what
    the rows say has to tell, as in files of earlier versions."""
    with contextlib.closing(sqlite3.connect(results)) as database:
        yield database
        database.commit()
        database.execute("DROP TABLE IF EXISTS checksum")
        database.commit()


class ScratchFolder(unittest.TestCase):
    """Each test works in an empty folder of its own, below the working directory."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(dir=".")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()

    def start(self, *arguments, disturbance="", **options):
        if disturbance:
            options["env"] = disturbed(disturbance)
        options.setdefault("cwd", self.folder)
        return subprocess.Popen([PROGRAM, *map(str, arguments)], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def run_program(self, *arguments, code=DONE, **options):
        """What the program printed; checks its exit code."""
        process = self.start(*arguments, **options)
        output, messages = process.communicate()
        said = f"{arguments}\n{output}{messages}"
        self.assertEqual(process.returncode, code, said)
        return subprocess.CompletedProcess(arguments, code, output, messages)

    def run_json(self, *arguments):
        return json.loads(self.run_program(*arguments).stdout)

    def write(self, name, content):
        text = content if isinstance(content, str) else json.dumps(content, indent=1)
        (self.folder / name).write_text(text, encoding="utf-8")

    def copy_example(self, example, study=None, **changes):
        """An example's files; `study`, if named, becomes study.json with some keys changed."""
        shutil.copytree(example, self.folder, dirs_exist_ok=True)
        if study:
            document = json.loads((example / study).read_text(encoding="utf-8"))
            document.update(changes)
            self.write("study.json", {k: v for k, v in document.items() if v is not None})

    def query(self, database, sql):
        """Rows of a results file as dictionaries."""
        with contextlib.closing(sqlite3.connect(self.folder / database)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(sql)]

    def read_csv(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def cases(self, database):
        return self.query(database, "SELECT * FROM cases ORDER BY id")

    def assert_same_results(self, database, reference):
        """The same cases and baselines to the last bit: repr tells apart all doubles, -0 too."""
        with (contextlib.closing(sqlite3.connect(self.folder / database)) as found,
              contextlib.closing(sqlite3.connect(self.folder / reference)) as expected):
            for table in ("cases ORDER BY id", "baselines"):
                rows, wanted = (file.execute(f"SELECT * FROM {table}") for file in (found, expected))
                self.assertEqual(rows.description, wanted.description, table)
                for row, same in itertools.zip_longest(rows, wanted):
                    if repr(row) != repr(same):
                        self.fail(f"{table}: {row} instead of {same}")

    def contents(self):
        """Every file of the folder and its bytes."""
        return {path.relative_to(self.folder): path.read_bytes() if path.is_file() else None
                for path in self.folder.rglob("*")}
