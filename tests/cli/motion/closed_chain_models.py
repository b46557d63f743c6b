"""Closed chains that cannot move as they are told: small models, and what becomes of each.

Angles turn about +y, so a bar of length l at angle q ends at (l cos q, 0, -l sin q).
"""

import dataclasses
import json
import math

from program import BAD_INPUT, EXAMPLES, INFEASIBLE


def body(name, parent, at=(0, 0, 0), slide=False, guess=0, **points):
    """A revolute joint about y, or a slide along x."""
    joint = {"type": "prismatic" if slide else "revolute", "axis": "x" if slide else "y",
             "origin": at, "guess": guess}
    return {"name": name, "parent": parent, "joint": joint, "mass": 1, "points": points}


def model(*bodies, actuators=(), **more):
    by_joint = [{"name": name, "joint": name} for name in actuators if isinstance(name, str)]
    others = [actuator for actuator in actuators if not isinstance(actuator, str)]
    return {"format": "counterpoise-model/1", "bodies": bodies, "actuators": by_joint + others,
            **more}


def pin(first, second, **more):
    return {"name": "pin", "connect": [first, second], **more}


def four_bar(crank, coupler, rocker, ground, guesses=(0, 0, 0), aside=0, actuators=("crank",)):
    """`aside`: the coupler's end stands this far out of the plane."""
    return model(
        body("crank", "world", guess=guesses[0]),
        body("coupler", "crank", (crank, 0, 0), guess=guesses[1], end=[coupler, aside, 0]),
        body("rocker", "world", (ground, 0, 0), guess=guesses[2], end=[rocker, 0, 0]),
        loops=[pin("coupler.end", "rocker.end")], actuators=actuators)


def slider_crank(crank, rod, angle, actuator):
    return model(
        body("crank", "world", guess=angle),
        body("rod", "crank", (crank, 0, 0), guess=-2 * angle, end=[rod, 0, 0]),
        body("slider", "world", slide=True, guess=crank + rod, pin=[0, 0, 0]),
        loops=[pin("rod.end", "slider.pin")], actuators=[actuator])


def two_bars(**closure):
    """Bars of 0.2 m that point at each other and just meet."""
    return model(body("left", "world", end=[0.2, 0, 0]),
                 body("right", "world", (0.4, 0, 0), end=[-0.2, 0, 0]),
                 loops=[pin("left.end", "right.end", **closure)])


def boom(foot):
    """A boom of 0.3 m that a cylinder from `foot` holds up."""
    return model(body("boom", "world", lug=[0.3, 0, 0]), world={"points": {"foot": foot}},
                 actuators=[{"name": "cylinder", "connect": ["world.foot", "boom.lug"]}])


def bolted_slides(offset):
    """Two slides, bolted to each other, and a rack that holds one `offset` ahead of the other."""
    return model(body("a", "world", slide=True, p=[0, 0, 0]),
                 body("b", "world", slide=True, p=[0, 0, 0]),
                 loops=[pin("a.p", "b.p")],
                 couplings=[{"name": "rack", "joint": "b", "ratio": 1, "of": "a",
                             "offset": offset}],
                 actuators=["a"])


def motion(step=0.1, **coordinates):
    return {"format": "counterpoise-motion/1", "duration": 2, "step": step,
            "coordinates": coordinates}


def move(start, end):
    return {"type": "point-to-point", "from": start, "to": end, "profile": "quintic"}


def moved(start, end, t):
    """Where `move` is at time t of its 2 s."""
    s = t / 2
    return start + (end - start) * s**3 * (10 - 15 * s + 6 * s**2)


@dataclasses.dataclass
class Chain:
    model: dict
    motion: dict | None = None  # none: `check` alone says what is wrong
    code: int = BAD_INPUT
    number: float | None = None  # in the message, worked out from the geometry alone


def all_chains():
    leans = (-1.2, 1.2, -1.2)  # a parallelogram, below its flat pose
    aligned = json.loads((EXAMPLES / "schoenflies" / "model_singular.json").read_text())
    del aligned["$schema"]
    # the rocker's end comes within coupler - rocker of the crank's pin, no nearer
    gap = 0.35 - 0.2 - math.dist((0.2 * math.cos(moved(1.2, 0, 1.2)),
                                  0.2 * math.sin(moved(1.2, 0, 1.2))), (0.3, 0))
    swing = {"type": "sine", "mean": 0.625, "amplitude": 0.125, "period": 2}
    return {
        "short four-bar": Chain(four_bar(0.1, 0.3, 0.2, 0.7, (0, -0.7, -1.5)),
                                number=0.7 - 0.1 - 0.3 - 0.2),
        "pin out of the plane": Chain(four_bar(0.1, 0.3, 0.2, 0.3, (0, -0.7, -1.5), aside=0.01),
                                      number=0.01),
        "skew axes": Chain(two_bars(keep="parallel", axes=[[0, 1, 0], [0.001, 1, 0]]),
                           number=math.atan(0.001)),
        "weld upside down": Chain(two_bars(keep="weld", rotation={"rpy": ["pi", 0, 0]}),
                                  number=math.pi),
        "two motors": Chain(four_bar(0.1, 0.3, 0.2, 0.3, (0, -0.7, -1.5),
                                     actuators=("crank", "rocker"))),
        "no motor": Chain(four_bar(0.1, 0.3, 0.2, 0.3, (0, -0.7, -1.5), actuators=())),
        "aligned platform": Chain(aligned),
        "rack against bolt": Chain(bolted_slides(0.1), number=0.1),
        "opening four-bar": Chain(four_bar(0.2, 0.35, 0.2, 0.3, (1.2, -0.2, -2)),
                                  motion(crank=move(1.2, 0)), INFEASIBLE, gap),
        "cylinder too long": Chain(boom([0, 0, -0.4]), motion(cylinder=move(0.5, 0.75)),
                                   INFEASIBLE, moved(0.5, 0.75, 1.4) - 0.7),
        "dead centre": Chain(slider_crank(0.25, 0.5, 0.6, "slider"), motion(0.25, slider=swing),
                             INFEASIBLE, 0.0),
        "dead centre between samples": Chain(slider_crank(0.3, 0.3, 0.6, "crank"),
                                             motion(crank=move(0.6, 2.6)), INFEASIBLE),
        "flat parallelogram": Chain(four_bar(0.2, 0.5, 0.2, 0.5, leans),
                                    motion(crank=move(-1.2, 1.2)), INFEASIBLE, 0.0),
        "flat between samples": Chain(four_bar(0.2, 0.5, 0.2, 0.5, leans),
                                      motion(crank=move(-1.2, 1.3)), INFEASIBLE),
        "cylinder in line": Chain(boom([-0.4, 0, 0]), motion(0.25, cylinder=move(0.6, 0.7)),
                                  INFEASIBLE, 0.0),
        "cylinder without lever": Chain(boom([-0.4, 0, 0]), motion(boom=move(-0.5, 0)),
                                        INFEASIBLE, 0.0),
        "lever between samples": Chain(boom([-0.4, 0, 0]), motion(0.4, boom=move(-0.5, 0.5)),
                                       INFEASIBLE),
    }
