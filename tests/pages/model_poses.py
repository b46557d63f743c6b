"""Where bodies and points of a model are, from the text of the model and joint positions alone:
expressions by Python, rotations by products of elementary ones."""

import math

NAMES = {name: getattr(math, name)
         for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "pi")}
NAMES |= {"abs": abs, "min": min, "max": max}
SCALES = {"mm": 1e-3, "cm": 1e-2, "g": 1e-3, "kN": 1e3, "N/mm": 1e3, "N/cm": 1e2, "deg": math.pi / 180,
          "kg*mm^2": 1e-6, "ms": 1e-3, "N*mm": 1e-3}


class Values(dict):
    """The parameters of a model, evaluated when they are asked for."""

    def __init__(self, model, settings):
        super().__init__(NAMES)
        self.said = model.get("parameters", {})
        self.update(settings)

    def __missing__(self, name):
        said = self.said[name]
        value, unit = (said["value"], said.get("unit", "1")) if isinstance(said, dict) else (said, "1")
        self[name] = self.of(value) * SCALES.get(unit, 1.0)
        return self[name]

    def of(self, value):
        if isinstance(value, str):
            return float(eval(value.replace("^", "**"), {"__builtins__": {}}, self))
        return float(value)

    def vector(self, value):
        return [self.of(one) for one in value]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def applied(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def about(axis, angle):
    size = math.sqrt(sum(one * one for one in axis))
    x, y, z = (one / size for one in axis)
    c, s = math.cos(angle), math.sin(angle)
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


X, Y, Z = [1, 0, 0], [0, 1, 0], [0, 0, 1]


def rotation_of(said, values):
    if not said:
        return about(Z, 0.0)
    (kind, numbers), = said.items()
    n = values.vector(numbers)
    if kind == "zxz":
        return product(product(about(Z, n[0]), about(X, n[1])), about(Z, n[2]))
    if kind == "rpy":
        return product(product(about(Z, n[2]), about(Y, n[1])), about(X, n[0]))
    angle = 2 * math.atan2(math.sqrt(sum(one * one for one in n[1:])), n[0])
    return about(n[1:], angle) if angle else about(Z, 0.0)


def positions(model, joints, settings=()):
    """{"body": origin, "body.point": place, "world.point": place} in the world."""
    values = Values(model, dict(settings))
    frames = {"world": (about(Z, 0.0), [0.0, 0.0, 0.0])}
    left = list(model["bodies"])
    while left:
        body = next(one for one in left if one["parent"] in frames)
        left.remove(body)
        joint, (turn, place) = body["joint"], frames[body["parent"]]
        axis = joint.get("axis", "z")
        axis = {"x": X, "y": Y, "z": Z}[axis] if isinstance(axis, str) else values.vector(axis)
        q = joints.get(body["name"], 0.0)
        rest = rotation_of(joint.get("rotation"), values)
        offset = values.vector(joint.get("origin", [0, 0, 0]))
        if joint["type"] == "prismatic":
            size = math.sqrt(sum(one * one for one in axis))
            offset = [a + q * b / size for a, b in zip(offset, applied(rest, axis))]
        if joint["type"] == "revolute":
            rest = product(rest, about(axis, q))
        frames[body["name"]] = (product(turn, rest),
                                [a + b for a, b in zip(place, applied(turn, offset))])
    found = {name: place for name, (_, place) in frames.items() if name != "world"}
    for body in [{"name": "world", **model.get("world", {})}, *model["bodies"]]:
        turn, place = frames[body["name"]]
        centres = {name: pulley["centre"] for name, pulley in body.get("pulleys", {}).items()}
        for name, at in {**body.get("points", {}), **centres}.items():
            found[f"{body['name']}.{name}"] = [
                a + b for a, b in zip(place, applied(turn, values.vector(at)))]
    return found
