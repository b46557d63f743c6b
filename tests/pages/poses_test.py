#!/usr/bin/env python3
"""Pages of poses at rest: they speak of poses and not of times, and say which they show of very many."""

import csv
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


SHOULDER = {"range": [-30, 45], "count": 160, "unit": "deg"}
ELBOW = {"range": [0, 70], "count": 140, "unit": "deg"}
MAPS = ("ask", "counterpoise.maps")
TOLD = ("ask", "document.querySelector('.maps > p').textContent")
CLOCK = ("ask", "document.querySelector('.clock').textContent")


class VeryMany(Reports):
    """An arm of so many bodies that a page has no room for 22,400 poses."""

    def setUp(self):
        super().setUp()
        model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))
        del model["bodies"][1]["visual"]
        model["bodies"] += [{"name": f"part{i}", "parent": "forearm", "joint": {"type": "fixed"}, "mass": 0.001}
                            for i in range(60)]
        model["actuators"][0] |= {"max_position": 0.7, "holding_load": 2}
        self.write("model.json", model)

    def page_of(self, poses, **more):
        self.write("motion.json", {"format": "counterpoise-motion/1", "name": "reach", "poses": poses, **more})
        page, said = self.view("model.json", "--motion", "motion.json")
        self.run_program("simulate", "model.json", "--motion", "motion.json", "-o", "rows.csv")
        with (self.folder / "rows.csv").open(encoding="utf-8") as file:
            rows = {round(float(row["t"])): {name: float(cell) for name, cell in row.items()} for row in csv.DictReader(file)}
        return page, said.stdout, rows

    def check_samples(self, page, rows, samples, numbers):
        """Poses of the page, by their places among those shown, have their numbers, positions and loads."""
        steps = [step for k in samples for step in (("eval", f"counterpoise.go({k})"), CLOCK,
                                                    ("ask", "document.querySelector('.map-readout').textContent"))]
        found = self.asked(page, *steps)
        for k, clock, said in zip(samples, found[::2], found[1::2], strict=True):
            row = rows[numbers[k]]
            words = lambda value: f"{value:.4g}".replace("-", "−")
            self.assertEqual(clock, f"pose {numbers[k] + 1} of 22400")
            self.assertIn(f"pose {numbers[k] + 1}: shoulder {words(row['shoulder.position'])} rad, "
                          f"elbow {words(row['elbow.position'])} rad", said)
            self.assertIn(f"with springs {words(row['shoulder.load'])} N·m", said)

    def test_a_grid_is_thinned_evenly_to_a_grid_and_says_so(self):
        page, said, rows = self.page_of({"shoulder": SHOULDER, "elbow": ELBOW}, unreachable="skip")
        # of 160 levels every third or so is shown, the first and the last among them
        self.assertIn("7560 of 22400 poses", said)
        told, maps, times, words, findings, plot = self.asked(
            page, TOLD, MAPS, ("ask", "Array.from({length: counterpoise.samples}, (_, k) => (counterpoise.go(k), counterpoise.time))"),
            ("ask", "document.querySelector('.map:nth-child(2) .map-worst').textContent"),
            ("ask", "document.querySelector('.findings').textContent"), ("ask", "counterpoise.svg(0)"))
        self.assertIn("7560 of 22400 poses at rest are shown, chosen evenly from all combinations of 160 x 140 positions of "
                      "shoulder, elbow. The largest load of all may be in another pose.", told)
        self.assertEqual(times, sorted(set(times)))
        numbers = [round(time) for time in times]
        self.assertEqual(len(maps[1]["samples"]), 7560)
        # the maps have each pose in its place: loads of a pose are those of its number
        here = [k for k in range(7560) if not maps[1]["leftOut"][k]]
        self.assertEqual({numbers[k] for k in here}, {number for number in numbers if number in rows})
        self.assertGreater(7560 - len(here), 100)
        for k in here:
            self.assertAlmostEqual(maps[1]["loads"][k], rows[numbers[k]]["shoulder.load"], delta=1e-5)
        shown = {round(rows[numbers[k]]["shoulder.position"], 9) for k in here}
        all_levels = sorted({round(row["shoulder.position"], 9) for row in rows.values()})
        self.assertEqual(min(shown), all_levels[0])
        places = [all_levels.index(level) for level in sorted(shown)]
        self.assertEqual({later - earlier for earlier, later in zip(places, places[1:])} - {1, 3, 5}, set())
        self.assertEqual(max(numbers), 22399)
        beyond = sum(abs(rows[numbers[k]]["shoulder.load"]) > 2 for k in here)
        self.assertIn(f"beyond holding_load: {beyond} of 7560 poses", words)
        self.check_samples(page, rows, [here[i] for i in range(0, len(here), 1500)], numbers)
        # what is largest of all poses is said, wherever it is
        worst = max(rows, key=lambda k: abs(rows[k]["shoulder.load"]))
        self.assertIn("7560 of 22400 poses are shown", findings)
        self.assertIn(f"shoulder {rows[worst]['shoulder.load']:.6g} N*m in pose {worst + 1}", findings)
        self.assertIn(">pose<", plot)

    def test_a_sequence_has_every_so_manyth_pose(self):
        page, said, rows = self.page_of({"sobol": 22400, "ranges": {"shoulder": {"range": [-0.5, 0.6]}, "elbow": {"range": [0.4, 1.2]}}})
        told, maps, played = self.asked(
            page, TOLD, MAPS, ("choose", ["select[aria-label='poses a second']", "10"]), ("click", "button[title^=play]"),
            ("wait", "counterpoise.sample > 3"), ("ask", "counterpoise.playing"))
        count = len(maps[1]["samples"])
        self.assertEqual(count, 11200)
        self.assertTrue(played)
        self.assertIn(f"{count} of 22400 poses", said)
        self.assertIn(f"{count} of 22400 poses at rest are shown, chosen evenly from samples of a Sobol sequence", told)
        for k in range(0, count, 100):
            self.assertAlmostEqual(maps[1]["loads"][k], rows[2 * k]["shoulder.load"], delta=1e-5)
        self.check_samples(page, rows, [0, 1, 5000, count - 1], [2 * k for k in range(count)])

    def test_few_poses_are_all_there(self):
        page, said, _ = self.page_of({"shoulder": SHOULDER, "elbow": {**ELBOW, "count": 12}}, unreachable="skip")
        told, findings = self.asked(page, TOLD, ("ask", "document.querySelector('.findings').textContent"))
        self.assertIn("1920 samples", said)
        self.assertIn("1920 poses at rest: all combinations of 160 x 12", told)
        self.assertNotIn("chosen evenly", told + findings)

    def test_a_report_thins_its_poses_too(self):
        study = json.loads((TWO_LINK_ARM / "workspace.json").read_text("utf-8"))
        study["motions"] = {"reach": {"poses": {"shoulder": SHOULDER, "elbow": {**ELBOW, "count": 60}}, "unreachable": "skip"}}
        self.write("study.json", study)
        results = self.run_study("study.json")
        page, _ = self.report(results)
        told, maps, plots, worst = self.ask(
            page, TOLD, MAPS, ("click", "#designs .chooser input"), ("ask", "counterpoise.plots"),
            ("ask", "[...document.querySelectorAll('.instants li')].map((one) => one.textContent)"))
        self.assertIn("of 9600 poses at rest are shown, chosen evenly", told)
        count = len(maps[1]["samples"])
        self.assertLess(count, 9600)
        for plot in plots:
            for line in plot["lines"]:
                self.assertEqual(len(line["values"]), count, (plot["title"], line["name"]))
        load = next(plot for plot in plots if plot["title"] == "Load of shoulder")
        lines = {line["name"]: line["values"] for line in load["lines"]}
        parts = [values for name, values in lines.items() if name in ("gravity", "inertia", "spring")]
        own = next(values for name, values in lines.items() if name.startswith("case"))
        for total, *shares in zip(own, *parts):
            self.assertAlmostEqual(total, sum(shares), delta=1e-4)
        self.run_program("show", results, "best", "-o", "best.csv")
        loads = [abs(float(row["shoulder.load"])) for row in self.read_csv("best.csv")]
        most = max(load for load in loads if load == load)
        self.assertTrue(any(f"{most:.4g}" in one for one in worst), (most, worst))


if __name__ == "__main__":
    unittest.main()
