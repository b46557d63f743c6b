"""Ctrl-C in every call that may last, fork, and several threads."""

import json
import linecache
import multiprocessing
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import textwrap
import threading

import numpy
import pytest
from conftest import EXAMPLES

import counterpoise as cp

# Each lasts far longer than a signal takes that is sent a second after it has begun.
CALLS = {
    "run": "study.run('out.db')",
    "sensitivity": "study.sensitivity(samples=1 << 20)",
    "batch": "study.evaluator().batch(numpy.zeros((20_000_000, 3), dtype='i1'))",
    "batch of long motions": "slow.evaluator().batch(numpy.zeros((100_000, 3), dtype='i1'))",
    "simulate": "cp.simulate(cp.Model.load('charmie.json'), endless)",
    "forward": "cp.forward(model, fall)",
    "robustness": f"cp.Study.load({str(EXAMPLES / 'charmie24' / 'robust.json')!r}).run('r.db')"
                  ".robustness(top=1000)",
    "exact springs": f"[size({{}}) for size in [cp.SpringSizer(cp.Study.load("
                     f"{str(EXAMPLES / 'charmie24' / 'exact.json')!r}))] for _ in range(1 << 30)]",
}
PREPARE = """
    import os, signal, threading
    import numpy
    import counterpoise as cp

    study = cp.Study.load("long.json")
    model = cp.Model.load("model.json")
    slow = cp.Study.load("slow.json")
    endless = cp.Motion.load("endless.json")
    fall = cp.Scenario.load("fall.json")

    threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        CALL
    except KeyboardInterrupt:
        print("stopped")
"""


@pytest.fixture
def long_files(arm, long_study):
    long_study.save("long.json")
    study = cp.Study.load("study.json").data
    study["motions"] = {name: "slow_motion.json" for name in study["motions"]}
    pathlib.Path("slow.json").write_text(json.dumps(study))
    motion = cp.Motion.load("motion.json").data
    motion["step"] = motion["duration"] / 999_999
    pathlib.Path("slow_motion.json").write_text(json.dumps(motion))
    charmie = EXAMPLES / "charmie24"
    shutil.copy(charmie / "model.json", "charmie.json")
    motion = cp.Motion.load(charmie / "motion_squat.json").data
    motion["step"] = motion["duration"] / 9_999_999
    pathlib.Path("endless.json").write_text(json.dumps(motion))
    fall = cp.Scenario.load("power_loss.json").data
    fall["duration"] = 5e6 * fall.get("step", 0.001)
    pathlib.Path("fall.json").write_text(json.dumps(fall))
    return arm


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c(long_files, name):
    done = subprocess.run([sys.executable, "-c",
                           textwrap.dedent(PREPARE).replace("CALL", CALLS[name])],
                          text=True, capture_output=True, env=os.environ, timeout=300)
    assert done.returncode == 0 and done.stdout == "stopped\n", done.stdout + done.stderr


@pytest.fixture(scope="module")
def many_results(tmp_path_factory):
    """Results of so many designs that every question to them lasts for some turns of the interpreter."""
    path = tmp_path_factory.mktemp("many") / "many.db"
    cp.Study.load(EXAMPLES / "charmie24" / "robust.json").run(path)
    return cp.Results(path)


QUESTIONS = {
    "why": lambda results: results.why(),
    "cases": lambda results: results.cases(),
    "export": lambda results: results.export("out.csv"),
    "report": lambda results: results.report("out.html"),
    "merge": lambda results: cp.merge([results.path], "out.db", force=True),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_ctrl_c_in_questions(many_results, name):
    """What Ctrl-C raises comes up while the extension works, which then leaves nothing behind. A question
    that was answered before the extension let Python have its turn is asked again."""
    def interrupt(number, frame):
        file = frame.f_code.co_filename
        if os.path.dirname(file) != os.path.dirname(cp.__file__):
            return
        if "_core." in linecache.getline(file, frame.f_lineno):
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        with pytest.raises(KeyboardInterrupt):
            while True:
                QUESTIONS[name](many_results)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not os.listdir()
    assert many_results.feasible > 0


def test_an_interrupted_run_is_resumed(arm):
    study = cp.Study.load("study.json")
    document = study.data
    for variable in document["variables"].values():
        variable.pop("count", None)
    document["sampling"] = {"method": "random", "count": 400_000, "seed": 3}
    study = cp.Study.from_dict(document)
    seen = []

    def stop(at):
        seen.append(at)
        if at.done > 0:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as stopped:
        study.run("out.db", progress=stop)
    assert any("resume=True" in note for note in stopped.value.__notes__)
    partial = cp.Results("out.db")
    assert not partial.complete and 0 < partial.cases_done < 400_000
    whole = study.run("out.db", resume=True)
    assert whole.complete and whole.run_summary["evaluated"] < 400_000
    assert 0 < seen[-1].done <= seen[-1].total == 400_000


def test_an_exception_of_the_progress_function_ends_the_run(long_study):
    def refuse(at):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        long_study.run("out.db", progress=refuse)


def test_the_lock_is_released(long_study):
    counted = []

    def count():
        for i in range(1000):
            counted.append(i)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=count)

    def begin(at):
        if not thread.ident:
            thread.start()

    with pytest.raises(KeyboardInterrupt):
        long_study.run("out.db", progress=begin)
    thread.join()
    assert len(counted) == 1000


def test_one_evaluator_for_several_threads_says_so(arm):
    f = cp.Study.load("study.json").evaluator()
    points = numpy.zeros((2_000_000, 3))
    found = []

    def use(work):
        try:
            work()
        except cp.Error as error:  # whichever of the two comes second
            found.append(str(error))

    def use_singly():
        while thread.is_alive():
            f([0, 0, 0])

    thread = threading.Thread(target=use, args=(lambda: f.batch(points),))
    thread.start()
    use(use_singly)
    thread.join()
    assert found and "make one for each thread" in found[0]
    assert f([0, 0, 0]).objectives.shape == (2,)


def test_an_evaluator_for_each_of_eight_threads(charmie):
    study = cp.Study.load("robust.json")
    rng = numpy.random.default_rng(1)
    first = study.evaluator()
    highs = numpy.array([high for _, high in first.bounds])
    lows = numpy.array([low for low, _ in first.bounds])
    points = lows + rng.random((2000, len(highs))) * (highs - lows)
    points[:, first.integrality] = points[:, first.integrality].round()
    expected = first.batch(points).objectives.tobytes()
    found = [None] * 8

    def work(i):
        found[i] = study.evaluator().batch(points).objectives.tobytes()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def test_runs_from_a_thread(arm):
    results = []
    thread = threading.Thread(target=lambda: results.append(cp.Study.load("study.json").run("out.db")))
    thread.start()
    thread.join()
    assert results[0].complete


def in_child(work):
    """What a child of fork() says, and how it ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            said = work()
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(writing, said.encode()[:4000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode()
    assert os.waitpid(child, 0)[1] == 0
    return said


def test_fork(arm):
    study = cp.Study.load("study.json")
    f = study.evaluator()
    point = [4, 4, 4]
    expected = f(point).objectives.tobytes().hex()
    assert in_child(lambda: f(point).objectives.tobytes().hex()) == expected
    assert in_child(lambda: study.evaluator()(point).objectives.tobytes().hex()) == expected
    assert in_child(lambda: f.batch([point] * 100).objectives[99].tobytes().hex()) == expected
    study.run("parent.db")
    said = in_child(lambda: repr(study.run("child.db")))
    assert said.startswith("Error: this process was made by fork()") and "spawn" in said
    assert not pathlib.Path("child.db").exists()
    assert in_child(lambda: f(point).objectives.tobytes().hex()) == expected


def evaluate(point):
    return cp.Study.load("study.json").evaluator()(point).objectives.tobytes()


def test_processes(arm):
    points = [[i, i, i] for i in range(8)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(evaluate, points)
    f = cp.Study.load("study.json").evaluator()
    assert found == [f(point).objectives.tobytes() for point in points]


def test_inputs_are_pickled(arm):
    import pickle

    study = pickle.loads(pickle.dumps(cp.Study.load("study.json")))
    pathlib.Path("model.json").unlink()
    again = pickle.loads(pickle.dumps(study))
    assert again.evaluator()([4, 4, 4]).objectives.tobytes() == evaluate_loaded(study)


def evaluate_loaded(study):
    return study.evaluator()([4, 4, 4]).objectives.tobytes()


def test_an_exact_run_is_interrupted_and_resumed(charmie):
    study = cp.Study.load(EXAMPLES / "charmie24" / "stock_mounts.json")

    def stop(at):
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        study.run("out.db", progress=stop)
