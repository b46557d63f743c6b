"""What a run has found, in its results file."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from counterpoise import _core
from counterpoise._calls import (Path, command, options, path_of, say, text_of, texts_in, threads_of,
                                 whole_of)
from counterpoise.errors import Error, InputError
from counterpoise.inputs import Model
from counterpoise.report import Ranking, Report

if TYPE_CHECKING:
    import numpy
    import pandas
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from counterpoise.study import Study

Case = Union[int, str]
MOST_ROWS = 1_000_000_000


def _case(case: Case) -> str:
    if isinstance(case, str):
        if case != "best":
            raise InputError(f"found {case!r}, expected an id or \"best\"", "case")
        return case
    return str(whole_of(case, "case"))


def _kept(values: Any) -> Any:
    """A column as an array: of texts, an array of Python texts with None where there is none."""
    if not isinstance(values, tuple):
        return values
    import numpy

    codes, labels = values
    return numpy.array([*labels, None], dtype=object)[codes]


@contextlib.contextmanager
def _in_file(tolerances: Path | Mapping[str, Any] | None) -> Iterator[str | None]:
    """The file that tolerances stand in, for as long as a command reads it."""
    if not isinstance(tolerances, Mapping):
        yield None if tolerances is None else path_of(tolerances, "tolerances")
        return
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "tolerances.json")
        with open(place, "w", encoding="utf-8") as file:
            json.dump(dict(tolerances), file, indent=1)
        yield place


class Results:
    """A results file. It is opened for each question and closed again, so that it may be read while a
    run is writing it, and from any process.

    Args:
        path: the file.

    Raises `StoreError` where there is no such file, or it holds no results.
    """

    def __init__(self, path: Path, *, summary: Mapping[str, Any] | None = None) -> None:
        self._path = path_of(path)
        self._run = dict(summary) if summary is not None else None
        self._closed = False
        _core.summary(self._path)

    @property
    def path(self) -> str:
        """The results file."""
        return self._path

    @property
    def run_summary(self) -> dict[str, Any] | None:
        """What the run said of itself with --json, of results that `Study.run` has returned."""
        return self._run

    def close(self) -> None:
        """Lets go of the file; afterwards every question is an `Error`."""
        self._closed = True

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> str:
        if self._closed:
            raise Error(f"{self._path}: these results were closed")
        return self._path

    def _ask(self, name: str, *words: str, **given: Any) -> Any:
        return command([name, self._open(), *words, "--json"], **given)

    @property
    def summary(self) -> dict[str, Any]:
        """What the file says of itself: "study", "variables", "metrics", "objectives", counts of cases,
        "complete" and "baselines"."""
        return _core.summary(self._open())

    @property
    def cases_done(self) -> int:
        """How many cases were evaluated."""
        return int(self.summary["cases"])

    @property
    def feasible(self) -> int:
        """How many of them are feasible."""
        return int(self.summary["feasible"])

    @property
    def complete(self) -> bool:
        """Whether the file holds its whole study."""
        return bool(self.summary["complete"])

    @property
    def objectives(self) -> list[str]:
        """Names of the objectives, in the study's order."""
        return list(self.summary["objectives"])

    @property
    def variables(self) -> list[str]:
        """Names of the variables, in the study's order."""
        return list(self.summary["variables"])

    def study(self) -> Study:
        """The study that the results were made from, read again from the texts kept with them."""
        from counterpoise.study import Study

        path, contents = _core.study_texts(self._open())
        texts = _core.Texts()
        for name, content in contents.items():
            texts.put(name, content)
        return Study._read(path, texts)

    def rank(self, by: str | None = None, top: int | None = 20, *, where: str | None = None,
             motion: str | None = None, distinct: float | None = None) -> Ranking:
        """The best feasible designs, as `counterpoise rank` lists them.

        Args:
            by: the objective; the study's first if None.
            top: rows a motion; all if None.
            where: a condition over the columns, such as "lift.max < 60 && worst < 0.7".
            motion: only this motion, where a variable selects it.
            distinct: leave out designs within this part of every variable's range of one listed.

        `str()` of it is the table, which leaves out designs that print the same; rows hold them.
        """
        return self._ranking(by=by, top=top, where=where, motion=motion, distinct=distinct)

    def pareto(self, objectives: Sequence[str] | None = None, *, top: int | None = None,
               where: str | None = None, motion: str | None = None) -> Ranking:
        """The designs that no other dominates; the row of the knee says so.

        Args:
            objectives: the objectives compared; if None, the trade-off's objectives, or all.
            top, where, motion: as in `rank`.
        """
        words = ["--pareto"]
        if objectives is not None:
            words.append("--objectives=" + ",".join(texts_in(objectives, "objectives")))
        return self._ranking(*words, top=top, where=where, motion=motion)

    def _ranking(self, *words: str, by: str | None = None, top: int | None = None,
                 where: str | None = None, motion: str | None = None,
                 distinct: float | None = None) -> Ranking:
        if distinct is not None and (isinstance(distinct, bool)
                                     or not isinstance(distinct, (int, float))):
            raise TypeError(f"distinct: found a {type(distinct).__name__}, expected a number")
        asked = [*words, *options(
            by=None if by is None else text_of(by, "by"),
            top=MOST_ROWS if top is None else whole_of(top, "top"),
            where=None if where is None else text_of(where, "where"),
            motion=None if motion is None else text_of(motion, "motion"), distinct=distinct)]
        answer = self._ask("rank", *asked)
        return Ranking(answer, lambda: command(["rank", self._open(), *asked], warn=False).text)

    def arrays(self, where: str | None = None, *,
               feasible: bool = False) -> dict[str, NDArray[Any]]:
        """The columns of all cases that the file holds: id, status, reason, variables, metrics and
        objectives, shape (cases,) each, numbers in SI. Texts are Python objects, None where there is
        none; metrics and objectives of cases that are not feasible are NaN.

        Args:
            where: only those that meet this condition over the columns.
            feasible: only feasible ones.
        """
        condition = "" if where is None else text_of(where, "where")
        if where is not None and not condition.strip():
            raise InputError("found nothing, expected a condition", "where")
        found = _core.cases(self._open(), condition, bool(feasible))
        return {name: _kept(values) for name, values in found.items()}

    def cases(self, where: str | None = None, *, feasible: bool = False) -> pandas.DataFrame:
        """The same as a data frame, indexed by id."""
        import pandas

        return pandas.DataFrame(self.arrays(where, feasible=feasible)).set_index("id")

    to_pandas = cases

    def point(self, case: Case) -> NDArray[numpy.float64]:
        """The point of a case as `Evaluator` takes it, shape (variables,)."""
        point, _ = _core.point_of_case(self._open(), _case(case))
        return point

    def explain(self, case: Case = "best", *, loads: Path | None = None) -> Report:
        """Evaluates a case again and explains it: why it is good, what limits it, what it costs
        elsewhere. `loads` names a CSV file to write its motions to, beside the baseline's."""
        words = [] if loads is None else [f"--output={path_of(loads, 'loads')}"]
        return Report(self._ask("show", _case(case), *words))

    show = explain

    def parts(self, case: Case = "best") -> Report:
        """What a design is built from: springs to order, and the points they are held at."""
        return Report(self._ask("show", _case(case), "--bill"))

    def why(self, case: int | None = None, *, threads: int | None = None) -> Report:
        """Why designs failed, and what alone would make more feasible; or all that is against one
        case."""
        words = [] if case is None else [_case(case)]
        return Report(self._ask("why", *words, *threads_of(threads)))

    def apply(self, case: Case = "best", *, motion: str | None = None) -> Model:
        """The model with the values of a case, to `save` or to go on with.

        Args:
            case: the id, or "best".
            motion: apply the parameters that hold for this motion alone too.

        Warns where the case is not feasible, and of parameters that hold for single motions.
        """
        text, beside, changed, identity, reason, own = _core.apply(
            self._open(), _case(case), "" if motion is None else text_of(motion, "motion"))
        if reason:
            say([f"note: case {identity} is not feasible: {reason}"])
        if own and motion is None:
            say(["note: parameters that hold for one motion alone are not applied: "
                 f"{', '.join(own)}; motion=NAME applies those of one"])
        texts = _core.Texts()
        path = os.path.join(os.path.dirname(beside) or ".", f"case_{identity}.json")
        texts.put(path, text)
        return Model._read(path, texts)

    def sheet(self, *outputs: Path, case: Case = "best",
              tolerances: Path | Mapping[str, Any] | None = None) -> Report:
        """Writes a sheet of a case for the workshop and the spring maker.

        Args:
            outputs: the files to write, which end in .svg or .pdf.
            case: the id, or "best".
            tolerances: a file or a dict with tolerances, instead of the study's.

        Returns what the sheet says.
        """
        words = [_case(case), *(f"--output={path_of(one, 'outputs')}" for one in outputs)]
        with _in_file(tolerances) as file:
            return Report(self._ask("sheet", *words, *options(tolerances=file)))

    def export(self, output: Path, *, units: bool = False) -> Report:
        """Writes all cases to a CSV file; `units` adds units to its headings."""
        return Report(self._ask("export", f"--output={path_of(output, 'output')}",
                                *options({"units": units})))

    def verify(self, case: int | None = None) -> Report:
        """Adds up again why no better springs exist: a list with a verdict for each
        certificate, whose "proved" says whether it holds."""
        words = [] if case is None else [_case(case)]
        return Report(self._ask("verify", *words))

    def robustness(self, *, top: int | None = None, by: str | None = None, rank: str | None = None,
                   motion: str | None = None, tolerances: Path | Mapping[str, Any] | None = None,
                   threads: int | None = None) -> Report:
        """Evaluates the best cases again under manufacturing tolerances.

        Args:
            top: designs a motion; 20 if None.
            by: the objective; the study's first if None.
            rank: order by "nominal", "worst" or "percentile".
            motion: only this motion.
            tolerances: a file or a dict with tolerances, instead of the study's.
            threads: worker threads; no bit depends on it.
        """
        words = [*options(top=None if top is None else whole_of(top, "top"),
                          by=None if by is None else text_of(by, "by"),
                          rank=None if rank is None else text_of(rank, "rank"),
                          motion=None if motion is None else text_of(motion, "motion")),
                 *threads_of(threads)]
        with _in_file(tolerances) as file:
            return Report(self._ask("robustness", *words, *options(tolerances=file)))

    def report(self, output: Path = "report.html", cases: Sequence[Case] = (), *,
               sensitivity: bool = False, robustness: bool = False,
               threads: int | None = None) -> Report:
        """Writes a page about the results: what was found, why, and the designs.

        Args:
            output: the HTML file.
            cases: the designs shown in full; the best few if empty.
            sensitivity, robustness: whether to add these analyses.
            threads: worker threads.
        """
        if isinstance(cases, (str, int)):
            cases = [cases]
        words = [*map(_case, cases), f"--output={path_of(output, 'output')}",
                 *options({"sensitivity": sensitivity, "robustness": robustness}),
                 *threads_of(threads)]
        return Report(self._ask("report", *words))

    def plot_pareto(self, x: str | None = None, y: str | None = None,
                    ax: Axes | None = None) -> Axes:
        """Two objectives of all feasible designs, with the front. See `plots.pareto`."""
        from counterpoise import plots

        return plots.pareto(self, x, y, ax)

    def plot_parallel(self, ax: Axes | None = None) -> Axes:
        """The best designs in parallel coordinates. See `plots.parallel`."""
        from counterpoise import plots

        return plots.parallel(self, ax=ax)

    def __str__(self) -> str:
        summary = self.summary
        return (f"{self._path}: {summary['cases']} cases, {summary['feasible']} feasible, "
                f"{summary['infeasible']} infeasible, {summary['failed']} failed")

    def __repr__(self) -> str:
        return f"<Results {self._path}{' (closed)' if self._closed else ''}>"
