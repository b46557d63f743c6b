#!/usr/bin/env python3
"""The page of `report` in use: brushes, sorting, choosing, exports, the keyboard, play, and paper."""

import csv
import io
import unittest
import xml.etree.ElementTree

from report_pages import Reports

class Use(Reports):
    def setUp(self):
        super().setUp()
        self.results, self.page = self.two_link_arm()
        self.rows = [row for row in self.cases(self.results) if row["status"] == "feasible"]
        self.fewer = ("wait", f"counterpoise.count < {len(self.rows)}")

    def open(self, *steps, **options):
        return self.ask(self.page, *steps, **options)

    @staticmethod
    def drag(place, ends):
        """A drag whose ends depend on where a place is."""
        return ("drag", f"(([x, y, width, height]) => {ends})({place[1]})")

    def test_a_brush_on_an_axis_filters_everywhere(self):
        column, low, high = "shoulder_peak", 3.0, 7.0
        inside = [row["id"] for row in self.rows if low <= row[column] <= high]
        self.assertTrue(0 < len(inside) < len(self.rows))
        count, passing, pager, told, front, all_again = self.open(
            ("eval", f"counterpoise.brush('{column}', {low}, {high})"),
            ("ask", "counterpoise.count"), ("ask", "counterpoise.passing()"),
            ("ask", "document.querySelector('.pager output').textContent"),
            ("ask", "document.querySelector('.count').textContent"), ("ask", "counterpoise.front"),
            ("eval", "counterpoise.clear()"), ("ask", "counterpoise.count"))
        self.assertEqual(count, len(inside))
        self.assertEqual(sorted(passing), inside)
        self.assertTrue(pager.endswith(f"of {len(inside)}"))
        self.assertTrue(told.startswith(f"{len(inside)} of {len(self.rows)} feasible"))
        self.assertTrue(front and set(front) <= set(inside))
        self.assertEqual(all_again, len(self.rows))

    def test_brushes_are_drawn_by_the_mouse(self):
        axis = self.place(".parallel .axis:last-child .brush .overlay")
        (_, _, _, height), count, brushes = self.open(
            axis, self.drag(axis, "[x + width / 2, y + height * 0.98, x + width / 2, y + height * 0.6]"),
            self.fewer, ("ask", "counterpoise.count"), ("ask", "Object.keys(counterpoise.brushes)"))
        values = [row["shoulder_mean"] for row in self.rows]
        low, span = min(values), max(values) - min(values)
        # what lies between both ends of the drag, two pixels more or less
        fewest, most = [sum(low + span * (0.02 - slack) <= value <= low + span * (0.4 + slack)
                            for value in values) for slack in (-2 / height, 2 / height)]
        self.assertTrue(fewest <= count <= most, (fewest, count, most))
        self.assertEqual(brushes, ["shoulder_mean"])

        area = self.place(".scatter .brush .overlay")
        both, = self.open(self.drag(area, "[x + 5, y + height - 5, x + width / 3, y + height / 2]"), self.fewer, ("ask", "Object.keys(counterpoise.brushes)"))
        self.assertEqual(sorted(both), ["shoulder_mean", "shoulder_peak"])

    def test_the_table_sorts(self):
        head = ("click", ".designs th:nth-child(8) button")
        shown = ("ask", "counterpoise.rows().map((row) => row.shoulder_mean)")
        rising, falling, sorting = self.open(head, shown, head, shown, ("ask", "counterpoise.sorting"))
        values = sorted(row["shoulder_mean"] for row in self.rows)
        self.assertEqual(rising, values[:20])
        self.assertEqual(falling, values[::-1][:20])
        self.assertEqual(sorting, {"by": "shoulder_mean", "falling": True})

    def test_the_table_chooses_designs(self):
        chosen = ("ask", "counterpoise.chosen")
        words = ("ask", "document.querySelector('.selected').textContent")
        nobody, before, after, lines, told = self.open(
            words, chosen, ("click", ".designs tbody tr:nth-child(7) input"), chosen,
            ("ask", "document.querySelectorAll('.parallel .chosen path').length"),
            words)
        ranking = [row["case"] for row in self.ranked(self.results)]
        self.assertEqual(after, [*before, ranking[6]])
        self.assertEqual(lines, len(after))
        cases = ", ".join(f"case {case}" for case in before)
        self.assertEqual(nobody, f"The best designs, until others are chosen in the table: {cases}. ")
        self.assertTrue(told.startswith(f"Chosen in the table: {cases}, case {after[-1]}. "), told)
        self.assertIn(f"counterpoise report {self.results.name}", told)
        second, design = self.open(("click", ".designs tbody tr:nth-child(1) input"), chosen,
                                   ("ask", "counterpoise.design"))
        self.assertEqual(second, before[1:])
        self.assertEqual(design, before[1])

    def test_a_condition_and_the_best_part(self):
        problem, count, best = self.open(
            ("fill", [".where input", "shoulder_peek < 5"]),
            ("ask", "document.querySelector('.problem').textContent"),
            ("fill", [".where input", "shoulder_peak < 5"]), self.fewer, ("ask", "counterpoise.count"),
            ("eval", "counterpoise.clear()"), ("eval", "counterpoise.best(10)"),
            ("ask", "counterpoise.passing()"))
        self.assertIn('did you mean "shoulder_peak"?', problem)
        self.assertEqual(count, sum(row["shoulder_peak"] < 5 for row in self.rows))
        tenth = -(-len(self.rows) // 10)
        self.assertEqual(best, [row["case"] for row in self.ranked(self.results)[:tenth]])

    def test_the_keyboard_does_it_all(self):
        axes = ("ask", "counterpoise.axes")
        before, moved, still, brushes, hidden, page, sample = self.open(
            axes, ("focus", ".axis-head:nth-child(1)"), ("key", "ArrowRight"), axes,
            ("ask", "counterpoise.sample"),
            ("focus", ".axis-head:nth-child(3)"), ("key", "Enter"),
            ("fill", [".axis-tools input[data-tool=low]", "0.05"]), self.fewer,
            ("ask", "Object.keys(counterpoise.brushes)"),
            ("focus", ".axis-tools [data-tool=hide]"), ("key", "Enter"), axes,
            ("focus", ".listing .scroll"), ("key", "PageDown"),
            ("ask", "document.querySelector('.pager output').textContent"),
            ("focus", ".timeline input"), ("key", "Home"), ("key", "ArrowRight"), ("key", "ArrowRight"),
            ("ask", "counterpoise.sample"))
        self.assertEqual(moved, [before[1], before[0], *before[2:]])
        self.assertEqual(still, 0)
        self.assertEqual(brushes, ["mount_radius"])
        self.assertEqual(hidden, [name for name in moved if name != "mount_radius"])
        self.assertTrue(page.startswith("21–40 of "))
        self.assertEqual(sample, 2)

    def test_exports(self):
        svg, png, scatter, table, plot, bars, best = self.open(
            ("download", ".parallel .exports button:nth-child(1)"),
            ("download", ".parallel .exports button:nth-child(2)"),
            ("download", ".scatter .exports button:nth-child(1)"),
            ("download", ".listing .pager button:last-child"),
            ("download", ".loads .exports button:nth-child(1)"),
            ("download", "#fail .exports button:nth-child(1)"),
            ("download", "#found .table button"))
        for one in (svg, scatter, plot, bars):
            self.assertTrue(one["name"].endswith(".svg"))
            root = xml.etree.ElementTree.fromstring(one["text"].encode("latin1"))
            self.assertTrue(root.tag.endswith("svg"))
        self.assertTrue(png["text"].startswith("\x89PNG"))
        rows = list(csv.DictReader(io.StringIO(table["text"])))
        ranking = self.ranked(self.results)
        self.assertEqual([int(row["case"]) for row in rows], [row["case"] for row in ranking])
        self.assertEqual([float(row["shoulder_peak [N*m]"]) for row in rows],
                         [row["shoulder_peak"] for row in ranking])
        for row in csv.DictReader(io.StringIO(best["text"])):
            name = row["objective"]
            self.assertEqual(float(row[f"case {ranking[0]['case']}"]), ranking[0][name])
            self.assertEqual(float(row["reduction to baseline"]), ranking[0][f"{name}.reduction"])

    def test_play_and_scrub(self):
        playing, stopped, last, critical = self.open(
            ("choose", ["select[aria-label=speed]", "0.1"]),  # no slow machine is at the end before the pause
            ("click", ".transport button:nth-child(3)"), ("wait", "counterpoise.sample > 2"),
            ("ask", "counterpoise.playing"), ("click", ".transport button:nth-child(3)"),
            ("ask", "counterpoise.playing"), ("click", ".transport button:nth-child(5)"),
            ("ask", "counterpoise.sample"), ("click", ".instants button"), ("ask", "counterpoise.sample"))
        self.assertEqual((playing, stopped), (True, False))
        shown = self.run_json("show", self.results, "best", "--json")
        instant = shown["explanation"]["critical_instants"][0]["instants"][0]
        self.run_program("show", self.results, "best", "-o", "loads.csv")
        times = [float(row["t"]) for row in self.read_csv("loads.csv")]
        self.assertEqual(last, len(times) - 1)
        self.assertEqual(critical, times.index(instant["t"]))

    def test_phone_and_dark(self):
        colours = set()
        for width, scheme in ((390, "light"), (390, "dark"), (1024, "dark")):
            with self.subTest(width=width, scheme=scheme):
                wide, best, colour = self.open(
                    ("ask", "document.documentElement.scrollWidth"),
                    ("ask", "(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)"
                            "(document.querySelector('#found .scroll'))"),
                    ("ask", "getComputedStyle(document.body).color"), width=width, scheme=scheme)
                self.assertLessEqual(wide, width)
                self.assertLessEqual(best, 0)
                colours.add(colour)
        self.assertEqual(len(colours), 2)

    def test_paper(self):
        paper = self.folder / "report.pdf"
        colour, buttons, text = self.open(
            ("media", "print"), ("ask", "getComputedStyle(document.body).color"),
            ("ask", "[...document.querySelectorAll('button, .filters input')].filter((one) => "
                    "one.checkVisibility() && !one.matches('.entry, .sort, .axis-head, .instants button')).length"),
            ("ask", "document.body.innerText.includes('Critical instants')"), ("pdf", str(paper)),
            scheme="dark")
        self.assertEqual((colour, buttons, text), ("rgb(28, 37, 48)", 0, True))
        self.assertTrue(paper.read_bytes().startswith(b"%PDF"))
        self.assertGreater(paper.stat().st_size, 50_000)


if __name__ == "__main__":
    unittest.main()
