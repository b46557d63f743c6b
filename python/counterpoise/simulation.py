"""A mechanism in motion: inverse dynamics along a motion, and falls."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from counterpoise import _core
from counterpoise._calls import Setting, say, settings_of
from counterpoise.inputs import Model, Motion, Scenario

if TYPE_CHECKING:
    import numpy
    import pandas
    from matplotlib.axes import Axes
    from numpy.typing import NDArray


class Columns:
    """Columns over time: `run["shoulder.load"]` is an array with one number per sample.

    The arrays are views of memory that the program wrote, without a copy; they cannot be written to,
    and stay valid as long as they are used.
    """

    def __init__(self, core: _core.Columns) -> None:
        self._core = core
        say(core.notes)

    def __getitem__(self, name: str) -> NDArray[numpy.float64]:
        """The column of this name, shape (samples,), in SI. Raises `KeyError`."""
        return self._core.column(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._core.names)

    def __len__(self) -> int:
        """How many columns there are."""
        return len(self._core.names)

    def __contains__(self, name: object) -> bool:
        return name in self._core.names

    @property
    def names(self) -> list[str]:
        """The columns: "t" first, then as in the command's CSV, such as "shoulder.q", "shoulder.v",
        "shoulder.load" and "spring.tension"."""
        return self._core.names

    @property
    def t(self) -> NDArray[numpy.float64]:
        """Time [s], shape (samples,). Poses at rest stand in it as if they were a second apart."""
        return self._core.column("t")

    @property
    def at_rest(self) -> bool:
        """Whether the samples are poses at rest, and `t` only numbers them, from 0."""
        return self._core.at_rest

    @property
    def notes(self) -> list[str]:
        """Notes about the run, one line each. Each note was also given as a warning."""
        return self._core.notes

    def to_dict(self) -> dict[str, NDArray[numpy.float64]]:
        """All columns by name, without copies."""
        return {name: self._core.column(name) for name in self._core.names}

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with one row per sample and the same columns; it holds a copy."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def plot(self, columns: list[str] | None = None, ax: Axes | None = None) -> Axes:
        """Columns over time, or over the numbers of poses, those that end in ".load" if none are named. See `plots.over_time`."""
        from counterpoise import plots

        return plots.over_time(self, columns, ax)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.t)} samples, {len(self)} columns>"


class Simulation(Columns):
    """One inverse-dynamics run, as `simulate` returns it. Loads are positive along the joint's +axis,
    lengths of springs and their tensions [N] positive where they pull."""


class Fall(Columns):
    """What became of a mechanism that was let go, as `forward` returns it: columns over time, where an
    impact has two rows, before and after."""

    def __init__(self, core: _core.FallColumns) -> None:
        super().__init__(core)
        self._fall = core
        self._summary = json.loads(core.json)

    @property
    def summary(self) -> dict[str, Any]:
        """Events, energies and when it came to rest, as the command prints with --json."""
        return self._summary  # type: ignore[no-any-return]

    @property
    def events(self) -> list[dict[str, Any]]:
        """Impacts, and the beginnings and ends of contacts that are held."""
        return self._summary["events"]  # type: ignore[no-any-return]

    @property
    def stopped(self) -> str | None:
        """Why the fall ended before its time, in words; None if it did not."""
        return self._fall.stopped or None

    def __str__(self) -> str:
        return self._fall.text


def _require(value: object, kind: type, name: str) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"{name}: found a {type(value).__name__}, expected a {kind.__name__}")


def simulate(model: Model, motion: Motion, set: Mapping[str, Setting] | None = None, *,
             springs: bool = True, reactions: bool = False) -> Simulation:
    """Computes the loads of a motion by inverse dynamics, as `counterpoise simulate` does.

    Args:
        model: the mechanism.
        motion: what its actuators do.
        set: values of parameters in place of the model's: numbers in SI, or texts with a unit
            ("2 N/mm").
        springs: False leaves out all springs.
        reactions: whether to add the wrenches through all joints and loop closures.

    Raises `Infeasible` where the mechanism cannot follow the motion, with the time and the place, and
    `InputError` for a motion or values that do not go with the model. Cost: some microseconds a sample
    of a large mechanism, and memory for all columns.
    """
    _require(model, Model, "model")
    _require(motion, Motion, "motion")
    return Simulation(_core.simulate(model._core, motion.path, motion._texts, settings_of(set),
                                     bool(springs), bool(reactions)))


def forward(model: Model, scenario: Scenario, set: Mapping[str, Setting] | None = None) -> Fall:
    """Lets a mechanism go and follows its fall, as `counterpoise forward` does.

    Args:
        model: the mechanism.
        scenario: what its actuators do, where it begins, and what it may hit.
        set: values of parameters, as in `simulate`.

    Raises `Infeasible` where the fall cannot begin; one that ends before its time has `stopped`.
    """
    _require(model, Model, "model")
    _require(scenario, Scenario, "scenario")
    fall = Fall(_core.forward(model._core, scenario.path, scenario._texts, settings_of(set)))
    if fall.stopped is not None:
        say([fall.stopped])
    return fall
