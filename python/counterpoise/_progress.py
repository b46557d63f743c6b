"""How far a run is: told to a function, or drawn as a bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Union


class Progress(NamedTuple):
    """How far a run has come."""

    done: int
    """Cases of the run that are stored, now or before."""
    total: int
    """All cases of the run; a search may evaluate fewer."""
    fresh: int
    """Cases among `done` that were evaluated now."""
    words: str
    """How far the run has come, where cases do not say it; else empty."""


ProgressOption = Union[bool, None, Callable[[Progress], Any]]
Told = Callable[[int, int, int, str], Any]


class _Bar:
    """tqdm's bar: of widgets in a notebook, of characters elsewhere."""

    def __init__(self) -> None:
        from tqdm.auto import tqdm

        self._bar = tqdm(unit=" cases", leave=True)

    def __call__(self, done: int, total: int, fresh: int, words: str) -> None:
        self._bar.total = total
        self._bar.n = done
        if words:
            self._bar.set_description_str(words, refresh=False)
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


class _Line:
    """A line that is overwritten, where tqdm is not installed."""

    def __init__(self) -> None:
        self._drawn = False

    def __call__(self, done: int, total: int, fresh: int, words: str) -> None:
        sys.stderr.write("\r" + (words or f"{done} of {total} cases") + "\x1b[K")
        sys.stderr.flush()
        self._drawn = True

    def close(self) -> None:
        if self._drawn:
            sys.stderr.write("\n")


@contextmanager
def told(progress: ProgressOption) -> Iterator[Told | None]:
    """The function to call with the progress inside the block; None if nobody asks for it."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        bar: _Bar | _Line
        try:
            bar = _Bar()
        except ImportError:
            bar = _Line()
        try:
            yield bar
        finally:
            bar.close()
    elif callable(progress):
        call = progress
        yield lambda *at: call(Progress(*at))
    else:
        raise TypeError(f"progress: found a {type(progress).__name__}, expected True, False or a "
                        "function of one Progress")
