"""Wrong scenarios, found by `forward` and by `check`."""

from program import INFEASIBLE
from wrong_table import Wrong, wrong_command

FORWARD = ("forward", "model.json", "--scenario", "scenario.json", "-o", "states.csv",
           "--events", "events.csv")
CHECK = ("check", "scenario.json")
CHECK_WITH_MODEL = (*CHECK, "--model", "model.json")

START = '{"motion": "motion.json", "time": 0.25}'
PLANE = '{"type": "plane", "point": [0, 0, -0.08], "normal": [0, 0, 1]}'
FREE = '"shoulder": "free"'


def wrong(what, old, new, pointer, *texts, **more):
    return Wrong(what, [("scenario.json", old, new)], pointer, list(texts),
                 **{"command": FORWARD, **more})


def start(new):
    return START, new


def surface(new):
    return PLANE, new


def rule(new):
    return FREE, f'"shoulder": {new}'


FILE = [
    wrong("another format", "counterpoise-scenario/1", "counterpoise-scenario/2", "/format",
          '"counterpoise-scenario/1"'),
    wrong("a file of another kind", None,
          '{"format": «"counterpoise-motion/1", "duration": 1, "step": 1, "coordinates": {}}',
          "/format", '"counterpoise-scenario/1"'),
    wrong("a key misspelt", '"contacts"', '«"contact"', "/contact", 'did you mean "contacts"?'),
    wrong("a key twice", FREE, FREE + ', «"shoulder": "held"', "/actuators/shoulder", "duplicate"),
    wrong("no duration", '"duration": 1, ', "", None, 'the key "duration"'),
    wrong("a duration that is no multiple of the step", '"step": 0.1', '"step": «0.3', "/step",
          "whole number"),
    wrong("a duration of a parameter", '"duration": 1', '"duration": «"weight"', "/duration",
          "cannot depend on parameters"),
    wrong("a step of zero", '"step": 0.1', '"step": «0', "/step", "more than 0"),
    wrong("too many samples", '"step": 0.1', '"step": «1e-9', "/step", "at most 10000000"),
    wrong("a tolerance of zero", '"duration"', '"tolerance": «0, "duration"', "/tolerance",
          "found 0", "above 0 and at most 0.001"),
    wrong("a tolerance out of range", '"duration"', '"tolerance": «0.01, "duration"', "/tolerance",
          "found 0.01"),
    wrong("contacts that are never at once", '"duration"', '"simultaneous": «0, "duration"',
          "/simultaneous", "more than 0"),
    wrong("a speed of rest below zero", '"duration"', '"rest_speed": «-1, "duration"',
          "/rest_speed", "more than 0"),
    wrong("a speed that is no number", '"duration"', '"settled_speed": «"0/0", "duration"',
          "/settled_speed", "expected a finite number"),
    wrong("half an event", '"duration"', '"max_events": «0.5, "duration"', "/max_events",
          "a whole number from 1"),
    wrong("a parameter that the model does not have", '"weight"', '«"wieght"', "/parameters/wieght",
          'did you mean "weight"?'),
    wrong("a parameter beyond its bounds", '"weight": 2.5', '"rate": «6000', "/parameters/rate",
          "at most its max 5000"),
    wrong("an impossible design", '"weight": 2.5', '"weight": -1', "/parameters", "mass"),
]

STARTS = [
    wrong("no start", f'"start": {START},', "", None, 'the key "start"'),
    wrong("an empty start", *start("«{}"), "/start", '"motion"', '"coordinates"'),
    wrong("a motion that is not there", *start('{"motion": «"none.json"}'), "/start/motion",
          "none.json", "cannot be opened"),
    wrong("a motion that is a model", *start('{"motion": "model.json"}'), "/format",
          '"counterpoise-motion/1"'),
    wrong("a time behind the motion", *start('{"motion": "motion.json", "time": «1.5}'),
          "/start/time", "found 1.5 s", "from 0 to 1 s"),
    wrong("a time before the motion", *start('{"motion": "motion.json", "time": «-0.1}'),
          "/start/time", "from 0 to 1 s"),
    wrong("a time that is no number", *start('{"motion": "motion.json", "time": «"0/0"}'),
          "/start/time", "finite"),
    wrong("a time and several", *start('{"motion": "motion.json", "time": 0, «"every": 0.1}'),
          "/start/every", "one of time, times, every"),
    wrong("several instants", *start('{"motion": "motion.json", «"times": [0, 0.5]}'),
          "/start/times", 'give one "time"'),
    wrong("an instant every while", *start('{"motion": "motion.json", «"every": 0.5}'),
          "/start/every", 'give one "time"'),
    wrong("times that fall", *start('{"motion": "motion.json", "times": [0.5, «0.2]}'),
          "/start/times/1", "increase"),
    wrong("instants without end", *start('{"motion": "motion.json", "every": «1e-9}'),
          "/start/every", "at most 100000"),
    wrong("a motion and coordinates",
          *start('{"motion": "motion.json", «"coordinates": {"shoulder": 0}}'),
          "/start/coordinates", 'beside "motion"'),
    wrong("a time of no motion", *start('{"coordinates": {"shoulder": 0}, «"time": 1}'),
          "/start/time", "names none"),
    wrong("a coordinate that is not there", *start('{"coordinates": {«"sholder": 0}}'),
          "/start/coordinates/sholder", 'did you mean "shoulder"?'),
    wrong("a joint that is fixed", *start('{"coordinates": {«"hand": 0}}'),
          "/start/coordinates/hand", "fixed"),
    wrong("a joint twice", *start('{"coordinates": {"shoulder": 0, «"upper": 0}}'),
          "/start/coordinates/upper", "another coordinate"),
    wrong("an angle in millimetres",
          *start('{"coordinates": {"shoulder": {"value": 1, "unit": «"mm"}}}'),
          "/start/coordinates/shoulder/unit", "goes with rad"),
    wrong("a coordinate that is no number for this design",
          *start('{"coordinates": {"shoulder": «"sqrt(2 - weight)"}}'),
          "/start/coordinates/shoulder", "expected a finite number"),
    wrong("a velocity of no coordinate",
          *start('{"coordinates": {}, "velocities": {«"shoulder": 1}}'),
          "/start/velocities/shoulder", "no position"),
]

RULES = [
    wrong("an actuator that is not there", FREE, '«"sholder": "free"', "/actuators/sholder",
          'did you mean "shoulder"?'),
    wrong("a joint in place of its actuator", FREE, '«"upper": "free"', "/actuators/upper",
          "expected an actuator"),
    wrong("an unknown rule", *rule('«"hold"'), "/actuators/shoulder", 'did you mean "held"?'),
    wrong("a number for a rule", *rule("«3"), "/actuators/shoulder", '"free"', '{"load": profile}'),
    wrong("a load and a path", *rule('«{"load": {"type": "hold"}, "follow": "motion"}'),
          "/actuators/shoulder", "found both"),
    wrong("neither load nor path", *rule("«{}"), "/actuators/shoulder", "neither"),
    wrong("a load in degrees", *rule('{"load": {"type": "hold", "value": 1, "unit": «"deg"}}'),
          "/actuators/shoulder/load/unit", "goes with N*m"),
    wrong("a path in newtons", *rule('{"follow": {"type": "hold", "value": 1, "unit": «"N"}}'),
          "/actuators/shoulder/follow/unit", "goes with rad"),
    wrong("a load that ends early",
          *rule('{"load": «{"type": "spline", "times": [0, 0.5], "values": [0, 1]}}'),
          "/actuators/shoulder/load", "0 to 1 s"),
    wrong("a profile of unknown type", *rule('{"load": {"type": «"hld"}}'),
          "/actuators/shoulder/load/type", 'did you mean "hold"?'),
    wrong("a motion to follow misspelt", *rule('{"follow": «"motoin"}'),
          "/actuators/shoulder/follow", 'did you mean "motion"?'),
    wrong("no motion to follow", f'{START},\n  "actuators": {{{FREE}}}',
          '{"coordinates": {"shoulder": 0.5}}, "others": «"follow"', "/others",
          "the start names no motion"),
    wrong("others that are unknown", '"duration"', '"others": «"fre", "duration"', "/others",
          'did you mean "free"?'),
]

SHOULDER = '{"name": "shoulder", "joint": "upper"}'


def braked(what, new, motor, pointer, *texts):
    """A wrong rule of an actuator with these keys."""
    return Wrong(what, [("scenario.json", *rule(new)), ("model.json", SHOULDER, SHOULDER[:-1] + motor + "}")],
                 pointer, list(texts), command=FORWARD)


MOTOR = ', "ratio": 50, "rotor_inertia": "80 g*cm^2"'

BRAKES = [
    braked("a brake that is a number", '{"brake": «3}', MOTOR, "/actuators/shoulder/brake", "a brake"),
    braked("a key of a brake misspelt", '{"brake": {«"torqe": 1}}', MOTOR, "/actuators/shoulder/brake/torqe",
           'did you mean "torque"?'),
    braked("a brake of two sizes", '{"brake": {"torque": 1, «"load": 2}}', MOTOR,
           "/actuators/shoulder/brake/load", "found load beside torque", "leave one of them out"),
    braked("a brake without a size", '{"brake": «{"at": 0.1}}', MOTOR, "/actuators/shoulder/brake",
           "neither torque nor load", "no holding_load"),
    braked("a brake at a motor that is not known", '{"brake": {«"torque": 1}}', "",
           "/actuators/shoulder/brake/torque", "whose ratio the model does not give", "or the brake a load"),
    braked("a brake of no torque", '{"brake": {"torque": «0}}', MOTOR, "/actuators/shoulder/brake/torque",
           "found 0", "more than 0"),
    braked("a brake below zero by its parameter", '{"brake": {"load": «"2 - weight"}}', MOTOR,
           "/actuators/shoulder/brake/load", "found -0.5", "more than 0"),
    braked("a brake whose torque is a force", '{"brake": {"torque": «"3 N"}}', MOTOR,
           "/actuators/shoulder/brake/torque", "N*m"),
    braked("a brake that closes behind the fall", '{"brake": {"load": 1, "at": «1.5}}', MOTOR,
           "/actuators/shoulder/brake/at", "found 1.5 s", "from 0 to 1 s"),
    braked("a brake that closes before the fall", '{"brake": {"load": 1, "at": «-0.1}}', MOTOR,
           "/actuators/shoulder/brake/at", "from 0 to 1 s"),
    braked("a brake and a load", '«{"brake": {"load": 1}, "load": {"type": "hold"}}', MOTOR,
           "/actuators/shoulder", "found both load and brake"),
    braked("a brake and a path", '«{"shorted": true, "follow": "motion"}', MOTOR, "/actuators/shoulder",
           "found both follow and shorted"),
    braked("windings that are shorted by a word", '{"shorted": «"yes"}', MOTOR, "/actuators/shoulder/shorted",
           "true or false"),
    braked("shorted windings of no motor", '{«"shorted": true}', "", "/actuators/shoulder/shorted",
           "whose ratio the model does not give"),
    braked("shorted windings that are not known", '{«"shorted": true}', MOTOR + ', "resistance": 2',
           "/actuators/shoulder/shorted", "torque_constant and resistance"),
    braked("a load on gears that lock", '{«"load": {"type": "hold"}}', MOTOR + ', "back_efficiency": 0',
           "/actuators/shoulder/load", "whose gears lock", "free, held or follow"),
    Wrong("the name of an actuator whose gears lock",
          [("model.json", SHOULDER, SHOULDER[:-1] + MOTOR + ', "back_efficiency": 0}'),
           ("scenario.json", '"name": "floor"', '"name": «"shoulder"')], "/contacts/0/name",
          ["an actuator that is held"], command=FORWARD),
]

PUSH = '"forces": [{"name": "push", "point": "upper.mount", "force": [0, 0, 3]}], "actuators": ['


def forces(what, new, pointer, *texts, course=""):
    return Wrong(what, [("scenario.json", '"duration"', f'"forces": {new}, "duration"'),
                        ("model.json", '"actuators": [', PUSH),
                        ("motion.json", '"duration"', course + '"duration"')], pointer, list(texts), command=FORWARD)


COURSES = [
    forces("forces that are a list", "«[]", "/forces", "an object: force -> its course"),
    forces("a force that is not there", '{«"psh": {"type": "hold"}}', "/forces/psh", 'did you mean "push"?'),
    forces("a course that is a number", '{"push": «2}', "/forces/push", "a profile"),
    forces("a course misspelt", '{"push": «"motoin"}', "/forces/push", 'did you mean "motion"?'),
    forces("the course of a motion that has none", '{"push": «"motion"}', "/forces/push",
           'the motion motion gives "push" no course', "a profile here"),
    forces("a course that ends early", '{"push": «{"type": "spline", "times": [0, 0.5], "values": [0, 1]}}',
           "/forces/push", "0 to 1 s"),
    forces("a course with a unit", '{"push": {"type": "hold", "value": 1, «"unit": "N"}}', "/forces/push/unit",
           "what a force is multiplied by has no unit"),
    Wrong("the course of no motion",
          [("scenario.json", START, '{"coordinates": {"shoulder": 0.5}}, "forces": {"push": «"motion"}'),
           ("model.json", '"actuators": [', PUSH)], "/forces/push", ["the start names no motion"], command=FORWARD),
]

CONTACTS = [
    wrong("a contact without points", '["upper.mount"]', "«[]", "/contacts/0/points",
          "at least one point"),
    wrong("a contact that says no points", '"points": ["upper.mount"],', "", "/contacts/0",
          'the key "points"'),
    wrong("a point that is not there", '["upper.mount"]', '[«"upper.munt"]',
          "/contacts/0/points/0", 'did you mean "upper.mount"?'),
    wrong("a point twice", '["upper.mount"]', '["upper.mount", «"upper.mount"]',
          "/contacts/0/points/1", "twice"),
    wrong("a point of the surface's body", '["upper.mount"]', '[«"world.post"]',
          "/contacts/0/points/0", "on the body that carries the surface"),
    wrong("a body that is not there", '"type": "plane",', '"type": "plane", "on": «"uper",',
          "/contacts/0/surface/on", 'did you mean "upper"?'),
    wrong("an unknown surface", '"plane"', '«"plan"', "/contacts/0/surface/type",
          'did you mean "plane"?'),
    wrong("a surface without a type", '"type": "plane", ', "", "/contacts/0/surface",
          'the key "type"'),
    wrong("a normal of zero", "[0, 0, 1]", "«[0, 0, 0]", "/contacts/0/surface/normal",
          "a normal that is not zero"),
    wrong("a normal of two numbers", "[0, 0, 1]", "«[0, 1]", "/contacts/0/surface/normal",
          "[x, y, z]"),
    wrong("a normal that overflows with its parameter", "[0, 0, 1]", '[0, 0, «"1/(weight-2.5)"]',
          "/contacts/0/surface/normal/2", "expected a finite number"),
    wrong("an axis of zero",
          *surface('{"type": "cylinder", "axis": «[0, 0, 0], "radius": 1, "side": "inside"}'),
          "/contacts/0/surface/axis", "an axis that is not zero"),
    wrong("an axis of no name",
          *surface('{"type": "cylinder", "axis": «"w", "radius": 1, "side": "inside"}'),
          "/contacts/0/surface/axis", '"x", "y", "z"'),
    wrong("a radius of zero", *surface('{"type": "sphere", "radius": «0, "side": "inside"}'),
          "/contacts/0/surface/radius", "a radius above 0"),
    wrong("a radius below zero by its parameter",
          *surface('{"type": "sphere", "radius": «"radius - 1", "side": "inside"}'),
          "/contacts/0/surface/radius", "found -0.9"),
    wrong("an unknown side", *surface('{"type": "sphere", "radius": 1, "side": «"in"}'),
          "/contacts/0/surface/side", "one of outside, inside"),
    wrong("a sphere without a side", *surface('«{"type": "sphere", "radius": 1}'),
          "/contacts/0/surface", 'the key "side"'),
    wrong("a plane with a radius", '"type": "plane",', '"type": "plane", «"radius": 1,',
          "/contacts/0/surface/radius", "a key of a plane"),
    wrong("a restitution above 1", '"restitution": 0.3', '"restitution": «1.1',
          "/contacts/0/restitution", "from 0 to 1"),
    wrong("a restitution below 0", '"restitution": 0.3', '"restitution": «-0.1',
          "/contacts/0/restitution", "from 0 to 1"),
    wrong("a name twice", '"name": "shoulder_stop"', '"name": «"floor"', "/stops/0/name",
          "duplicate"),
    Wrong("the name of a held actuator",
          [("scenario.json", *rule('"held"')),
           ("scenario.json", '"name": "floor"', '"name": «"shoulder"')], "/contacts/0/name",
          ["an actuator that is held", "another name for the contact"], command=FORWARD),
    Wrong("the name of an actuator that follows a path",
          [("scenario.json", *rule('{"follow": "motion"}')),
           ("scenario.json", '"name": "shoulder_stop"', '"name": «"shoulder"')], "/stops/0/name",
          ["an actuator that follows a path", "another name for the stop"], command=FORWARD),
    Wrong("the name of an actuator that is held as all others, on a stop of a spring",
          [("scenario.json", f'"actuators": {{{FREE}}}', '"others": "held"'),
           ("scenario.json", '"name": "shoulder_stop", "of": "shoulder", "min": -60, "max": "80", '
            '"unit": "deg"', '"name": «"shoulder", "of": "spring", "min": 0')], "/stops/0/name",
          ["an actuator that is held", "another name for the stop"], command=FORWARD),
]

STOPS = [
    wrong("a stop of nothing", '"of": "shoulder"', '"of": «"sholder"', "/stops/0/of",
          'did you mean "shoulder"?'),
    wrong("a stop of a fixed joint", '"of": "shoulder"', '"of": «"hand"', "/stops/0/of", "fixed"),
    wrong("a stop without ends", '"min": -60, "max": "80", ', "", "/stops/0", "neither min nor max"),
    wrong("ends the wrong way round", '"min": -60', '"min": 90', "/stops/0", "a min below the max"),
    wrong("ends without a way between", '"min": -60', '"min": "60 + 20"', "/stops/0",
          "a min below the max"),
    wrong("an angle in metres", '"unit": "deg"', '"unit": «"mm"', "/stops/0/unit", "goes with rad"),
    wrong("a spring's length in degrees", '"of": "shoulder"', '"of": "spring"', "/stops/0/unit",
          "goes with m"),
    wrong("a stop that rebounds with more", '"unit": "deg"', '"unit": "deg", "restitution": «2',
          "/stops/0/restitution", "from 0 to 1"),
]

COMMANDS = [
    wrong_command("no scenario", "forward", "model.json", texts=["--scenario"]),
    wrong_command("a scenario that is not there", "forward", "model.json", "--scenario", "none.json",
                  texts=["none.json", "cannot be opened"]),
    wrong_command("an unknown setting", *FORWARD, "--set", "wieght=2",
                  texts=["--set wieght=2", 'did you mean "weight"?']),
    wrong_command("states in place of the scenario", *FORWARD[:4], "-o", "scenario.json",
                  texts=["is read by this command"]),
    wrong_command("states in place of the motion", *FORWARD[:4], "-o", "motion.json",
                  texts=["is read by this command"]),
    wrong_command("events in place of the model", *FORWARD[:4], "--events", "model.json",
                  texts=["is read by this command"]),
    wrong_command("states and events in one file", *FORWARD[:4], "-o", "a.csv", "--events",
                  "./a.csv", texts=["where the states are written"]),
    wrong_command("a folder that is not there", *FORWARD[:4], "-o", "states.csv", "--events",
                  "none/events.csv", texts=["none/events.csv"]),
    Wrong("a point below the floor at the start", [("scenario.json", "-0.08", "0")], None,
          ["the fall cannot begin", "floor"], command=FORWARD, code=INFEASIBLE),
    Wrong("an actuator beyond its stop at the start", [("scenario.json", '"max": "80"', '"max": 20')],
          None, ["the fall cannot begin", "shoulder_stop"], command=FORWARD, code=INFEASIBLE),
    Wrong("a path that begins elsewhere",
          [("scenario.json", *rule('{"follow": {"type": "hold", "value": 0.2}}'))], None,
          ["the fall cannot begin", "shoulder"], command=FORWARD, code=INFEASIBLE),
]

WITHOUT_MODEL = [
    wrong("a step of zero", '"step": 0.1', '"step": «0', "/step", "more than 0", command=CHECK),
    wrong("a normal of zero", "[0, 0, 1]", "«[0, 0, 0]", "/contacts/0/surface/normal",
          "a normal that is not zero", command=CHECK),
    wrong("a load in degrees", *rule('{"load": {"type": "hold", "value": 1, "unit": «"deg"}}'),
          "/actuators/shoulder/load/unit", "a unit of loads: N, kN, lbf, N*m, N*mm, mN*m, lbf*in, lbf*ft", command=CHECK),
    wrong("a time behind the motion", *start('{"motion": "motion.json", "time": «1.5}'),
          "/start/time", "from 0 to 1 s", command=CHECK),
    wrong("ends the wrong way round", '"min": -60', '"min": 90', "/stops/0", "a min below the max",
          command=CHECK),
    wrong("a point that only the model lacks", '["upper.mount"]', '[«"upper.munt"]',
          "/contacts/0/points/0", 'did you mean "upper.mount"?', command=CHECK_WITH_MODEL),
]

TABLES = {"file": FILE, "starts": STARTS, "rules": RULES, "brakes": BRAKES, "courses": COURSES, "contacts": CONTACTS, "stops": STOPS,
          "commands": COMMANDS, "without a model": WITHOUT_MODEL}
