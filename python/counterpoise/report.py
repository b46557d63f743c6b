"""The answers of commands, as JSON and as text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from counterpoise._calls import Answer

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


class Report:
    """An answer of a command. It is read like the JSON that the command prints with --json:
    `report["cases"]`, `len(report)`, `for key in report`. `str(report)` is what the command prints for
    people.
    """

    def __init__(self, answer: Answer, text: Callable[[], str] | None = None) -> None:
        self._data = answer.json()
        self._json = answer.data
        self._text = text or (lambda: answer.text)
        self._notes = list(answer.notes)

    @property
    def data(self) -> Any:
        """The JSON: a dict or a list; numbers are SI, None stands for what is not known."""
        return self._data

    @property
    def json(self) -> str:
        """The JSON as the command prints it."""
        return self._json

    @property
    def notes(self) -> list[str]:
        """The notes that the command gives with its answer, one line each."""
        return self._notes

    def __getitem__(self, key: Any) -> Any:
        """A member of the JSON."""
        return self._data[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __contains__(self, key: object) -> bool:
        return key in self._data

    def __str__(self) -> str:
        return self._text()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {json.dumps(self._data)[:60]}...>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


class Ranking(Report):
    """Designs, best first: a list of dicts with the columns of the command `rank`."""

    @property
    def cases(self) -> list[int]:
        """The ids of the designs, in order."""
        return [row["case"] for row in self._data]

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a data frame, with one row per design."""
        import pandas

        return pandas.DataFrame(self._data)


class Sensitivity(Report):
    """Which variables the objectives of a study depend on."""

    def plot(self, objective: str | None = None, ax: Axes | None = None) -> Axes:
        """A tornado: how far each variable alone moves an objective. See `plots.tornado`."""
        from counterpoise import plots

        return plots.tornado(self, objective, ax)
