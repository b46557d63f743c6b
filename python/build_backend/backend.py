"""Builds the wheel: setuptools packs it, and CMake builds the extension in it.

pip install --no-build-isolation --config-settings build-dir=build/release . takes a CMake build that is
there already; without the setting, build/wheel is configured like the preset `release`.
"""

import os
import pathlib
import shutil
import subprocess
import sys

from setuptools import Distribution, Extension, build_meta, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parents[2]
chosen = {"build-dir": ""}


class CMakeExtension(build_ext):
    """Has CMake build the extension instead of compiling anything itself."""

    def build_extension(self, extension):
        given = chosen["build-dir"]
        folder = ROOT / (given or "build/wheel")
        if not given:
            subprocess.run(["cmake", "--preset", "release", "-B", str(folder),
                            "-DCOUNTERPOISE_TESTS=OFF", f"-DPython3_EXECUTABLE={sys.executable}"],
                           cwd=ROOT, check=True)
        elif not (folder / "CMakeCache.txt").is_file():
            raise SystemExit(f"{folder}: found no CMake build, expected one with the Python package; "
                             "without build-dir one is made")
        subprocess.run(["cmake", "--build", str(folder), "--target", "_core",
                        "--parallel", str(os.cpu_count() or 1)], check=True)
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        built = folder / "python" / "counterpoise" / target.name
        if not built.is_file():
            raise SystemExit(f"{folder}: has no extension for {sys.executable}: expected "
                             f"{built.name}")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(built, target)


class Backend(build_meta._BuildMetaBackend):
    """setuptools' own backend for a project without a setup.py, with the extension added."""

    def run_setup(self, setup_script="setup.py"):
        build = ROOT / "build" / "setuptools"
        build.mkdir(parents=True, exist_ok=True)
        setup(distclass=Distribution, ext_modules=[Extension("counterpoise._core", sources=[])],
              cmdclass={"build_ext": CMakeExtension},
              options={"build": {"build_base": str(build)}, "egg_info": {"egg_base": str(build)}})


backend = Backend()
get_requires_for_build_wheel = backend.get_requires_for_build_wheel
get_requires_for_build_sdist = backend.get_requires_for_build_sdist
prepare_metadata_for_build_wheel = backend.prepare_metadata_for_build_wheel
build_sdist = backend.build_sdist


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    chosen["build-dir"] = (config_settings or {}).pop("build-dir", "")
    return backend.build_wheel(wheel_directory, config_settings, metadata_directory)
