"""Plots, and how progress is drawn."""

import sys

import pytest
from matplotlib import pyplot

import counterpoise as cp


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def test_over_time(arm):
    run = cp.simulate(cp.Model.load("model.json"), cp.Motion.load("motion.json"))
    lines = {line.get_label(): line for line in run.plot().get_lines()}
    assert list(lines) == ["shoulder.load", "elbow.load"]
    assert (lines["elbow.load"].get_ydata() == run["elbow.load"]).all()
    ax = pyplot.subplots()[1]
    assert run.plot(["spring.length"], ax) is ax and len(ax.get_lines()) == 1
    fall = cp.forward(cp.Model.load("model.json"), cp.Scenario.load("power_loss.json"))
    assert fall.plot().get_xlabel() == "t [s]"


def test_the_number_of_a_pose_is_no_time(arm):
    poses = cp.Motion.from_dict({"format": "counterpoise-motion/1", "poses": {
        "shoulder": {"values": [0, 0.1, 0.2]}, "elbow": {"values": [0.4]}}})
    run = cp.simulate(cp.Model.load("model.json"), poses)
    ax = run.plot()
    assert run.at_rest and ax.get_xlabel() == "pose"
    assert list(ax.get_lines()[0].get_xdata()) == [1, 2, 3]
    timed = cp.simulate(cp.Model.load("model.json"), cp.Motion.load("motion.json"))
    assert not timed.at_rest and timed.plot().get_xlabel() == "t [s]"


def test_pareto(arm_results):
    ax = arm_results.plot_pareto()
    front = next(line for line in ax.get_lines() if line.get_label() == "front")
    rows = arm_results.pareto().data
    assert sorted(front.get_xdata()) == sorted(row["shoulder_peak"] for row in rows)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("shoulder_peak", "shoulder_mean")
    points = ax.collections[0].get_offsets()
    assert len(points) == arm_results.feasible


def test_parallel(arm_results):
    ax = arm_results.plot_parallel()
    assert len(ax.get_lines()) == 100 and len(ax.get_xticks()) == 5
    assert len(cp.plots.parallel(arm_results, ["spring_rate", "shoulder_mean"], top=7).get_lines()) == 7


def test_tornado(arm):
    found = cp.Study.load("study.json").sensitivity(samples=64)
    ax = found.plot("shoulder_mean")
    names = [label.get_text() for label in ax.get_yticklabels()]
    variables = found["motions"][0]["objectives"][1]["variables"]
    widest = max(variables, key=lambda one: one["tornado_swing"])
    assert names[-1] == widest["variable"] and ax.get_xlabel() == "shoulder_mean"
    with pytest.raises(cp.InputError, match="expected an objective"):
        found.plot("nothing")


def test_progress_is_told_in_this_thread(arm):
    import threading

    seen = []
    cp.Study.load("study.json").run("out.db", progress=lambda at: seen.append(
        (at, threading.current_thread() is threading.main_thread())))
    assert seen and all(main for _, main in seen)
    assert seen[-1][0].done == seen[-1][0].total == 576


def test_a_bar(arm, capsys):
    cp.Study.load("study.json").run("out.db", progress=True)
    assert "576/576" in capsys.readouterr().err


def test_a_line_where_there_is_no_tqdm(arm, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    cp.Study.load("study.json").run("out.db", progress=True)
    assert "576 of 576 cases" in capsys.readouterr().err
