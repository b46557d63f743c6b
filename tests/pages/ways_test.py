#!/usr/bin/env python3
"""The page of `compare`: the best design of each way moves beside the others, with the loads of `simulate`."""

import json
import shutil
import unittest

from program import EXAMPLES, INFEASIBLE, ScratchFolder
from report_pages import Reports

READY = ("wait", "document.documentElement.dataset.ready === 'yes'")
PLOTS = ("ask", "counterpoise.plots")
TABLE = ("ask", "[...document.querySelectorAll('#found table tr')].map((row) => [...row.children].map((one) => one.textContent))")
SENTENCES = ("ask", "[...document.querySelectorAll('#found p')].map((one) => one.textContent)")


class Ways(Reports):
    def page_of(self, *results, code=0):
        page = self.folder / "ways.html"
        said = self.run_program("compare", *results, "-o", page, "--json", code=code)
        return page, json.loads(said.stdout)

    def ways(self):
        self.copy_example(EXAMPLES / "ways")
        self.run_program("run", "ways.json")
        return self.page_of("ways")

    def test_what_was_found_is_what_compare_prints(self):
        page, (compared,) = self.ways()
        self.assertEqual([one["name"] for one in compared["results"]], ["cable", "spring", "counterweight"])
        table, sentences = self.ask(page, TABLE, SENTENCES)
        head, *rows = table
        self.assertEqual(head[0], "results")
        for row, way in zip(rows, compared["results"]):
            self.assertEqual((row[0], row[2], row[3], row[4]),
                             (way["name"], str(way["best"]), str(way["feasible"]), way["made_of"]))
            self.assertTrue(row[1].startswith(f"{way['best_objectives'][0]:.6g}"), row[1])
        baseline, = (one for one in compared["baselines"] if one["name"] == "baseline")
        self.assertEqual(rows[3][:2], ["baseline", f"{baseline['objectives'][0]:.6g}"])
        value = compared["results"][0]["best_objectives"][0]
        less = 100 * (1 - value / baseline["objectives"][0])
        self.assertIn(f"cable is best: case {compared['results'][0]['best']} has peak {value:.6g} N·m, {less:.1f} % less than the baseline",
                      sentences[0])

    def test_curves_are_the_loads_of_the_best_of_each(self):
        page, (compared,) = self.ways()
        name = ("ask", "document.querySelector('select[aria-label=motion]').selectedOptions[0].textContent")
        first, hardest, second, other = self.ask(page, name, PLOTS, ("choose", ["select[aria-label=motion]", "0"]), name, PLOTS)
        plots = {first: hardest, second: other}
        self.assertEqual((first, second), ("swing", "everywhere"))  # the first has the largest load
        for way in compared["results"]:
            self.run_program("apply", f"ways/{way['name']}.db", str(way["best"]), "-o", "applied.json")
            self.run_program("simulate", "applied.json", "--motion", "swing.json", "-o", "loads.csv")
            loads = [float(row["lift.load"]) for row in self.read_csv("loads.csv")]
            plot, = plots["swing"]
            line, = (one for one in plot["lines"] if one["name"] == way["name"])
            self.assertEqual(len(line["values"]), len(loads))
            size = max(map(abs, loads))
            for shown, load in zip(line["values"], loads):
                self.assertAlmostEqual(shown, load, delta=1e-9 * size)
            peak = max(max(abs(value) for value in one["values"]) for plot in plots.values() for one in plot[0]["lines"]
                       if one["name"] == way["name"])
            self.assertAlmostEqual(peak, way["best_objectives"][0], delta=1e-8 * peak)

    def test_every_way_is_drawn_beside_the_others(self):
        page, (compared,) = self.ways()
        shown, names, places = self.ask(
            page, ("wait", "counterpoise.drawn && counterpoise.frames > 0"), ("ask", "counterpoise.shown"),
            ("ask", "[...document.querySelectorAll('.stage .labels *')].map((one) => one.textContent)"),
            ("ask", "[0, 1, 2].map((one) => Object.values(counterpoise.pixels(one)).map(([x]) => x))"), webgl=True)
        self.assertEqual(shown, [{"way": one["name"], "case": one["best"]} for one in compared["results"]])
        for way in compared["results"]:
            self.assertIn(way["name"], " ".join(names))
        for left, right in zip(places, places[1:]):
            self.assertLess(max(left), min(right))
        stills, = self.ask(page, ("ask", "document.querySelectorAll('.stage .still-place .still').length"))
        self.assertEqual(stills, 1)  # of the best

    def test_a_way_without_a_feasible_design_says_why(self):
        self.copy_example(EXAMPLES / "two_link_arm")
        study = json.loads((self.folder / "study.json").read_text("utf-8"))
        self.run_program("run", "study.json", "-o", "<b>good.db")
        strict = [{"name": "pull", "expression": "spring.max_tension", "max": 1}]
        self.write("strict.json", {**study, "constraints": strict})
        self.run_program("run", "strict.json", "-o", "strict.db", code=INFEASIBLE)
        page, _ = self.page_of("<b>good.db", "strict.db")
        table, sentences = self.ask(page, TABLE, SENTENCES)
        self.assertEqual(table[1][0], "<b>good")
        self.assertEqual(table[2][0], "strict")
        self.assertEqual(table[2][-1], "no feasible design")
        self.assertTrue(any(one.startswith("strict: none is feasible; case 1: ") for one in sentences), sentences)
        page, _ = self.page_of("strict.db")
        sentences, shown = self.ask(page, SENTENCES, ("ask", "counterpoise.shown"))
        self.assertEqual((sentences[0], shown), ("None of 1 results has a feasible design.", []))

    def test_another_motion_is_told_and_left_out_of_the_plots(self):
        self.copy_example(EXAMPLES / "two_link_arm")
        motion = json.loads((self.folder / "motion.json").read_text("utf-8"))
        study = json.loads((self.folder / "study.json").read_text("utf-8"))
        self.run_program("run", "study.json", "-o", "one.db")
        self.write("slow.json", {**motion, "step": 0.04})
        self.write("other.json", json.loads(json.dumps(study).replace("motion.json", "slow.json")))
        self.run_program("run", "other.json", "-o", "two.db")
        page, _ = self.page_of("one.db", "two.db")
        plots, alert, told = self.ask(page, PLOTS, ("ask", "document.querySelector('.scene > p').textContent"), SENTENCES)
        names = {line["name"] for plot in plots for line in plot["lines"]}
        self.assertEqual(len(names & {"one", "two"}), 1)
        self.assertIn("another motion than that of", alert)
        self.assertIn("different motions", told[0])


    def test_each_way_is_its_own_file_and_says_whether_it_is_whole(self):
        self.copy_example(EXAMPLES / "two_link_arm")
        study = json.loads((self.folder / "study.json").read_text("utf-8"))
        self.run_program("run", "study.json", "-o", "x.db.db")
        self.write("few.json", {**study, "sampling": {"method": "sobol", "count": 4, "seed": 1}})
        self.run_program("run", "few.json", "-o", "x.db", "--shard", "1/2")
        page, (compared,) = self.page_of("x.db", "x.db.db")
        shown, sentences = self.ask(page, ("ask", "counterpoise.shown"), SENTENCES)
        self.assertEqual([one["case"] for one in shown], [one["best"] for one in compared["results"]])
        self.assertEqual(len({one["case"] for one in shown}), 2)
        self.assertTrue(any("of 4 cases" in one for one in sentences), sentences)


class Refusals(ScratchFolder):
    def test_other_units_are_no_objectives_to_compare(self):
        shutil.copytree(EXAMPLES / "ways", self.folder, dirs_exist_ok=True)
        slides = json.loads((self.folder / "model.json").read_text("utf-8"))
        slides["bodies"][0]["joint"] = {"type": "prismatic", "axis": [0, 0, 1]}
        self.write("slides.json", slides)
        study = {"format": "counterpoise-study/1", "variables": {}, "sampling": {"method": "grid"},
                 "objectives": [{"name": "peak", "minimize": "max", "of": ["lift"]}]}
        for name, unit in (("model", "deg"), ("slides", "mm")):
            model = json.loads((self.folder / f"{name}.json").read_text("utf-8"))
            model.setdefault("parameters", {})["extra"] = {"value": 1, "unit": "1"}
            self.write(f"{name}.json", model)
            self.write(f"{name}_study.json", {**study, "model": f"{name}.json", "variables": {"extra": {"values": [1, 2]}},
                                              "motions": {"m": {"poses": {"lift": {"values": [0, 1], "unit": unit}}}}})
            self.run_program("run", f"{name}_study.json", "-o", f"{name}.db")
        said = self.run_program("compare", "model.db", "slides.db", code=2)
        self.assertIn("cannot be compared: peak is in N*m and in N", said.stderr)


    def test_the_page_is_none_of_the_results(self):
        self.run_program("run", EXAMPLES / "two_link_arm" / "study.json", "-o", "one.db")
        before = (self.folder / "one.db").read_bytes()
        said = self.run_program("compare", "one.db", "-o", "one.db", code=2)
        self.assertIn("one.db", said.stderr)
        self.assertEqual((self.folder / "one.db").read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
