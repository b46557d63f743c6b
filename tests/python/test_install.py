"""pip installs the package into a virtual environment without downloading anything, and `cmake --install`
where Debian's Python looks."""

import os
import pathlib
import subprocess
import sys

import pytest
from conftest import EXAMPLES, ROOT

BUILD = os.environ["COUNTERPOISE_BUILD"]
USE = f"""
import counterpoise as cp
print(cp.__file__)
study = cp.Study.load({str(EXAMPLES / "two_link_arm" / "study.json")!r})
print(study.evaluator()([7, 5, 2]).objectives.tobytes().hex())
"""


def used(python, **environment):
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run([python, "-c", USE], text=True, capture_output=True,
                          env={**clean, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture
def expected():
    return used(sys.executable, PYTHONPATH=os.environ["PYTHONPATH"])[1]


def test_pip(folder, expected):
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "venv"], check=True)
    python = str(folder / "venv" / "bin" / "python")
    done = subprocess.run([python, "-m", "pip", "install", "--no-build-isolation", "--no-index",
                           "--config-settings", f"build-dir={BUILD}", str(ROOT)],
                          text=True, capture_output=True,
                          env={**os.environ, "PYTHONPATH": "", "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    place, objectives = used(python)
    assert place.startswith(str(folder / "venv")) and objectives == expected
    files = {path.name for path in pathlib.Path(place).parent.iterdir()}
    assert {"py.typed", "_core.pyi", "plots.py"} <= files
    listed = subprocess.run([python, "-m", "pip", "show", "counterpoise"], text=True,
                            capture_output=True, check=True).stdout
    assert "Version: 0.1.0" in listed


def test_without_the_extension(folder):
    """As the sources are, or a build that was configured without Python."""
    for path in (ROOT / "python" / "counterpoise").glob("*.py"):
        (folder / "counterpoise").mkdir(exist_ok=True)
        (folder / "counterpoise" / path.name).write_text(path.read_text(encoding="utf-8"))
    done = subprocess.run([sys.executable, "-c", "import counterpoise"], text=True, capture_output=True,
                          env={**os.environ, "PYTHONPATH": str(folder)})
    assert done.returncode == 1
    said = done.stderr.splitlines()[-1]
    assert said.startswith("ImportError: the extension of the package counterpoise is not built")
    assert "`scripts/build`" in said and str(folder / "counterpoise") in said
    assert "During handling" not in done.stderr and "_core'" not in done.stderr


def test_component(folder, expected):
    subprocess.run(["cmake", "--install", BUILD, "--component", "python", "--prefix", folder / "usr"],
                   check=True, capture_output=True)
    packages = folder / "usr" / "lib" / "python3" / "dist-packages"
    assert [path.name for path in packages.iterdir()] == ["counterpoise"]
    place, objectives = used(sys.executable, PYTHONPATH=str(packages))
    assert place.startswith(str(packages)) and objectives == expected
