"""Models, motions and scenarios: read from files, or made from dictionaries."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar, Union

from counterpoise import _core
from counterpoise._calls import Path, Setting, command, options, path_of, setting_of, settings_of, text_of
from counterpoise.errors import InputError
from counterpoise.report import Report

Document = Mapping[str, Any]
Files = Mapping[str, Union[str, Document, "Input"]]
_Input = TypeVar("_Input", bound="Input")


class Parameter(NamedTuple):
    """A parameter of a model."""

    name: str
    value: float | str
    """As the file has it: a number in `unit`, or an expression of other parameters."""
    unit: str
    """The unit of `value`; "1" if it has none."""
    si_value: float
    """The value in the model's own design, in SI."""
    si_unit: str
    source: str
    """Where the number is from, as the file says; may be empty."""
    note: str


class Input:
    """What is read from a JSON file: the base of `Model`, `Motion`, `Scenario` and `Study`.

    An input is read once. What later becomes of its file, or of files that it names, changes nothing.
    """

    _kind = "input"

    def __init__(self, path: str, texts: _core.Texts) -> None:
        self._path = path
        self._texts = texts

    @classmethod
    def load(cls: type[_Input], path: Path) -> _Input:
        """Reads and checks a file, and the files that it names.

        Raises `InputError`, with the place of the first mistake in its attributes.
        """
        return cls._read(path_of(path), _core.Texts())

    @classmethod
    def from_dict(cls: type[_Input], document: Document, folder: Path = ".",
                  files: Files | None = None) -> _Input:
        """Makes one from a dictionary with the keys of the file format.

        `folder` is where the files that it names are looked for. `files` are given in their place: from
        the name that the dictionary uses to a text, a dictionary, or a `Model`, `Motion` or
        `Scenario`. Raises `InputError`, with places in the text that `json.dumps(document, indent=1)`
        gives.
        """
        if not isinstance(document, Mapping):
            raise TypeError(f"document: found a {type(document).__name__}, expected a dict")
        return cls.from_text(_dumped(document, "document"), folder, files)

    @classmethod
    def from_text(cls: type[_Input], text: str, folder: Path = ".",
                  files: Files | None = None) -> _Input:
        """The same from a JSON text."""
        home = path_of(folder, "folder")
        texts = _core.Texts()
        for name, content in (files or {}).items():
            texts.put(os.path.join(home, text_of(name, "files")), _content(content, name))
        path = os.path.join(home, f"{cls._kind}.json")
        texts.put(path, text_of(text, "text"))
        return cls._read(path, texts)

    @classmethod
    def _read(cls: type[_Input], path: str, texts: _core.Texts) -> _Input:
        raise NotImplementedError

    @property
    def path(self) -> str:
        """The file it was read from; of a dictionary, where its file would be."""
        return self._path

    @property
    def text(self) -> str:
        """Its JSON, as the file has it."""
        return self._texts.get(self._path).decode("utf-8")

    @property
    def data(self) -> dict[str, Any]:
        """A copy of its JSON as a dictionary, to change and give to `from_dict`."""
        data = json.loads(self.text)
        assert isinstance(data, dict)
        return data

    @property
    def folder(self) -> str:
        """Where the files that it names are."""
        return os.path.dirname(self._path) or "."

    def save(self, path: Path) -> None:
        """Writes its JSON to a file, whole or not at all."""
        _core.write_file(path_of(path), self.text)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._path}>"

    def __reduce__(self) -> Any:
        return (_unpickled, (type(self), self._path, self._texts.all()))


def _unpickled(kind: type[_Input], path: str, contents: Mapping[str, bytes]) -> _Input:
    texts = _core.Texts()
    for name, content in contents.items():
        texts.put(name, content)
    return kind._read(path, texts)


def _dumped(document: Document, what: str) -> str:
    try:
        return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"cannot be written as JSON: {error}", what) from None


def _content(content: object, name: str) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Input):
        return content.text
    if isinstance(content, Mapping):
        return _dumped(content, name)
    raise TypeError(f"files: {name}: found a {type(content).__name__}, expected a text, a dict or what "
                    "was loaded")


class Model(Input):
    """A mechanism whose numbers depend on parameters."""

    _kind = "model"

    import_report: Report | None = None
    """What importing has left out or changed, of a model that was imported."""

    def __init__(self, core: _core.Model) -> None:
        super().__init__(core.path, core.texts)
        self._core = core

    @classmethod
    def _read(cls, path: str, texts: _core.Texts) -> Model:
        return cls(_core.Model(path, texts))

    @property
    def name(self) -> str:
        """The model's name, from its file."""
        return self._core.name

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters by name, in the order of the file."""
        written = self.data.get("parameters", {})

        def value(name: str) -> float | str:
            given = written[name]
            found: float | str = given["value"] if isinstance(given, dict) else given
            return found

        return {name: Parameter(name, value(name), unit, si_value, si_unit, source, note)
                for name, unit, si_unit, si_value, source, note in self._core.parameters}

    @property
    def bodies(self) -> list[str]:
        """Names of bodies, from base to tips."""
        return self._core.bodies

    @property
    def springs(self) -> list[str]:
        """Names of springs, in the order of the file."""
        return self._core.springs

    @property
    def actuators(self) -> list[str]:
        """Names of actuators, in the order of the file."""
        return self._core.actuators

    def with_values(self, values: Mapping[str, Setting], source: str = "given") -> Model:
        """A model that has these values of parameters in place of its own: numbers in SI, or texts with
        a unit ("2 N/mm"). Parameters keep their units, bounds and notes; `source` becomes theirs."""
        text = _core.text_with_values(self._core, settings_of(values, "values"), source)
        return Model.from_text(text, self.folder)

    def check(self) -> Report:
        """Sums the model up, as `counterpoise check` does; warnings say what changes nothing."""
        answer = command(["check", self._path, "--json"], self._texts)
        return Report(answer)

    def cam(self, spring: str, *outputs: Path, tension: Setting | None = None, actuator: str | None = None,
            start: Setting | None = None, end: Setting | None = None,
            least_radius: Setting | None = None, cable: Setting | None = None,
            set: Mapping[str, Setting] | None = None) -> Report:
        """Makes the profile of a cam on which a spring balances a load at rest exactly.

        Args:
            spring: the spring whose cable is fixed to the cam.
            outputs: files to write: .csv has the profile, .dxf and .svg are drawings.
            tension: its force at the beginning of the range, in N or with a unit.
            actuator: whose load the cam takes; the only one if None.
            start: beginning of the range; the actuator's min_position if None.
            end: end of the range; its max_position if None.
            least_radius: least radius of curvature of the edge.
            cable: the cable's diameter, for drawings of the groove.
            set: values of parameters, in SI or as texts with a unit.

        Returns the figures of the cam.
        """
        given = {"tension": tension, "from": start, "to": end, "least_radius": least_radius,
                 "cable": cable}
        words = ["cam", self._path, f"--spring={text_of(spring, 'spring')}", "--json",
                 *options(actuator=None if actuator is None else text_of(actuator, "actuator")),
                 *options(None, **{name: setting_of(name, value, "cam")
                                   for name, value in given.items() if value is not None}),
                 *(f"--set={word}" for word in settings_of(set)),
                 *(f"--output={path_of(one, 'outputs')}" for one in outputs)]
        return Report(command(words, self._texts))

    def convert(self, to: str, output: Path, set: Mapping[str, Setting] | None = None,
                springs: bool = True) -> Report:
        """Writes a design of the model as MJCF, SDF or URDF, for other simulators.

        Args:
            to: "mjcf", "sdf" or "urdf".
            output: the file to write.
            set: values of parameters, in SI or as texts with a unit.
            springs: false leaves out springs that URDF and SDF do not hold, which are refused else.

        Returns what was written; `["remarks"]` says what the format does not hold.
        """
        words = ["convert", self._path, f"--to={text_of(to, 'to')}", f"--output={path_of(output)}",
                 "--json", *options({"without_springs": not springs}),
                 *(f"--set={word}" for word in settings_of(set))]
        return Report(command(words, self._texts))

    def view(self, output: Path = "view.html", motion: Motion | None = None,
             scenario: Scenario | None = None, set: Mapping[str, Setting] | None = None,
             ghost: Mapping[str, Setting] | None = None) -> Report:
        """Writes a page that shows the mechanism in 3D: at rest, following a motion, or falling as a
        scenario says; with `ghost`, a second design beside it."""
        texts = self._texts
        words = ["view", self._path, f"--output={path_of(output, 'output')}", "--json"]
        for option, given in (("motion", motion), ("scenario", scenario)):
            if given is not None:
                kind = Motion if option == "motion" else Scenario
                if not isinstance(given, kind):
                    raise TypeError(f"{option}: found a {type(given).__name__}, expected a "
                                    f"{kind.__name__}")
                texts = texts.joined(given._texts)
                words.append(f"--{option}={given.path}")
        words += (f"--set={word}" for word in settings_of(set))
        words += (f"--ghost={word}" for word in settings_of(ghost, "ghost"))
        return Report(command(words, texts))


class Motion(Input):
    """A motion that a mechanism is to follow: a profile over time for each coordinate. It has a `name`,
    a `duration` [s], a `step` between samples [s], and a number of `samples`."""

    _kind = "motion"

    @classmethod
    def _read(cls, path: str, texts: _core.Texts) -> Motion:
        motion = cls(path, texts)
        motion.name, motion.duration, motion.step, motion.samples = _core.check_motion(path, texts)
        return motion

    def check(self, model: Model, set: Mapping[str, Setting] | None = None) -> Report:
        """Says what the motion means for a model, as `counterpoise motion` does: the range, the largest
        speed, acceleration and jerk of each coordinate, and which limits of actuators it reaches. Where
        the mechanism cannot follow it, `["followed"]` is false, and a warning says why."""
        if not isinstance(model, Model):
            raise TypeError(f"model: found a {type(model).__name__}, expected a Model")
        words = ["motion", self._path, f"--of={model.path}", "--json",
                 *(f"--set={word}" for word in settings_of(set))]
        return Report(command(words, self._texts.joined(model._texts)))

    name: str
    duration: float
    """[s]"""
    step: float
    """Time between samples [s]."""
    samples: int


class Scenario(Input):
    """What happens when a mechanism is let go: what its actuators do, where it begins, and what it may
    hit. It has a `name`, a `duration` [s] and a `step` between samples [s]."""

    _kind = "scenario"

    @classmethod
    def _read(cls, path: str, texts: _core.Texts) -> Scenario:
        scenario = cls(path, texts)
        scenario.name, scenario.duration, scenario.step = _core.check_scenario(path, texts)
        return scenario

    name: str
    duration: float
    """[s]"""
    step: float
    """Time between samples [s]."""
