"""A one-joint arm with a spring: the right files, in which each wrong input changes one thing."""

MODEL = """{
  "format": "counterpoise-model/1",
  "name": "arm",
  "parameters": {
    "rate": {"value": 800, "unit": "N/m", "min": 0, "max": 5000},
    "radius": 0.1,
    "weight": 2
  },
  "world": {"points": {"post": [0, 0, 0.3]}},
  "bodies": [
    {"name": "upper", "parent": "world",
     "joint": {"type": "revolute", "axis": "y"},
     "mass": "weight", "com": [0.2, 0, 0], "inertia": [0.001, 0.02, 0.02, 0, 0, 0],
     "points": {"mount": ["radius", 0, 0]}},
    {"name": "hand", "parent": "upper",
     "joint": {"type": "fixed", "origin": [0.4, 0, 0]}}
  ],
  "springs": [
    {"name": "spring", "connect": ["world.post", "upper.mount"], "rate": "rate", "free_length": 0.1}
  ],
  "actuators": [
    {"name": "shoulder", "joint": "upper"}
  ]
}
"""

MOTION = """{
  "format": "counterpoise-motion/1",
  "duration": 1, "step": 0.1,
  "coordinates": {
    "shoulder": {"type": "sine", "amplitude": 0.5, "period": 1}
  }
}
"""

STUDY = """{
  "format": "counterpoise-study/1",
  "name": "arm_study",
  "model": "model.json",
  "motions": {"swing": "motion.json"},
  "variables": {
    "rate": {"range": [100, 2000], "count": 5}
  },
  "sampling": {"method": "grid"},
  "objectives": [
    {"name": "peak", "minimize": "max", "of": ["shoulder"]}
  ]
}
"""

CATALOGUE = """part,rate [N/mm],free_length [mm]
soft,0.5,100
stiff,2,90
"""

SCENARIO = """{
  "format": "counterpoise-scenario/1",
  "duration": 1, "step": 0.1,
  "start": {"motion": "motion.json", "time": 0.25},
  "actuators": {"shoulder": "free"},
  "contacts": [
    {"name": "floor", "points": ["upper.mount"],
     "surface": {"type": "plane", "point": [0, 0, -0.08], "normal": [0, 0, 1]},
     "restitution": 0.3}
  ],
  "stops": [
    {"name": "shoulder_stop", "of": "shoulder", "min": -60, "max": "80", "unit": "deg"}
  ],
  "parameters": {"weight": 2.5}
}
"""

FILES = {"model.json": MODEL, "motion.json": MOTION, "study.json": STUDY, "springs.csv": CATALOGUE,
         "scenario.json": SCENARIO}

FOUR_BAR = """{
  "format": "counterpoise-model/1",
  "bodies": [
    {"name": "crank", "parent": "world", "joint": {"type": "revolute", "axis": "y"},
     "mass": 1, "points": {"tip": [0.1, 0, 0]}},
    {"name": "coupler", "parent": "crank",
     "joint": {"type": "revolute", "axis": "y", "origin": [0.1, 0, 0], "guess": -0.7},
     "points": {"end": [0.3, 0, 0]}},
    {"name": "rocker", "parent": "world",
     "joint": {"type": "revolute", "axis": "y", "origin": [0.3, 0, 0], "guess": -1.5},
     "points": {"end": [0.2, 0, 0]}}
  ],
  "loops": [
    {"name": "pin", "connect": ["coupler.end", "rocker.end"]}
  ],
  "actuators": [
    {"name": "motor", "joint": "crank"}
  ]
}
"""

CRANK_MOTION = MOTION.replace("shoulder", "motor")
