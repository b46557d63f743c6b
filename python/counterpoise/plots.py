"""Plots by matplotlib, each a function of one line to call; all return the axes to go on with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from counterpoise.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from counterpoise.report import Sensitivity
    from counterpoise.results import Results
    from counterpoise.simulation import Columns

__all__ = ["over_time", "parallel", "pareto", "tornado"]


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots()[1]


def over_time(run: Columns, columns: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """Columns of a simulation or a fall over time; those of poses at rest over their numbers from 1.

    Args:
        run: what `simulate` or `forward` returned.
        columns: their names; those that end in ".load" if None, or all positions of a fall.
        ax: where to draw; new axes if None.
    """
    if isinstance(columns, str):
        columns = [columns]
    names = list(columns) if columns is not None else (
        [name for name in run.names if name.endswith(".load")]
        or [name for name in run.names if name.endswith(".q")])
    ax = _axes(ax)
    for name in names:
        ax.plot(run.t + 1 if run.at_rest else run.t, run[name], label=name)
    ax.set_xlabel("pose" if run.at_rest else "t [s]")
    ax.set_ylabel("load [N, N m]" if all(name.endswith(".load") for name in names) else "[SI]")
    if names:
        ax.legend()
    ax.grid(True, alpha=0.3)
    return ax


def _objective(results: Results, name: str | None, place: int) -> str:
    names = results.objectives
    if name is None:
        if place >= len(names):
            raise InputError("the study has one objective alone, and a front needs two", "y")
        return names[place]
    if name not in names:
        raise InputError(f"found {name!r}, expected an objective: {', '.join(names)}",
                         "y" if place else "x")
    return name


def pareto(results: Results, x: str | None = None, y: str | None = None,
           ax: Axes | None = None) -> Axes:
    """Two objectives of all feasible designs, the front between them, and the baseline.

    Args:
        results: the results of a study with two objectives or more.
        x, y: the objectives; the study's first two if None.
        ax: where to draw; new axes if None.
    """
    along, up = _objective(results, x, 0), _objective(results, y, 1)
    ax = _axes(ax)
    cases = results.arrays(feasible=True)
    ax.scatter(cases[along], cases[up], s=4, alpha=0.4, label="feasible designs")
    front = results.pareto([along, up]).data
    rows = sorted(front, key=lambda row: float(row[along]))
    ax.plot([row[along] for row in rows], [row[up] for row in rows], "o-", color="C1", label="front")
    names = results.objectives
    for name, _, status, _, objectives in results.summary["baselines"]:
        if status == "feasible" and name == "baseline":
            ax.plot(objectives[names.index(along)], objectives[names.index(up)], "k*",
                    label="baseline")
    ax.set_xlabel(along)
    ax.set_ylabel(up)
    ax.legend()
    ax.grid(True, alpha=0.3)
    return ax


def parallel(results: Results, columns: Sequence[str] | None = None, by: str | None = None,
             top: int = 100, ax: Axes | None = None) -> Axes:
    """The best designs as lines over one axis a column, each from its least to its largest value.

    Args:
        results: the results.
        columns: variables and objectives; all that are numbers if None.
        by: the objective that ranks and colours them; the study's first if None.
        top: how many designs.
        ax: where to draw; new axes if None.
    """
    from matplotlib import colormaps

    rows = results.rank(by, top).data
    if not rows:
        raise InputError("no case is feasible, so there is nothing to draw", "results")
    measure = by or results.objectives[0]
    names = list(columns) if columns is not None else [
        name for name in [*results.variables, *results.objectives]
        if isinstance(rows[0].get(name), (int, float))]
    missing = [name for name in names if name not in rows[0]]
    if missing:
        raise InputError(f"found {missing[0]!r}, expected a column: {', '.join(rows[0])}", "columns")
    ranges = {name: (min(row[name] for row in rows), max(row[name] for row in rows))
              for name in {*names, measure}}

    def share(row: Any, name: str) -> float:
        least, most = ranges[name]
        return float((row[name] - least) / (most - least)) if most > least else 0.5

    ax = _axes(ax)
    colours = colormaps["viridis"]
    for row in reversed(rows):
        ax.plot(range(len(names)), [share(row, name) for name in names], alpha=0.5,
                color=colours(share(row, measure)))
    labels = [f"{name}\n{ranges[name][0]:.4g} to {ranges[name][1]:.4g}" for name in names]
    ax.set_xticks(range(len(names)), labels, rotation=30, ha="right")
    ax.set_yticks([])
    return ax


def tornado(sensitivity: Sensitivity, objective: str | None = None, ax: Axes | None = None) -> Axes:
    """How far each variable alone moves an objective from the design in the middle, the farthest first.

    Args:
        sensitivity: what `Study.sensitivity` returned.
        objective: its name; the first if None.
        ax: where to draw; new axes if None.
    """
    found = sensitivity["motions"][0]["objectives"]
    names = [one["objective"] for one in found]
    if objective is not None and objective not in names:
        raise InputError(f"found {objective!r}, expected an objective: {', '.join(names)}",
                         "objective")
    chosen = found[names.index(objective) if objective is not None else 0]
    centre = chosen["centre"]
    if centre is None:
        raise InputError(f"the design in the middle has no {chosen['objective']}, so there is "
                         "nothing to draw", "sensitivity")
    bars = sorted((one for one in chosen["variables"] if one.get("tornado_swing") is not None),
                  key=lambda one: float(one["tornado_swing"]))
    ax = _axes(ax)
    for place, bar in enumerate(bars):
        ends = [end for end in (bar["tornado_low"], bar["tornado_high"], centre) if end is not None]
        ax.barh(place, max(ends) - min(ends), left=min(ends), color="C0")
    ax.axvline(centre, color="k", linewidth=0.8)
    ax.set_yticks(range(len(bars)), [bar["variable"] for bar in bars])
    ax.set_xlabel(chosen["objective"])
    return ax
