"""Studies, and what is run and asked of them as a whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from counterpoise import _core
from counterpoise._calls import (Answer, Path, by_program, command, options, path_of, say, text_of,
                                 texts_in, threads_of, whole_of)
from counterpoise._progress import ProgressOption, told
from counterpoise.errors import InputError
from counterpoise.inputs import Input
from counterpoise.report import Report, Sensitivity
from counterpoise.results import Results

if TYPE_CHECKING:
    from counterpoise.evaluator import Evaluator


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
        """The study's name, or that of its file without the ending."""
        return self._core.name

    @property
    def variables(self) -> list[Variable]:
        """The variables, in the order of points."""
        return [Variable(*variable) for variable in self._core.variables]

    @property
    def objectives(self) -> list[Objective]:
        """The objectives, in the order of `Outcome.objectives`."""
        return [Objective(*objective) for objective in self._core.objectives]

    @property
    def constraints(self) -> list[Constraint]:
        """The constraints, in the order of `Outcome.constraints`."""
        return [Constraint(*constraint) for constraint in self._core.constraints]

    @property
    def motions(self) -> list[str]:
        """Names of the motions that designs follow."""
        return self._core.motions

    @property
    def scenarios(self) -> list[str]:
        """Names of the scenarios."""
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
        from counterpoise.evaluator import Evaluator

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
            progress: ProgressOption = None) -> Results:
        """Evaluates or optimises the study into a results file, as `counterpoise run` does.

        Args:
            output: the results file; the study's name with ".db" in this folder if None.
            threads: worker threads; as many as there are processors if None. No bit depends on it.
            resume: continue an interrupted run. A run that is whole already is not run again.
            force: replace results that exist.
            allow_mixed: resume results of another program.
            shard: evaluate part "i/n" of the study only.
            progress: True draws a bar, by tqdm where it is installed; or a function of one `Progress`,
                called about fifty times a second at most, in this thread.

        Returns the results, also where nothing is feasible: `results.feasible` is 0 then, and
        `results.why()` says why. Ctrl-C raises `KeyboardInterrupt` within a fraction of a second; what
        was evaluated is stored, and `resume=True` continues. Raises `StoreError` where the file exists
        or cannot be written.
        """
        if shard == "auto":
            raise InputError('found "auto", expected i/n; run_launched shares a study among the '
                             "processes of a launcher", "shard")
        extra = options({"resume": resume, "force": force, "allow_mixed": allow_mixed},
                        shard=None if shard is None else text_of(shard, "shard"))
        place, answer = self._run(output, threads, extra, progress)
        return Results(place, summary=answer.json())

    def run_launched(self, output: Path, *, threads: int | None = None, resume: bool = False,
                     force: bool = False, allow_mixed: bool = False,
                     progress: ProgressOption = None) -> Results | None:
        """Evaluates this process's part of the study, as `counterpoise run --shard auto` does, where srun
        or mpirun has started the same script in several processes.

        Args:
            output: the results file, on a file system that all processes share. Parts stand beside it
                until the first process has joined them.
            threads, resume, force, allow_mixed, progress: as in `run`.

        Returns the results of the whole study in the first process, which waits for the others, and
        None in these. Raises `InputError` where no launcher has left rank and count in the environment,
        and `StoreError` in the first process where another one has failed or was interrupted.
        """
        extra = options({"resume": resume, "force": force, "allow_mixed": allow_mixed}, shard="auto")
        place, answer = self._run(output, threads, extra, progress)
        return Results(place, summary=answer.json()) if answer.data else None

    def _run(self, output: Path | None, threads: int | None, extra: Iterable[str],
             progress: ProgressOption) -> tuple[str, Answer]:
        place = f"{self.name}.db" if output is None else path_of(output, "output")
        words = ["run", self._path, f"--output={place}", "--json", *threads_of(threads), *extra]
        with told(progress) as tell:
            try:
                return place, command(words, self._texts, tell)
            except KeyboardInterrupt as stopped:
                if hasattr(stopped, "add_note"):
                    stopped.add_note(f"{place}: the same with resume=True continues")
                raise

    def submit(self, output: Path | None = None, *, tasks: int, cpus: int | None = None,
               partition: str | None = None, time: str | None = None, memory: str | None = None,
               sbatch: Sequence[str] = (), scripts_only: bool = False,
               program: Path | None = None) -> str:
        """Shares the study among the tasks of a Slurm cluster, as `counterpoise submit` does.

        The tasks call the program, and so does this: it is the one function that needs the program
        beside the package, and the study in files on a file system that all nodes share.

        Args:
            output: the results file; the study's name with ".db" in this folder if None.
            tasks: how many array tasks there are.
            cpus: processors of a task; one if None.
            partition, time, memory: of each task, as sbatch takes them.
            sbatch: other options of sbatch, such as ["--account=me"].
            scripts_only: submit nothing, and return the script.
            program: the program; `counterpoise` on PATH if None.

        Returns what the command prints; `cp.progress(output)` then says how far the tasks are, and
        `cp.merge` joins their parts, `<output>.tasks/part.*.db`, when all have finished. Raises
        `InputError` where the study's files are not those that it was read from, and for what sbatch
        refuses.
        """
        place = f"{self.name}.db" if output is None else path_of(output, "output")
        words = ["submit", self._path, f"--output={place}", f"--tasks={whole_of(tasks, 'tasks')}",
                 *(f"--option={text}" for text in texts_in(sbatch, "sbatch")),
                 *options(cpus=None if cpus is None else whole_of(cpus, "cpus"),
                          partition=None if partition is None else text_of(partition, "partition"),
                          time=None if time is None else text_of(time, "time"),
                          memory=None if memory is None else text_of(memory, "memory"))]
        if scripts_only:
            words.append("--print")
        for _, path in self._core.sources:
            if not _holds(path, self._texts.get(path)):
                raise InputError("is not what this study was read from, and a task would read it: "
                                 "save the study's files first, and load it from there", path)
        return by_program(words, program)

    def plan(self, *, threads: int | None = None, shard: str | None = None) -> Report:
        """What a run would take: how long, how sure that is, and how large its file."""
        words = ["run", self._path, "--plan", "--json", *threads_of(threads),
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
        words = ["sensitivity", self._path, "--json", *threads_of(threads),
                 *options(samples=None if samples is None else whole_of(samples, "samples"),
                          seed=None if seed is None else whole_of(seed, "seed", 0))]
        words += (f"--objective={name}" for name in texts_in(objectives or [], "objectives"))
        with told(progress) as tell:
            return Sensitivity(command(words, self._texts, tell))

    def check(self) -> Report:
        """Sums the study up, as `counterpoise check` does; warnings say what changes nothing."""
        return Report(command(["check", self._path, "--json"], self._texts))


def _holds(path: str, text: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read() == text
    except OSError:
        return False
