#!/usr/bin/env python3
"""Compares models that `import` makes from MJCF files with MuJoCo of today.

compared.py FILE...: a line for each file, with the largest difference of a load beside the largest
load, or why there is none. It needs the program in COUNTERPOISE_PROGRAM, and node."""

import csv
import io
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ["COUNTERPOISE_PROGRAM"]
NODE = os.environ.get("COUNTERPOISE_NODE", "node")


class Today:
    """MuJoCo of today, which answers one request after another."""

    def __init__(self):
        self.process = subprocess.Popen([NODE, HERE / "mujoco_today.mjs"], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, file, **request):
        self.process.stdin.write(json.dumps({"file": str(file), **request}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


class NotCompared(Exception):
    """A model whose loads cannot be computed, and why."""


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, capture_output=True, check=False)


def imported(file, output, *options):
    """The model of a file and what was said, or None and why not."""
    said = run("import", file, "-o", output, *options)
    if said.returncode:
        return None, said.stderr
    return json.loads(pathlib.Path(output).read_text(encoding="utf-8")), said.stderr


def moving_bodies(model):
    return [body for body in model["bodies"] if body["joint"]["type"] != "fixed"]


def motion_of(model, generator):
    """Sines about where the robot stands, small ones where loops have to stay closed; balls rest."""
    guesses = {body["name"]: body["joint"].get("guess", 0.0) for body in model["bodies"]}
    names = {body["name"] for body in moving_bodies(model)}
    reach = 0.03 if "loops" in model else 0.5
    balls = {name for name in names for body in model["bodies"]
             if body["name"] == name and is_of_ball(model, body)}
    coordinates = {}
    if "actuators" not in model:
        raise NotCompared("no actuators")
    for actuator in model["actuators"]:
        if "connect" in actuator:
            raise NotCompared("an actuator between two points")
        joint = actuator["joint"]
        amplitude = 0.0 if joint in balls else generator.uniform(0.1, 1.0) * reach
        coordinates[actuator["name"]] = {
            "type": "sine", "mean": guesses[joint], "amplitude": amplitude,
            "period": generator.uniform(0.7, 2.0), "phase": generator.uniform(0.0, 3.0)}
    return {"format": "counterpoise-motion/1", "duration": 1, "step": 0.25,
            "coordinates": coordinates}


def is_of_ball(model, body):
    """Whether a body is one of three that turn about x, y and z in turn at one point."""
    moving = moving_bodies(model)
    at = moving.index(body)
    axes = ([1, 0, 0], [0, 1, 0], [0, 0, 1])
    for first in range(max(0, at - 2), at + 1):
        three = moving[first:first + 3]
        if (len(three) == 3 and all(b["joint"].get("axis") == axis for b, axis in zip(three, axes)) and
                all(b["joint"]["type"] == "revolute" for b in three) and
                all("mass" not in b for b in three[:2]) and
                three[1]["parent"] == three[0]["name"] and three[2]["parent"] == three[1]["name"]):
            return True
    return False


def simulated(model, path, generator):
    """States of all joints and loads at them, at each sample of a motion."""
    motion = path.with_name("motion.json")
    motion.write_text(json.dumps(motion_of(model, generator)), encoding="utf-8")
    said = run("simulate", path, "--motion", motion)
    if said.returncode:
        raise NotCompared(said.stderr.strip().splitlines()[-1])
    rows = list(csv.DictReader(io.StringIO(said.stdout)))
    load_at = {actuator["joint"]: actuator["name"] for actuator in model["actuators"]}
    names = [body["name"] for body in moving_bodies(model)]
    states = [[[float(row[f"{name}.{part}"]) for part in ("q", "qd", "qdd")] for name in names]
              for row in rows]
    loads = [[float(row[f"{load_at[name]}.load"]) if name in load_at else 0.0 for name in names]
             for row in rows]
    return states, loads


def difference(today, file, options=(), seed=1, folder=None):
    """The largest difference of a load beside the largest load, and the error of constraints."""
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "model.json"
        model, why = imported(file, path, *options)
        if model is None:
            raise NotCompared(why.strip())
        for spring in model.get("springs", []):
            if spring.get("type") == "gas" or "initial_tension" in spring or "preload" in spring:
                raise NotCompared("an actuator of constant force")
        states, loads = simulated(model, path, random.Random(seed))
    request = {"states": states, "loads": loads, "ignore_gravcomp": "--ignore-gravcomp" in options}
    if folder:
        request["folder"] = str(folder)
    answer = today.ask(file, **request)
    if "error" in answer:
        raise NotCompared("MuJoCo: " + answer["error"])
    largest = max((abs(force) for forces in answer["forces"] for force in forces), default=0.0)
    if not all(math.isfinite(x) for x in answer["missing"]) or len(answer["forces"][0]) != len(loads[0]):
        raise NotCompared("other joints")
    return max(answer["missing"]), largest, max(answer["open"])


if __name__ == "__main__":
    with Today() as mujoco:
        for name in sys.argv[1:]:
            try:
                missing, load, gap = difference(mujoco, name)
                print(f"{name}: {missing / (load or 1.0):.1e} of {load:.3g}, constraints {gap:.1e}")
            except NotCompared as why_not:
                print(f"{name}: {why_not}")
