#!/usr/bin/env python3
"""What the page of `report` says first: what got worse, which limits bind, what is proved, and
nothing of the sender's folders."""

import json
import pathlib
import shutil
import unittest

from balanced_link import BALANCED, MODEL, STUDY
from program import CHARMIE, INFEASIBLE, TWO_LINK_ARM
from report_pages import Reports

LEAST = 5e-4  # relative: smaller changes do not count
ITEMS = "[...document.querySelectorAll('#found %s li')].map((one) => one.textContent)"
TEXT = "document.querySelector('#found %s').textContent"


class Worse(Reports):
    def verdict(self, page):
        data = self.data_of(page)
        return data["verdicts"][str(data["rankings"][0]["rows"][0]["case"])]

    def changes(self, results, best, baseline, springless):
        """What is larger in the best design than in a robot, by the metrics that the results hold."""
        found = set()
        for beside, row in (("baseline", baseline), ("without_springs", springless)):
            for name, value in best.items():
                if name not in row:  # the results do not hold it
                    continue
                spring, statistic = name.split(".")
                if beside == "without_springs" and spring == "spring":
                    continue
                if statistic in ("min_length", "max_length", "min_tension"):
                    continue
                if value - row[name] > max(LEAST * abs(row[name]), 1e-9 * abs(value)):
                    found.add((beside, name))
        return found

    def test_every_number_that_grew_is_named_and_no_other(self):
        # the elbow's loads are no objective, and a stiff spring at the shoulder is only good for that
        self.copy_example(TWO_LINK_ARM, "study.json", objectives=[
            {"name": "gap", "expression": "abs(spring.max_tension - 60)"}])
        results = self.run_study("study.json")
        page, _ = self.report(results)
        verdict = self.verdict(page)
        shown = self.run_json("show", results, "best", "--json")["metrics"]
        rows = {row["name"]: row for row in self.query(results.name, "SELECT * FROM baselines")}
        expected = self.changes(results, shown, rows["baseline"], rows["without_springs"])
        found = {(one["beside"], one["name"]) for one in verdict["worse"]}
        self.assertTrue(expected)
        self.assertEqual({one for one in found if one[1] in rows["baseline"] and one[1] != "gap"}, expected)
        for one in verdict["worse"]:
            if one["name"] in rows["baseline"] and one["name"] != "gap":
                self.assertEqual(one["value"], shown[one["name"]])
                self.assertEqual(one["before"], rows[one["beside"]][one["name"]])
        items, = self.ask(page, ("ask", ITEMS % ".worse"))
        self.assertEqual(len(items), len(found))
        largest = verdict["worse"][0]
        self.assertTrue(any(item.startswith(f"{largest['what']} {largest['value']:.6g} ") for item in items), items)

    def test_a_metric_that_is_an_objective_is_named_once(self):
        self.copy_example(TWO_LINK_ARM, "study.json", objectives=[
            {"name": "gap", "expression": "abs(spring.max_tension - 400)"},
            {"name": "pull", "expression": "spring.max_tension"}])
        page, _ = self.report(self.run_study("study.json"))
        names = [one["name"] for one in self.verdict(page)["worse"] if one["beside"] == "baseline"]
        self.assertIn("pull", names)
        self.assertNotIn("spring.max_tension", names)

    def test_places_that_are_rounding_are_zero(self):
        self.copy_example(TWO_LINK_ARM)
        model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))
        model["bodies"][0]["points"]["spring"][1] = 1e-17
        self.write("model.json", model)
        page, _ = self.report(self.run_study("study.json"))
        for design in self.data_of(page)["designs"]:
            places = {place["point"]: place for place in design["bill"]["points"]}
            self.assertEqual(places["upper_arm.spring"]["y [m]"], 0)

    def test_nothing_got_worse(self):
        results, page = self.two_link_arm()
        self.assertEqual([one for one in self.verdict(page)["worse"] if one["name"].endswith((".max", ".mean"))], [])
        text, = self.ask(page, ("ask", TEXT % ".worse"))
        self.assertNotIn("nothing to compare with", text)

    def test_nearly_the_same_is_not_the_same(self):
        model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))
        rate = model["parameters"]["spring_rate"]["value"]
        for share, peak in ((1, r"the same as the baseline \("),
                            (1.00001, r"less than 0.1 % (less|more) than the baseline \(")):
            with self.subTest(share):
                self.copy_example(TWO_LINK_ARM, "study.json", variables={
                    "spring_rate": {"values": [rate * share], "unit": "N/mm"}})
                page, _ = self.report(self.run_study("study.json"))
                text, cells = self.ask(page, ("ask", TEXT % ".sentences"), ("ask", TEXT % "table.beside"))
                self.assertRegex(text, peak)
                self.assertNotRegex(text + cells, r"(?<!\d)0\.0 %")


class Limits(Reports):
    def test_limits_near_their_bound_and_what_loosening_them_is_worth(self):
        results = self.run_study(CHARMIE / "exact.json")
        page, _ = self.report(results)
        explanation = self.run_json("show", results, "best", "--json")["explanation"]
        items, = self.ask(page, ("ask", ITEMS % ".limits"))
        priced = explanation["optimum"]["limits"]
        self.assertTrue(priced or explanation["binding"])
        for limit in priced:
            name = limit["name"].split(" bound ")[0]
            self.assertTrue(any(item.startswith(name) and "would take" in item for item in items), (name, items))
        for limit in explanation["binding"]:
            name = limit["name"].split(" bound ")[0]
            self.assertTrue(any(item.startswith(name) for item in items), (name, items))

    def test_a_limit_within_a_thousandth_of_its_bound_binds(self):
        results, _ = self.two_link_arm()
        peak = self.run_json("show", results, "best", "--json")["metrics"]["spring.max_tension"]
        for share, binds in ((0.9995, True), (0.998, False)):
            with self.subTest(share):
                model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))
                model["springs"][0]["max_load"] = peak / share
                self.copy_example(TWO_LINK_ARM)
                self.write("model.json", model)
                page, _ = self.report(self.run_study("study.json"))
                items, = self.ask(page, ("ask", ITEMS % ".limits"))
                self.assertEqual(any(item.startswith("max_load of spring: reached to 0.1 %") for item in items), binds, items)


class Counts(Reports):
    def test_some_designs_are_neither_none_nor_all(self):
        _, page = self.two_link_arm()
        whole = page.read_text("utf-8")
        counts = '"counts":{"cases":576,"feasible":476,'
        self.assertEqual(whole.count(counts), 1)
        for cases, feasible, found, failed in (
                (100_000, 3, "Of 100,000 designs that were evaluated, 3 keep all limits (< 0.1 %).", "(> 99.9 %)"),
                (100_000, 99_998, "99,998 keep all limits (> 99.9 %).", "(< 0.1 %)"),
                (1000, 1000, "1,000 keep all limits (100.0 %).", "All designs keep"),
                (1, 1, "Of 1 design that was evaluated, 1 keeps all limits (100.0 %).", "All designs keep")):
            with self.subTest(cases=cases, feasible=feasible):
                page.write_text(whole.replace(counts, f'"counts":{{"cases":{cases},"feasible":{feasible},'), "utf-8")
                said = self.ask(page, ("ask", TEXT % ""), ("ask", "document.querySelector('#fail').textContent"))
                self.assertIn(found, said[0])
                self.assertIn(failed, said[1])


class Balanced(Reports):
    def test_nearly_all_of_a_load_is_not_all_of_it(self):
        self.write("model.json", MODEL)
        for rate, words in ((BALANCED * (1 + 1e-4), "more than 99.9 % less"), (BALANCED, "100.0 % less")):
            self.write("study.json", {**STUDY, "variables": {"k": {"values": [rate]}}})
            page, _ = self.report(self.run_study("study.json"))
            text, = self.ask(page, ("ask", TEXT % ".sentences"))
            self.assertIn(words, text)
            self.assertEqual("more than 99.9 %" in text, "more than" in words)

    def test_what_is_left_of_loads_is_zero(self):
        self.write("model.json", MODEL)
        self.write("study.json", {**STUDY, "variables": {"k": {"values": [BALANCED * (1 + 2e-13), 2 * BALANCED]},
                                                         "aside": {"values": [3e-17, -0.1, 0.1]}}})
        results = self.run_study("study.json")
        page, _ = self.report(results)
        parts, instants, plots, csv = self.ask(
            page, ("ask", "['found', 'designs', 'compared', 'all'].map((part) => document.getElementById(part).textContent)"),
            ("ask", "document.querySelector('.instants').textContent"),
            ("ask", "counterpoise.plots.filter(({title}) => title === 'Load of motor').map(({lines}) => lines[0].values)"),
            ("download", "button[title='save the filtered designs as CSV']"))
        for part in parts:
            self.assertNotRegex(part, r"[0-9.]+e[-−][0-9]+")
        self.assertIn("has peak 0 N·m: ", parts[0])
        self.assertRegex(instants, r"motor 0 N·m = gravity ")
        self.assertEqual(set(plots[0]), {0})
        best = self.ranked(results)[0]
        self.assertGreater(best["peak"], 0)
        self.assertIn(f"{best['peak']!r}".replace("e-0", "e-"), csv["text"])


class Proofs(Reports):
    def lean_study(self, **changes):
        """A proof over one mount, of the peak of one actuator."""
        study = json.loads((CHARMIE / "mounts.json").read_text("utf-8"))
        lean = {name: one for name, one in study["variables"].items() if name.startswith("lean")}
        objectives = [one for one in study["objectives"] if one["name"] == "lean_peak"]
        self.copy_example(CHARMIE, "mounts.json", variables=lean, objectives=objectives,
                          search={**study["search"], "gap": 1e-4}, **changes)

    def test_the_proof_of_a_geometry_in_the_words_of_run(self):
        said = self.run_program("run", CHARMIE / "exact.json", "-o", "results.db").stdout
        page, _ = self.report(self.folder / "results.db")
        text, = self.ask(page, ("ask", TEXT % ".proof pre"))
        self.assertTrue(text.strip())
        self.assertIn(text.strip().split("\n")[0], said)

    def test_the_proof_over_mounts(self):
        self.lean_study()
        said = self.run_program("run", "study.json", "-o", "results.db").stdout
        page, _ = self.report(self.folder / "results.db")
        mounts = self.run_json("why", self.folder / "results.db", "--json")["mounts"]
        text, rows = self.ask(
            page, ("ask", TEXT % ".proof pre"),
            ("ask", "[...document.querySelectorAll('#found .proof tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"))
        over = next(line for line in said.splitlines() if "over mounts" in line)
        self.assertIn(over, text)
        table = dict(rows)
        self.assertEqual(table["proof over mounts"], "proved" if mounts["proved"] else "not proved")
        self.assertEqual(table["bound"], f"{mounts['bound']:.6g} N")
        self.assertEqual(table[f"best, case {mounts['case']}"], f"{mounts['best']:.6g} N")
        self.assertEqual(table["simplices"], f"{mounts['simplices']:,}")
        ranges = [name for name in table if name.startswith("mounts with ")]
        self.assertTrue(ranges)

    def test_a_proof_that_nothing_is_feasible(self):
        self.lean_study(constraints=[{"name": "pull", "expression": "lean_spring.max_tension", "max": 1},
                                     {"name": "peak", "expression": "lean.max", "max": 50}])
        said = self.run_program("run", "study.json", "-o", "results.db", code=INFEASIBLE).stdout
        page, _ = self.report(self.folder / "results.db")
        over = next(line for line in said.splitlines() if "over mounts" in line)
        self.assertIn(over, self.ask(page, ("ask", TEXT % ".proof pre"))[0])


class Folders(Reports):
    """A page is sent to others."""

    def assert_private(self, page, *others):
        text = page.read_text("utf-8")
        for word in (str(self.folder), str(self.folder.parent), str(pathlib.Path.home()), *others):
            if len(word) > 1:
                self.assertNotIn(word, text)

    def secret_copy(self, example):
        """A study in folders whose names nobody else has to know."""
        folder = self.folder / "jane-doe" / "secret project"
        shutil.copytree(example, folder)
        return folder

    def test_reports_do_not_say_where_files_were(self):
        folder = self.secret_copy(TWO_LINK_ARM)
        for study, results in ((folder / "study.json", folder / "results.db"),
                               ("jane-doe/secret project/study.json", "jane-doe/secret project/other.db")):
            self.run_program("run", study, "-o", results)
            self.report(results, "1", "best", "--sensitivity")
            page = self.folder / "report.html"
            self.assert_private(page, "jane-doe", "secret project")
            self.assertEqual(self.data_of(page)["file"], pathlib.Path(results).name)
            self.run_program("report", results, "-o", folder / "page.html")
            self.assert_private(folder / "page.html", "jane-doe", "secret project")

    def test_warnings_about_places_in_files_name_the_file_alone(self):
        folder = self.secret_copy(TWO_LINK_ARM)
        model = json.loads((folder / "model.json").read_text("utf-8"))
        model["springs"][0]["type"] = "compression"
        model["springs"][0].pop("initial_tension", None)
        (folder / "model.json").write_text(json.dumps(model), "utf-8")
        self.run_program("run", folder / "study.json", "-o", folder / "results.db")
        page, _ = self.report(folder / "results.db")
        self.assert_private(page, "jane-doe", "secret project")
        warnings = [warning for design in self.data_of(page)["designs"] for warning in design["warnings"]]
        self.assertTrue(any("model.json" in warning for warning in warnings), warnings)

    def test_views_do_not_say_where_files_were(self):
        folder = self.secret_copy(TWO_LINK_ARM)
        page, _ = self.view(folder / "model.json", "--motion", folder / "motion.json")
        self.assert_private(page, "jane-doe", "secret project")
        self.assertEqual(self.data_of(page)["doing"]["file"], "motion.json")
        page, _ = self.view(folder / "model.json", "--scenario", folder / "power_loss.json")
        self.assert_private(page, "jane-doe", "secret project")

    def test_mistakes_that_a_view_shows_name_the_file_alone(self):
        folder = self.secret_copy(CHARMIE.parent / "four_bar")
        model = json.loads((folder / "model.json").read_text("utf-8"))
        body, name = model["loops"][0]["connect"][0].split(".")
        next(one for one in model["bodies"] if one["name"] == body)["points"][name] = [10, 0, 0]
        (folder / "model.json").write_text(json.dumps(model), "utf-8")
        page, _ = self.view(folder / "model.json", code=INFEASIBLE)
        self.assert_private(page, "jane-doe", "secret project")
        self.assertIn("model.json", json.dumps(self.data_of(page)["designs"][0]["findings"]))


class Poses(Reports):
    def test_poses_have_numbers_and_positions_in_place_of_times(self):
        results = self.run_study(TWO_LINK_ARM / "workspace.json")
        page, _ = self.report(results)
        shown = self.run_json("show", results, "best", "--json")["explanation"]["critical_instants"][0]["instants"][0]
        found, clock, button, line, designs = self.ask(page, *(
            ("ask", f"document.querySelector('{part}').textContent")
            for part in ("#found", ".clock", ".instants li button", ".instants li span", "#designs")))
        self.assertIn("Load of shoulder", designs)
        self.assertNotIn("against speed", designs)
        self.assertIn("899 poses at rest in motion workspace: all combinations of 31 x 29 positions", found)
        self.assertEqual(clock, "pose 1 of 899")
        self.assertEqual(button, f"pose {shown['t'] + 1:.0f}")
        place = {of["coordinate"]: of["position"] for of in shown["pose"]}
        self.assertIn(f"shoulder {place['shoulder']:.6g} rad, elbow {place['elbow']:.6g} rad: shoulder", line)


if __name__ == "__main__":
    unittest.main()
