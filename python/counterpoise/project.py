"""The commands that are about files and projects rather than about one mechanism or one study."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from counterpoise._calls import Path, command, options, path_of, text_of, whole_of
from counterpoise.inputs import Model
from counterpoise.report import Report
from counterpoise.results import Results


def check(*files: Path, model: Model | Path | None = None) -> Report:
    """Validates models, motions, studies and scenarios, and sums them up, as `counterpoise check` does.

    Args:
        files: the files.
        model: the model that motions and scenarios are for; without it their names are not checked.

    Returns a dict for one file, a list for several. Raises `InputError` with all mistakes found; warns
    of what is read but changes nothing.
    """
    words = ["check", *(path_of(file, "files") for file in files), "--json"]
    if isinstance(model, Model):
        return Report(command([*words, f"--model={model.path}"], model._texts))
    if model is not None:
        words.append(f"--model={path_of(model, 'model')}")
    return Report(command(words))


def merge(parts: Sequence[Path], output: Path, *, force: bool = False, allow_mixed: bool = False,
          whole: bool = False) -> Results:
    """Joins the shards of one study into one results file.

    Args:
        parts: the results files.
        output: the file to write, whole or not at all.
        force: replace results that exist.
        allow_mixed: join results of different programs.
        whole: join nothing unless the files are the whole study.
    """
    if isinstance(parts, (str, os.PathLike)):
        raise TypeError(f"parts: found a {type(parts).__name__}, expected a list of paths")
    place = path_of(output, "output")
    answer = command(["merge", *(path_of(part, "parts") for part in parts), f"--output={place}",
                      *options({"force": force, "allow_mixed": allow_mixed, "whole": whole}),
                      "--json"])
    return Results(place, summary=answer.json())


def compare(*results: Results | Path, by: str | None = None, top: int | None = None,
            pareto: bool = False, output: Path | None = None) -> Report:
    """Ranks the designs of several results, such as the variants of a study, as `counterpoise compare` does.

    Args:
        results: results, or paths of results files and of folders of them.
        by: the objective; the first if None.
        top: designs that are listed; 10 if None.
        pareto: only designs that no other of all files dominates.
        output: an HTML file to write, a page on which the best designs move beside each other.

    Returns a list with a comparison for each motion.
    """
    paths = [one.path if isinstance(one, Results) else path_of(one, "results") for one in results]
    return Report(command([
        "compare", *paths, "--json",
        *options({"pareto": pareto}, by=None if by is None else text_of(by, "by"),
                 top=None if top is None else whole_of(top, "top"),
                 output=None if output is None else path_of(output, "output"))]))


def new(kind: str, folder: Path) -> str:
    """Writes a small commented project to begin with, and the JSON Schemas of its files.

    Args:
        kind: "arm", "four-bar", "lamp", "wearable", "cable", "cam", "gas-spring", "counterweight" or "ways".
        folder: the folder to make, which may not hold anything yet.

    Returns what the command prints.
    """
    return command(["new", text_of(kind, "kind"), path_of(folder, "folder")]).text


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of a kind of file: "model", "motion", "study" or "scenario"."""
    loaded = json.loads(command(["schema", text_of(kind, "kind")]).data)
    assert isinstance(loaded, dict)
    return loaded


def progress(output: Path) -> Report:
    """How far the tasks of a study are that `counterpoise submit` shares on a cluster.

    Args:
        output: the output of `submit`.
    """
    words = ["progress", path_of(output, "output")]
    return Report(command([*words, "--json"]), lambda: command(words, warn=False).text)
