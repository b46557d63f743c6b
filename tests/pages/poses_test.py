#!/usr/bin/env python3
"""Pages of poses at rest: they speak of poses and not of times."""

import json
import unittest

from program import TWO_LINK_ARM
from report_pages import Reports

# What names the time line and what stands beside it, and every name that speaks of a time.
NAMES = ("ask", """({
  slider: document.querySelector('.timeline input').getAttribute('aria-label'),
  value: document.querySelector('.timeline input').getAttribute('aria-valuetext'),
  group: document.querySelector('.timeline').getAttribute('aria-label'),
  rate: document.querySelector('.timeline select').getAttribute('aria-label'),
  rates: [...document.querySelectorAll('.timeline option')].map((one) => one.textContent),
  steps: [...document.querySelectorAll('.timeline button')].map((one) => one.title),
  ofTime: [...document.querySelectorAll('[aria-label], [title]')].flatMap((one) => [one.title, one.getAttribute('aria-label') ?? ''])
    .filter((text) => /\\b(times?|instants?)\\b/.test(text)),
  seconds: [...document.querySelectorAll('.timeline text, .clock')].map((one) => one.textContent).filter((text) => /\\ds\\b|\\d s\\b/.test(text)),
})""")


class Words(Reports):
    def motion(self, **poses):
        self.write("motion.json", {"format": "counterpoise-motion/1", "name": "reach", "poses": poses})
        return TWO_LINK_ARM / "model.json", "--motion", "motion.json"

    def check(self, names):
        self.assertEqual((names["slider"], names["group"], names["rate"]), ("pose", "poses", "poses a second"))
        self.assertEqual(names["value"], "pose 1")
        self.assertIn("1 / s", names["rates"])
        self.assertIn("one pose on (right)", names["steps"])
        self.assertEqual((names["ofTime"], names["seconds"]), ([], []))

    def test_a_view_of_poses_names_poses(self):
        model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))
        del model["bodies"][1]["visual"]
        model["actuators"][0]["max_load"] = 1  # so that a finding leads to a pose
        self.write("model.json", model)
        self.motion(shoulder={"values": [0, 0.2, 0.4]}, elbow={"values": [0.3, 0.6]})
        page, _ = self.view("model.json", "--motion", "motion.json")
        names, finding, plots, heads, svg = self.asked(
            page, NAMES, ("ask", "document.querySelector('.findings li button').title"), ("ask", "counterpoise.plots"),
            ("ask", "[...document.querySelectorAll('[aria-label=actuators] th')].map((one) => one.textContent)"),
            ("ask", "counterpoise.svg(0)"))
        self.check(names)
        self.assertEqual(finding, "go to this pose")
        self.assertNotIn("Actuator velocity", [plot["title"] for plot in plots])  # there is none at rest
        self.assertIn("position now", heads)
        self.assertNotIn("velocity now", heads)
        self.assertIn(">pose<", svg)
        self.assertNotIn("[s]", svg)

    def test_a_view_of_time_still_names_times(self):
        page, _ = self.view(TWO_LINK_ARM / "model.json", "--motion", TWO_LINK_ARM / "motion.json")
        names, plots, svg = self.asked(page, NAMES, ("ask", "counterpoise.plots"), ("ask", "counterpoise.svg(0)"))
        self.assertEqual((names["slider"], names["group"], names["rate"]), ("time", "time line", "speed"))
        self.assertIn("1×", names["rates"])
        self.assertIn("one sample on (right)", names["steps"])
        self.assertIn("Actuator velocity", [plot["title"] for plot in plots])
        self.assertIn(">t [s]<", svg)

    def test_a_report_of_poses_names_poses(self):
        page, _ = self.report(self.run_study(TWO_LINK_ARM / "workspace.json"))
        names, heading, titles = self.ask(page, NAMES, ("ask", "document.querySelector('.instants h3').textContent"),
                                          ("ask", "[...document.querySelectorAll('.instants button')].map((one) => one.title)"))
        self.check(names)
        self.assertEqual(heading, "Critical poses")
        self.assertEqual(set(titles), {"go to this pose"})


if __name__ == "__main__":
    unittest.main()
