"""Wrong questions to results, runs that cannot be, and files that change: an exception says what is
wrong."""

import pathlib

import pytest
from conftest import PROGRAM
from test_wrong_use import POINT, study, wrong

import counterpoise as cp

__all__ = ["study"]


def test_results_that_are_none(arm):
    wrong(cp.StoreError, "there is no such file", lambda: cp.Results("absent.db"))
    pathlib.Path("other.db").write_text("no database")
    wrong(cp.StoreError, "other.db", lambda: cp.Results("other.db"))
    wrong(TypeError, "expected a path", lambda: cp.Results(3))


def test_closed_results(arm_results):
    with arm_results as results:
        assert results.rank(top=1).cases
    for ask in (results.rank, results.pareto, results.explain, results.why, results.cases,
                results.apply, results.study, lambda: results.feasible,
                lambda: results.export("out.csv")):
        wrong(cp.Error, "were closed", ask)
    assert "closed" in repr(results) and not pathlib.Path("out.csv").exists()


@pytest.mark.parametrize("ask, kind, words", [
    (lambda r: r.rank("shoulder_pek"), cp.StoreError, "shoulder_pek"),
    (lambda r: r.rank(7), TypeError, "by: found a int"),
    (lambda r: r.rank(top=0), cp.InputError, "top: found 0"),
    (lambda r: r.rank(top=2.5), TypeError, "expected a whole number"),
    (lambda r: r.rank(top=True), TypeError, "expected a whole number"),
    (lambda r: r.rank(where="shoulder_peak <"), cp.InputError, "--where"),
    (lambda r: r.rank(where="shoulder_pek < 3"), cp.InputError, "did you mean"),
    (lambda r: r.rank(where="--json"), cp.InputError, ""),
    (lambda r: r.rank(distinct="much"), TypeError, "distinct"),
    (lambda r: r.rank(distinct=2), cp.InputError, "distinct"),
    (lambda r: r.pareto("shoulder_peak"), TypeError, "expected a list of texts"),
    (lambda r: r.pareto(["shoulder_pek"]), cp.StoreError, "shoulder_pek"),
    (lambda r: r.cases(where="nothing > 3"), cp.InputError, "nothing"),
    (lambda r: r.cases(where=" "), cp.InputError, "expected a condition"),
    (lambda r: r.cases(where=3), TypeError, "expected a text"),
    (lambda r: r.explain(10 ** 9), cp.StoreError, "has no case"),
    (lambda r: r.explain(-1), cp.InputError, "case: found -1"),
    (lambda r: r.explain("worst"), cp.InputError, "best"),
    (lambda r: r.explain(2.0), TypeError, "expected a whole number"),
    (lambda r: r.apply(10 ** 9), cp.StoreError, "has no case"),
    (lambda r: r.apply("best", motion="dance"), cp.InputError, "expected a motion of the study"),
    (lambda r: r.verify(1), cp.StoreError, "has no certificate of case 1"),
    (lambda r: r.robustness(), cp.InputError, "tolerances"),
    (lambda r: r.robustness(tolerances={"samples": -1}), cp.InputError, "samples"),
    (lambda r: r.robustness(rank="best"), cp.InputError, "rank"),
    (lambda r: r.export("arm.db"), cp.InputError, "name another output"),
    (lambda r: r.export("absent/out.csv"), cp.StoreError, "absent"),
    (lambda r: r.report("absent/out.html"), cp.StoreError, "absent"),
    (lambda r: r.why(threads=0), cp.InputError, "threads: found 0"),
    (lambda r: r.why(threads=5000), cp.InputError, "threads"),
    (lambda r: r.sheet("out.txt"), cp.InputError, "svg"),
    (lambda r: r.sheet(tolerances={"samples": -1}), cp.InputError, "samples"),
    (lambda r: cp.compare(), cp.InputError, "results"),
    (lambda r: cp.compare("absent.db"), cp.StoreError, "absent"),
    (lambda r: cp.compare(r, by="shoulder_pek"), cp.StoreError, "shoulder_pek"),
    (lambda r: cp.compare(r, top=0), cp.InputError, "top: found 0"),
    (lambda r: cp.compare(r, output=r.path), cp.InputError, "name another output"),
    (lambda r: cp.merge([r.path], r.path), cp.StoreError, "name another output"),
    (lambda r: cp.merge([], "out.db"), cp.InputError, "parts"),
    (lambda r: cp.merge("arm.db", "out.db"), TypeError, "expected a list of paths")])
def test_questions(arm_results, ask, kind, words):
    wrong(kind, words, lambda: ask(arm_results))


@pytest.mark.parametrize("given, kind, words", [
    ({"threads": "two"}, TypeError, "threads"), ({"threads": 0}, cp.InputError, "threads"),
    ({"shard": "4/3"}, cp.InputError, "i/n"), ({"shard": 1}, TypeError, "shard"),
    ({"progress": 3}, TypeError, "progress"), ({"force": "yes"}, TypeError, "True or False"),
    ({"resume": True, "force": True}, cp.InputError, "resume"),
    ({"output": "absent/out.db"}, cp.StoreError, "absent"), ({"output": "study.json"}, cp.InputError, "another output")])
def test_runs(study, given, kind, words):
    wrong(kind, words, lambda: study.run(**{"output": "out.db", **given}))
    assert not pathlib.Path("out.db").exists()


def test_results_that_exist_are_kept(study):
    study.run("out.db")
    wrong(cp.StoreError, "out.db", lambda: study.run("out.db"))
    assert study.run("out.db", resume=True).complete
    assert study.run("out.db", force=True).complete


def test_a_study_file_that_changes_underneath(study):
    before = study.evaluator()(POINT).objectives.tobytes()
    pathlib.Path("study.json").write_text("{}")
    pathlib.Path("model.json").unlink()
    assert study.evaluator()(POINT).objectives.tobytes() == before
    results = study.run("out.db")
    assert results.complete and results.rank(top=1).cases == [491]
    assert results.study().evaluator()(POINT).objectives.tobytes() == before
    wrong(cp.InputError, "study.json", lambda: cp.Study.load("study.json"))


def test_studies_that_ask_for_no_exact_springs(study):
    wrong(cp.InputError, "exact-springs", lambda: cp.exact_springs(study, POINT))
    wrong(TypeError, "expected a Study", lambda: cp.exact_springs("study.json", POINT))
    wrong(TypeError, "expected a Study", lambda: cp.Evaluator("study.json"))


def test_exact_springs_of_wrong_points(charmie):
    study = cp.Study.load("exact.json")
    wrong(cp.InputError, "expected a variable", lambda: cp.exact_springs(study, {"nothing": 1}))
    wrong(ValueError, "expected (", lambda: cp.exact_springs(study, [1.0]))


@pytest.mark.parametrize("given, kind, words", [
    ({"tasks": "three"}, TypeError, "tasks"), ({"tasks": 0}, cp.InputError, "tasks: found 0"),
    ({"cpus": 0}, cp.InputError, "cpus"), ({"cpus": 1.5}, TypeError, "cpus"),
    ({"sbatch": "--account=me"}, TypeError, "list of texts"), ({"time": 60}, TypeError, "time"),
    ({"sbatch": ["account"]}, cp.InputError, "expected one option of sbatch"),
    ({"program": "absent/counterpoise"}, cp.InputError, "found absent/counterpoise"),
    ({"program": None}, cp.InputError, "no program counterpoise on PATH")])
def test_submissions(study, monkeypatch, given, kind, words):
    monkeypatch.setenv("PATH", "")
    asked = {"tasks": 3, "program": PROGRAM, "scripts_only": True, **given}
    wrong(kind, words, lambda: study.submit("out.db", **asked))


@pytest.mark.parametrize("call, kind, words", [
    (lambda: cp.new("castle", "f"), cp.InputError, "kind"),
    (lambda: cp.new("arm", "."), cp.InputError, "not empty"),
    (lambda: cp.schema("castle"), cp.InputError, "kind"),
    (lambda: cp.progress("nothing"), cp.InputError, "nothing was submitted"),
    (lambda: cp.import_urdf("absent.urdf"), cp.InputError, "absent.urdf"),
    (lambda: cp.import_urdf("model.json", "m.json"), cp.InputError, "model.json"),
    (lambda: cp.Model.load("model.json").convert("step", "m.stp"), cp.InputError, "--to"),
    (lambda: cp.Model.load("model.json").view("v.html", motion="motion.json"), TypeError, "expected a Motion"),
    (lambda: cp.Study.load("study.json").sensitivity(samples=1), cp.InputError, "samples"),
    (lambda: cp.Study.load("study.json").sensitivity(objectives="worst"), TypeError, "list of texts"),
    (lambda: cp.Study.load("study.json").sensitivity(objectives=["worst"]), cp.InputError, "worst")])
def test_other_calls(arm, call, kind, words):
    wrong(kind, words, call)


def test_plots(arm_results):
    wrong(cp.InputError, "expected an objective", lambda: arm_results.plot_pareto("nothing"))
    wrong(cp.InputError, "expected a column", lambda: cp.plots.parallel(arm_results, ["nothing"]))
