"""A link whose weight a spring carries in every pose, and a study of how stiff that spring is."""

MODEL = {"format": "counterpoise-model/1",
         "parameters": {"k": {"value": 100, "unit": "N/m"}, "up": {"value": 0.3, "unit": "m"},
                        "rest": {"value": "up - 0.1 - 0.2", "unit": "m"},
                        "aside": {"value": 0, "unit": "m"}},  # along the axis, where it loads no motor
         "world": {"points": {"post": [0, 0, "up"]}},
         "bodies": [{"name": "link", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]},
                     "mass": 2, "com": [0.3, "aside", 0], "points": {"hook": [0.1, 0, 0]}}],
         "springs": [{"name": "lift", "connect": ["world.post", "link.hook"], "rate": "k"}],
         "actuators": [{"name": "motor", "joint": "link"}]}
BALANCED = 2 * 9.81 * 0.3 / (0.1 * 0.3)  # m g l / (r h), of a spring whose tension is k times its length
STUDY = {"format": "counterpoise-study/1", "name": "balance", "model": "model.json",
         "motions": {"swing": {"duration": 50, "step": 0.5, "coordinates": {
             "motor": {"type": "point-to-point", "from": -0.9, "to": 1.1}}, "inertia": False}},
         "variables": {"k": {"values": [BALANCED, 2 * BALANCED]}},
         "sampling": {"method": "grid"},
         "objectives": [{"name": "peak", "minimize": "max", "of": ["motor"]},
                        {"name": "mean", "minimize": "mean", "of": ["motor"]}]}


def by_exact_springs(variables):
    """The study with springs sized exactly, and a proof over mounts if a variable moves one."""
    proof = {"geometry": "prove"} if "up" in variables else {}
    return {**{key: value for key, value in STUDY.items() if key != "sampling"}, "name": "exact",
            "variables": variables, "search": {"method": "exact-springs", **proof},
            "objectives": STUDY["objectives"][:1]}
