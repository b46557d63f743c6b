"""Robots that are described in other formats, made into models."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from counterpoise._calls import Path, command, options, path_of, text_of
from counterpoise.errors import InputError
from counterpoise.inputs import Model
from counterpoise.report import Report


def import_robot(file: Path, output: Path, *, base: str = "fixed",
                 packages: Mapping[str, Path] | None = None, actuate: list[str] | None = None,
                 suggest_springs: list[tuple[str, str]] | None = None, inertia: str | None = None,
                 massless: bool = False, open_loops: bool = False, meshes: bool = True,
                 ignore_gravcomp: bool = False, strict: bool = False) -> Model:
    """Makes a model of a robot that is described as URDF, SDF or MJCF, and writes it to a file.

    Args:
        file: the URDF, SDF or MJCF file.
        output: the model file to write; meshes are named from its folder.
        base: "fixed" or "floating": whether the root link stands still.
        packages: where `package://name/` of meshes is, by name.
        actuate: joints that have actuators, where loops leave a choice.
        suggest_springs: pairs of bodies to add a spring between; a study of their sizes and mounts and
            its motion are written beside the model.
        inertia: "as-is", "nearest" or "refuse": what becomes of inertias that no real body has; without
            it they are kept where no motion then has a negative kinetic energy.
        massless: accept a robot without mass on what moves.
        open_loops: leave out what closes loops in URDF and SDF, and take the tree.
        meshes: whether to keep what links look like.
        ignore_gravcomp: let actuators carry weights that MJCF takes from them by gravcomp.
        strict: make what is left out or changed an `InputError`.

    What is left out or changed is said by warnings; `import_report` of the model has it as JSON.
    """
    words = ["import", path_of(file, "file"), f"--output={path_of(output, 'output')}", "--json",
             f"--base={text_of(base, 'base')}",
             *options({"massless": massless, "open_loops": open_loops, "no_meshes": not meshes,
                       "ignore_gravcomp": ignore_gravcomp, "strict": strict})]
    if inertia is not None:
        words.append(f"--inertia={text_of(inertia, 'inertia')}")
    words += (f"--package={text_of(name, 'packages')}={path_of(folder, 'packages')}"
              for name, folder in (packages or {}).items())
    if isinstance(actuate, str):
        raise TypeError("actuate: found a str, expected a list of joints")
    words += (f"--actuate={text_of(joint, 'actuate')}" for joint in actuate or [])
    for pair in suggest_springs or []:
        if isinstance(pair, str) or len(pair) != 2:
            raise InputError(f"found {pair!r}, expected a pair of bodies", "suggest_springs")
        words.append(f"--suggest-springs={pair[0]},{pair[1]}")
    report = Report(command(words))
    model = Model.load(output)
    model.import_report = report
    return model


def import_urdf(file: Path, output: Path | None = None, **given: Any) -> Model:
    """`import_robot` for a URDF file; without `output` the model is written beside it, with the ending
    .json."""
    name = path_of(file, "file")
    return import_robot(name, os.path.splitext(name)[0] + ".json" if output is None else output, **given)


def import_mjcf(file: Path, output: Path | None = None, **given: Any) -> Model:
    """`import_robot` for an MJCF file; without `output` as `import_urdf`."""
    return import_urdf(file, output, **given)
