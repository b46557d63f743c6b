#!/usr/bin/env python3
"""The units that the pages show their numbers in, and the address that opens the same view."""

import json
import re
import unittest

from program import TWO_LINK_ARM
from report_pages import Reports

HEAD = "[...document.querySelectorAll('.designs th')].map((one) => one.textContent.replace(/[↑↓]/, '').trim())"
CELLS = "[...document.querySelectorAll('.designs tbody tr:first-child td bdi')].map((one) => one.textContent)"
AXIS = ("[...document.querySelectorAll('.parallel .axis')].map((axis) => "
        "[...axis.querySelectorAll('.tick text')].map((one) => one.textContent))")
SCATTER = "[...document.querySelectorAll('.scatter text.title')].map((one) => one.textContent)"
RATE = """(() => { const rows = document.querySelector('#explained .table table').rows;
  return rows[1].cells[[...rows[0].cells].findIndex((one) => one.textContent.startsWith('rate'))].textContent; })()"""
PLOTS = "[...document.querySelectorAll('#designs .plot')].map((one) => one.textContent)"


class Units(Reports):
    def test_one_switch_changes_every_number(self):
        _, page = self.two_link_arm()
        parts = [("ask", HEAD), ("ask", CELLS), ("ask", AXIS), ("ask", SCATTER), ("ask", PLOTS),
                 ("ask", "document.querySelector('#compared table').innerText"),
                 ("ask", "[...document.querySelectorAll('#explained th')].map((one) => one.textContent)"),
                 ("ask", RATE),
                 ("ask", "[...document.querySelectorAll('#fail .bars')].map((one) => one.textContent)")]
        shown = ("eval", "counterpoise.scatter('post_height', 'spring_rate')")
        found = self.ask(page, shown, *parts, ("choose", ["select[aria-label=units]", "mm"]), *parts,
                         ("choose", ["select[aria-label=units]", "si"]), *parts)
        count = len(parts)
        before, millimetres, after = found[:count], found[count:2 * count], found[2 * count:]
        self.assertEqual(before, after)
        head, cells, axes, scatter, plots, compared, parts_head, rate, failed = millimetres
        self.assertEqual([head[3:6], before[0][3:6]],
                         [["spring_rate N/mm", "post_height mm", "mount_radius mm"],
                          ["spring_rate N/m", "post_height m", "mount_radius m"]])
        for name, cell, was in zip(head[3:6], cells[2:5], before[1][2:5]):
            factor = 1e-3 if "rate" in name else 1e3
            self.assertAlmostEqual(float(cell), factor * float(was), delta=1e-5 * float(cell))
        self.assertEqual(cells[5:], before[1][5:])  # newton metres and shares stay
        self.assertEqual([float(tick) for tick in axes[1]],
                         [1e3 * float(tick) for tick in before[2][1]])
        self.assertEqual(scatter, ["post_height [mm]", "spring_rate [N/mm]"])
        length = next(text for text in plots if text.startswith("spring length"))
        self.assertTrue(length.startswith("spring length mm"), length[:40])
        self.assertIn("post_height mm", compared)
        self.assertIn("rate [N/mm]", parts_head)
        self.assertAlmostEqual(float(rate), 1e-3 * float(before[7]))
        self.assertTrue(any("to" in text for text in failed) or failed != before[8])

    def test_the_page_begins_with_the_units_of_the_study(self):
        self.copy_example(TWO_LINK_ARM, "study.json", display=["cm"])
        page, _ = self.report(self.run_study("study.json"))
        units, head, cells, rows = self.ask(page, ("ask", "counterpoise.units"), ("ask", HEAD), ("ask", CELLS),
                                            ("ask", "counterpoise.rows()[0]"))
        self.assertEqual((units, head[3:5]), ("asked", ["spring_rate N/m", "post_height cm"]))
        self.assertAlmostEqual(float(cells[3]), 100 * rows["post_height"], delta=1e-5 * float(cells[3]))

    def test_the_page_begins_with_the_units_of_the_command(self):
        self.copy_example(TWO_LINK_ARM, "study.json", display=["cm"])
        page, _ = self.report(self.run_study("study.json"), "--display", "mm,deg")
        units, title, head, cells, rows = self.ask(
            page, ("ask", "counterpoise.units"),
            ("ask", "document.querySelector('select[aria-label=units]').selectedOptions[0].textContent"),
            ("ask", HEAD), ("ask", CELLS), ("ask", "counterpoise.rows()[0]"))
        self.assertEqual((units, title, head[3:5]),
                         ("asked", "as asked: mm, deg", ["spring_rate N/m", "post_height mm"]))
        self.assertAlmostEqual(float(cells[3]), 1e3 * rows["post_height"], delta=1e-5 * float(cells[3]))

    def test_ranges_are_typed_in_the_units_shown(self):
        _, page = self.two_link_arm()
        brush, = self.ask(page, ("choose", ["select[aria-label=units]", "mm"]), ("click", ".axis-head[data-name=mount_radius]"),
                          ("fill", [".axis-tools input[data-tool=low]", "49"]),
                          ("ask", "new Promise((done) => requestAnimationFrame(() => done(Math.min(...counterpoise.passing()"
                                  ".map((id) => counterpoise.value('mount_radius', id))))))"))
        self.assertAlmostEqual(brush, 0.05, delta=1e-12)

    def test_a_view_in_millimetres(self):
        model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))
        model["springs"][0]["max_length"] = 0.2
        self.copy_example(TWO_LINK_ARM)
        self.write("long.json", model)
        motion = (self.folder / "long.json", "--motion", TWO_LINK_ARM / "motion.json")
        page, _ = self.view(*motion)
        table = ("eval", "[...document.querySelectorAll('.more tbody tr')].find((row) => row.cells[0].textContent === "
                         "'spring').textContent")
        plots = ("eval", "[...document.querySelectorAll('.plot figcaption')].map((one) => one.textContent)")
        findings = ("eval", "document.querySelector('.findings').textContent")
        si, found, _, mm, titles, found_mm = self.drive(
            page, table, findings, ("choose", ["select[aria-label=units]", "mm"]), table, plots, findings)
        length, = re.findall(r"longer than max_length.* \(([0-9.]+) m against 0.2 m\)", found)
        self.assertIn(f"({1e3 * float(length):.6g} mm against 200 mm)", found_mm)
        self.assertIn("m, N, N/m", si)
        self.assertIn("mm, N, N/mm", mm)
        self.assertTrue(any(title.startswith("Spring length mm") for title in titles), titles)
        begun, titles = self.drive(self.view(*motion, "--display", "mm")[0], table, plots)
        self.assertIn("mm, N, N/m", begun)
        self.assertTrue(any(title.startswith("Spring length mm") for title in titles), titles)


STATE = """({chosen: counterpoise.chosen, brushes: counterpoise.brushes, passing: counterpoise.passing(),
  axes: counterpoise.axes, columns: counterpoise.columns, sorting: counterpoise.sorting, units: counterpoise.units,
  compared: counterpoise.compared, design: counterpoise.design, sample: counterpoise.sample, rows: counterpoise.rows(),
  colour: document.querySelector('.scatter select[aria-label=colour]').value,
  where: document.querySelector('.where input').value})"""


class Address(Reports):
    def again(self, page, address):
        """The page, opened by a copied address."""
        return self.ask(page, ("ask", STATE), ("ask", "counterpoise.address()"), hash=address)

    def test_a_copied_address_opens_the_same_view(self):
        _, page = self.two_link_arm()
        state, address = self.ask(
            page, ("choose", ["select[aria-label=units]", "mm"]),
            ("fill", [".where input", "shoulder_peak < 8 && mount_radius > 0.04"]),
            ("eval", "counterpoise.brush('spring_rate', 700, 2200)"),
            ("click", ".axis-head[data-name=post_height]"), ("click", "[data-tool=right]"), ("click", "[data-tool=log]"),
            ("eval", "counterpoise.scatter('shoulder_mean', 'spring_rate', 'post_height')"),
            ("eval", "counterpoise.sort('shoulder_mean', true)"),
            ("click", ".designs tbody tr:nth-child(4) input"), ("click", ".designs tbody tr:nth-child(5) input"),
            ("choose", [".chooser select[aria-label='second design']", {"index": 3}]),
            ("choose", ["select[aria-label=design]", {"index": 1}]),
            ("focus", ".timeline input"), ("key", "ArrowRight"), ("key", "ArrowRight"), ("key", "ArrowRight"),
            ("wait", "location.hash.slice(1) === counterpoise.address()"),
            ("ask", STATE), ("ask", "location.hash"))
        self.assertGreater(state["sample"], 0)
        self.assertEqual(state["units"], "mm")
        same, said = self.again(page, address)
        self.assertEqual(same, state)
        self.assertEqual(said, address.removeprefix("#"))

    def test_what_a_page_begins_with_stands_nowhere(self):
        _, page = self.two_link_arm()
        address, count = self.ask(
            page, ("ask", "counterpoise.address()"), ("eval", "counterpoise.best(10)"),
            ("wait", "location.hash === '#best=10'"), ("eval", "counterpoise.clear()"), ("wait", "location.hash === ''"),
            ("ask", "counterpoise.count"))
        self.assertEqual(address, "")
        self.assertGreater(count, 400)

    def test_parts_of_the_page_are_gone_to(self):
        _, page = self.two_link_arm()
        top, = self.ask(page, ("choose", ["select[aria-label=units]", "mm"]), ("wait", "location.hash === '#units=mm'"),
                        ("click", ".contents a[href='#fail']"), ("wait", "location.hash === '#units=mm'"),
                        ("ask", "document.querySelector('#fail').getBoundingClientRect().top"))
        self.assertLess(abs(top), 100)

    def test_addresses_that_nobody_wrote_break_nothing(self):
        _, page = self.two_link_arm()
        for address in ("#units=%3Cscript%3E&design=none&t=nan&chosen=,,%,9999999&ranges=a,b&axes=%E0%A4%A&scatter=x,y,z&sort=q&row=-5",
                        "#ranges=spring_rate,9,1&compared=1&motion=none&best=-1&row=1e9&t=-1&log=post_height,none",
                        "#where=shoulder_peek%20%3C%201&units=furlongs"):
            with self.subTest(address):
                state, _ = self.again(page, address)
                self.assertIsNotNone(state["sample"])

    def test_the_instant_of_a_view(self):
        page, _ = self.view(TWO_LINK_ARM / "model.json", "--motion", TWO_LINK_ARM / "motion.json")
        time, _, again = self.drive(
            page, ("eval", "counterpoise.go(40), counterpoise.time"),
            ("wait", "location.hash.startsWith('#t=')"), ("eval", "counterpoise.go(0), location.hash = '#t=0.5', 0"),
            ("wait", "Math.abs(counterpoise.time - 0.5) < 1e-6"))[:3]
        self.assertGreater(time, 0)


if __name__ == "__main__":
    unittest.main()
