#!/usr/bin/env python3
"""The scatter of the page of `report`, and two designs compared: their numbers equal those of `rank`."""

import csv
import json
import math
import unittest

from program import CHARMIE
from report_pages import Reports

INK = """(() => { const c = document.querySelector('.scatter canvas'), w = c.width, h = c.height;
  const copy = Object.assign(document.createElement('canvas'), {width: w, height: h}).getContext('2d');
  copy.drawImage(c, 0, 0);
  const p = copy.getImageData(0, 0, w, h).data; const at = (x, y) => p[4 * (y * w + x) + 3] > 0;
  let edge = 0, all = 0; const colours = new Set();
  for (let y = 0; y < h; ++y) for (let x = 0; x < w; ++x) if (at(x, y)) {
    ++all; const i = 4 * (y * w + x); colours.add(`${p[i]},${p[i + 1]},${p[i + 2]}`);
    if (x < 4 || y < 4 || x >= w - 4 || y >= h - 4) ++edge; }
  return {edge, all, colours: colours.size}; })()"""
MARK = """(() => { const g = document.querySelector('.scatter .marks .%s'); if (!g) return null;
  const b = g.querySelector('path').getBBox(); return [g.textContent, b.x + b.width / 2, b.y + b.height / 2]; })()"""
CIRCLE = """[...document.querySelectorAll('.scatter .marks circle')].map((one) => [+one.getAttribute('cx'), +one.getAttribute('cy')])"""


class Scatter(Reports):
    def setUp(self):
        super().setUp()
        self.results, self.page = self.two_link_arm()

    def test_no_point_is_cut_at_the_edge(self):
        pairs = [step for x, y in (("shoulder_peak", "shoulder_mean"), ("spring_rate", "post_height"))
                 for step in (("eval", f"counterpoise.scatter('{x}', '{y}')"), ("ask", INK))]
        log = ("click", ".axis-head[data-name=shoulder_peak]"), ("click", "[data-tool=log]")
        for number, ink in enumerate(self.ask(self.page, *pairs, *log, *pairs)):
            with self.subTest(log=number > 1):
                self.assertEqual(ink["edge"], 0)
                self.assertGreater(ink["all"], 100)

    def test_the_baseline_is_where_its_numbers_are(self):
        baseline, = (row for row in self.query(self.results.name, "SELECT * FROM baselines") if row["name"] == "baseline")
        best, other = self.ranked(self.results)[0], self.ranked(self.results)[1]
        mark, circles = self.ask(self.page, ("ask", MARK % "baseline"), ("ask", CIRCLE))
        self.assertEqual(mark[0], "baseline")
        names = ("shoulder_peak", "shoulder_mean")
        for axis, name in enumerate(names):
            # the place along an axis is linear: two chosen designs give its scale
            scale = (circles[1][axis] - circles[0][axis]) / (other[name] - best[name])
            expected = circles[0][axis] + scale * (baseline[name] - best[name])
            self.assertAlmostEqual(mark[1 + axis], expected, delta=0.5)

    def test_a_baseline_far_away_stands_at_the_edge_with_an_arrow(self):
        with self.connected(self.results) as database:
            database.execute("UPDATE baselines SET shoulder_peak = 1e4 WHERE name = 'baseline'")
        page, _ = self.report(self.results)
        mark, = self.ask(page, ("ask", MARK % "baseline"))
        self.assertEqual(mark[0], "baseline →")

    def test_variables_of_the_baseline_are_those_of_the_model(self):
        variables = self.data_of(self.page)["baselines"][0]["variables"]
        self.assertEqual(variables, {"spring_rate": 1500, "post_height": 0.2, "mount_radius": 0.08})

    def test_the_pointer_shows_the_numbers_of_a_design(self):
        area = self.place(".scatter .frame")
        ids, hovered, text, hidden = self.ask(
            self.page, ("ask", "counterpoise.chosen"),
            ("move", f"(([x, y], [cx, cy]) => [x + cx, y + cy])({area[1]}, {CIRCLE}[0])"), ("ask", "counterpoise.hovered"),
            ("ask", "document.querySelector('.hover').innerText"), ("move", [2, 2]), ("ask", "document.querySelector('.hover').hidden"))
        self.assertEqual(hovered, ids[0])
        row = next(one for one in self.ranked(self.results) if one["case"] == ids[0])
        self.assertIn(f"case {ids[0]}", text)
        for name in ("spring_rate", "shoulder_peak", "shoulder_mean"):
            self.assertIn(name, text)
            self.assertIn(f"{row[name]:.6g}", text)
        self.assertTrue(hidden)

    def test_the_arrows_go_along_the_front(self):
        front, before, first, second, back, after, sample = self.ask(
            self.page, ("ask", "counterpoise.front"), ("ask", "counterpoise.chosen"), ("focus", ".scatter .frame"), ("key", "ArrowRight"), ("ask", "counterpoise.hovered"),
            ("key", "ArrowRight"), ("ask", "counterpoise.hovered"), ("key", "ArrowLeft"), ("ask", "counterpoise.hovered"),
            ("key", "Enter"), ("ask", "counterpoise.chosen"), ("ask", "counterpoise.sample"))
        self.assertEqual([first, second, back], [front[0], front[1], front[0]])
        self.assertEqual(set(before) ^ set(after), {front[0]})
        self.assertEqual(sample, 0)

    def test_designs_are_coloured_by_any_column(self):
        colour = ("choose", [".scatter select[aria-label=colour]", "spring_rate"])
        legend = ("ask", "document.querySelector('.legend-of-colour').textContent")
        one, many, legend, svg, again = self.ask(
            self.page, ("ask", INK), colour, ("ask", INK), legend, ("download", ".scatter button[title$='SVG']"),
            ("choose", ["select[aria-label=units]", "mm"]), legend)
        self.assertGreater(many["colours"], one["colours"])
        self.assertIn("2500", legend)
        self.assertIn("spring_rate [N/m]", legend)
        self.assertIn("spring_rate [N/mm]", again)
        self.assertIn("2.5", again)
        self.assertIn("spring_rate [N/m]", svg["text"])


TABLE = "[...document.querySelectorAll('#compared tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"


class Compared(Reports):
    webgl = True

    def test_two_designs_side_by_side(self):
        results, page = self.two_link_arm()
        ranking = self.ranked(results)
        pair, rows, other, changed, none = self.ask(
            page, ("ask", "counterpoise.compared"), ("ask", TABLE),
            ("click", ".designs tbody tr:nth-child(6) input"),
            ("choose", ["select[aria-label='second design']", str(ranking[5]["case"])]), ("ask", "counterpoise.compared"),
            ("ask", TABLE), *(("click", f".designs tbody tr:nth-child({n}) input") for n in (1, 2, 3)),
            ("ask", "[counterpoise.compared, document.querySelector('#compared table')]"))
        self.assertEqual(pair, [ranking[0]["case"], ranking[1]["case"]])
        self.assertEqual(other, [ranking[0]["case"], ranking[5]["case"]])
        for table, second in ((rows, ranking[1]), (changed, ranking[5])):
            found = {row[0].split(" ")[0]: row[1:] for row in table}
            for name in ("spring_rate", "post_height", "mount_radius", "shoulder_peak", "shoulder_mean"):
                first = ranking[0][name]
                self.assertEqual(found[name][:2], [f"{first:.6g}", f"{second[name]:.6g}"])
                change = 100 * (second[name] - first) / first
                if first == second[name]:
                    self.assertEqual(found[name][2], "the same")
                else:
                    self.assertAlmostEqual(float(found[name][2].removesuffix(" %").replace("−", "-")), change, delta=0.051)
            # a metric is there where it differs: the elbow's are not
            self.assertNotIn("elbow.max", found)
        self.assertEqual(none, [None, None])

    def test_the_table_is_saved(self):
        _, page = self.two_link_arm()
        saved, = self.ask(page, ("download", "#compared .table button"))
        self.assertIn("spring_rate,N/m,", saved["text"])


def points_of(path):
    return [tuple(map(float, point.split(","))) for point in path[1:].split("L")]


def inside(point, polygon):
    """Whether a point is within a polygon, or within a pixel of its edge."""
    (x, y), within = point, False
    for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1]):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            within = not within
        length = (x2 - x1) ** 2 + (y2 - y1) ** 2
        along = max(0.0, min(1.0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length)) if length else 0.0
        within = within or (x - x1 - along * (x2 - x1)) ** 2 + (y - y1 - along * (y2 - y1)) ** 2 < 1
        if within and length and (x - x1 - along * (x2 - x1)) ** 2 + (y - y1 - along * (y2 - y1)) ** 2 < 1:
            return True
    return within


def part_of(file, name):
    """A row of a catalogue of CHARMIE's drives."""
    with (CHARMIE / file).open(encoding="utf-8") as lines:
        return next(row for row in csv.DictReader(lines) if row["name"] == name)


class Motors(Reports):
    webgl = True

    def test_torque_over_speed_lies_within_what_the_motor_can_do(self):
        """The design's course is inside the outline of its motor, to scale, and each robot's drive is named."""
        self.copy_example(CHARMIE, "drives.json", sampling={"method": "sobol", "count": 300, "seed": 1})
        results = self.run_study("study.json")
        page, _ = self.report(results)
        shown = json.loads(self.run_program("show", results, "best", "--json").stdout)
        drive = next(one for one in shown["drives"] if one["actuator"] == "lift")
        figure = ("[...document.querySelectorAll('figure.plot')].find((one) => one.textContent.startsWith('Motor of lift'))")
        title, legend, paths = self.ask(
            page, ("ask", f"{figure}.querySelector('figcaption bdi').textContent"),
            ("ask", f"[...{figure}.querySelectorAll('.legend bdi')].map((one) => one.textContent)"),
            ("ask", f"[...{figure}.querySelectorAll('svg > path')].map((one) => one.getAttribute('d'))"))
        self.assertEqual(title, "Motor of lift: torque against speed")
        words = {robot: f"{drive[key]['motor']} with {drive[key]['gearbox']}" for robot, key in (
            (f"case {shown['case']}", "design"), ("baseline", "baseline"), ("without springs", "without_springs"))}
        motors = [drive[key]["motor"] for key in ("design", "baseline", "without_springs")]
        outlines = [f"peak torque of {motor}" for motor in dict.fromkeys(motors)]
        outlines.insert(1, f"rated torque of {motors[0]}")
        self.assertEqual(legend, [*(f"{robot}: {pair}" for robot, pair in words.items()), *outlines])
        curves = [points_of(path) for path in reversed(paths)]
        own, peak = curves[0], curves[3]
        self.assertEqual([len(curve) for curve in curves], [601] * 3 + [7] * len(outlines))
        for course, motor in zip(curves, motors):
            outline = curves[3 + outlines.index(f"peak torque of {motor}")]
            for point in course:
                self.assertTrue(inside(point, outline), (motor, point))
        # the largest torque is that of the largest load through the gears, but for the rotor's inertia
        said = self.run_program("simulate", CHARMIE / "model.json", "--motion", CHARMIE / "motion_squat.json",
                                *(text for name, value in shown["parameters"].items() if name in shown["set_by_case"]
                                  for text in ("--set", f"{name}={value!r}")))
        gears = part_of("gearboxes.csv", drive["design"]["gearbox"])
        ratio = float(gears["ratio"]) * 400 * math.pi
        torques = []
        for row in csv.DictReader(said.stdout.splitlines()):
            u, v = float(row["lift.load"]), float(row["lift.velocity"])
            share = 1 / float(gears["efficiency"]) if u * v > 0 else float(gears["back_efficiency"]) if u * v < 0 else 1
            torques.append(abs(u) * share / ratio)
        pixels = (max(y for _, y in peak) - min(y for _, y in peak)) / 2  # of the peak torque
        zero = (max(y for _, y in peak) + min(y for _, y in peak)) / 2
        limit = float(part_of("motors.csv", drive["design"]["motor"])["peak_torque [mN*m]"]) / 1000
        self.assertAlmostEqual(max(abs(y - zero) for _, y in own) / pixels, max(torques) / limit,
                               delta=1 / pixels + 0.03 * max(torques) / limit)


if __name__ == "__main__":
    unittest.main()
