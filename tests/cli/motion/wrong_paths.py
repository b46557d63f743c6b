"""Wrong points, orientations, paths and guesses: input, and what the message has to say."""

import json

from program import INFEASIBLE
from wrong_table import Wrong

# Two links in the plane of x and z, with the angles of "arm_files": a rising link turns about -y.
MODEL = json.dumps({
    "format": "counterpoise-model/1", "name": "arm", "parameters": {"upper_length": 0.4},
    "world": {"points": {"post": [0, 0, 0.2]}},
    "bodies": [
        {"name": "upper_arm", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]}, "mass": 3,
         "com": ["upper_length/2", 0, 0]},
        {"name": "forearm", "parent": "upper_arm",
         "joint": {"type": "revolute", "axis": [0, -1, 0], "origin": ["upper_length", 0, 0]}, "mass": 2,
         "com": [0.2, 0, 0], "points": {"tip": [0.4, 0, 0]}}],
    "actuators": [{"name": "shoulder", "joint": "upper_arm"}, {"name": "elbow", "joint": "forearm"}]})
START = '"start": [0.5, 0, 0.2]'


def motion(what, text, pointer, *texts, clock='"duration": 1, "step": 0.1', **more):
    """Of a motion that has these keys behind its clock."""
    whole = '{"format": "counterpoise-motion/1", %s, %s}' % (clock, text)
    return Wrong(what, [("model.json", None, MODEL), ("motion.json", None, whole)], pointer, list(texts), **more)


def path(what, moves, pointer, *texts, **more):
    text = '"points": {"forearm.tip": {%s, "moves": %s}}' % (START, moves)
    return motion(what, text, "/points/forearm.tip" + pointer, *texts, **more)


POINTS = [
    motion("a point misspelt", '"points": {«"forearm.tpi": {"x": {"type": "hold"}}}', "/points/forearm.tpi",
           "expected a point, as body.point", 'did you mean "forearm.tip"?'),
    motion("a body for a point", '"points": {«"forearm": {"x": {"type": "hold"}}}', "/points/forearm",
           "expected a point"),
    motion("a point of the world", '"points": {«"world.post": {"x": {"type": "hold"}}}', "/points/world.post",
           "stands still in the world"),
    motion("no points", '"points": «{}', "/points", "at least one point"),
    motion("a list of points", '"points": «[]', "/points", "an object"),
    motion("a point without coordinates", '"points": {"forearm.tip": «{}}', "/points/forearm.tip",
           "at least one of x, y, z"),
    motion("a coordinate misspelt", '"points": {"forearm.tip": {«"w": {"type": "hold"}}}', "/points/forearm.tip/w",
           "the keys are x, y, z"),
    motion("an angle as a length", '"points": {"forearm.tip": {"x": {"type": "hold", "value": 1, "unit": «"deg"}}}',
           "/points/forearm.tip/x/unit", "deg"),
    motion("too few coordinates", '"points": «{"forearm.tip": {"x": {"type": "hold", "value": 0.5}}}', "/points",
           "1 coordinates", "nothing determines the joints upper_arm, forearm", '"redundant": "least-norm"'),
    motion("a key misspelt", '«"pionts": {}', "/pionts", 'did you mean "points"?'),
    motion("points and poses", '«"points": {"forearm.tip": {"x": {"type": "hold"}}}, "poses": {"shoulder": '
           '{"values": [0]}}', "/points", "does not go with \"poses\"", clock='"name": "x"'),
]

TIP = '"points": {"forearm.tip": {"x": {"type": "hold", "value": 0.5}, "z": {"type": "hold", "value": 0.2}}}'
REDUNDANT = [
    motion("no other way than the least norm", TIP + ', "redundant": «"least-energy"', "/redundant",
           "expected", "least-norm"),
    motion("nothing redundant", TIP + ', "redundant": «"least-norm"', "/redundant",
           "the motion determines all joints"),
    motion("redundant without points", '"coordinates": {"shoulder": {"type": "hold"}}, «"redundant": "least-norm"',
           "/redundant", "only a motion of \"points\" or \"orientations\""),
    motion("redundant poses", '«"redundant": "least-norm", "poses": {"shoulder": {"values": [0]}}', "/redundant",
           "does not go with \"poses\"", clock='"name": "x"'),
]

ORIENTATIONS = [
    motion("a body misspelt", '"orientations": {«"forarm": {"pitch": {"type": "hold"}}}', "/orientations/forarm",
           "expected a body", 'did you mean "forearm"?'),
    motion("an angle misspelt", '"orientations": {"forearm": {«"pich": {"type": "hold"}}}',
           "/orientations/forearm/pich", 'did you mean "pitch"?'),
    motion("no angles", '"orientations": {"forearm": «{}}', "/orientations/forearm", "at least one of roll, pitch, yaw"),
    motion("no bodies", '"orientations": «{}', "/orientations", "at least one body"),
    motion("a length as an angle", '"orientations": {"forearm": {"pitch": {"type": "hold", "unit": «"mm"}}}',
           "/orientations/forearm/pitch/unit", "mm"),
]

GUESSES = [
    motion("a guess without points", '"coordinates": {"shoulder": {"type": "hold"}}, «"guess": {"elbow": 1}', "/guess",
           'only joints that follow from "points" or "orientations"'),
    motion("a joint misspelt", '"points": {"forearm.tip": {"x": {"type": "hold"}}}, "guess": {«"elbw": 1}',
           "/guess/elbw", 'did you mean "elbow"?'),
    motion("a guess that is no number", '"points": {"forearm.tip": {"x": {"type": "hold"}}}, "guess": {"elbow": «[1]}',
           "/guess/elbow", "a number"),
    motion("a guess of a parameter", '"points": {"forearm.tip": {"x": {"type": "hold"}}}, '
           '"guess": {"elbow": «"upper_length"}', "/guess/elbow"),
    motion("a guess in metres", '"points": {"forearm.tip": {"x": {"type": "hold"}}}, "guess": {"elbow": «"3 mm"}',
           "/guess/elbow", "mm"),
]

PATHS = [
    path("no moves", "«[]", "/moves", "at least one move"),
    motion("no list of moves", '"points": {"forearm.tip": «{%s}}' % START, "/points/forearm.tip", 'the key "moves"'),
    motion("no start", '"points": {"forearm.tip": «{"moves": [{"hold": 1}]}}', "/points/forearm.tip",
           'the key "start"'),
    motion("a start of two numbers", '"points": {"forearm.tip": {"start": «[1, 2], "moves": [{"hold": 1}]}}',
           "/points/forearm.tip/start", "a place [x, y, z]"),
    path("a key misspelt", '[{"to": [0.6, 0, 0.2], «"duratoin": 1}]', "/moves/0/duratoin", 'did you mean "duration"?'),
    path("a move without a time", '[«{"to": [0.6, 0, 0.2]}]', "/moves/0", '"duration"', '"max_speed"'),
    path("a move that goes nowhere", '[«{"duration": 1}]', "/moves/0", '"to"', '"hold"'),
    path("an arc without an end", '[«{"via": [0.6, 0, 0.2], "duration": 1}]', "/moves/0", 'the key "to"'),
    path("a move to where it is", '[«{"to": [0.5, 0, 0.2], "duration": 1}]', "/moves/0",
         "the path is at [0.5, 0, 0.2] m already", '"hold"'),
    path("an arc in line", '[«{"to": [0.7, 0, 0.2], "via": [0.6, 0, 0.2], "duration": 1}]', "/moves/0",
         '"via" [0.6, 0, 0.2] m lies in line', "beside the straight line"),
    path("an arc through its start", '[«{"to": [0.7, 0, 0.2], "via": [0.5, 0, 0.2], "duration": 1}]', "/moves/0",
         "lies in line"),
    path("a rest that moves", '[{"hold": 1, «"to": [0.6, 0, 0.2]}]', "/moves/0/to", 'does not go with "hold"'),
    path("several lines and one", '[{"along": [{"to": [0.6, 0, 0.2]}], «"to": [0.6, 0, 0.2], "duration": 1}]',
         "/moves/0/to", 'does not go with "along"'),
    path("no lines", '[{"along": «[], "duration": 1}]', "/moves/0/along", "at least one line or arc"),
    path("a line without an end", '[{"along": [«{}], "duration": 1}]', "/moves/0/along/0", 'the key "to"'),
    path("a corner at speed", '[{"along": [{"to": [0.6, 0, 0.2]}, «{"to": [0.6, 0, 0.3]}], "duration": 1}]',
         "/moves/0/along/1", "turns by 90 deg at [0.6, 0, 0.2] m", "a move of its own"),
    path("a place in degrees", '[{"to": [«"3 deg", 0, 0], "duration": 1}]', "/moves/0/to/0", "deg"),
    path("a move that is too slow", '[{"hold": 0.5}, «{"to": [0.6, 0, 0.2], "duration": 0.7}]', "/moves/1",
         "the move ends at 1.2 s", "expected at most the motion's 1 s"),
    path("a move that takes no time", '[«{"to": [0.6, 0, 0.2], "duration": 0}]', "/moves/0", "duration is 0"),
    path("a speed of zero", '[«{"to": [0.6, 0, 0.2], "max_speed": 0, "max_acceleration": 1}]', "/moves/0",
         "max_speed is 0", "more than 0"),
    path("a rest before it began", '[«{"hold": -1}]', "/moves/0", "hold is -1"),
    path("a time of a parameter without a duration", '[{"to": [0.6, 0, 0.2], "duration": "upper_length"}]', "",
         'expected a "duration" of the motion', clock='"step": 0.1'),
    path("a place of a parameter within limits", '[{"to": ["upper_length", 0, 0.2], "max_speed": 1, '
         '"max_acceleration": 1}]', "", 'expected a "duration" of the motion', clock='"step": 0.1'),
    motion("a sine without a duration", '"points": {"forearm.tip": {"x": «{"type": "sine", "period": 1}, '
           '"z": {"type": "moves", "moves": [{"hold": 1}]}}}', "/points/forearm.tip/x",
           'neither "moves" nor "hold"', clock='"step": 0.1'),
]

GUESS = '"guess": {"shoulder": -0.4, "elbow": 1.5}'

UNREACHABLE = [
    motion("a place beyond reach", '"points": {"forearm.tip": {%s, "moves": [{"to": [0.9, 0, 0.2], "duration": 1}]}}, %s'
           % (START, GUESS), None, "point forearm.tip cannot be reached on its branch at t=0.", "with x 0.8", "misses by",
           code=INFEASIBLE),
    motion("a coordinate that cannot move", '"points": {"forearm.tip": {%s, "moves": [{"to": [0.6, 0.1, 0.2], '
           '"duration": 1}]}}, %s' % (START, GUESS), None, "point forearm.tip cannot be reached on its branch at t=0.1 s",
           code=INFEASIBLE),
    motion("an angle that follows otherwise", '"points": {"forearm.tip": {"x": {"type": "hold", "value": 0.5}, '
           '"z": {"type": "hold", "value": 0.2}}}, "orientations": {"forearm": {"pitch": {"type": "hold"}}}, %s' % GUESS,
           None, "body forearm cannot be turned as the motion has it at t=0 s", "rad", code=INFEASIBLE),
    motion("no guess beside a stretched arm", '"points": {"forearm.tip": {%s, "moves": [{"hold": 1}]}}' % START, None,
           "on the way from the zero configuration to t=0 s", '"guess"', code=INFEASIBLE),
]
