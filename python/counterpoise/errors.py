"""What goes wrong, as exceptions. `Error` is the base of all that the package raises itself; wrong
types of arguments raise `TypeError`, and Ctrl-C raises `KeyboardInterrupt`, as everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["Error", "Infeasible", "InputError", "Note", "StoreError"]


class Error(Exception):
    """Something cannot be done; `str()` says what and why."""


class InputError(Error, ValueError):
    """A mistake in a model, motion, scenario, study, or in what was given to a function.

    `str()` is what the command prints: a line for the mistake, and one for each further mistake that
    was found with it.

    Attributes:
        message: what is wrong, without the place.
        file: the file, or the name of an argument.
        line, column: the place in the file, counted from 1; 0 where it is not known.
        pointer: JSON pointer of the value; empty where it is not known.
        lines: all lines of `str()`, one for each mistake.
    """

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0,
                 pointer: str = "", lines: Sequence[str] = ()) -> None:
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.pointer = pointer
        self.lines = list(lines) or [f"{file}: {message}" if file else message]
        super().__init__("\n".join(self.lines))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.message, self.file, self.line, self.column, self.pointer,
                             self.lines))


class StoreError(Error):
    """A results file cannot be read or written, or is not what was asked for."""


class Infeasible(Error):
    """There is nothing to compute: a mechanism cannot follow its motion, or a fall cannot begin."""


class Note(UserWarning):
    """The category of the warnings that say what a command notes beside its answer."""
