"""Wrong drives of studies: input, and what the message has to say. The right files are those of drives_test."""

import json

from wrong_table import RUN, Wrong

MODEL = json.dumps({
    "format": "counterpoise-model/1", "name": "arm", "parameters": {"rate": 300, "payload": {"value": 2, "unit": "kg"}},
    "world": {"points": {"post": [-0.05, 0, 0.35]}},
    "bodies": [{"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]},
                "mass": "3 + payload", "com": [0.4, 0, 0], "inertia": [0, 0.1, 0, 0, 0, 0], "any_inertia": True,
                "points": {"lug": [0.2, 0, 0.02]}}],
    "springs": [{"name": "spring", "connect": ["world.post", "arm.lug"], "rate": "rate", "free_length": 0.1}],
    "actuators": [{"name": "lift", "joint": "arm"}]})
MOTIONS = {
    "lift.json": json.dumps({"format": "counterpoise-motion/1", "duration": 1, "step": 0.02, "coordinates": {
        "lift": {"type": "point-to-point", "from": -0.4, "to": 0.9}}}),
    "hold.json": json.dumps({"format": "counterpoise-motion/1", "duration": 2, "step": 0.1, "coordinates": {
        "lift": {"type": "hold", "value": 0.1}}}),
    "poses.json": json.dumps({"format": "counterpoise-motion/1", "poses": {"lift": {"values": [-0.4, 0, 0.9]}}})}
MOTORS = """\
name,rated_torque [mN*m],peak_torque [mN*m],rated_speed [rpm],no_load_speed [rpm],torque_constant [mN*m/A],\
resistance [ohm],rotor_inertia [g*cm^2],mass [g],price
M-20,50,140,4000,5200,30,3,20,150,60
M-60,160,500,3500,4800,40,1.2,80,420,95
M-60,170,450,3500,4800,40,1.2,70,400,95
M-150,400,1200,3000,4000,60,0.8,400,1100,160
M-400,1100,2600,2500,3200,90,0.5,1800,2600,290
"""
GEARBOXES = """\
name,ratio,efficiency,back_efficiency,rated_torque [N*m],peak_torque [N*m],input_speed [rpm],inertia [g*cm^2],mass [g],price
G-20,20,0.9,0.85,12,25,6000,5,200,45
G-50,50,0.85,0.75,30,60,6000,6,400,70
G-100,100,0.8,0.6,60,120,5000,8,700,120
"""
STUDY = json.dumps({
    "format": "counterpoise-study/1", "name": "drives", "model": "model.json",
    "motions": {"lift": "lift.json", "hold": {"file": "hold.json", "weight": 4}},
    "variables": {"rate": {"values": [0, 200, 400, 600]}, "payload": {"values": [0, 4, 30, 45]}}, "store": "all",
    "sampling": {"method": "grid"},
    "drives": {"lift": {"motors": "motors.csv", "gearboxes": "gearboxes.csv", "margin": 1.3, "minimise": "price"}},
    "objectives": [{"name": "price", "expression": "drives.price"}]})
FILES = {"model.json": MODEL, "motors.csv": MOTORS, "gearboxes.csv": GEARBOXES, **MOTIONS}
DRIVE = json.dumps(json.loads(STUDY)["drives"]["lift"])


def wrong(what, pointer, *texts, study=(DRIVE, DRIVE), **changed):
    """`changed`: (old, new) of motors and gearboxes."""
    assert STUDY.count(study[0]) == 1, study[0]
    files = {**FILES, "study.json": STUDY.replace(*study)}
    for name, (old, new) in changed.items():
        assert files[f"{name}.csv"].count(old) == 1, old
        files[f"{name}.csv"] = files[f"{name}.csv"].replace(old, new)
    return Wrong(what, [(name, None, text) for name, text in files.items()], pointer, list(texts), command=RUN)


def drive(what, pointer, text, *texts):
    return wrong(what, pointer, *texts, study=(DRIVE, text))


def exact(what, pointer, objectives, *texts, search="", drive=DRIVE, constraints=""):
    """An exact search of the spring's rate."""
    tail = STUDY[STUDY.index('"variables"'):]
    return wrong(what, pointer, *texts, study=(tail, (
        f'"variables": {{"rate": {{"range": [0, 600]}}}}, "search": {{"method": "exact-springs"{search}}}, '
        f'"drives": {{"lift": {drive}}}, "constraints": [{constraints}], "objectives": [{objectives}]}}')))


def without(column, table):
    """A catalogue without a column."""
    rows = [line.split(",") for line in table.splitlines()]
    at = next(i for i, heading in enumerate(rows[0]) if heading.split(" ")[0] == column)
    return "".join(",".join(row[:at] + row[at + 1:]) + "\n" for row in rows)


STUDIES = [
    drive("a number for a drive", "/drives/lift", "«5", "a drive"),
    wrong("an actuator misspelt", "/drives/lfit", 'did you mean "lift"?', study=('"drives": {"lift"', '"drives": {«"lfit"')),
    drive("no file", "/drives/lift/motors", '{"motors": «"none.csv"}', "none.csv"),
    drive("a key misspelt", "/drives/lift/margn", '{"motors": "motors.csv", «"margn": 2}', 'did you mean "margin"?'),
    drive("nothing known of the motor", "/drives/lift", "«{}", "says nothing of the motor of"),
    *(drive(f"{key} without motors", f"/drives/lift/{key}", f'{{«"{key}": {value}}}', "goes with motors")
      for key, value in (("gearboxes", '"gearboxes.csv"'), ("margin", "2"), ("minimise", '"mass"'), ("transmission", "3"), ("mounted_on", '"arm.lug"'))),
    *(drive(f"a margin of {value}", "/drives/lift/margin", f'{{"motors": "motors.csv", "margin": «{value}}}',
            "a margin of 1 or more") for value in ("0.9", "-1")),
    drive("a margin in words", "/drives/lift/margin", '{"motors": "motors.csv", "margin": «true}', "expected a"),
    drive("minimise energy", "/drives/lift/minimise", '{"motors": "motors.csv", "minimise": «"energy"}', "one of price, mass"),
    *(drive(f"a share of {value}", "/drives/lift/recuperated", f'{{"motors": "motors.csv", "recuperated": «{value}}}',
            "a share from 0 to 1") for value in ("-0.1", "1.5")),
    drive("an end of the range", "/drives/lift/at_rest", '{"motors": "motors.csv", "at_rest": «"best"}', "one of worst, favourable"),
    drive("no turn", "/drives/lift/transmission", '{"motors": "motors.csv", "transmission": «0}', "above 0"),
    drive("a transmission with a unit of screws", "/drives/lift/transmission",
          '{"motors": "motors.csv", "transmission": «"200 turn/m"}', "turn/m"),
    *(wrong(f"no column {column} of motors", None, f'no column "{column}"', motors=(MOTORS, without(column, MOTORS)))
      for column in ("rated_torque", "peak_torque", "rated_speed", "no_load_speed", "rotor_inertia")),
    wrong("no price of motors", "/drives/lift/motors", 'no column "price", which is to be minimised',
          motors=(MOTORS, without("price", MOTORS)), study=('"motors": "motors.csv"', '"motors": «"motors.csv"')),
    wrong("a constant without a resistance", "/drives/lift/motors", "expected both or neither",
          motors=(MOTORS, without("resistance", MOTORS)), study=('"motors": "motors.csv"', '"motors": «"motors.csv"')),
    wrong("no price of gearboxes", "/drives/lift/gearboxes", 'no column "price", which is to be minimised',
          gearboxes=(GEARBOXES, without("price", GEARBOXES)), study=('"gearboxes": "gearboxes.csv"', '"gearboxes": «"gearboxes.csv"')),
    wrong("a mass that the catalogues do not give", "/objectives/0/expression", 'found "drives.mass", expected a parameter or a metric',
          gearboxes=(GEARBOXES, without("mass", GEARBOXES)), study=('"expression": "drives.price"', '"expression": «"drives.mass"')),
    *(wrong(f"no column {column} of gearboxes", None, f'no column "{column}"',
            gearboxes=(GEARBOXES, without(column, GEARBOXES))) for column in ("ratio", "efficiency")),
    wrong("no motors", "/drives/lift/motors", "the catalogue has no rows", motors=(MOTORS, MOTORS.splitlines()[0] + "\n"),
          study=('"motors": "motors.csv"', '"motors": «"motors.csv"')),
    wrong("a torque in newtons", None, "motors.csv:1:", "the unit of rated_torque",
          motors=("rated_torque [mN*m]", "rated_torque [N]")),
    wrong("a speed that is text", None, "motors.csv:2:", motors=("140,4000", "140,fast")),
    *(wrong(f"{what} of a motor", None, "motors.csv:2:", *texts, motors=(old, new)) for what, old, new, *texts in (
        ("no torque", "M-20,50,", "M-20,0,", 'found 0 for "rated_torque", expected a number above 0'),
        ("a negative inertia", "30,3,20,", "30,3,-20,", 'found -20 for "rotor_inertia"'),
        ("a negative price", "150,60\n", "150,-60\n", 'found -60 for "price"'),
        ("a negative mass", "20,150,", "20,-150,", 'found -150 for "mass"'),
        ("a peak below the rated torque", "50,140", "50,40", "below the rated torque"),
        ("a no-load speed below the rated speed", "4000,5200", "4000,3900", "below the rated speed"),
        ("no resistance", "30,3,20", "30,0,20", 'found 0 for "resistance"'))),
    *(wrong(f"{what} of a gearbox", None, "gearboxes.csv:2:", *texts, gearboxes=(old, new)) for what, old, new, *texts in (
        ("an efficiency above 1", "20,0.9,", "20,1.1,", 'found 1.1 for "efficiency"', "at most 1"),
        ("no efficiency", "20,0.9,", "20,0,", 'found 0 for "efficiency"'),
        ("a back efficiency above 1", "0.85,12", "1.85,12", 'found 1.85 for "back_efficiency"'),
        ("a back efficiency below 0", "0.85,12", "-0.85,12", 'found -0.85 for "back_efficiency"'),
        ("no ratio", "G-20,20,", "G-20,0,", 'found 0 for "ratio"'),
        ("a negative inertia", "6000,5,200", "6000,-5,200", 'found -5 for "inertia"'),
        ("a peak below the rated torque", "12,25", "12,5", "below the rated torque"))),
    exact("a drive's use in an exact search", "/objectives/0/expression", '{"name": "use", "expression": «"drive.lift.utilisation"}',
          "no convex function of springs", "only minimises drives.price or drives.mass, as its first objective"),
    exact("a drive's price after another objective", "/objectives/1/expression",
          '{"name": "peak", "minimize": "max", "of": ["lift"]}, {"name": "price", "expression": «"drives.price"}',
          "as its first objective"),
    exact("a multiple of a drive's price", "/objectives/0/expression", '{"name": "price", "expression": «"2*drives.price"}',
          "no convex function of springs"),
    exact("a mass where drives minimise prices", "/drives/lift", '{"name": "mass", "expression": "drives.mass"}',
          'expected "minimise": "mass" in each of them', drive="«" + DRIVE),
    exact("a front of a drive's price", "/objectives/0/expression",
          '{"name": "price", "expression": «"drives.price"}, {"name": "peak", "minimize": "max", "of": ["lift"]}',
          "a trade-off and the cost of drives do not go together",
          search=', "trade_off": {"objectives": ["price", "peak"], "points": 3}'),
    *(exact(f"{what} in an exact search", f"/constraints/0/{key}", '{"name": "peak", "minimize": "max", "of": ["lift"]}', *texts,
            constraints=constraint, search=search)
      for what, key, constraint, search, *texts in (
          ("a bound on a drive's use", "expression", '{"name": "calm", "expression": «"drive.lift.utilisation", "max": 0.7}', "",
           "no convex function of springs", 'holds a "max" of a price or a mass'),
          ("a bound on a multiple of a price", "expression", '{"name": "budget", "expression": «"2*drives.price", "max": 70}', "",
           'holds a "max" of a price or a mass'),
          ("a condition on a price", "expression", '{"name": "budget", "expression": «"drives.price < 70", "min": 1}', "",
           'holds a "max" of a price or a mass'),
          ("a bound on the baseline's price", "expression",
           '{"name": "budget", "expression": «"baseline.drives.price", "max": 70}', "", "no convex function of springs"),
          ("a least price", "min", '{"name": "budget", "expression": "drives.price", «"min": 70, "max": 90}', "",
           'found a "min" of drives.price, expected a "max"'),
          ("a bound on the mass of a drive that minimises its price", "expression",
           '{"name": "light", "expression": «"drive.lift.mass", "max": 2}', "",
           'bounds the mass, and the drive of lift is chosen by its price: expected "minimise": "mass" of lift'),
          ("a bound on all masses of drives that minimise prices", "expression",
           '{"name": "light", "expression": «"drives.mass", "max": "2 kg"}', "", 'expected "minimise": "mass" of lift'),
          ("a bound in metres on a mass", "max", '{"name": "light", "expression": "drives.mass", "max": «"2 m"}', "", "kg"),
          ("a bound on a price and combinations near the best", "expression",
           '{"name": "budget", "expression": «"drives.price", "max": 90}', ', "within_percent": 5',
           '"within_percent" and the cost of drives do not go together'))),
    exact("a bound on a price and mounts proved", "/constraints/0/expression",
          '{"name": "peak", "minimize": "max", "of": ["lift"]}', '"geometry": "prove" and the cost of drives do not go together',
          search=', "geometry": "prove"', constraints='{"name": "budget", "expression": «"drives.price", "max": 90}'),
    wrong("a drive's price with tolerances", "/objectives/0/expression", "no worst case over tolerances",
          study=('"store": "all"', '"tolerances": {"of": {"rate": {"percent": 5}}}')),
    wrong("a pause below 0", "/motions/hold/pause", "a pause of 0 s or more",
          study=('"weight": 4', '"weight": 4, "pause": «-1')),
    wrong("a pause in metres", "/motions/hold/pause", "the unit of pause",
          study=('"weight": 4', '"weight": 4, "pause": «"1 m"')),
    wrong("a pause of poses", "/motions/hold/pause", "poses, which take no time",
          study=('{"file": "hold.json", "weight": 4', '{"file": "poses.json", "pause": «2')),
    drive("a brake in words", "/drives/lift/brake", '{"motors": "motors.csv", "brake": «"yes"}', "true or false"),
    wrong("cycles below 0", "/cycles_per_year", "a number of cycles above 0",
          study=('"store": "all"', '"cycles_per_year": «-5')),
    wrong("a metric of a drive that there is not", "/objectives/0/expression", 'did you mean "drives.price"?',
          study=('"expression": "drives.price"', '"expression": «"drives.prise"')),
    *(drive(what, f"/drives/lift/mounted_on{pointer}", f'{{"motors": "motors.csv", "mounted_on": {text}}}', *texts)
      for what, pointer, text, *texts in (
          ("a mount that is a number", "", "«3", "a point of a body, or an object"),
          ("a point misspelt", "", '«"arm.lugg"', 'did you mean "arm.lug"?'),
          ("a body in place of its point", "", '«"arm"', "a point of a body"),
          ("a point of the world", "", '«"world.post"', "stands still in the world"),
          ("a body misspelt", "/body", '{"body": «"amr", "point": [0, 0, 0]}', 'did you mean "arm"?'),
          ("the world as a body", "/body", '{"body": «"world", "point": [0, 0, 0]}', "a body of the model"),
          ("a body that is a number", "/body", '{"body": «1, "point": [0, 0, 0]}', "the name of a body"),
          ("no body", "", '«{"point": [0, 0, 0]}', '"body"'),
          ("no point", "", '«{"body": "arm"}', '"point"'),
          ("a point of two numbers", "/point", '{"body": "arm", "point": «[0, 0]}', "a point [x, y, z]"),
          ("a point in words", "/point/1", '{"body": "arm", "point": [0, «true, 0]}', "found true"),
          ("a point in kilograms", "/point/2", '{"body": "arm", "point": [0, 0, «"3 kg"]}', "kg"),
          ("a point that reads a parameter", "/point/0", '{"body": "arm", "point": [«"rate", 0, 0]}', "rate"),
          ("a key of a mount misspelt", "/pont",
           '{"body": "arm", «"pont": [0, 0, 0]}', 'did you mean "point"?'))),
    *(wrong(f"no masses of mounted {what}", "/drives/lift/mounted_on", f'the catalogue {what}.csv has no column "mass"',
            study=(DRIVE, DRIVE[:-1] + ', "mounted_on": «"arm.lug"}'), **{what: (table, without("mass", table))})
      for what, table in (("motors", MOTORS), ("gearboxes", GEARBOXES))),
    *(wrong(f"a mounted drive with {what}", "/drives/lift/mounted_on", text,
            study=(f'"store": "all", "sampling": {{"method": "grid"}}, "drives": {{"lift": {DRIVE}',
                   f'{keys}, "drives": {{"lift": {DRIVE[:-1]}, "mounted_on": «"arm.lug"}}'))
      for what, keys, text in (
          ("an exact search", '"search": {"method": "exact-springs"}', "cannot carry what these weigh"),
          ("tolerances", '"sampling": {"method": "grid"}, "tolerances": {"of": {"rate": {"percent": 5}}}',
           "cannot carry what they weigh"))),
]
