"""What fuzzing begins with: the examples' files and what stands in them, and right and wrong inputs of
the tests."""

import importlib
import itertools
import json
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
FORMATS = ("model", "motion", "study", "scenario")
SAMPLED = {"method": "sobol", "count": 8}  # a grid would ask for counts of ranges
LONGEST = 6500  # bytes of a file
MOST = 600  # seeds of a reader

ARGUMENTS = ["peak < 60", "rate >= 500 && rate <= 1500 || case == 7", 'spring == "soft"',
             "abs(lift.max - 3) < 1e-3", "spring != \"\" && -peak ^ 2 > min(1, 2, case)",
             "rate=100", "rate=2*rate", "height=0.5", "swing", "best", "1", "99"]
TABLES = ["name,rate [N/mm],free_length [mm]\nsoft,0.5,120\n\"hard, \"\"very\"\"\",2e3,80\n",
          "t [s],x [deg]\r\n0,0\r\n1,-1.5e-3\r\n", "a\n1\n\n2\n"]
MESH = """<robot name="r"><link name="a"><visual><origin xyz="0 0 1" rpy="0 1 0"/><geometry>
<mesh filename="file://examples/two_link_arm/forearm.obj" scale="2 2 2"/></geometry></visual>
<visual><geometry><box size="1 1 1"/></geometry></visual></link></robot>"""
# the first byte is the file, then four are a place in it and one what stands there
CHANGES = [bytes([file]) + place.to_bytes(4, "big") + bytes([value])
           for file in range(8) for place, value in ((24, 1), (18, 2), (20000, 65), (70000, 255))]
# tests with tables of texts, and tests that change a good study
TABLES_OF_TESTS = ("wrong_models", "wrong_studies", "motion/wrong_scenarios", "motion/closed_chain_models",
                   "mjcf_test", "odd_robots_test", "urdf_import_test")
MISTAKES = "study_mistakes.hpp"
STUDIES = ("tests/input", "tests/exchange", "tests/cases", "tests/springs", "tests/studies", "tests/support")
LITERAL = re.compile(r'R"\((.*?)\)"|"((?:[^"\\\n]|\\.)*)"', re.S)


def texts_in(value):
    """All texts of a JSON value, or of a table."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_in(item)


def examples():
    for path in sorted((*ROOT.glob("examples/*/*.json"), *ROOT.glob("cli/templates/*/*.json"))):
        yield path.read_text(encoding="utf-8")


def literals(*places):
    """The texts that stand in each of the C++ tests of some folders, or in single ones."""
    paths = {path for place in places for path in (ROOT / place).rglob("*.[ch]pp")}
    for path in sorted(paths | {ROOT / place for place in places if place.endswith(".cpp")}):
        text = path.read_text(encoding="utf-8")
        yield text, [raw or plain for raw, plain in LITERAL.findall(text)]


def find_tests():
    """Lets tests of the program be imported."""
    sys.path[:0] = [str(ROOT / "tests/cli" / folder) for folder in ("support", "", "motion", "import")]
    for name in ("COUNTERPOISE_PROGRAM", "COUNTERPOISE_DISTURBANCE_LIBRARY"):
        os.environ.setdefault(name, "")


def tables():
    """The texts of the tables of the program's tests, and the files that they change."""
    find_tests()
    from wrong_table import Wrong, changed_files
    for test in TABLES_OF_TESTS:
        for value in vars(importlib.import_module(pathlib.Path(test).name)).values():
            yield from texts_in(value)
            for row in value if isinstance(value, list) else ():
                if isinstance(row, Wrong):
                    yield from texts_in(changed_files(row.changes)[0])


def mistaken_studies():
    """The tests' good study, and what they make of it."""
    good = next(text for _, texts in literals(*STUDIES) for text in texts
                if text.startswith('{"format": "counterpoise-study/1", "name": "arm"'))
    yield good
    for source, texts in literals(*STUDIES):
        if MISTAKES in source:
            yield from (good.replace(old, new.replace("@", "")) for old, new in itertools.pairwise(texts)
                        if good.count(old) == 1 and len(old) > 3)


def studies_of_members():
    """Studies of the members that tests give to arm_study()."""
    usual = {"format": "counterpoise-study/1", "model": "model.json",
             "motions": {"swing": "swing.json", "fold": "fold.json"},
             "variables": {"rate": {"range": [1, 9]}},
             "objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder"]}]}
    others = {"sampling", "search", "constraints", "keep", "tolerances", "store", "baseline"}
    for _, texts in literals(*STUDIES):
        for text in texts:
            try:
                members = json.loads("{" + text.strip(" \n,") + "}")
            except json.JSONDecodeError:
                continue
            if set(members) <= set(usual) | others:
                method = {} if {"sampling", "search"} & set(members) else {"sampling": SAMPLED}
                yield json.dumps({**usual, **method, **members})


def texts_of_a_format():
    yield from examples()
    yield from mistaken_studies()
    yield from studies_of_members()
    for text in tables():
        yield text.replace('"weight"', '"load"')  # a parameter of the model that readers are given
    for _, texts in literals("tests"):
        yield from texts


def texts_of(reader):
    if reader in FORMATS:
        yield from (text for text in texts_of_a_format()
                    if re.search(rf'"format":\s*"counterpoise-{reader}/', text[:200]))
    if reader == "json":
        yield from (text for text in itertools.chain(examples(), tables()) if text.startswith(("{", "[")))
    if reader == "csv":
        yield from (path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("examples/*/*.csv")))
        yield from TABLES
        yield from (text for text in tables() if "\n" in text and "," in text and text[0] not in "{<")
    if reader in ("expression", "arguments"):
        yield from ARGUMENTS
        yield from (text for example in examples() for text in texts_in(json.loads(example))
                    if set(text) & set("+-*/^(") and "." not in text[-5:])
        yield from (text for _, texts in literals("tests/input/affine_test.cpp", "tests/input/expression_test.cpp",
                                             "tests/input/number_range_test.cpp") for text in texts
                    if len(text) < 200)
    if reader == "robot":
        yield from (path.read_text(encoding="utf-8") for folder in (
            "examples/*/*.urdf", "tests/cli/import/robots/*", "tests/exchange/today/robots/*")
                    for path in sorted(ROOT.glob(folder)))
        yield MESH
        yield from (text for text in tables() if text.lstrip().startswith("<"))


def meshes():
    """Right and wrong meshes, behind a byte that says which format they have."""
    find_tests()
    test = importlib.import_module("hostile_meshes_test")
    endings = ("stl", "obj", "dae", "gltf", "glb")  # as text_readers.cpp has them
    for name, content in (*test.READ, *(row[1:] for row in test.REFUSED)):
        content = content if isinstance(content, bytes) else content.encode()
        yield bytes([endings.index(name.rpartition(".")[2])]) + content


def seeds(reader):
    """Each seed once, the shorter ones where there are many."""
    made = {"results": CHANGES, "mesh": meshes()}.get(reader, ())
    texts = {text.encode() for text in texts_of(reader)} | set(made)
    short = (text for text in texts if len(text) <= LONGEST)
    return sorted(short, key=lambda text: (len(text), text))[:MOST]


def write_seeds(reader, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(seeds(reader)):
        (folder / f"{number:03}").write_bytes(text)
