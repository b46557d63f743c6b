#!/usr/bin/env python3
"""Texts of a study that would be code, markup or marks of direction in a page stay texts."""

import json
import unittest

from hostile_test import TEXTS
from program import TWO_LINK_ARM
from report_pages import Reports

# the name of a study is that of a file, too
NAME = "<img src=x onerror=alert(1)> <script>alert(1)<!-- '\"` \u2028 \u202eright to left"
MARKUP = "document.querySelectorAll('img, [onerror], [onmouseover], main script').length"


class Hostile(Reports):
    def study(self, texts):
        """A small study whose name, description, catalogue, parameters and files have these texts."""
        self.copy_example(TWO_LINK_ARM)
        lines = ["part,rate,note"]
        quoted = ['"' + text.replace('"', '""') + '"' for text in texts]
        lines += [f"{text},{1000 + 100 * i},{text}" for i, text in enumerate(quoted)]
        self.write("springs.csv", "\n".join(lines) + "\n")
        study = json.loads((TWO_LINK_ARM / "study.json").read_text("utf-8"))
        study |= {"name": NAME, "description": texts[0], "sampling": {"method": "grid"},
                  "variables": {"choice": {"catalogue": "springs.csv", "sets": {"spring_rate": "rate"}},
                                "post_height": {"range": [0.14, 0.9], "count": 4}}}
        model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))
        model["name"] = texts[0]
        model["parameters"]["upper_mass"] |= {"note": texts[0], "source": texts[0]}
        self.write("model.json", model)
        self.write("study.json", study)

    def test_texts_are_shown_as_they_are(self):
        texts = [text.replace("\u2028", " ").replace("\u2029", " ") for text in TEXTS]
        self.study([text for text in texts if text.strip()])
        self.run_program("run", "study.json", "-o", "r.db")
        page, _ = self.report(self.folder / "r.db")
        title, name, description, cells, scripts, markup, labels = self.ask(
            page, ("ask", "document.title"), ("ask", "document.querySelector('h1').textContent"),
            ("ask", "document.querySelector('.description').textContent"),
            ("ask", "counterpoise.rows().map((row) => row.choice)"), ("ask", "document.scripts.length"),
            ("ask", MARKUP),
            ("ask", "[...document.querySelectorAll('.designs tbody td:nth-child(4)')].map((one) => one.textContent)"))
        self.assertEqual(title.split(), f"{NAME} – counterpoise report".split())
        self.assertEqual((name, description), (NAME, texts[0]))
        right = [row["choice"] for row in self.ranked(self.folder / "r.db")][:20]
        self.assertEqual(cells, right)
        self.assertEqual(labels, right)
        self.assertEqual((scripts, markup), (2, 0))

    def test_the_data_ends_no_element(self):
        self.study(["".join(TEXTS[:9]), "second"])
        self.run_program("run", "study.json", "-o", "r.db")
        page, _ = self.report(self.folder / "r.db")
        self.assertEqual(page.read_text("utf-8").count("</script>"), 2)
        self.assertEqual(self.data_of(page)["description"], "".join(TEXTS[:9]))


if __name__ == "__main__":
    unittest.main()
