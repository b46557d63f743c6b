"""Wrong friction that grows with reactions, and what cannot have it: input, and what the message has to say."""

import json

from wrong_table import RUN, SIMULATE, Wrong

JOINT = '{"type": "revolute", "axis": [0, -1, 0], "friction": {"load_coefficient": "pin"}}'
MODEL = json.dumps({
    "format": "counterpoise-model/1", "name": "arm",
    "parameters": {"pin": {"value": 2, "unit": "mm"}, "rate": 300, "payload": 2},
    "world": {"points": {"post": [-0.05, 0, 0.35]}},
    "bodies": [{"name": "arm", "parent": "world", "joint": json.loads(JOINT), "mass": "3 + payload", "com": [0.4, 0, 0],
                "inertia": [0, 0.1, 0, 0, 0, 0], "any_inertia": True, "points": {"lug": [0.2, 0, 0.02]}}],
    "springs": [{"name": "spring", "connect": ["world.post", "arm.lug"], "rate": "rate", "free_length": 0.1}],
    "actuators": [{"name": "lift", "joint": "arm", "ratio": 50}]})
MOTION = json.dumps({"format": "counterpoise-motion/1", "duration": 1, "step": 0.02, "coordinates": {
    "lift": {"type": "point-to-point", "from": -0.4, "to": 0.9}}})
STUDY = json.dumps({
    "format": "counterpoise-study/1", "name": "study", "model": "model.json", "motions": {"lift": "motion.json"},
    "variables": {"rate": {"range": [0, 600]}}, "search": {"method": "exact-springs"},
    "objectives": [{"name": "peak", "minimize": "max", "of": ["lift"]}]})
SEARCH = '{"method": "exact-springs"}'
FALL = json.dumps({"format": "counterpoise-scenario/1", "duration": 1, "step": 0.01,
                   "start": {"coordinates": {"lift": 0.4}}, "actuators": {"lift": "free"}})
MOTORS = ("name,rated_torque [mN*m],peak_torque [mN*m],rated_speed [rpm],no_load_speed [rpm],torque_constant [mN*m/A],"
          "resistance [ohm],rotor_inertia [g*cm^2],mass [g],price\nM-400,1100,2600,2500,3200,90,0.5,1800,2600,290\n")
FORWARD = ("forward", "model.json", "--scenario", "fall.json", "-o", "fall.csv")
assert MODEL.count(JOINT) == 1 and STUDY.count(SEARCH) == 1


def wrong(what, pointer, *texts, command=SIMULATE, **changed):
    """`changed`: (old, new) of model, study or fall."""
    files = {"model": MODEL, "motion": MOTION, "study": STUDY, "fall": FALL}
    for name, (old, new) in changed.items():
        assert files[name].count(old) == 1, old
        files[name] = files[name].replace(old, new)
    given = [(f"{name}.json", None, text) for name, text in files.items()]
    return Wrong(what, [*given, ("motors.csv", None, MOTORS)], pointer, list(texts), command=command)


def joint(what, text, place, *texts):
    return wrong(what, f"/bodies/0/joint{place}", *texts, model=(JOINT, text))


def turning(value):
    return f'{{"type": "revolute", "axis": "y", "friction": {{"load_coefficient": {value}}}}}'


def sliding(value):
    return f'{{"type": "prismatic", "axis": "z", "friction": {{"load_coefficient": {value}}}}}'


def searched(what, search, *texts, variables='{"rate": {"range": [0, 600]}}'):
    study = json.dumps({**json.loads(STUDY), "search": json.loads(search), "variables": json.loads(variables)})
    return wrong(what, "/search", "friction of the joint arm grows with its reaction", *texts, command=RUN,
                 study=(STUDY, study.replace('"search": ', '"search": «')))


TABLE = [
    joint("a negative one", turning(-0.001), "/friction", "its load coefficient is negative (-0.001)"),
    joint("a negative one of a slide", sliding(-0.1), "/friction", "its load coefficient is negative (-0.1)"),
    joint("a negative parameter", turning('"-pin"'), "/friction", "its load coefficient is negative (-0.002)"),
    joint("a force per speed", turning('«"1 N*s/m"'), "/friction/load_coefficient", "the unit of load_coefficient", "mm"),
    joint("a torque", turning('«"1 N*m"'), "/friction/load_coefficient", "the unit of load_coefficient"),
    joint("a length of a slide", sliding('«"2 mm"'), "/friction/load_coefficient", "mm"),
    joint("a list", turning("«[1, 2]"), "/friction/load_coefficient", "expected a number"),
    joint("true", turning("«true"), "/friction/load_coefficient", "expected a number"),
    joint("null", turning("«null"), "/friction/load_coefficient", "expected a number"),
    joint("not finite", turning('"1 / 0 * pin"'), "/friction", "not finite"),
    wrong("a parameter in newtons", "/bodies/0/joint/friction/load_coefficient", "which is in N",
          "the unit of load_coefficient", model=('"unit": "mm"', '"unit": "N"')),
    joint("an unknown parameter", turning('«"radius"'), "/friction/load_coefficient", "radius"),
    joint("a typing error", '{"type": "revolute", "axis": "y", "friction": {«"load_coeficient": 1}}',
          "/friction/load_coeficient", "load_coefficient"),
    joint("of a fixed joint", '{"type": "fixed", "friction": {"load_coefficient": 1}}', "/friction",
          "expected no friction in a fixed joint"),
    wrong("of a motor", "/actuators/0/friction/load_coefficient", "of a motor's friction", "efficiency",
          model=('"ratio": 50', '"ratio": 50, "friction": {«"load_coefficient": 0.1}')),
    searched("springs sized exactly", SEARCH, "\"nlopt\", or sample", "without \"load_coefficient\" it is exact"),
    searched("a proof over geometry", '{"method": "exact-springs", "geometry": "prove"}', "\"nlopt\", or sample"),
    searched("combinations near the best", '{"method": "exact-springs", "within_percent": 3}', "\"nlopt\", or sample"),
    searched("a search over geometry", '{"method": "exact-springs", "max_evaluations": 9}', "\"nlopt\", or sample"),
    wrong("a fall", "/bodies/0/joint/friction/load_coefficient", "friction of the joint arm that grows with its reaction",
          "\"coulomb\" and \"viscous\" alone", command=FORWARD),
    wrong("drives that are carried", "/drives/lift/mounted_on", "friction of the joint arm grows with its reaction",
          "leave out \"mounted_on\"", command=RUN,
          study=(f'"search": {SEARCH}', '"sampling": {"method": "sobol", "count": 4}, "drives": {"lift": '
                 '{"motors": "motors.csv", "minimise": "price", "mounted_on": «"arm.lug"}}')),
]
