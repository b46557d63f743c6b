"""What the tests of the Python package share: the program of the same build, examples, and a scratch
folder that is the working folder."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

import counterpoise as cp

PROGRAM = os.environ["COUNTERPOISE_PROGRAM"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


class Program:
    """The program as users run it, to be compared with."""

    def __call__(self, *words, code=0):
        done = subprocess.run([PROGRAM, *map(str, words)], text=True, capture_output=True)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    def json(self, *words, code=0):
        return json.loads(self(*words, code=code).stdout)


@pytest.fixture
def program():
    return Program()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    return tmp_path


@pytest.fixture
def arm(folder):
    """The files of the two-link arm, in the working folder."""
    shutil.copytree(EXAMPLES / "two_link_arm", folder, dirs_exist_ok=True)
    return folder


@pytest.fixture
def charmie(folder):
    shutil.copytree(EXAMPLES / "charmie24", folder, dirs_exist_ok=True)
    return folder


@pytest.fixture
def arm_results(arm):
    return cp.Study.load("study.json").run("arm.db", force=True)


@pytest.fixture
def long_study(arm):
    """A study whose run lasts long enough to be interrupted, on any machine: a random sample of more
    designs than any finishes."""
    document = cp.Study.load("study.json").data
    for variable in document["variables"].values():
        variable.pop("count", None)
    document["sampling"] = {"method": "random", "count": 2_000_000_000, "seed": 1,
                            "max_cases": 2_000_000_000}
    document["keep"] = {"best": 10, "front": False, "sample": 10}
    return cp.Study.from_dict(document)
