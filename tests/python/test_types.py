"""Types are complete, the stubs match the extension, and the reference is up to date."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

PACKAGE = ROOT / "python" / "counterpoise"


def run(*words, **options):
    done = subprocess.run([sys.executable, *map(str, words)], text=True, capture_output=True, **options)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """What mypy found out of the libraries, for its next run."""
    return tmp_path_factory.mktemp("cache")


def test_mypy_strict(cache):
    code, said = run("-m", "mypy", "--strict", "--config-file", ROOT / "pyproject.toml", "--cache-dir",
                     cache, PACKAGE, env={**os.environ, "MYPYPATH": ""})
    assert code == 0, said


def test_mypy_of_code_that_uses_the_package(cache, tmp_path):
    (tmp_path / "use.py").write_text("""
import counterpoise as cp

study = cp.Study.load("study.json")
f = study.evaluator()
worst: float = f({"spring_rate": 1800}).objectives[0]
reason: int = f([1.0]).reason
""")
    code, said = run("-m", "mypy", "--strict", "--config-file", ROOT / "pyproject.toml", "--cache-dir",
                     cache, "use.py", cwd=tmp_path,
                     env={**os.environ, "MYPYPATH": str(ROOT / "python")})
    errors = [line for line in said.splitlines() if "error:" in line]
    assert code == 1 and len(errors) == 1 and "use.py:7" in errors[0] and "int" in errors[0], said


def stub_mistakes(folder, path):
    """What stubtest says, but for what pybind11 gives every class: its metaclass, and signatures of
    special methods without types."""
    _, said = run("-m", "mypy.stubtest", "counterpoise._core", "--concise", "--ignore-positional-only",
                  "--mypy-config-file", ROOT / "pyproject.toml", cwd=folder,
                  env={**os.environ, "MYPYPATH": str(path)})
    own = ("metaclass differs", ".__init__", ".__new__", ".__call__")
    return [line for line in said.splitlines()
            if line.startswith("counterpoise") and not any(word in line for word in own)], said


def test_stubs_are_those_of_the_extension(tmp_path):
    mistakes, said = stub_mistakes(tmp_path, ROOT / "python")
    assert mistakes == [], said
    shutil.copytree(PACKAGE, tmp_path / "other" / "counterpoise")
    stub = tmp_path / "other" / "counterpoise" / "_core.pyi"
    stub.write_text(stub.read_text().replace("def is_search", "def is_searching"))
    mistakes, said = stub_mistakes(tmp_path, tmp_path / "other")
    assert sorted(line.split()[0].split(".")[-1] for line in mistakes) == [
        "is_search", "is_searching"], said


def test_the_reference_is_made_of_the_docstrings():
    code, said = run(ROOT / "scripts" / "python-reference", "--print")
    assert code == 0, said
    page = (ROOT / "docs" / "PYTHON.md").read_text("utf-8")
    assert page == said, "run scripts/python-reference"


def test_everything_public_has_a_docstring(tmp_path):
    code, said = run(ROOT / "scripts" / "python-reference", "--check")
    assert code == 0, said
    broken = tmp_path / "counterpoise"
    broken.mkdir()
    for path in pathlib.Path(os.environ["COUNTERPOISE_BUILD"], "python", "counterpoise").iterdir():
        text = path.read_bytes()
        if path.name == "results.py":
            text = text.replace(b'"""How many of them are feasible."""', b"pass")
        (broken / path.name).write_bytes(text)
    code, said = run(ROOT / "scripts" / "python-reference", "--check",
                     env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert code == 1 and "Results.feasible" in said, said
