"""Studies: run as a whole, or evaluated point by point."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from counterpoise import _core
from counterpoise._calls import (INFEASIBLE, Path, command, options, path_of, say, text_of, texts_in,
                                 whole_of)
from counterpoise._progress import ProgressOption, told
from counterpoise.errors import InputError
from counterpoise.inputs import Input
from counterpoise.report import Report, Sensitivity
from counterpoise.results import Results

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray

Value = Union[float, int, str]
Point = Union[Mapping[str, Value], "ArrayLike"]

MOST_STARTED = 1024
"""The most worker threads that a run may have."""


class Variable(NamedTuple):
    """A variable of a study."""

    name: str
    kind: str
    """"continuous", "levels" (a range with a count), "values", "catalogue" or "motion"."""
    unit: str
    low: float
    """Of a range, in SI."""
    high: float
    values: list[float]
    """Of each level, in SI; empty of continuous ones, catalogues and motions."""
    labels: list[str]
    """Names of a catalogue's rows or of motions, one a level."""
    rows: list[int]
    """Rows of the catalogue's file, counted from 1, one a level."""

    @property
    def discrete(self) -> bool:
        return self.kind != "continuous"

    @property
    def level_count(self) -> int:
        """The number of levels; 0 of a continuous variable."""
        return max(len(self.values), len(self.labels))


class Objective(NamedTuple):
    """An objective, which is minimised."""

    name: str
    unit: str


class Constraint(NamedTuple):
    """A constraint: min <= value <= max, in SI; infinite where there is no bound."""

    name: str
    unit: str
    min: float
    max: float


class Study(Input):
    """What varies, over which motions, and what is minimised."""

    _kind = "study"

    def __init__(self, core: _core.Study) -> None:
        super().__init__(core.path, core.texts)
        self._core = core
        say(core.warnings)

    @classmethod
    def _read(cls, path: str, texts: _core.Texts) -> Study:
        return cls(_core.Study(path, texts))

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def variables(self) -> list[Variable]:
        """The variables, in the order of points."""
        return [Variable(*variable) for variable in self._core.variables]

    @property
    def objectives(self) -> list[Objective]:
        return [Objective(*objective) for objective in self._core.objectives]

    @property
    def constraints(self) -> list[Constraint]:
        return [Constraint(*constraint) for constraint in self._core.constraints]

    @property
    def motions(self) -> list[str]:
        return self._core.motions

    @property
    def scenarios(self) -> list[str]:
        return self._core.scenarios

    @property
    def metrics(self) -> list[str]:
        """Names of all metrics that expressions may read."""
        return self._core.metrics

    @property
    def case_count(self) -> int:
        """How many cases a run evaluates, of a search at most."""
        return self._core.case_count

    def evaluator(self, *, first_reason_only: bool = False) -> Evaluator:
        """What evaluates single points of the study; see `Evaluator`."""
        return Evaluator(self, first_reason_only=first_reason_only)

    def relaxed(self) -> Study:
        """The same study with every range continuous, whatever its "count", to be searched between the
        levels. Variables with "values", catalogues and motions stay as they are. A run of it samples
        one random design."""
        document = self.data
        for variable in document.get("variables", {}).values():
            variable.pop("count", None)
        document.pop("search", None)
        document.pop("keep", None)
        document["sampling"] = {"method": "random", "count": 1, "seed": 1}
        return self._with(document)

    def _with(self, document: Mapping[str, Any]) -> Study:
        """A study of another document whose files are those that this one was read from."""
        study: Study = Study.from_dict(document, self.folder, {
            os.path.relpath(path, self.folder): self._texts.get(path).decode("utf-8")
            for role, path in self._core.sources if role != "study"})
        return study

    def run(self, output: Path | None = None, *, threads: int | None = None, resume: bool = False,
            force: bool = False, allow_mixed: bool = False, shard: str | None = None,
            copy_to: Path | None = None, copy_every: int | None = None,
            progress: ProgressOption = None) -> Results:
        """Evaluates or optimises the study into a results file, as `counterpoise run` does.

        Args:
            output: the results file; the study's name with ".db" in this folder if None.
            threads: worker threads; as many as there are processors if None. No bit depends on it.
            resume: continue an interrupted run. A run that is whole already is not run again.
            force: replace results that exist.
            allow_mixed: resume results of another program.
            shard: evaluate part "i/n" of the study only.
            copy_to: a copy of the results file that is kept up to date, every `copy_every` seconds.
            progress: True draws a bar, by tqdm where it is installed; or a function of one `Progress`,
                called about fifty times a second at most, in this thread.

        Returns the results, also where nothing is feasible: `results.feasible` is 0 then, and
        `results.why()` says why. Ctrl-C raises `KeyboardInterrupt` within a fraction of a second; what
        was evaluated is stored, and `resume=True` continues. Raises `StoreError` where the file exists
        or cannot be written.
        """
        place = f"{self.name}.db" if output is None else path_of(output, "output")
        words = ["run", self._path, f"--output={place}", "--json", *_threads(threads),
                 *options({"resume": resume, "force": force, "allow_mixed": allow_mixed},
                          shard=None if shard is None else text_of(shard, "shard"),
                          copy_to=None if copy_to is None else path_of(copy_to, "copy_to"),
                          copy_every=None if copy_every is None
                          else whole_of(copy_every, "copy_every"))]
        with told(progress) as tell:
            try:
                answer = command(words, self._texts, tell)
            except KeyboardInterrupt as stopped:
                if hasattr(stopped, "add_note"):
                    stopped.add_note(f"{place}: run(..., resume=True) continues")
                raise
        return Results(place, summary=answer.json())

    def plan(self, *, threads: int | None = None, shard: str | None = None) -> Report:
        """What a run would take: how often each stage runs, how long, and how much memory."""
        words = ["run", self._path, "--plan", "--json", *_threads(threads),
                 *options(shard=None if shard is None else text_of(shard, "shard"))]
        return Report(command(words, self._texts))

    def sensitivity(self, *, samples: int | None = None, seed: int | None = None,
                    objectives: Sequence[str] | None = None, threads: int | None = None,
                    progress: ProgressOption = None) -> Sensitivity:
        """Says which variables the objectives depend on: Sobol indices, elementary effects, tornados.

        Args:
            samples: base samples, a power of two; each costs as many evaluations as there are
                variables, and two.
            seed: of all samples.
            objectives: only these.
            threads, progress: as in `run`.
        """
        words = ["sensitivity", self._path, "--json", *_threads(threads),
                 *options(samples=None if samples is None else whole_of(samples, "samples"),
                          seed=None if seed is None else whole_of(seed, "seed", 0))]
        words += (f"--objective={name}" for name in texts_in(objectives or [], "objectives"))
        with told(progress) as tell:
            return Sensitivity(command(words, self._texts, tell))

    def check(self) -> Report:
        """Sums the study up, as `counterpoise check` does; warnings say what changes nothing."""
        return Report(command(["check", self._path, "--json"], self._texts))


def _threads(threads: int | None) -> list[str]:
    if threads is None:
        return []
    return [f"--threads={whole_of(threads, 'threads')}"]


class Evaluator:
    """Evaluates points of a study, one call a point: for Optuna, scipy, pymoo and the like.

    A point is a dict or an array. A **dict** has a value for each variable: a number in SI or a text
    with a unit for those with numbers (of a variable with levels, one of them), the name or the row of
    a catalogue, the name of a motion. An **array** has one number a variable, in the study's order: the
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

        Raises `InputError` for a point that is none of the study. Cost beyond the evaluation: about a
        microsecond with an array, and some more for each variable of a dict.
        """
        return self._call(point)

    def batch(self, points: ArrayLike) -> Batch:
        """Evaluates the rows of an array of shape (n, variables), without the interpreter's lock; rows
        are points as arrays. Ctrl-C ends it. Raises `InputError` that names the first row which is no
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
        return self._core.metrics(point)

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
            it, of which numbers of springs are not read.

    Returns a `SizedGeometry` with `point` (shape (variables,), with the springs found), `objectives`,
    `feasible`, `reason` and `violation` as an `Outcome` has them, and `value` (of the first objective),
    `bound` (which no springs go below in this geometry), `gap` (the difference) and `certificate`
    (JSON, the multipliers that prove the bound). The last four are None or empty where there is no
    design. `SpringSizer` is faster for many points.
    """
    return SpringSizer(study)(point)
