#!/usr/bin/env python3
"""The page of `report` for every example study: each part is there, and its numbers are those of
`rank`, `show` and `simulate`, to the last digit."""

import csv
import json
import unittest

from program import BAD_INPUT, EXAMPLES, INFEASIBLE, TWO_LINK_ARM
from page_tests import UNSAVED
from report_pages import Reports

TEMPLATES = sorted(path.parent.name for path in (EXAMPLES.parent / "cli" / "templates").glob("*/study.json"))
FALLS = 60  # of studies whose designs fall, which takes a hundred times as long as a motion
LARGE = "charmie24/robust.json"
PARTS = ["found", "designs", "compared", "all", "fail", "matters", "explained", "provenance"]
INKED = ("(() => { const c = document.querySelector('.parallel canvas'); const p = "
         "c.getContext('2d').getImageData(0, 0, c.width, c.height).data; "
         "let n = 0; for (let i = 3; i < p.length; i += 4) if (p[i]) ++n; return n; })()")


class EveryStudy(Reports):
    webgl = True

    def every_study(self):
        """The studies of all examples (with falls: fewer designs) and of all templates."""
        for file in sorted(EXAMPLES.glob("*/*.json")):
            study = json.loads(file.read_text("utf-8"))
            if study.get("format") != "counterpoise-study/1" or "variants" in study:
                continue
            name = f"{file.parent.name}/{file.name}"
            if "scenarios" in study:
                self.copy_example(file.parent, file.name,
                                  sampling={**study["sampling"], "count": FALLS})
                file = self.folder / "study.json"
            yield name, file
        for name in TEMPLATES:
            self.run_program("new", name, name)
            yield name, self.folder / name / "study.json"

    def test_every_part_is_there_and_47570_designs_take_less_than_4_MB(self):
        studies, sizes = list(self.every_study()), {}
        self.assertGreater(len(studies), 16)
        for name, study in studies:
            with self.subTest(name):
                results = self.run_study(study)
                page, _ = self.report(results)
                sizes[name] = page.stat().st_size
                ranking = self.ranked(results)
                best = ranking[0]
                unsaved, parts, inked, frames, plots, sentence, motions, count, design, rows = self.drive(
                    page, ("wait", "document.documentElement.dataset.ready === 'yes'"),
                    ("wait", "counterpoise.frames > 0"), ("eval", UNSAVED),
                    ("eval", "[...document.querySelectorAll('.part')].map((one) => one.id)"),
                    ("eval", INKED), ("eval", "counterpoise.frames"),
                    ("eval", "counterpoise.plots.map((one) => one.title)"),
                    ("eval", "document.querySelector('.sentences').textContent"),
                    ("eval", "[...document.querySelectorAll('select[aria-label=motion] option')].length"),
                    ("eval", "counterpoise.count"), ("eval", "counterpoise.design"),
                    ("eval", "counterpoise.rows()"))[2:]
                self.assertEqual(parts, PARTS)
                self.assertEqual(unsaved, [])
                self.assertGreater(inked, 100)
                self.assertGreater(frames, 0)
                self.assertTrue(any(title.startswith("Load of ") for title in plots))
                self.assertGreaterEqual(motions, 1)
                self.assertEqual(count, len(ranking))
                self.assertIn(f"case {best['case']},", sentence)
                self.assertEqual(design, best["case"])
                row = next(one for one in rows if one["case"] == best["case"])
                self.assertEqual({name: row[name] for name in best}, best)
                if name == LARGE:
                    self.assertEqual(self.data_of(page)["cases"]["rows"], 47570)
        self.assertLess(sizes[LARGE], 4e6)


class Numbers(Reports):
    def test_all_designs_are_those_of_the_ranking(self):
        results, page = self.two_link_arm()
        ranking = self.ranked(results)
        shown = self.drive(page, ("eval", "(() => { const all = []; const next = "
                                          "document.querySelector('.pager button[title=\"next page\"]'); "
                                          "for (let i = 0; i < 40; ++i) { all.push(...counterpoise.rows()); "
                                          "next.click(); } return all; })()"))[0]
        seen = {row["case"]: row for row in shown}
        self.assertEqual(len(seen), len(ranking))
        for row in ranking:
            self.assertEqual({name: seen[row["case"]][name] for name in row}, row)

    def test_the_front_and_its_knee(self):
        results, page = self.two_link_arm()
        front = self.ranked(results, "--pareto")
        found, knee = self.drive(page, ("eval", "counterpoise.front"), ("eval", "counterpoise.knee"))
        self.assertEqual(sorted(found), sorted(row["case"] for row in front))
        self.assertEqual([knee], [row["case"] for row in front if row["knee"]])

    def test_a_chosen_design(self):
        results, _ = self.two_link_arm()
        page, _ = self.report(results, "123", "best")
        shown = json.loads(self.run_program("show", results, "123", "--json").stdout)
        self.run_program("show", results, "123", "-o", "loads.csv")
        data = self.data_of(page)
        self.assertEqual([design["case"] for design in data["designs"]][0], 123)
        del shown["mounts"]  # the proof over mounts, which belongs to the study
        self.assertEqual(data["designs"][0]["show"], shown)
        self.assertEqual(data["designs"][0]["text"], self.run_program("show", results, "123").stdout)
        self.assertEqual(data["designs"][0]["bill"]["text"],
                         self.run_program("show", results, "123", "--bill").stdout)
        name, right = next(iter(shown["metrics"].items()))  # all come by the same way
        value, plots = self.drive(page, ("eval", f"counterpoise.value('{name}', 123)"), ("eval", "counterpoise.plots"))
        self.assertEqual(value, right)
        with open(self.folder / "loads.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        lines = {line["name"]: line["values"]
                 for plot in plots if plot["title"] == "Load of shoulder" for line in plot["lines"]}
        self.assertEqual(lines["case 123"], [float(row["shoulder.load"]) for row in rows])
        self.assertEqual(lines["baseline"], [float(row["baseline.shoulder.load"]) for row in rows])

    def test_loads_without_springs_are_those_of_simulate(self):
        _, page = self.two_link_arm()
        self.run_program("simulate", EXAMPLES / "two_link_arm" / "model.json", "--motion",
                         EXAMPLES / "two_link_arm" / "motion.json", "--without-springs",
                         "-o", "bare.csv")
        plots = self.drive(page, ("eval", "counterpoise.plots"))[0]
        lines = {line["name"]: line["values"]
                 for plot in plots if plot["title"] == "Load of shoulder" for line in plot["lines"]}
        self.assertEqual(lines["without springs"],
                         [float(row["shoulder.load"]) for row in self.read_csv("bare.csv")])

    def test_layers_add_up_to_the_load(self):
        _, page = self.two_link_arm()
        plots = self.drive(page, ("click", "#designs .chooser input[type=checkbox]"),
                           ("eval", "counterpoise.plots"))[1]
        lines = {line["name"]: line["values"]
                 for plot in plots if plot["title"] == "Load of shoulder" for line in plot["lines"]}
        load = next(values for name, values in lines.items() if name.startswith("case "))
        for k, value in enumerate(load):
            parts = sum(lines[name][k] for name in ("gravity", "inertia", "spring"))
            self.assertAlmostEqual(parts, value, delta=1e-4)


class Meshes(Reports):
    webgl = True

    SWITCH = "[...document.querySelectorAll('.chooser label')].some((one) => one.textContent.includes('meshes'))"

    def test_bodies_look_like_their_meshes(self):
        _, page = self.two_link_arm()
        meshes = self.data_of(page)["meshes"]
        self.assertEqual([mesh["body"] for mesh in meshes], [1])
        switch, shown, hidden = self.ask(
            page, ("ask", self.SWITCH), ("ask", "counterpoise.shown"),
            ("click", ".chooser label:has-text('meshes') input"), ("ask", "counterpoise.shown"))
        self.assertTrue(switch)
        # its limbs, and its mesh where that is switched on
        self.assertEqual([titles.count("body forearm") for titles in (shown, hidden)], [2, 1])

    def test_a_mesh_that_is_missing_is_left_out(self):
        self.copy_example(TWO_LINK_ARM)
        results = self.run_study("study.json")
        (self.folder / "forearm.obj").unlink()
        page, said = self.report(results)
        self.assertRegex(said.stderr, "left out: .*/bodies/1/visual/mesh: the mesh .*forearm.obj")
        self.assertEqual(self.data_of(page)["meshes"], [])
        self.assertFalse(self.ask(page, ("ask", self.SWITCH))[0])


class OddStudies(Reports):
    webgl = True

    def test_nothing_is_feasible(self):
        self.copy_example(TWO_LINK_ARM, "study.json", constraints=[
            {"name": "pull", "expression": "spring.max_tension", "max": 1}])
        self.run_program("run", "study.json", "-o", "none.db", code=INFEASIBLE)
        page, _ = self.report(self.folder / "none.db")
        count, failed, axes, parts, sentence = self.ask(
            page, ("ask", "counterpoise.count"), ("ask", "counterpoise.countFailed"),
            ("ask", "counterpoise.axes"),
            ("ask", "[...document.querySelectorAll('.part')].map((one) => one.id)"),
            ("ask", "document.querySelector('.sentences').textContent"))
        self.assertEqual((count, failed), (0, 576))
        self.assertEqual(axes, ["spring_rate", "post_height", "mount_radius"])
        self.assertEqual(parts, PARTS)
        self.assertIn("None can be ranked", sentence)

    def test_a_design_that_breaks_a_limit_is_shown(self):
        results, _ = self.two_link_arm()
        broken = next(row["id"] for row in self.cases(results) if row["status"] != "feasible")
        page, _ = self.report(results, broken)
        design, plots = self.ask(page, ("wait", "counterpoise.frames > 0"), ("ask", "counterpoise.design"),
                                 ("ask", "counterpoise.plots.map((plot) => plot.title)"))
        self.assertEqual(design, broken)
        self.assertIn("Load of shoulder", plots)

    def test_results_that_are_not_whole_say_so(self):
        results, _ = self.two_link_arm()
        with self.connected(results) as database:
            for table in ("cases", "failures"):
                database.execute(f"DELETE FROM {table} WHERE id > 400")
        page, said = self.report(results)
        self.assertIn("400 of 576 cases", said.stderr)
        alert = self.ask(page, ("ask", "document.querySelector('#found .alert').textContent"))[0]
        self.assertIn("400 of 576 cases", alert)

    def test_analyses_are_made_when_asked_for(self):
        results = self.run_study(EXAMPLES / "charmie24" / "stock.json")
        before = results.read_bytes()
        page, _ = self.report(results, "--robustness", "--sensitivity")
        self.assertEqual(results.read_bytes(), before)
        titles, sentence, proof = self.ask(
            page, ("ask", "[...document.querySelectorAll('#matters figcaption bdi')].map((one) => one.textContent)"),
            ("ask", "document.querySelector('.sentences').textContent"),
            ("ask", "document.querySelector('#found .proof pre').textContent"))
        self.assertTrue(any(title.startswith("Tornado of ") for title in titles))
        self.assertIn("worst with tolerances", titles)
        self.assertIn("price of stock", proof)
        self.assertIn("stock", sentence)


class Mistakes(Reports):
    webgl = True

    def refused(self, *arguments, named):
        before = self.contents()
        said = self.run_program("report", *arguments, code=BAD_INPUT)
        self.assertIn(named, said.stderr)
        self.assertEqual(self.contents(), before)

    def test_they_leave_nothing_behind(self):
        results, page = self.two_link_arm()
        page.unlink()
        self.refused("missing.db", "-o", "x.html", named="missing.db")
        self.refused(results, "99999", "-o", "x.html", named="has no case 99999")
        self.refused(results, "one", "-o", "x.html", named="expected an id or best")
        self.refused(results, "-o", "no/such/folder/x.html", named="no/such/folder")
        self.refused(results, "-o", results, named="is read by this command")
        self.refused(results, "--robustness", "-o", "x.html", named="tolerances")
        (self.folder / "text.db").write_text("no database", "utf-8")
        self.refused("text.db", "-o", "x.html", named="text.db")

    def test_a_file_of_an_earlier_version_has_no_typed_failures(self):
        results, _ = self.two_link_arm()
        with self.connected(results) as database:
            database.execute("DROP TABLE failures")
            database.execute("DROP TABLE failure_names")
        page, _ = self.report(results)
        reasons = self.data_of(page)["cases"]["reasons"]
        self.assertEqual(sum(reason["cases"] for reason in reasons), 100)
        self.drive(page, ("wait", "counterpoise.frames > 0"))

    def test_a_study_that_this_version_refuses(self):
        results, _ = self.two_link_arm()
        with self.connected(results) as database:
            database.execute("UPDATE study SET value = 'xxh9:0' WHERE key = 'study.hash'")
        self.refused(results, "-o", "x.html", named="does not know this kind of hash")


if __name__ == "__main__":
    unittest.main()
