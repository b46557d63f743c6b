"""Reads what the program says to --help into arguments and commands."""

import dataclasses
import re
import subprocess
import sys

NAME = "counterpoise"
COLUMN = 30  # of the explanations in a help text


@dataclasses.dataclass
class Argument:
    """An option or a positional, as a line of a help text has it."""

    names: list  # "-o" and "--output", or the one name of a positional
    value: str = ""  # TEXT, INT, UINT; empty for a flag
    choices: list = dataclasses.field(default_factory=list)
    repeated: bool = False
    required: bool = False
    remarks: list = dataclasses.field(default_factory=list)  # bounds, default, other options
    text: str = ""

    @property
    def words(self):
        """What may stand there, as far as the help knows it; a case is a number or `best`."""
        return self.choices or (["best"] if self.text.endswith(", or best") else [])

    @property
    def takes_file(self):
        return self.value == "TEXT" and not self.words


@dataclasses.dataclass
class Help:
    """A help text: `entries` of the program are its commands, of a command its positionals."""

    name: str  # of the command; empty for the program
    text: str
    usage: str
    options: list
    entries: list

    @property
    def page(self):
        return f"{NAME}-{self.name}" if self.name else NAME


def argument(spec, text):
    """Reads e.g. `--format TEXT:{table,csv,json}=table` or `--force Excludes: --resume`."""
    names, _, rest = spec.partition(" ")
    found = re.match(r"([A-Z]+\b)(?::\{(.*?)\}|:[A-Z]+ in \[(\S+) - (\S+)\])?(?:=(\S+))?", rest)
    result = Argument(names.split(","), text=text)
    result.repeated = " ..." in rest
    if found and found[1] != "REQUIRED":
        result.value = found[1]
        result.choices = found[2].split(",") if found[2] else []
        if found[3]:
            result.remarks.append(f"from {found[3]} to {found[4]}")
        if found[5]:
            result.remarks.append(f"default: {found[5]}")
    result.required = bool(re.search(r"\bREQUIRED\b", rest))
    if result.required:
        result.remarks.append("required")
    for word, meaning in (("Needs", "only with"), ("Excludes", "not with")):
        others = re.search(rf"\b{word}: ((?:--\S+ ?)+)", rest)
        if others:
            result.remarks.append(f"{meaning} {' and '.join(others[1].split())}")
    return result


def columns(lines):
    """Pairs of a term (option or command) in a help text and its explanation. An explanation stands
    beside it, or below it if there is no room."""
    for number, line in enumerate(lines):
        if not re.match(r"  \S", line):
            continue
        below = []
        for after in lines[number + 1:]:
            if not after.startswith(" " * COLUMN):
                break
            below.append(after.strip())
        beside = re.match(r"  (\S.*?)\s{2,}(\S.*)", line)
        if beside:
            yield beside[1], " ".join([beside[2], *below])
        elif not below and len(line) > COLUMN and line[COLUMN - 1] == " ":
            yield line[:COLUMN].strip(), line[COLUMN:]
        else:
            yield line.strip(), " ".join(below)


def ask(*command):
    """What a command prints; ends with a message if it cannot be run or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"{' '.join(command)}: {error}")


def read_help(program, *command):
    """Parses the help of the program, or of one of its commands."""
    head, _, body = ask(program, *command, "--help").partition("\nUsage: ")
    usage, _, body = body.partition("\n")
    options, entries = [], []
    for section in re.split(r"\n(?=\S[^\n]*:\n)", body):
        lines = section.strip("\n").split("\n")
        for spec, text in columns(lines[1:]):
            (options if spec.startswith("-") else entries).append(argument(spec, text))
    if not usage or not options:
        sys.exit(f"{' '.join([program, *command])} --help has no form that {__file__} reads")
    return Help(" ".join(command), head.strip(), usage, options, entries)
