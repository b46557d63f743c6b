"""Wrong forces from outside: input, and what the message has to say. The right files are those of forces_test."""

import json

from wrong_table import Wrong

PUSH = '{"name": "push", "point": "forearm.tip", "force": [0, 0, "-thrust"]}'
MODEL = json.dumps({
    "format": "counterpoise-model/1", "name": "arm", "parameters": {"thrust": {"value": 30, "unit": "N"}, "rate": 500},
    "world": {"points": {"post": [-0.1, 0, 0.4]}},
    "bodies": [
        {"name": "upper_arm", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]}, "mass": 3,
         "com": [0.2, 0, 0], "points": {"lug": [0.2, 0, 0.02]}},
        {"name": "forearm", "parent": "upper_arm",
         "joint": {"type": "revolute", "axis": [0, -1, 0], "origin": [0.4, 0, 0]}, "mass": 2,
         "com": [0.2, 0, 0], "points": {"tip": [0.4, 0, 0]}}],
    "springs": [{"name": "spring", "connect": ["world.post", "upper_arm.lug"], "rate": "rate", "free_length": 0.1}],
    "actuators": [{"name": "shoulder", "joint": "upper_arm"}, {"name": "elbow", "joint": "forearm"}],
    "forces": [json.loads(PUSH)]})
COURSE = '{"type": "spline", "times": [0, 1], "values": [0, 1], "ends": "natural"}'
MOTION = json.dumps({
    "format": "counterpoise-motion/1", "duration": 1, "step": 0.05,
    "coordinates": {"shoulder": {"type": "point-to-point", "from": 0.2, "to": 0.8},
                    "elbow": {"type": "point-to-point", "from": -0.3, "to": 0.7}},
    "forces": {"push": json.loads(COURSE)}})


def model(what, forces, pointer, *texts):
    text = MODEL.replace(json.dumps([json.loads(PUSH)]), forces)
    return Wrong(what, [("model.json", None, text), ("motion.json", None, MOTION)], pointer, list(texts))


def motion(what, forces, pointer, *texts):
    text = MOTION.replace(json.dumps({"push": json.loads(COURSE)}), forces)
    return Wrong(what, [("model.json", None, MODEL), ("motion.json", None, text)], pointer, list(texts))


MODELS = [
    model("not a list", '«{"push": 1}', "/forces", "an array of forces"),
    model("no name", '[«{"point": "forearm.tip", "force": [1, 0, 0]}]', "/forces/0", "name"),
    model("no point", '[«{"name": "push", "force": [1, 0, 0]}]', "/forces/0", "point"),
    model("a point misspelt", '[{"name": "push", "point": «"forearm.tpi", "force": [1, 0, 0]}]', "/forces/0/point",
          'did you mean "forearm.tip"?'),
    model("a point of the world", '[{"name": "push", "point": «"world.post", "force": [1, 0, 0]}]', "/forces/0/point",
          "stands still in the world"),
    model("neither force nor moment", '[«{"name": "push", "point": "forearm.tip"}]', "/forces/0",
          "neither force nor moment"),
    model("two numbers", '[{"name": "push", "point": "forearm.tip", "force": «[1, 0]}]', "/forces/0/force",
          "a force [x, y, z]"),
    model("a moment for a force", '[{"name": "push", "point": "forearm.tip", "force": [«"1 N*m", 0, 0]}]',
          "/forces/0/force/0", "N"),
    model("other axes", '[{"name": "push", "point": "forearm.tip", "axes": «"local", "force": [1, 0, 0]}]',
          "/forces/0/axes", "world", "body"),
    model("a key misspelt", '[{"name": "push", "point": "forearm.tip", «"forces": [1, 0, 0]}]', "/forces/0/forces",
          'did you mean "force"?'),
    model("the same name twice", '[' + PUSH + ', {"name": «"push", "point": "forearm.tip", "force": [1, 0, 0]}]',
          "/forces/1/name", "duplicate force"),
    model("a parameter that is not there", '[{"name": "push", "point": "forearm.tip", "force": [«"trust", 0, 0]}]',
          "/forces/0/force/0", 'did you mean "thrust"?'),
    model("a number that is not finite", '[{"name": "push", "point": "forearm.tip", "force": «["1/(thrust-30)", 0, 0]}]',
          "/forces/0/force", "not finite"),
]

MOTIONS = [
    motion("a force that is not there", '{«"pusch": ' + COURSE + "}", "/forces/pusch",
           "a force of the model", 'did you mean "push"?'),
    motion("a list", "«[1]", "/forces", "an object"),
    motion("a number for a profile", '{"push": «2}', "/forces/push", "a profile"),
    motion("a unit", '{"push": {"type": "hold", "value": 1, «"unit": "N"}}', "/forces/push/unit", "has no unit"),
    motion("a text with a unit", '{"push": {"type": "hold", "value": «"2 N"}}', "/forces/push/value", "N"),
    motion("moves", '{"push": {"type": «"moves", "moves": [{"to": 1, "duration": 1}]}}', "/forces/push/type",
           "expected one of"),
    motion("a course that ends too early", '{"push": «{"type": "spline", "times": [0, 0.5], "values": [0, 1]}}',
           "/forces/push", "the times cover 0 to 0.5 s"),
    Wrong("forces and poses", [("model.json", None, MODEL), (
        "motion.json", None,
        '{"format": "counterpoise-motion/1", «"forces": {}, "poses": {"shoulder": {"values": [0]}}}')],
          "/forces", ["does not go with \"poses\""]),
]
