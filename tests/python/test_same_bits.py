"""Every number is that of the command of the same build, to the last bit."""

import contextlib
import csv
import json
import math
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys

import numpy
import pytest
from conftest import EXAMPLES, PROGRAM

import counterpoise as cp


def same(a, b):
    """Equal bits: -0 and 0 differ, and nan is nan."""
    return numpy.array(a, dtype=float).tobytes() == numpy.array(b, dtype=float).tobytes()


@pytest.mark.parametrize("set", [{}, {"spring_rate": "2 N/mm", "mount_radius": 0.0712345678901}])
def test_simulation(arm, program, set):
    run = cp.simulate(cp.Model.load("model.json"), cp.Motion.load("motion.json"), set)
    words = [f"--set={name}={value}" for name, value in set.items()]
    printed = program.json("simulate", "model.json", "--motion", "motion.json", "--json", *words)
    assert run.names == list(printed)
    for name in run:
        assert same(run[name], printed[name]), name


def test_simulation_of_many_stretches_and_reactions(charmie, program):
    document = cp.Motion.load("motion_squat.json").data
    document["step"] = document["duration"] / 20000
    with open("long.json", "w", encoding="utf-8") as file:
        json.dump(document, file)
    model, motion = cp.Model.load("model.json"), cp.Motion.load("long.json")
    run = cp.simulate(model, motion, springs=False, reactions=True)
    printed = program.json("simulate", "model.json", "--motion", "long.json", "--without-springs",
                           "--reactions", "--json")
    assert len(run.t) == 20001
    assert all(same(run[name], printed[name]) for name in printed)


def test_fall(arm, program):
    fall = cp.forward(cp.Model.load("model.json"), cp.Scenario.load("power_loss.json"))
    done = program("forward", "model.json", "--scenario", "power_loss.json", "--json", "-o", "fall.csv")
    assert fall.summary == json.loads(done.stdout)
    with open("fall.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for name in fall:
        assert same(fall[name], [row[name] for row in rows]), name
    assert str(fall) == program("forward", "model.json", "--scenario", "power_loss.json").stdout


def rows_of(path):
    with contextlib.closing(sqlite3.connect(path)) as file:
        return [list(map(repr, row)) for table in ("cases ORDER BY id", "baselines")
                for row in file.execute(f"SELECT * FROM {table}")]


@pytest.mark.parametrize("example, study", [
    ("two_link_arm", "study"), ("charmie24", "exact"), ("charmie24", "robust"), ("four_bar", "study"),
    ("charmie24", "mounts"), ("charmie24", "power_off")])
def test_runs(folder, program, example, study):
    shutil.copytree(EXAMPLES / example, folder, dirs_exist_ok=True)
    path = folder / f"{study}.json"
    document = json.loads(path.read_text("utf-8"))
    if "scenarios" in document and "COUNTERPOISE_ALL_TRIALS" not in os.environ:
        document["sampling"]["count"] //= 10  # a fall takes a hundred times as long as a motion
        path.write_text(json.dumps(document), "utf-8")
    cp.Study.load(path).run("ours.db", threads=2)
    program("run", path, "-o", "theirs.db")
    assert rows_of("ours.db") == rows_of("theirs.db")


def test_answers(arm_results, program):
    results = arm_results
    best = results.rank(top=1).cases[0]
    for ours, words in [
            (results.rank(), ["rank", "arm.db"]),
            (results.rank("shoulder_mean", 5, where="shoulder_peak < 4"),
             ["rank", "arm.db", "--by", "shoulder_mean", "--top", "5", "--where", "shoulder_peak < 4"]),
            (results.pareto(top=20), ["rank", "arm.db", "--pareto"]),
            (results.explain(best), ["show", "arm.db", str(best)]),
            (results.explain(), ["show", "arm.db", "best"]),
            (results.parts(), ["show", "arm.db", "best", "--bill"]),
            (results.why(), ["why", "arm.db"])]:
        assert ours.data == program.json(*words, "--json"), words
        assert str(ours) == program(*words).stdout, words
    refused = results.cases(where="case > 0").query("status == 'infeasible'").index[0]
    assert results.why(refused).data == program.json("why", "arm.db", str(refused), "--json")
    assert results.robustness.__self__ is results


def test_robustness_verify_and_sensitivity(charmie, program):
    results = cp.Study.load("robust.json").run("robust.db")
    assert results.robustness(top=2).data == program.json("robustness", "robust.db", "--top", "2",
                                                          "--json")
    exact = cp.Study.load("exact.json").run("exact.db")
    verdicts = exact.verify()
    assert verdicts.data == program.json("verify", "exact.db", "--json")
    assert all(verdict["proved"] for verdict in verdicts)
    found = cp.Study.load("robust.json").sensitivity(samples=16)
    done = program("sensitivity", "robust.json", "--samples", "16")
    assert str(found) == done.stdout
    assert found.data == program.json("sensitivity", "robust.json", "--samples", "16", "--json")


def test_written_files(arm_results, program):
    best = arm_results.rank(top=1).cases[0]
    arm_results.apply(best).save("ours.json")
    program("apply", "arm.db", best, "-o", "theirs.json")
    arm_results.export("ours.csv", units=True)
    program("export", "arm.db", "-o", "theirs.csv", "--units")
    arm_results.explain(best, loads="ours_loads.csv")
    program("show", "arm.db", best, "-o", "theirs_loads.csv")
    for ending in (".json", ".csv", "_loads.csv"):
        with open("ours" + ending, "rb") as ours, open("theirs" + ending, "rb") as theirs:
            assert ours.read() == theirs.read()
    assert cp.Model.load("ours.json").parameters["spring_rate"].unit == "N/mm"


def test_pages(arm_results, program):
    arm_results.report("ours.html")
    program("report", "arm.db", "-o", "theirs.html")
    motion = cp.Motion.load("motion.json")
    cp.Model.load("model.json").view("our_view.html", motion=motion, set={"spring_rate": "2 N/mm"},
                                     ghost={"spring_rate": 1800})
    program("view", "model.json", "--motion", "motion.json", "--set", "spring_rate=2 N/mm",
            "--ghost", "spring_rate=1800.0", "-o", "their_view.html")
    with open("our_view.html", "rb") as ours, open("their_view.html", "rb") as theirs:
        assert ours.read() == theirs.read()
    # the page of a report says when the program was asked, and by what
    with open("ours.html", "rb") as ours, open("theirs.html", "rb") as theirs:
        assert abs(len(ours.read()) - len(theirs.read())) < 100


def test_columns_of_results(arm_results):
    with contextlib.closing(sqlite3.connect("arm.db")) as file:
        stored = file.execute("SELECT id, status, reason, shoulder_peak FROM cases ORDER BY id").fetchall()
    columns = arm_results.arrays()
    assert columns["id"].tolist() == [row[0] for row in stored]
    assert columns["status"].tolist() == [row[1] for row in stored]
    assert columns["reason"].tolist() == [row[2] or None for row in stored]
    assert same(columns["shoulder_peak"],
                [math.nan if row[3] is None else row[3] for row in stored])
    few = arm_results.cases(where="shoulder_peak < 4")
    assert len(few) > 0 and (few["shoulder_peak"] < 4).all() and (few["status"] == "feasible").all()


@pytest.mark.parametrize("example, study", [("two_link_arm", "study"), ("charmie24", "robust"),
                                            ("charmie24", "grid")])
def test_evaluations_are_the_rows_of_the_run(folder, example, study):
    loaded = cp.Study.load(EXAMPLES / example / f"{study}.json")
    results = loaded.run("run.db")
    f = loaded.evaluator()
    names = [objective.name for objective in loaded.objectives]
    cases = results.cases()
    chosen = list(cases.index[:40]) + results.rank(top=10).cases
    points = numpy.array([results.point(int(case)) for case in chosen])
    batch = f.batch(points)
    for i, case in enumerate(chosen):
        row = cases.loc[case]
        for outcome in (f(points[i]), f(f.values(points[i]))):
            assert outcome.status == row["status"]
            assert outcome.reason == row["reason"]
            if outcome.feasible:
                assert same(outcome.objectives, [row[name] for name in names])
            assert same(outcome.objectives, batch.objectives[i])
            assert same(outcome.constraints, batch.constraints[i])
            assert batch.feasible[i] == outcome.feasible and batch.reason(i) == outcome.reason
            assert batch.violations[i] == outcome.violation


def test_numbers_between_levels_are_those_of_a_study_that_has_them(arm):
    study = cp.Study.load("study.json")
    document = study.data
    document["variables"] = {"spring_rate": {"values": [1800], "unit": "N/m"},
                             "post_height": {"values": [0.24]}, "mount_radius": {"values": [0.053]}}
    point = {"spring_rate": 1800, "post_height": 0.24, "mount_radius": 0.053}
    f = study.evaluator()
    at = cp.Study.from_dict(document, folder=".").evaluator()(point)
    assert at.feasible and same(f(point).objectives, at.objectives)
    assert f.metrics(point) == study.relaxed().evaluator().metrics(point)
    assert not same(f({**point, "spring_rate": 1801}).objectives, at.objectives)


def test_constraints_have_the_values_that_are_judged(charmie):
    study = cp.Study.load("robust.json")
    f = study.evaluator()
    rng = numpy.random.default_rng(5)
    highs = numpy.array([high for _, high in f.bounds])
    lows = numpy.array([low for low, _ in f.bounds])
    points = lows + rng.random((300, len(highs))) * (highs - lows)
    points[:, f.integrality] = points[:, f.integrality].round()
    batch = f.batch(points)
    known = numpy.isfinite(batch.constraints).all(axis=1)
    least = numpy.array([constraint.min for constraint in study.constraints])
    most = numpy.array([constraint.max for constraint in study.constraints])
    held = ((batch.constraints >= least - 1e-9) & (batch.constraints <= most + 1e-9)).all(axis=1)
    assert known.any() and held[batch.feasible].all()
    broken = [i for i in range(300) if (batch.reason(i) or "").startswith("constraint ")]
    assert not held[broken].any()


def test_exact_springs_are_those_of_the_run(charmie):
    study = cp.Study.load("exact.json")
    results = study.run("exact.db")
    best = results.rank(top=1)
    sized = cp.exact_springs(study, {})
    assert sized.feasible and same(sized.point, results.point(best.cases[0]))
    row = results.cases().loc[best.cases[0]]
    assert same(sized.objectives, [row[objective.name] for objective in study.objectives])
    assert sized.value == sized.objectives[0] and 0 <= sized.gap <= 1e-6 * abs(sized.value)
    with contextlib.closing(sqlite3.connect("exact.db")) as file:
        bound, text = file.execute("SELECT bound, certificate FROM certificates").fetchone()
    assert bound == sized.bound and json.loads(text) == json.loads(sized.certificate)


def test_imports_and_conversions(folder, program):
    arm = EXAMPLES / "imported" / "arm.urdf"
    model = cp.import_urdf(arm, "ours.json")
    program("import", arm, "-o", "theirs.json")
    with open("ours.json", "rb") as ours, open("theirs.json", "rb") as theirs:
        assert ours.read() == theirs.read()
    assert model.import_report["bodies"] == len(model.bodies)
    model.convert("mjcf", "ours.xml")
    program("convert", "theirs.json", "--to", "mjcf", "-o", "theirs.xml")
    with open("ours.xml", "rb") as ours, open("theirs.xml", "rb") as theirs:
        assert ours.read() == theirs.read()


def test_shards_and_merge(arm, program):
    study = cp.Study.load("study.json")
    parts = [study.run(f"part{i}.db", shard=f"{i}/3") for i in (1, 2, 3)]
    assert not parts[0].complete
    whole = cp.merge([part.path for part in parts], "whole.db", whole=True)
    assert whole.complete
    program("run", "study.json", "-o", "theirs.db")
    assert rows_of("whole.db") == rows_of("theirs.db")


def test_ways_sheets_and_cams(folder, program):
    shutil.copytree(EXAMPLES / "ways", ".", dirs_exist_ok=True)
    ways = {name: cp.Study.load(f"ways.json#{name}").run(f"{name}.db") for name in ("spring", "counterweight")}
    compared = cp.compare(*ways.values(), top=1, output="ways.html")
    assert compared.data == program.json("compare", "spring.db", "counterweight.db", "--top", "1", "--json")
    assert [one["name"] for one in compared[0]["results"]] == ["spring", "counterweight"]
    assert cp.compare(".").data == program.json("compare", ".", "--json")
    assert pathlib.Path("ways.html").stat().st_size > 100_000 or "without pages" in str(compared.notes)
    tolerances = {"of": {"rate": {"percent": 5}}}
    said = ways["spring"].sheet("ours.svg", tolerances=tolerances)
    pathlib.Path("tolerances.json").write_text(json.dumps(tolerances), encoding="utf-8")
    printed = program.json("sheet", "spring.db", "best", "-o", "theirs.svg", "--tolerances",
                           "tolerances.json", "--json")
    assert {**said.data, "output": None} == {**printed, "output": None}
    assert pathlib.Path("ours.svg").read_text("utf-8") == pathlib.Path("theirs.svg").read_text("utf-8")

    shutil.copytree(EXAMPLES / "cam_lid", ".", dirs_exist_ok=True)
    words = ("--spring=lid_spring", "--tension=341.5", "--from=0", "--to=70 deg", "--cable=3 mm")
    cam = cp.Model.load("model.json").cam("lid_spring", "ours.csv", tension=341.5, start=0, end="70 deg", cable="3 mm")
    printed = program.json("cam", "model.json", *words, "-o", "theirs.csv", "--json")
    assert {**cam.data, "output": None} == {**printed, "output": None}
    assert pathlib.Path("ours.csv").read_bytes() == pathlib.Path("theirs.csv").read_bytes()


def test_processes_of_a_launcher(arm, program):
    """Three Python processes, told their ranks as mpirun tells them, share a run."""
    share = ("import counterpoise as cp; results = cp.Study.load('study.json').run_launched('out.db'); "
             "print(results and results.complete)")
    processes = [subprocess.Popen([sys.executable, "-W", "ignore", "-c", share], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env={**os.environ, "PMI_RANK": str(rank), "PMI_SIZE": "3",
                                       "PMI_JOBID": "a launch"})
                 for rank in range(3)]
    said = [process.communicate() for process in processes]
    assert [out for out, _ in said] == ["True\n", "None\n", "None\n"], said
    program("run", "study.json", "-o", "theirs.db")
    assert rows_of("out.db") == rows_of("theirs.db")
    study = cp.Study.load("study.json")
    with pytest.raises(cp.InputError, match="no launcher"):
        study.run_launched("again.db")
    with pytest.raises(cp.InputError, match="run_launched"):
        study.run("again.db", shard="auto")


SLURM = """#!/bin/sh
echo "$*" >> sbatch.log
"""


def test_submission(arm, program, monkeypatch):
    """`submit` hands over to the program what it was asked; a program named sbatch stands for Slurm."""
    os.mkdir("bin")
    pathlib.Path("bin/sbatch").write_text(SLURM)
    os.chmod("bin/sbatch", 0o755)
    monkeypatch.setenv("PATH", os.path.abspath("bin"), prepend=os.pathsep)
    study = cp.Study.load("study.json")
    asked = {"tasks": 3, "cpus": 2, "time": "1:00:00", "sbatch": ["--account=me"], "program": PROGRAM}
    script = study.submit("out.db", scripts_only=True, **asked)
    assert script == program("submit", "study.json", "-o", "out.db", "--tasks=3", "--cpus=2",
                             "--time=1:00:00", "--option=--account=me", "--print").stdout
    assert not os.path.exists("sbatch.log")
    assert "576 cases in 3 tasks" in study.submit("out.db", **asked)
    assert pathlib.Path("out.db.tasks/task.sh").read_text() == script
    assert pathlib.Path("sbatch.log").read_text().count("\n") == 1
    assert cp.progress("out.db")["missing"] == [1, 2, 3]
    with pytest.raises(cp.InputError, match="exists already"):
        study.submit("out.db", **asked)
    changed = study.data
    changed["variables"]["spring_rate"]["range"] = [500, 4000]
    with pytest.raises(cp.InputError, match="save the study's files first"):
        cp.Study.from_dict(changed).submit("out.db", **asked)


def test_checks_plans_and_schemas(arm, program):
    assert cp.check("model.json").data == program.json("check", "model.json", "--json")
    assert cp.Study.load("study.json").check().data == program.json("check", "study.json", "--json")
    motion = cp.Motion.load("motion.json").check(cp.Model.load("model.json"))
    assert motion.data == program.json("motion", "motion.json", "--of", "model.json", "--json")
    assert motion["followed"] and str(motion).startswith(motion["name"])
    assert str(cp.check("study.json")) == program("check", "study.json").stdout
    plan = cp.Study.load("study.json").plan(threads=2)
    assert plan["cases"] == 576
    assert cp.schema("study") == json.loads(program("schema", "study").stdout)
    assert "begin" in cp.new("lamp", "lamp")
    program("new", "lamp", "theirs")
    with open("lamp/study.json", "rb") as ours, open("theirs/study.json", "rb") as theirs:
        assert ours.read() == theirs.read()
