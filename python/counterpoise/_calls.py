"""How the package calls the commands of the program, which the extension has in it."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Union

from counterpoise import _core
from counterpoise.errors import InputError, Note, StoreError

DONE, ERROR, BAD_INPUT, INFEASIBLE = 0, 1, 2, 3

Path = Union[str, "os.PathLike[str]"]
Setting = Union[float, int, str]


class Answer(NamedTuple):
    """What a command answered."""

    code: int
    data: str
    text: str
    notes: list[str]

    def json(self) -> Any:
        return json.loads(self.data)


def command(words: Iterable[str], texts: _core.Texts | None = None,
            progress: Callable[[int, int, int, str], Any] | None = None,
            warn: bool = True) -> Answer:
    """Runs a command in this process; notes become warnings."""
    code, data, text, notes = _core.command(list(words), texts, progress)
    if code == ERROR and not data:
        raise StoreError("\n".join(notes))
    if warn:
        say(notes)
    return Answer(code, data.decode("utf-8"), text, notes)


def by_program(words: Sequence[str], program: Path | None) -> str:
    """Runs a command of the program as a process. Returns what it prints; notes become warnings."""
    import shutil
    import subprocess

    found = shutil.which("counterpoise" if program is None else path_of(program, "program"))
    if found is None:
        raise InputError("there is no program counterpoise on PATH; give its path" if program is None
                         else f"found {program}, expected the program counterpoise", "program")
    ran = subprocess.run([found, *words], check=False, capture_output=True, text=True)
    notes = [line for line in ran.stderr.splitlines() if line]
    if ran.returncode == BAD_INPUT:
        raise InputError("; ".join(notes), words[0], lines=notes)
    if ran.returncode != DONE:
        raise StoreError("\n".join(notes) or f"{found} ended with exit code {ran.returncode}")
    say(notes)
    return ran.stdout


def say(notes: Iterable[str]) -> None:
    """Warns of each note, as of the place outside the package that called it."""
    for note in notes:
        warnings.warn(note, Note, stacklevel=_depth())


def _depth() -> int:
    import sys

    depth = 1
    frame = sys._getframe(1)
    here = os.path.dirname(__file__)
    while frame is not None and frame.f_code.co_filename.startswith(here):
        frame = frame.f_back  # type: ignore[assignment]
        depth += 1
    return depth


def path_of(path: Path, what: str = "path") -> str:
    """A path as a word of a command: never an option, and never empty."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{what}: found a {type(path).__name__}, expected a path")
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"{what}: found a path in bytes, expected a text")
    if not text:
        raise InputError("found nothing, expected a path", what)
    if "\0" in text:
        raise InputError("found a path with the character 0", what)
    return "./" + text if text.startswith("-") else text


def text_of(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what}: found a {type(value).__name__}, expected a text")
    return value


def whole_of(value: object, what: str, least: int = 1) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what}: found a {type(value).__name__}, expected a whole number")
    number = int(value.__index__())
    if number < least:
        raise InputError(f"found {number}, expected a whole number from {least} on", what)
    return number


def threads_of(threads: int | None) -> list[str]:
    return [] if threads is None else [f"--threads={whole_of(threads, 'threads')}"]


def texts_in(values: object, what: str) -> list[str]:
    """Several texts; one alone is a mistake that is easily made."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{what}: found a {type(values).__name__}, expected a list of texts")
    return [text_of(value, what) for value in values]


def settings_of(values: Mapping[str, Setting] | None, what: str = "set") -> list[str]:
    """Values of parameters as the commands' --set takes them: numbers are SI."""
    if values is None:
        return []
    if not isinstance(values, Mapping):
        raise TypeError(f"{what}: found a {type(values).__name__}, expected a dict of parameters")
    return [f"{text_of(name, what)}={setting_of(name, value, what)}" for name, value in values.items()]


def setting_of(name: str, value: Setting, what: str) -> str:
    """One value as a command takes it: a number is SI."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not (hasattr(value, "__float__") or hasattr(value, "__index__")):
        raise TypeError(f"{what}: {name}: found a {type(value).__name__}, expected a "
                        "number in SI or a text with a unit")
    return repr(float(value))


def options(flags: Mapping[str, bool] | None = None, **values: object) -> Iterator[str]:
    """Words for options that are given: `allow_mixed=True` becomes --allow-mixed."""
    for name, given in (flags or {}).items():
        if not isinstance(given, bool):
            raise TypeError(f"{name}: found a {type(given).__name__}, expected True or False")
        if given:
            yield "--" + name.replace("_", "-")
    for name, value in values.items():
        if value is not None:
            yield f"--{name.replace('_', '-')}={value}"
