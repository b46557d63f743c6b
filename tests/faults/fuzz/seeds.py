"""What fuzzing begins with: the examples' files and what stands in them."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
FORMATS = ("model", "motion", "study", "scenario")
LONGEST = 6000  # bytes of a file

CONDITIONS = ["peak < 60", "rate >= 500 && rate <= 1500 || case == 7", 'spring == "soft"',
              "abs(lift.max - 3) < 1e-3", "spring != \"\" && -peak ^ 2 > min(1, 2, case)"]
TABLES = ["name,rate [N/mm],free_length [mm]\nsoft,0.5,120\n\"hard, \"\"very\"\"\",2e3,80\n",
          "t [s],x [deg]\r\n0,0\r\n1,-1.5e-3\r\n", "a\n1\n\n2\n"]
MJCF = ["""<mujoco><compiler angle="radian"/><worldbody><body name="a" pos="0 0 1">
<joint name="j" type="hinge" axis="0 1 0" range="-1 1"/><geom type="box" size="1 1 1" mass="1"/>
<body name="b" pos="1 0 0"><joint type="slide"/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
</body></body></worldbody><equality><joint joint1="j" joint2="k" polycoef="0 1 0 0 0"/></equality>
<tendon><spatial stiffness="10"><site site="s"/></spatial></tendon></mujoco>"""]
# the first byte is the file, then four are a place in it and one what stands there
CHANGES = [bytes([file]) + place.to_bytes(4, "big") + bytes([value])
           for file in range(8) for place, value in ((24, 1), (18, 2), (20000, 65), (70000, 255))]


def texts_in(value):
    """All texts of a JSON value."""
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts_in(item)


def examples():
    for path in sorted(ROOT.glob("examples/*/*.json")):
        yield path, path.read_bytes()


def format_of(text):
    kind = json.loads(text).get("format", "")
    return kind.removeprefix("counterpoise-").split("/")[0]


def seeds_of(reader):
    if reader in FORMATS:
        yield from (text for _, text in examples() if format_of(text) == reader)
    if reader == "json":
        yield from (text for _, text in examples())
    if reader == "csv":
        yield from (path.read_bytes() for path in sorted(ROOT.glob("examples/*/*.csv")))
        yield from map(str.encode, TABLES)
    if reader == "expression":
        texts = {text for _, example in examples() for text in texts_in(json.loads(example))}
        yield from (text.encode() for text in sorted(texts) if set(text) & set("+-*/^(") and "." not in text[-5:])
    if reader == "where":
        yield from map(str.encode, CONDITIONS)
    if reader == "robot":
        yield from (path.read_bytes() for path in sorted(ROOT.glob("examples/*/*.urdf")))
        yield from map(str.encode, MJCF)
    if reader == "results":
        yield from CHANGES


def write_seeds(reader, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(seeds_of(reader)):
        if len(text) <= LONGEST:
            (folder / f"{number:03}").write_bytes(text)


