"""Small studies of every kind of run, all of the same arm."""

ARM = {
    "format": "counterpoise-model/1",
    "parameters": {"rate": 300, "free": 0.05, "tension": 5, "rate_2": 200, "free_2": 0.1,
                   "longest": 2, "strongest": 900, "height": 0.5, "mount": 0.25, "angle": 0.3,
                   "mirrored": "0 - mount", "radius": 0.15},
    "world": {"points": {"post": [0.07, 0.1, "height"], "side": [0.1, -0.17, "2*height - 0.3"]}},
    "bodies": [
        {"name": "upper", "parent": "world",
         "joint": {"type": "revolute", "axis": [0.13, 1, -0.08]},
         "mass": 3.1, "com": [0.21, 0, 0.02], "inertia": [0.1, 0.1, 0.1, 0, 0, 0],
         "points": {"mount": ["mount", 0.1, 0], "other": ["mirrored", -0.1, 0.05],
                    "crank": ["radius*cos(angle)", 0, "radius*sin(angle)"]}},
        {"name": "lower", "parent": "upper",
         "joint": {"type": "revolute", "axis": "y", "origin": [0.5, 0, 0]},
         "mass": 1.3, "com": [0.2, 0, 0], "points": {"front": [0.27, 0, 0.05]}}],
    "springs": [
        {"name": "first", "connect": ["world.post", "upper.mount"], "rate": "rate",
         "free_length": "free", "initial_tension": "tension", "max_length": "longest",
         "max_load": "strongest"},
        {"name": "second", "connect": ["upper.other", "world.side"], "rate": "rate",
         "free_length": "free", "initial_tension": "tension"},
        {"name": "third", "connect": ["upper.crank", "lower.front"], "rate": "rate_2",
         "free_length": "free_2"}],
    "actuators": [{"name": "shoulder", "joint": "upper"}, {"name": "elbow", "joint": "lower"}]}


def motion(mean):
    return {"format": "counterpoise-motion/1", "duration": 2, "step": 0.05,
            "coordinates": {
                "shoulder": {"type": "sine", "mean": mean, "amplitude": 0.6, "period": 2},
                "elbow": {"type": "sine", "mean": 0.5, "amplitude": 0.4, "period": 1.5}}}


ROWS = "name,rate,free,tension,longest,strongest\n" + "".join(
    f"row_{i},{rate},{free},{tension},{longest},{strongest}\n"
    for i, (rate, free, tension, longest, strongest) in enumerate([
        (120, 0.05, 4, 1.1, 150), (310, 0.11, 12, 0.9, 190), (45, 0.03, 0, 1.2, 60),
        (640, 0.16, 21, 0.7, 200), (210, 0.08, 9, 1.0, 120), (480, 0.04, 2, 0.6, 90)]))
LOW_ROWS = "name,rate,free\n" + "".join(
    f"low_{i},{rate},{free}\n"
    for i, (rate, free) in enumerate([(60, 0.04), (150, 0.09), (280, 0.13), (420, 0.06)]))

FILES = {"model.json": ARM, "work.json": motion(0.1), "rest.json": motion(-0.4),
         "rows.csv": ROWS, "low_rows.csv": LOW_ROWS}

SIZED = {"rate": {"range": [0, 900]}, "free": {"range": [0.02, 0.2]}, "tension": {"range": [0, 30]}}
LOW = {"rate_2": {"range": [0, 600]}}
MOUNTS = {"height": {"range": [-0.4, 1.1]}, "mount": {"range": [-0.3, 0.5]}}
ANGLE = {"angle": {"range": [-3.1, 3.1]}}
HIGH_STOCK = {"high_spring": {"catalogue": "rows.csv", "sets": {
    "rate": "rate", "free": "free", "tension": "tension", "longest": "longest",
    "strongest": "strongest"}}}
LOW_STOCK = {"low_spring": {"catalogue": "low_rows.csv",
                            "sets": {"rate_2": "rate", "free_2": "free"}}}

PEAK = {"name": "peak", "minimize": "max", "of": ["shoulder"]}
MEAN = {"name": "mean", "minimize": "mean", "of": ["elbow"]}
# where a sampled case or one of a search is evaluated, the tangent is what disturbances count
COUNTED = {"name": "counted", "expression": "shoulder.mean + tan(1e-9 * shoulder.max)"}
NEVER = [{"name": "never", "expression": "shoulder.max", "max": 1e-3}]
PULL = [{"name": "pull", "expression": "first.max_tension", "max": 95}]


def expression(text):
    return {"name": "o", "expression": text}


def study(variables, objectives, **rest):
    return {"format": "counterpoise-study/1", "name": "study", "model": "model.json",
            "motions": {"work": "work.json"}, "variables": variables, "objectives": objectives,
            **rest}


def sampled(sampling, variables=None, **rest):
    return study(variables or {"rate": {"range": [0, 900]}, **MOUNTS}, [COUNTED, MEAN],
                 sampling=sampling, **{"constraints": PULL, **rest})


def exact(variables, objectives, *, rest=None, **search):
    return study(variables, objectives, search={"method": "exact-springs", **search}, **(rest or {}))


def proof(variables, objectives, *, rest=None, **search):
    return exact(variables, objectives, rest=rest, geometry="prove", **{"gap": 1e-3, **search})


MOTIONS = {"move": {"motion": ["work", "rest"]}}
BOTH = {"work": "work.json", "rest": "rest.json"}
GEOMETRY = {"starts": 3, "max_evaluations": 25, "seed": 4, "settings": {"tolerance": 1e-6}}

SAMPLED = {
    "grid": sampled({"method": "grid"}, {
        "rate": {"range": [0, 900], "count": 9}, "height": {"range": [0.3, 0.7], "count": 8},
        "mount": {"range": [0.1, 0.4], "count": 8}}),
    "sobol": sampled({"method": "sobol", "count": 500, "seed": 3}),
    "latin": sampled({"method": "latin-hypercube", "count": 400, "seed": 3}),
    "random": sampled({"method": "random", "count": 400, "seed": 3}),
    "kept": sampled({"method": "sobol", "count": 600, "seed": 3}, keep={
        "best": 9, "front": True, "sample": 40, "seed": 5}),
    "kept by a row of a catalogue, of two motions": sampled(
        {"method": "sobol", "count": 600, "seed": 3}, {**HIGH_STOCK, **MOTIONS, **MOUNTS},
        motions=BOTH, keep={"best": 5, "front": False, "sample": 20, "seed": 5,
                            "per": ["high_spring"]}),
    "nothing feasible": sampled({"method": "sobol", "count": 300, "seed": 3}, constraints=NEVER),
}
SEARCHED = {
    "nlopt": study({"rate": {"range": [0, 900]}, **MOUNTS}, [COUNTED], search={
        "method": "nlopt", "algorithm": ["GN_ESCH", "LN_SBPLX"], "starts": 4,
        "max_evaluations": 60, "seed": 1}),
}
EXACT = {
    "springs": exact(SIZED | LOW, [PEAK, MEAN]),
    "springs that nothing suits": exact(SIZED | LOW, [PEAK], rest={"constraints": NEVER}),
    "springs and mounts": exact(SIZED | LOW | MOUNTS, [PEAK, MEAN], **GEOMETRY),
    "a trade-off": exact(SIZED | LOW, [PEAK, MEAN],
                         trade_off={"objectives": ["peak", "mean"], "points": 5}),
    "a trade-off and mounts": exact(SIZED | LOW | MOUNTS, [PEAK, MEAN], **{
        **GEOMETRY, "starts": 2, "trade_off": {"objectives": ["peak", "mean"], "points": 4}}),
    "a choice": exact(HIGH_STOCK | LOW_STOCK, [PEAK, MEAN]),
    "a choice beside springs": exact(HIGH_STOCK | LOW, [PEAK, MEAN]),
    "choices near the best": exact(HIGH_STOCK | LOW_STOCK, [PEAK, MEAN], within_percent=60,
                                   max_cases=12),
    "a choice and mounts": exact(HIGH_STOCK | LOW | MOUNTS, [PEAK], **GEOMETRY),
}
PROVED = {
    "one part": proof(SIZED | MOUNTS, [PEAK], gap=0.3),
    "not reached": proof(SIZED | MOUNTS, [PEAK], gap=1e-9, max_simplices=300),
    "memory that is used up": proof(SIZED | MOUNTS, [PEAK], gap=1e-9, max_memory=2e-4),
    "the largest of two parts": proof(SIZED | LOW | MOUNTS | ANGLE, [
        expression("max(shoulder.max, 3*elbow.max)")]),
    "a sum of two parts": proof(SIZED | LOW | MOUNTS | ANGLE, [
        expression("0.3*shoulder.max + 0.7*elbow.mean")]),
    "a difference of two parts": proof(SIZED | LOW | MOUNTS | ANGLE, [
        expression("3*shoulder.max + 0.01*elbow.mean - 15")]),
    "stock": proof(HIGH_STOCK | LOW_STOCK | MOUNTS, [PEAK, MEAN], gap=1e-2),
    "stock beside springs": proof(HIGH_STOCK | LOW | {"mount": MOUNTS["mount"]}, [
        expression("0.3*shoulder.max + 0.7*elbow.mean")]),
    "no springs": proof(SIZED | {"mount": MOUNTS["mount"]}, [PEAK], rest={"constraints": NEVER}),
}
