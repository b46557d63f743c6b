#!/usr/bin/env python3
"""Links between pages lead somewhere, both on GitHub and in the site that scripts/docs builds; the
indices name every page; the drawing in the README has the geometry of its model, and the table of
the convex solver's tolerances their values."""

import json
import math
import os
import pathlib
import re
import unicodedata
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?)\s*$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
IN_THE_SITE = {".md", ".json", ".csv", ".svg", ".png"}


def pages():
    for folder, names, files in os.walk(ROOT):
        names[:] = [n for n in names
                    if not n.startswith(".") and n not in ("build", "demo-results", "node_modules")]
        for name in files:
            if name.endswith(".md"):
                yield pathlib.Path(folder, name)


def prose(path):
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def github_anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def site_anchor(heading):
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def anchors(path):
    """Those that mean the same place in both."""
    headings = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
                for heading in HEADING.findall(prose(path))]
    names = [github_anchor(heading) for heading in headings]
    return {name for name, heading in zip(names, headings)
            if name == site_anchor(heading) and names.count(name) == 1}


def wrong_links(path):
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(path))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.is_file():
            yield f"{link}: no such file"
        elif target.suffix not in IN_THE_SITE:
            yield f"{link}: the site does not have it"
        elif anchor and anchor not in anchors(target):
            yield f"{link}: no such heading, or not one place on GitHub and in the site"


class Links(unittest.TestCase):
    def test_they_lead_somewhere(self):
        found = 0
        for path in pages():
            with self.subTest(page=str(path.relative_to(ROOT))):
                found += len(LINK.findall(prose(path)))
                self.assertEqual(list(wrong_links(path)), [])
        self.assertGreater(found, 100)

    def test_the_index_and_the_site_name_every_page(self):
        in_docs = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")
                   if path.name != "README.md"}
        index = set(re.findall(r"\]\(((?:\w+/)?[A-Z_]+\.md)\)", (ROOT / "docs/README.md").read_text("utf-8")))
        index = {page for page in index if not page.endswith("README.md")}
        site = set(re.findall(r"docs/([\w/]+\.md)$", (ROOT / "scripts/mkdocs.yml").read_text("utf-8"), re.M))
        self.assertEqual(index, in_docs)
        self.assertEqual({page for page in site if not page.endswith("README.md")}, in_docs)


class Drawing(unittest.TestCase):
    """docs/pictures/two_link_arm.svg: its main group counts in metres from the shoulder."""

    def setUp(self):
        self.model = json.loads((ROOT / "examples/two_link_arm/model.json").read_text("utf-8"))
        self.values = {name: p["value"] for name, p in self.model["parameters"].items()}
        tree = xml.etree.ElementTree.parse(ROOT / "docs" / "pictures" / "two_link_arm.svg")
        self.parts = {part.get("id"): part for part in tree.iter() if part.get("id")}
        self.texts = [text.text for text in tree.iter("{http://www.w3.org/2000/svg}text")]

    def numbers(self, part, attribute):
        return [float(n) for n in re.findall(r"-?\d+\.?\d*", self.parts[part].get(attribute))]

    def masses(self, part):
        return [float(c.get("cx")) for c in self.parts[part] if c.get("class") == "com"]

    def test_lengths(self):
        self.assertEqual(self.numbers("post", "d"), [0, 0, self.values["post_height"]])
        self.assertEqual(self.numbers("mount", "cx"), [self.values["mount_radius"]])
        forearm = self.numbers("forearm", "transform")
        self.assertEqual(forearm[:2], [self.values["upper_length"], 0])
        self.assertEqual(self.masses("upper_arm"), [self.values["upper_length"] / 2])
        self.assertEqual(self.masses("forearm"), self.model["bodies"][1]["com"][:1])

    def test_the_spring_ends_at_the_post_and_at_the_mount(self):
        spring = self.numbers("spring", "d")
        angle = math.radians(self.numbers("upper_arm", "transform")[0])
        radius = self.values["mount_radius"]
        ends = [0, self.values["post_height"], radius * math.cos(angle), radius * math.sin(angle)]
        for found, expected in zip(spring[:2] + spring[-2:], ends, strict=True):
            self.assertAlmostEqual(found, expected, delta=1e-4)

    def test_the_texts_say_the_models_numbers(self):
        v = self.values
        for text in (f"post, {v['post_height']} m", f"mount, {v['mount_radius']} m from the shoulder",
                     f"spring, {v['spring_rate']} N/mm",
                     f"upper arm, {v['upper_length']} m, {v['upper_mass']} kg",
                     f"forearm with the hand, {v['forearm_mass']} kg"):
            self.assertIn(text, self.texts)


class Tolerances(unittest.TestCase):
    def test_the_table_has_the_values_of_the_code(self):
        code = (ROOT / "optimizer/convex/tolerances.hpp").read_text(encoding="utf-8")
        table = (ROOT / "optimizer/README.md").read_text(encoding="utf-8").split("| Tolerance |")[1]
        found = {}
        for names, values in re.findall(r"^\| (`[^|]*) \| ([^|]*) \|", table, re.MULTILINE):
            names = re.findall(r"`(\w+)`", names)
            found.update(zip(names, values.split(", ")) if len(names) > 1 else {names[0]: values})
        expected = {name: value.replace(" * ", " ") for name, value in
                    re.findall(r"constexpr \w+ (\w+) = ([^;?]*);", code)}
        double, longer = re.search(r"farthest = .* \? (\w+) : (\w+);", code).groups()
        expected["farthest"] = f"{double}, {longer}"
        del expected["epsilon"]
        self.assertEqual(found, expected)


if __name__ == "__main__":
    unittest.main()
