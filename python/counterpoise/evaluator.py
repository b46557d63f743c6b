"""Single points of studies, for searches that others make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Union

from counterpoise import _core
from counterpoise.errors import InputError
from counterpoise.study import Study

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray

Value = Union[float, int, str]
Point = Union[Mapping[str, Value], "ArrayLike"]


class Evaluator:
    """Evaluates points of a study, one call a point: for Optuna, scipy, pymoo and the like.

    A point is a dict or an array. A **dict** has a value for each variable: a number in SI or a text
    with a unit for those with numbers, the name or the row of a catalogue, the name of a motion. Numbers
    of a range may lie between the levels that its study takes. An **array** has one number a variable, in the study's order: the
    value in SI of a continuous variable, and the level, 0 to n - 1, of any other. `bounds` and
    `integrality` describe arrays as scipy's `differential_evolution` takes them.

    Stages of an evaluation that do not depend on what changed since the last point are remembered, so
    that points which differ in springs only cost less. Results do not depend on it, and are those of
    `Study.run` bit for bit.

    An evaluator works for one thread at a time; a second that calls it meanwhile gets an `Error`. Make
    one for each thread. After fork() a child may use its copy.

    Args:
        first_reason_only: whether evaluating stops at the first limit that a design breaks, as runs of
            sampled studies do. It then costs less, and objectives of such designs are not known.
    """

    def __init__(self, study: Study, *, first_reason_only: bool = False) -> None:
        if not isinstance(study, Study):
            raise TypeError(f"study: found a {type(study).__name__}, expected a Study")
        self.study = study
        self._core = _core.Evaluator(study._core, bool(first_reason_only))
        self._call = self._core.__call__
        self._first_reason_only = bool(first_reason_only)
        self._between: Evaluator | None = None

    def _evaluator_between(self, point: Point) -> Evaluator | None:
        """Evaluates what is refused here because it may lie between the levels of a range."""
        variables = self.study.variables
        if (not isinstance(point, Mapping)
                or set(point) != {variable.name for variable in variables}
                or all(variable.kind != "levels" for variable in variables)):
            return None
        if self._between is None:
            self._between = Evaluator(self.study.relaxed(),
                                      first_reason_only=self._first_reason_only)
        return self._between

    def __call__(self, point: Point) -> _core.Outcome:
        """Evaluates one point.

        Returns an `Outcome` with

        - `objectives`: shape (objectives,), in SI, to be minimised; NaN where they are not known;
        - `constraints`: shape (constraints,), the values that the bounds of `study.constraints` hold
          for, NaN where they are not known;
        - `feasible`: whether no limit and no constraint is broken;
        - `reason`: in words, what the design breaks first; None if it is feasible;
        - `violation`: the sum of relative violations, 0 if feasible, to steer a search by;
        - `computable`: whether objectives are known;
        - `status`: "feasible", "infeasible" or "failed".

        Raises `InputError` for a point outside the study. Cost beyond the evaluation: about a
        microsecond with an array, and some more for each variable of a dict.
        """
        try:
            return self._call(point)
        except InputError:
            between = self._evaluator_between(point)
            if between is None:
                raise
        return between(point)

    def batch(self, points: ArrayLike) -> Batch:
        """Evaluates the rows of an array of shape (n, variables), without the interpreter's lock; rows
        are points as arrays. Ctrl-C ends it. Raises `InputError` that names the first row which is not a
        point; then nothing is returned."""
        return Batch(self._core.batch(points))

    def point(self, point: Point) -> NDArray[numpy.float64]:
        """A point as an array, shape (variables,)."""
        return self._core.point(point)

    def values(self, point: Point) -> dict[str, Value]:
        """A point as a dict: numbers in SI, names of rows and of motions."""
        named: dict[str, Value] = {}
        for variable, number in zip(self.study.variables, self._core.point(point).tolist()):
            if not variable.discrete:
                named[variable.name] = number
            elif variable.labels:
                named[variable.name] = variable.labels[int(number)]
            else:
                named[variable.name] = variable.values[int(number)]
        return named

    def metrics(self, point: Point) -> dict[str, float]:
        """Evaluates a point and returns all its metrics by name, in SI; NaN where they are not known."""
        try:
            return self._core.metrics(point)
        except InputError:
            between = self._evaluator_between(point)
            if between is None:
                raise
        return between.metrics(point)

    @property
    def bounds(self) -> list[tuple[float, float]]:
        """The least and the largest number of each variable in an array."""
        return [(0.0, float(variable.level_count - 1)) if variable.discrete
                else (variable.low, variable.high) for variable in self.study.variables]

    @property
    def integrality(self) -> list[bool]:
        """Whether the numbers of each variable in an array are whole."""
        return [variable.discrete for variable in self.study.variables]

    @property
    def baseline(self) -> NDArray[numpy.float64] | None:
        """The objectives of the robot as it is, shape (objectives,); None if it is not feasible. If a
        variable selects the motion, of its first motion."""
        return self._core.baselines[0][0]

    @property
    def without_springs(self) -> NDArray[numpy.float64] | None:
        """The same of the robot without springs."""
        return self._core.baselines[0][1]

    def __repr__(self) -> str:
        return f"<Evaluator of {self.study.name}: {len(self.study.variables)} variables>"


class Batch:
    """What `Evaluator.batch` found, a row a point; arrays are views without copies."""

    def __init__(self, core: _core.Batch) -> None:
        self._core = core

    def __len__(self) -> int:
        return len(self._core)

    @property
    def objectives(self) -> NDArray[numpy.float64]:
        """Shape (n, objectives), in SI; NaN where they are not known."""
        return self._core.objectives

    @property
    def constraints(self) -> NDArray[numpy.float64]:
        """Shape (n, constraints), in SI; NaN where they are not known."""
        return self._core.constraints

    @property
    def violations(self) -> NDArray[numpy.float64]:
        """Shape (n,): sums of relative violations, 0 where feasible."""
        return self._core.violations

    @property
    def feasible(self) -> NDArray[numpy.bool_]:
        """Shape (n,): whether no limit and no constraint is broken."""
        feasible: NDArray[numpy.bool_] = self._core.statuses == 0
        return feasible

    def reason(self, i: int) -> str | None:
        """What point `i` breaks first, in words; None if it is feasible."""
        return self._core.reason(i)

    @property
    def reasons(self) -> list[str | None]:
        """The reasons of all points."""
        return [self._core.reason(i) for i in range(len(self))]

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} points, {int(self.feasible.sum())} feasible>"


class SpringSizer:
    """Sizes springs exactly, geometry after geometry: `exact_springs` for many points of one study.

    Args:
        study: one with "search": {"method": "exact-springs"}.
    """

    def __init__(self, study: Study) -> None:
        if not isinstance(study, Study):
            raise TypeError(f"study: found a {type(study).__name__}, expected a Study")
        self.study = study
        self._core = _core.Sizer(study._core)

    @property
    def geometry(self) -> list[str]:
        """The variables that move more than springs, which a point has to give."""
        return self._core.geometry

    def __call__(self, point: Point) -> _core.SizedGeometry:
        """The best springs of one geometry; see `exact_springs`."""
        return self._core.size(point)


def exact_springs(study: Study, point: Point) -> _core.SizedGeometry:
    """The best springs for a geometry, with proof: what a run of a study with "exact-springs" finds
    there.

    Args:
        study: one with "search": {"method": "exact-springs"}.
        point: a dict with the variables that move more than springs, or a point as `Evaluator` takes
            it, whose numbers of springs are ignored.

    Returns a `SizedGeometry` with `point` (shape (variables,), with the springs found), `objectives`,
    `feasible`, `reason` and `violation` as an `Outcome` has them, and `value` (of the first objective),
    `bound` (which no springs go below in this geometry), `gap` (the difference) and `certificate`
    (JSON, the multipliers that prove the bound). The last four are None or empty where there is no
    design. `SpringSizer` is faster for many points.
    """
    return SpringSizer(study)(point)
