"""Wrong moves and ends of splines: input, and what the message has to say."""

from wrong_table import wrong_motion

SINE = '{"type": "sine", "amplitude": 0.5, "period": 1}'
CLOCK = '"duration": 1, "step": 0.1'
AT = "/coordinates/shoulder"


def moves(what, items, pointer, *texts, more="", **rest):
    profile = '{"type": "moves", %s"moves": %s}' % (more, items)
    return wrong_motion(what, SINE, profile, AT + pointer, *texts, **rest)


def endless(what, coordinates, pointer, *texts, **more):
    """Of a motion without a duration."""
    text = '{"format": "counterpoise-motion/1", "step": 0.1, "coordinates": %s}' % coordinates
    return wrong_motion(what, None, text, pointer, *texts, **more)


def spline(what, text, *texts):
    return wrong_motion(what, SINE, '«{"type": "spline", "times": [0, 0.5, 1], %s}' % text, AT, *texts)


LISTS = [
    moves("no moves", "«[]", "/moves", "at least one move"),
    moves("a move that is no array", "«{}", "/moves", "an array of moves"),
    wrong_motion("no list", SINE, '«{"type": "moves"}', AT, 'the key "moves"'),
    moves("a list's key misspelt", '[{"hold": 1}]', "/strat", 'did you mean "start"?', more='«"strat": 1, '),
    moves("a move that is no object", "[«3]", "/moves/0", "expected an object: a move"),
    moves("an empty move", "[«{}]", "/moves/0", '"to"', '"hold"'),
    moves("a key misspelt", '[{"to": 1, «"duratoin": 1}]', "/moves/0/duratoin", 'did you mean "duration"?'),
    moves("a move without a time", '[«{"to": 1}]', "/moves/0", '"duration"', '"max_speed"'),
    moves("a rest that moves", '[{«"to": 1, "hold": 1}]', "/moves/0/to", "does not go with \"hold\""),
    moves("a rest within limits", '[{"hold": 1, «"max_speed": 1}]', "/moves/0/max_speed", "leave out one of them"),
    moves("a duration and a limit", '[{"to": 1, "duration": 1, «"max_speed": 1}]', "/moves/0/max_speed",
          "does not go with \"duration\""),
    moves("a speed without an acceleration", '[«{"to": 1, "max_speed": 1}]', "/moves/0",
          'the key "max_acceleration"'),
    moves("an acceleration without a speed", '[«{"to": 1, "max_acceleration": 1}]', "/moves/0",
          'the key "max_speed"'),
    moves("a quintic within limits", '[{"to": 1, "max_speed": 1, "max_acceleration": 1, "profile": «"quintic"}]',
          "/moves/0/profile", '"trapezoid" or "s-curve"'),
    moves("an S-curve without a jerk", '[«{"to": 1, "max_speed": 1, "max_acceleration": 1, "profile": "s-curve"}]',
          "/moves/0", 'the key "max_jerk"'),
    moves("a trapezoid with a jerk",
          '[{"to": 1, "max_speed": 1, "max_acceleration": 1, «"max_jerk": 1, "profile": "trapezoid"}]',
          "/moves/0/max_jerk", "only an s-curve"),
    moves("an unknown kind", '[{"to": 1, "duration": 1, "profile": «"s-kurve"}]', "/moves/0/profile",
          'did you mean "s-curve"?'),
    moves("a quintic with a ramp", '[{"to": 1, "duration": 1, «"ramp": 0.2}]', "/moves/0/ramp",
          "only a trapezoid or an s-curve"),
    moves("a ramp within limits", '[{"to": 1, "max_speed": 1, "max_acceleration": 1, «"ramp": 0.2}]',
          "/moves/0/ramp", "does not go with \"max_speed\""),
]

NUMBERS = [
    moves("a move that takes no time", '[«{"to": 1, "duration": 0}]', "/moves/0", "duration is 0", "more than 0 s"),
    moves("a rest before it began", '[{"hold": 0.5}, «{"hold": -0.1}]', "/moves/1", "hold is -0.1", "0 s or more"),
    moves("a ramp beyond the half", '[«{"to": 1, "duration": 1, "profile": "trapezoid", "ramp": 0.6}]', "/moves/0",
          "ramp is 0.6", "at most 0.5"),
    moves("no ramp", '[«{"to": 1, "duration": 1, "profile": "s-curve", "ramp": 0}]', "/moves/0", "ramp is 0"),
    moves("a speed of zero", '[«{"to": 1, "max_speed": 0, "max_acceleration": 1}]', "/moves/0", "max_speed is 0",
          "more than 0"),
    moves("a negative acceleration", '[«{"to": 1, "max_speed": 1, "max_acceleration": -1}]', "/moves/0",
          "max_acceleration is -1"),
    moves("a jerk of zero", '[«{"to": 1, "max_speed": 1, "max_acceleration": 1, "max_jerk": 0}]', "/moves/0",
          "max_jerk is 0"),
    moves("a position that is no number", '[{"to": «"1/0", "duration": 1}]', "/moves/0/to", "finite"),
    moves("a position of an unknown parameter", '[{"to": «"radios", "duration": 1}]', "/moves/0/to",
          'did you mean "radius"?'),
    moves("a position in newtons", '[{"to": «"3 N", "duration": 1}]', "/moves/0/to", '"N"', "rad"),
    moves("a speed in metres by the second", '[{"to": 1, "max_speed": «"3 m/s", "max_acceleration": 1}]',
          "/moves/0/max_speed", '"m/s"', "rad/s"),
    moves("a duration in degrees", '[{"to": 1, "duration": «"3 deg"}]', "/moves/0/duration", '"deg"', "goes with s"),
    moves("a unit that does not fit", '[{"to": 1, "duration": 1}]', "/unit", '"mm"', "goes with rad",
          more='"unit": «"mm", '),
    moves("a unit twice", '[{"to": «"3 deg", "duration": 1}]', "/moves/0/to", "deg", more='"unit": "deg", '),
    moves("moves longer than the motion", '[{"to": 1, "duration": 0.7}, «{"to": 0, "duration": 0.4}]', "/moves/1",
          "ends at 1.1 s", "at most the motion's 1 s", "faster"),
    moves("limits that take longer than the motion", '[«{"to": 1, "max_speed": 0.1, "max_acceleration": 1}]',
          "/moves/0", "ends at 10.1 s"),
    moves("a parameter that makes them longer", '[{"hold": 0.1}, «{"to": 1, "duration": "weight"}]', "/moves/1",
          "ends at 2.1 s"),
    moves("a parameter that leaves no time", '[«{"to": 1, "duration": "weight - 2"}]', "/moves/0", "duration is 0"),
]

MOTIONS = [
    wrong_motion("no duration, and no moves", '"duration": 1, ', "", None, 'the key "duration"'),
    endless("no duration, and not only moves",
            '{"shoulder": {"type": "moves", "moves": [{"hold": 1}]}, "upper": «' + SINE + "}", "/coordinates/upper",
            '"duration"'),
    endless("no duration, and times of a parameter",
            '{"shoulder": «{"type": "moves", "moves": [{"to": 1, "duration": "weight"}]}}', AT,
            "depends on parameters", '"duration"'),
    endless("no duration, and a way of a parameter within limits",
            '{"shoulder": «{"type": "moves", "moves": [{"to": "radius", "duration": 1}, '
            '{"to": 1, "max_speed": 1, "max_acceleration": 1}]}}', AT, "depends on parameters"),
    endless("no duration, and too many samples", '{"shoulder": {"type": "moves", "moves": [{"hold": 1e7}]}}',
            "/step", "at most 10000000 samples"),
    endless("no duration, and moves without end",
            '{"shoulder": {"type": "moves", "moves": [{"to": 1, "max_speed": 1e-320, "max_acceleration": 1}]}}',
            "/step", "at most 10000000 samples"),
    wrong_motion("nothing to synchronise", CLOCK, CLOCK + ', «"synchronised": true', "/synchronised",
                 "no coordinate has moves", 'type "moves"'),
    wrong_motion("synchronised by a word", CLOCK, CLOCK + ', "synchronised": «"yes"', "/synchronised",
                 "true or false"),
    wrong_motion("synchronised poses", None, '{"format": "counterpoise-motion/1", «"synchronised": true, '
                 '"poses": {"shoulder": {"values": [0]}}}', "/synchronised", 'does not go with "poses"'),
]

SPLINES = [
    wrong_motion("an unknown end", SINE,
                 '{"type": "spline", "times": [0, 1], "values": [0, 0], "ends": «"periodical"}', AT + "/ends",
                 'did you mean "periodic"?'),
    spline("periodic ends that differ", '"values": [0, 1, 0.1], "ends": "periodic"', "first value is 0",
           "last one 0.1", "periodic"),
    spline("periodic ends that differ by a parameter", '"values": [0, 1, "radius"], "ends": "periodic"',
           "last one 0.1"),
]
