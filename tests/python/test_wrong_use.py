"""Wrong use raises an exception that says what is wrong; nothing crashes."""

import json
import pathlib
import pickle
import re

import numpy
import pytest

import counterpoise as cp


@pytest.fixture
def model(arm):
    return cp.Model.load("model.json")


@pytest.fixture
def motion(arm):
    return cp.Motion.load("motion.json")


@pytest.fixture
def study(arm):
    return cp.Study.load("study.json")


@pytest.fixture
def f(study):
    return study.evaluator()


POINT = {"spring_rate": 2250, "post_height": 0.24, "mount_radius": 0.05}


def wrong(kind, words, call):
    with pytest.raises(kind, match=re.escape(words)) as caught:
        call()
    return caught.value


def test_a_mistake_in_a_file_is_where_the_command_says(arm, program):
    text = pathlib.Path("model.json").read_text("utf-8").replace('"rate"', '"ratee"')
    pathlib.Path("typo.json").write_text(text, "utf-8")
    error = wrong(cp.InputError, 'did you mean "rate"?', lambda: cp.Model.load("typo.json"))
    assert (error.file, error.pointer) == ("typo.json", "/springs/0/ratee")
    assert error.line > 1 and error.column > 1 and error.message.startswith("found")
    assert str(error) + "\n" == program("check", "typo.json", code=2).stderr
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.line == error.line
    assert isinstance(error, ValueError) and isinstance(error, cp.Error)


def test_all_mistakes_are_told(arm):
    document = cp.Study.load("study.json").data
    document["variables"]["post_height"]["range"] = [2, 1]
    document["variables"]["mount_radius"]["range"] = [2, 1]
    error = wrong(cp.InputError, "lower end first", lambda: cp.Study.from_dict(document))
    assert len(error.lines) == 2 and str(error).count("\n") == 1


@pytest.mark.parametrize("path, kind, words", [
    ("absent.json", cp.InputError, "cannot be opened"), (".", cp.InputError, "is a folder"),
    ("", cp.InputError, "expected a path"), (7, TypeError, "expected a path"),
    (None, TypeError, "expected a path"), (b"model.json", TypeError, "expected a path"),
    ("a\0b", cp.InputError, "character 0")])
def test_paths(arm, path, kind, words):
    for load in (cp.Model.load, cp.Motion.load, cp.Scenario.load, cp.Study.load):
        wrong(kind, words, lambda: load(path))


def test_a_path_like_an_option_is_a_path(arm):
    pathlib.Path("model.json").rename("--help")
    assert cp.Model.load("--help").check()["bodies"] == 2


def test_files_of_other_kinds(arm):
    wrong(cp.InputError, "counterpoise-model/1", lambda: cp.Model.load("study.json"))
    wrong(cp.InputError, "counterpoise-study/1", lambda: cp.Study.load("model.json"))
    wrong(cp.InputError, "counterpoise-motion/1", lambda: cp.Motion.load("model.json"))


def test_dictionaries(model, study):
    wrong(TypeError, "expected a dict", lambda: cp.Model.from_dict([1]))
    wrong(cp.InputError, "cannot be written as JSON", lambda: cp.Model.from_dict({"a": {1, 2}}))
    wrong(cp.InputError, "cannot be written as JSON", lambda: cp.Model.from_dict({"a": float("nan")}))
    endless = {}
    endless["itself"] = endless
    wrong(cp.InputError, "cannot be written as JSON", lambda: cp.Model.from_dict(endless))
    document = model.data
    document["springs"][0]["rate"] = "spring_rat"
    error = wrong(cp.InputError, 'did you mean "spring_rate"', lambda: cp.Model.from_dict(document))
    assert error.pointer == "/springs/0/rate"
    line = json.dumps(document, indent=1).splitlines()[error.line - 1]
    assert line[error.column - 1:].startswith('"spring_rat"')
    wrong(TypeError, "files: model.json", lambda: cp.Study.from_dict(study.data, files={"model.json": 3}))


def test_models_of_dictionaries_are_used_in_studies(model, motion, study, tmp_path):
    stiff = model.with_values({"spring_rate": "2.5 N/mm"})
    assert stiff.parameters["spring_rate"].value == 2.5
    assert stiff.parameters["spring_rate"].si_value == 2500.0
    other = cp.Study.from_dict(study.data, tmp_path / "nowhere",
                               {"model.json": stiff, "motion.json": motion.data})
    same = study.evaluator().metrics(POINT)
    assert other.evaluator().metrics(POINT) == same
    assert (other.evaluator().baseline != study.evaluator().baseline).any()


def test_simulate(model, motion, study):
    wrong(TypeError, "model: found a Motion", lambda: cp.simulate(motion, motion))
    wrong(TypeError, "motion: found a str", lambda: cp.simulate(model, "motion.json"))
    wrong(TypeError, "expected a dict", lambda: cp.simulate(model, motion, ["spring_rate=1"]))
    wrong(TypeError, "found a bool", lambda: cp.simulate(model, motion, {"spring_rate": True}))
    wrong(TypeError, "found a list", lambda: cp.simulate(model, motion, {"spring_rate": [1]}))
    wrong(TypeError, "set: found a int", lambda: cp.simulate(model, motion, {3: 1}))
    wrong(cp.InputError, 'did you mean "spring_rate"', lambda: cp.simulate(model, motion, {"spring_rat": 1}))
    wrong(cp.InputError, "expected a unit that goes with N/mm", lambda: cp.simulate(model, motion, {"spring_rate": "2 mm"}))
    wrong(cp.InputError, 'unknown unit "N/inch"', lambda: cp.simulate(model, motion, {"spring_rate": "2 N/inch"}))
    wrong(cp.InputError, "--set", lambda: cp.simulate(model, motion, {"spring_rate": -5}))
    wrong(cp.InputError, "--set", lambda: cp.simulate(model, motion, {"spring_rate": float("nan")}))
    run = cp.simulate(model, motion)
    wrong(KeyError, "shoulder.load", lambda: run["shoulder.lod"])
    wrong(TypeError, "", lambda: run[3])
    with pytest.raises(ValueError, match="read-only"):
        run["shoulder.load"][0] = 1


def test_arrays_outlive_what_they_are_of(model, motion):
    loads = cp.simulate(model, motion)["shoulder.load"]
    copy = loads.copy()
    for _ in range(20):
        cp.simulate(model, motion, {"spring_rate": 700})
    assert (loads == copy).all()


def test_a_motion_that_cannot_be_followed(folder):
    boom = cp.Model.from_dict({
        "format": "counterpoise-model/1", "world": {"points": {"foot": [0, 0, -0.4]}},
        "bodies": [{"name": "boom", "parent": "world", "joint": {"type": "revolute", "axis": "y"},
                    "mass": 1, "points": {"lug": [0.3, 0, 0]}}],
        "actuators": [{"name": "cylinder", "connect": ["world.foot", "boom.lug"]}]})
    motion = cp.Motion.from_dict({
        "format": "counterpoise-motion/1", "duration": 1, "step": 0.01, "coordinates": {
            "cylinder": {"type": "point-to-point", "from": 0.5, "to": 0.75, "profile": "quintic"}}})
    error = wrong(cp.Infeasible, "t=", lambda: cp.simulate(boom, motion))
    assert "cylinder" in str(error) or "boom" in str(error)


@pytest.mark.parametrize("point, kind, words", [
    ({**POINT, "spring_rat": 1}, cp.InputError, 'did you mean "spring_rate"'),
    ({"spring_rat": 1, "post_height": 0.24, "mount_radius": 0.05}, cp.InputError, 'did you mean "spring_rate"'),
    ({"post_height": 0.24, "mount_radius": 0.05}, cp.InputError, "variable spring_rate is missing"),
    ({}, cp.InputError, "is missing"),
    ({**POINT, "spring_rate": 99}, cp.InputError, "expected 500 N/m to 2500 N/m"),
    ({**POINT, "spring_rate": "2.25 N/m"}, cp.InputError, "expected 500 N/m to 2500 N/m"),
    ({**POINT, "spring_rate": "2250 mm"}, cp.InputError, "goes with N/m"),
    ({**POINT, "spring_rate": "much"}, cp.InputError, "expected a number"),
    ({**POINT, "spring_rate": None}, TypeError, "found a NoneType"),
    ({**POINT, "spring_rate": True}, TypeError, "found a bool"),
    ({**POINT, "spring_rate": float("nan")}, cp.InputError, "finite"),
    ({**POINT, "spring_rate": 10 ** 400}, OverflowError, ""),
    ([1, 2], ValueError, "shape (2,), expected (3,)"),
    ([[1, 2, 3]], ValueError, "shape (1, 3)"),
    ([1, 2, float("inf")], cp.InputError, "finite"),
    ([1, 2, 8], cp.InputError, "0 to 7"),
    ([1, 2, -1], cp.InputError, "0 to 7"),
    ([1, 2, 0.5], cp.InputError, "0 to 7"),
    (["1", "2", "3"], TypeError, "expected real numbers"),
    ([1j, 2, 3], TypeError, "expected real numbers"),
    ([True, False, True], TypeError, "expected real numbers"),
    ("point", TypeError, "found a str"), (None, TypeError, "found a NoneType"),
    (object(), TypeError, "expected real numbers"), (5, ValueError, "shape ()")])
def test_points(f, point, kind, words):
    wrong(kind, words, lambda: f(point))
    assert f(POINT).feasible, "an evaluator goes on after a wrong point"


@pytest.mark.parametrize("points, kind, words", [
    (numpy.zeros((4, 2)), ValueError, "shape (4, 2), expected (n, 3)"),
    (numpy.zeros(3), ValueError, "expected (n, 3)"), (numpy.zeros((2, 3, 3)), ValueError, "expected (n, 3)"),
    ([[0, 0, 0], [0, 0, 99]], cp.InputError, "point 1: variable mount_radius"),
    ([[0, 0, 0], [0, 0]], TypeError, "found a list"), ("points", TypeError, "found 'points'"),
    (None, TypeError, "found None"), ([["a", "b", "c"]], TypeError, "expected real numbers")])
def test_batches(f, points, kind, words):
    wrong(kind, words, lambda: f.batch(points))


def test_batches_of_any_strides_and_types(f):
    points = numpy.arange(24, dtype=float).reshape(8, 3) % 8
    expected = f.batch(points).objectives
    for other in (numpy.asfortranarray(points), points.astype(int), points.astype(numpy.float32),
                  numpy.repeat(points, 2, axis=0)[::2], points.tolist()):
        assert f.batch(other).objectives.tobytes() == expected.tobytes()
    assert f.batch(points[::-1]).objectives.tobytes() == expected[::-1].tobytes()
    empty = f.batch(numpy.zeros((0, 3)))
    assert len(empty) == 0 and empty.objectives.shape == (0, 2) and empty.reasons == []
    wrong(IndexError, "point 0 of 0", lambda: empty.reason(0))


def test_catalogues(charmie):
    study = cp.Study.load("robust.json")
    f = study.evaluator()
    values = f.values([(low + high) // 2 if whole else low
                       for (low, high), whole in zip(f.bounds, f.integrality)])
    name = next(variable.name for variable in study.variables if variable.kind == "catalogue")
    rows = next(variable.rows for variable in study.variables if variable.name == name)
    label = next(variable.labels for variable in study.variables if variable.name == name)
    by_row = f({**values, name: rows[3]}).objectives.tobytes()
    assert f({**values, name: label[3]}).objectives.tobytes() == by_row
    assert f({**values, name: numpy.int64(rows[3])}).objectives.tobytes() == by_row
    wrong(cp.InputError, "found row 1000000", lambda: f({**values, name: 10 ** 6}))
    wrong(cp.InputError, "did you mean", lambda: f({**values, name: label[3][:-1]}))
    wrong(cp.InputError, "whole number", lambda: f({**values, name: 3.0}))


def test_memory_that_there_is_not(model, motion):
    document = motion.data
    document["step"] = document["duration"] / 1e9
    import resource
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, before[1]))
    try:
        with pytest.raises((MemoryError, cp.InputError)):
            cp.simulate(model, cp.Motion.from_dict(document))
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
