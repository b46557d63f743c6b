#!/usr/bin/env python3
"""The page of `studio`: curves follow sliders and dragged points, and are those of `simulate`."""

import csv
import io
import json
import math
import shlex
import struct
import subprocess
import unittest

from page_tests import Pages
from program import CHARMIE, EXAMPLES, PROGRAM, TWO_LINK_ARM, trials
from studio import studio

IDLE = ("wait", "counterpoise.idle")
DRAWN = ("wait", "counterpoise.frames > 0")
COMMAND = ("ask", "document.querySelector('.command').textContent")
PLOTS = ("ask", "counterpoise.plots")
VALUES = ("ask", "counterpoise.values")
JOB = ("ask", "counterpoise.job")
JOB_DONE = ("wait", "counterpoise.job.idle")
KEEP = ("click", "button[title^='keep this']")
MAP = ("ask", "counterpoise.map")
MAP_SEEN = ("eval", "document.querySelector('.where').scrollIntoView()")
MAP_WHOLE = ("wait", "counterpoise.map.whole")
MAPS_ASKED = ("ask", "performance.getEntriesByType('resource').filter(({name}) => name.endsWith('/api/map')).length")

# The middle of a cell of the map, counted from the lower left.
MAP_CELL = ("(() => { const box = document.querySelector('.map-frame canvas').getBoundingClientRect(), map = counterpoise.map; "
            "return [box.left + (%d + 0.5) / map.columns * box.width, box.bottom - (%d + 0.5) / map.rows * box.height]; })()")


def single(value):
    """The number in single precision, as pages get it."""
    return struct.unpack("f", struct.pack("f", value))[0]


class StudioPages(Pages):
    def simulated(self, command):
        text = subprocess.run([PROGRAM, *shlex.split(command)[1:]], cwd=self.folder, check=True, text=True,
                              capture_output=True).stdout
        return list(csv.DictReader(io.StringIO(text)))

    def assert_painted(self, plots, command):
        """Every curve of the design is what the command line beside it prints."""
        rows = self.simulated(command)
        self.assertTrue(plots)
        for plot in plots:
            lines = {line["name"]: line["values"] for line in plot["lines"]}
            self.assertEqual(lines["this design"],
                             [single(float(row[plot["actuator"] + ".load"])) for row in rows])


class Moves(StudioPages):
    def test_a_dragged_mount_moves_the_curves(self):
        self.copy_example(CHARMIE)
        with studio(self, "robust.json") as server:
            place = ("(() => { const point = counterpoise.handles.find((one) => one.slider === 'anchor_height').point; "
                     "const [x, y] = Object.values(counterpoise.pixels)[point]; "
                     "const box = document.querySelector('.stage canvas').getBoundingClientRect(); "
                     "window.target = y + %d; return [box.left + x, box.top + y, box.left + x, box.top + target]; })()")
            missed = ("ask", "(() => { const point = counterpoise.handles.find((one) => one.slider === 'anchor_height').point; "
                             "return Object.values(counterpoise.pixels)[point][1] - target; })()")
            count = trials(200)
            steps = [IDLE, DRAWN, VALUES]
            for i in range(count):
                steps += [("drag", place % (3 if i % 8 < 4 else -3)), IDLE, COMMAND, PLOTS, VALUES, missed]
            begin, *found = self.asked(server.address, *steps)
            before = begin["anchor_height"]
            for command, plots, values, miss in zip(found[0::4], found[1::4], found[2::4], found[3::4]):
                self.assert_painted(plots, command)
                self.assertLess(abs(miss), 0.6)  # of a pixel: the point stays under the pointer
                self.assertNotEqual(values["anchor_height"], before)
                before = values["anchor_height"]
                self.assertEqual({**values, "anchor_height": 0}, {**begin, "anchor_height": 0})

    def test_ways_are_compared_from_any_of_them(self):
        self.copy_example(EXAMPLES / "ways")
        for way in ("spring", "counterweight"):
            self.run_program("run", f"ways.json#{way}", "-o", f"ways_{way}.db")
        with studio(self, "ways.json#spring") as server:
            job, link = self.asked(
                server.address, IDLE, ("wait", "!document.querySelector('.runs button[title^=\"the best of each\"]').disabled"),
                ("click", ".runs button[title^='the best of each']"), JOB_DONE, JOB, ("ask", "document.querySelector('.job-links').textContent"))
            self.assertIn("compare", job["line"])
            self.assertIn("counterweight", job["text"])
            self.assertEqual(link, "open the comparison")
        page = (self.folder / "ways.html").read_text("utf-8")
        self.assertIn('"ways_spring"', page)
        self.assertIn('"ways_counterweight"', page)

    def test_sliders_by_keyboard_undo_and_redo(self):
        self.copy_example(TWO_LINK_ARM)
        with studio(self, "study.json") as server:
            first, plots, command, moved, undone, redone = self.asked(
                server.address, IDLE, VALUES, ("focus", ".slider input[type=range]"), ("key", "ArrowRight"), IDLE,
                PLOTS, COMMAND, VALUES, ("key", "Control+z"), IDLE, VALUES, ("key", "Control+y"), IDLE, VALUES)
            self.assert_painted(plots, command)
            self.assertNotEqual(moved, first)
            self.assertEqual(undone, first)
            self.assertEqual(redone, moved)

    def test_kept_designs_stand_beside_the_next(self):
        self.copy_example(TWO_LINK_ARM)
        with studio(self, "study.json") as server:
            before, after, full, table = self.asked(
                server.address, IDLE, PLOTS, ("fill", ["input[aria-label='name of the design']", "<b>mine</b>"]), KEEP,
                ("eval", "counterpoise.set({spring_rate: 0})"), IDLE, PLOTS, KEEP, KEEP,
                ("ask", "document.querySelector(\"button[title^='keep this']\").disabled"),
                ("ask", "[...document.querySelectorAll('.readings table.metrics tr')].map((row) => [...row.children].map((cell) => cell.textContent))"))
            lines = {line["name"]: line["values"] for line in after[0]["lines"]}
            self.assertEqual(lines["<b>mine</b>"], before[0]["lines"][0]["values"])
            self.assertNotEqual(lines["this design"], lines["<b>mine</b>"])
            self.assertTrue(full)
            self.assertEqual(table[0][4:], ["<b>mine</b>", "design 2", "design 3"])
            peak = dict(zip(table[0], table[1]))
            loads = [abs(value) for value in before[0]["lines"][0]["values"]]
            self.assertAlmostEqual(float(peak["<b>mine</b>"]), max(loads), delta=1e-3 * max(loads))
            self.assertEqual(peak["design 3"], peak["this design"])

    def test_another_motion_and_other_parameters(self):
        self.copy_example(CHARMIE)
        with studio(self, "robust.json") as server:
            command, plots, readings = self.asked(
                server.address, IDLE, ("choose", ["select[aria-label=motion]", "reach"]), IDLE,
                ("eval", "counterpoise.set({slider_height: counterpoise.values.slider_height * 1.01})"), IDLE,
                COMMAND, PLOTS, ("ask", "document.querySelector('.readings').textContent"))
            self.assertIn("motion_reach.json", command)
            self.assert_painted(plots, command)
            self.assertIn("the study says nothing of this design", readings)

    def test_the_best_springs_follow_the_mounts(self):
        self.copy_example(CHARMIE, "best.json", search={
            "method": "exact-springs", "algorithm": ["GN_CRS2_LM"], "starts": 1, "max_evaluations": 60, "seed": 1})
        self.run_program("run", "study.json", "-o", "best.db")
        objective = json.loads((self.folder / "study.json").read_text("utf-8"))["objectives"][0]["name"]
        rows, least = [], math.inf  # those better than all before, whose ties the search has settled too
        for row in self.cases("best.db"):
            if row["status"] == "feasible" and row[objective] < least:
                least = row[objective]
                rows.append(row)
        self.assertGreater(len(rows), 2)
        geometry = ("crank_spring_radius", "anchor_height", "lean_mount_y")
        with studio(self, "study.json") as server:
            steps = [IDLE, ("click", ".sizing input"), IDLE]
            for row in rows:
                values = {name: row[name] for name in geometry}
                steps += [("eval", f"counterpoise.set({json.dumps(values)})"), IDLE, VALUES, PLOTS, COMMAND]
            found = self.asked(server.address, *steps)
            for row, values, plots, command in zip(rows, found[0::3], found[1::3], found[2::3]):
                of_study = {name: value for name, value in values.items() if name in row}
                self.assertEqual(len(of_study), 9)
                self.assertEqual(of_study, {name: row[name] for name in of_study})
                self.assert_painted(plots, command)

    def test_a_map_is_the_grid_of_a_run_and_leads_to_its_designs(self):
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "grid.db")
        rows = self.cases("grid.db")
        levels = {name: sorted({row[name] for row in rows}) for name in ("spring_rate", "post_height", "mount_radius")}
        with studio(self, "study.json") as server:
            map_, begin, asked, own, undone, stepped, entered, told, asked_then, least, table, drawn = self.asked(
                server.address, IDLE, MAP_SEEN, ("choose", ["select[aria-label='across the map']", "mount_radius"]),
                MAP_WHOLE, MAP, VALUES, MAPS_ASKED, ("press", MAP_CELL % (6, 5)), IDLE, VALUES,
                ("key", "Control+z"), IDLE, VALUES, ("focus", ".map-frame"),
                ("key", "ArrowRight"), ("key", "ArrowUp"), ("ask", "counterpoise.map.told"), ("key", "Enter"), IDLE, VALUES,
                ("move", MAP_CELL % (7, 0)), ("ask", "counterpoise.map.told"), MAPS_ASKED,
                ("click", "button[title^='go to the least']"), IDLE, VALUES,
                ("download", "button[title='save the map as CSV']"), ("download", "button[title='save the map as SVG']"))
            self.assertEqual((map_["across"], map_["up"], map_["columns"], map_["rows"]), ("mount_radius", "post_height", 8, 8))
            rate = levels["spring_rate"][int(begin["spring_rate"])]
            of_run = {(levels["mount_radius"].index(row["mount_radius"]), levels["post_height"].index(row["post_height"])): row
                      for row in rows if row["spring_rate"] == rate}
            expected = [of_run[i % 8, i // 8] for i in range(64)]
            self.assertEqual(map_["values"], [row["shoulder_peak"] for row in expected])
            self.assertEqual(map_["reasons"], [row["reason"] for row in expected])
            self.assertEqual(own, {**begin, "mount_radius": 6, "post_height": 5})
            self.assertEqual(undone, begin)
            there = {**begin, "mount_radius": begin["mount_radius"] + 1, "post_height": begin["post_height"] + 1}
            self.assertEqual(entered, there)
            self.assertTrue(stepped.startswith(f"mount_radius {levels['mount_radius'][int(there['mount_radius'])]:g} m"))
            self.assertTrue(told.endswith(of_run[7, 0]["reason"]), told)
            self.assertNotEqual(of_run[7, 0]["reason"], "")
            best = min((row for row in expected if row["status"] == "feasible"), key=lambda row: row["shoulder_peak"])
            for name in ("mount_radius", "post_height"):
                self.assertEqual(levels[name][int(least[name])], best[name])
            self.assertEqual(table["name"], "shoulder_peak over mount_radius and post_height.csv")
            saved = list(csv.DictReader(io.StringIO(table["text"])))
            self.assertEqual([(float(row["mount_radius [m]"]), float(row["post_height [m]"]), row["shoulder_peak [N*m]"], row["reason"])
                              for row in saved],
                             [(row["mount_radius"], row["post_height"], "" if row["shoulder_peak"] is None else f"{row['shoulder_peak']!r}",
                               row["reason"]) for row in expected])
            self.assertIn("data:image/png;base64,", drawn["text"])
            self.assertIn(f"least: {best['shoulder_peak']:.4g} N", drawn["text"].replace("\u00a0", " "))
            self.assertEqual(asked_then, asked)  # what moved were the map's own sliders

    def test_a_map_of_the_best_springs(self):
        self.copy_example(CHARMIE, "best.json", objectives=[{"name": "both_peaks", "expression": "lift.max + lean.max"}])
        question = {"motion": "squat", "size": True, "across": "crank_spring_radius",
                    "up": "anchor_height", "columns": 100, "rows": 100}
        cells = list(range(0, 10_000, 997))
        with studio(self, "study.json") as server:
            offered, readings, here, elsewhere = self.asked(
                server.address, IDLE, ("click", ".sizing input"), IDLE,
                ("ask", "[...document.querySelectorAll(\"select[aria-label='up the map'] option\")].map((one) => one.value)"),
                ("ask", "document.querySelector('.readings').textContent"), MAP_SEEN, MAP_WHOLE, MAP,
                ("eval", "counterpoise.set({lean_mount_y: -0.1})"), IDLE, MAP_WHOLE, MAP)
            self.assertEqual(offered, ["crank_spring_radius", "anchor_height", "lean_mount_y"])
            self.assertIn("In this geometry no springs get both_peaks below", readings)
            self.assertIn("N off both_peaks", readings)
            for map_, values in ((here, {}), (elsewhere, {"lean_mount_y": -0.1})):
                self.assertEqual((map_["across"], map_["up"]), ("crank_spring_radius", "anchor_height"))
                self.assertNotIn(None, map_["values"])
                status, answer = server.ask("map", {**question, "values": values, "cells": cells})
                self.assertEqual(status, 200)
                for cell, found in zip(cells, answer["cells"]):
                    self.assertEqual(map_["values"][cell], found["value"])
            self.assertNotEqual(here["values"], elsewhere["values"])

    def test_a_design_that_cannot_be_leaves_the_one_before(self):
        self.copy_example(TWO_LINK_ARM)
        with studio(self, "study.json") as server:
            before, after, words, values = self.asked(
                server.address, IDLE, PLOTS, ("eval", "counterpoise.set({upper_mass: -1})"), IDLE, PLOTS,
                ("ask", "document.querySelector('.alert').textContent"),
                KEEP, ("click", "button[title^='show design']"), IDLE, VALUES)
            self.assertEqual(before, after)
            self.assertEqual(values["upper_mass"], 3)  # what is kept is what is shown
            self.assertIn("There is no such design", words)


class Session(StudioPages):
    def test_a_newcomer_needs_no_other_tool(self):
        """From `counterpoise new` to a run, the best design, a kept one, an applied model and a report."""
        said = self.run_program("new", "arm", "mine")
        self.assertIn("  counterpoise studio\n", said.stdout)
        with studio(self, "mine") as server:
            before, check, ran, first, chosen, command, plots, exists, report, again = self.asked(
                server.address, IDLE, JOB, ("click", "button[title^='whether the study']"), JOB_DONE, JOB,
                ("click", "button[title^='evaluate or optimise']"), JOB_DONE, JOB,
                ("ask", "document.querySelector('.ranking tbody tr').textContent"),
                ("click", ".ranking tbody tr button"), ("wait", "document.querySelector('.ranking tr.chosen')"), IDLE,
                VALUES, COMMAND, PLOTS, KEEP,
                ("click", "button[title^='the model with the numbers']"), JOB_DONE,
                ("click", "button[title^='the model with the numbers']"),
                ("wait", "document.querySelector('.job-links button')"),
                ("ask", "document.querySelector('.job-links').textContent"),
                ("click", "button[title^='a page about the results']"), JOB_DONE,
                ("ask", "document.querySelector('.job-links a').getAttribute('href')"),
                ("click", "button[title^='evaluate or optimise']"), ("wait", "document.querySelector('.job-links button')"),
                ("click", ".job-links button"), JOB_DONE, JOB)
            self.assertEqual(before["ranks"], {"exists": False})
            self.assertIn("1452 cases", check["text"])
            self.assertEqual(ran["line"], "counterpoise run mine/study.json -o mine/arm.db")
            self.assertEqual((ran["ranks"]["finished"], ran["ranks"]["cases"]), (True, 1452))
            best = self.run_json("rank", "mine/arm.db", "--top", "1", "--json")[0]
            self.assertTrue(first.startswith(str(best["case"])))
            levels = {one["name"]: one.get("levels") for one in server.ask("open", {"file": "study.json"})[1]["sliders"]}
            for name in ("spring_rate", "post_height", "mount_radius"):
                self.assertEqual(levels[name][chosen[name]], best[name])
            self.assert_painted(plots, command)
            self.assertIn("exists", exists)
            self.assertTrue(report.startswith("/pages/"))
            self.assertTrue(again["line"].endswith("--force"))
            self.assertEqual(again["ranks"], ran["ranks"])
        applied = f"mine/arm_{best['case']}.json"
        self.assertIn("model", self.run_program("check", applied).stdout)
        rows = self.simulated(f"counterpoise simulate {applied} --motion mine/motion.json")
        lines = {line["name"]: line["values"] for line in plots[0]["lines"]}
        for row, value in zip(rows, lines["this design"]):
            self.assertAlmostEqual(float(row[plots[0]["actuator"] + ".load"]), value, delta=1e-6 * best["shoulder_peak"])
        self.assertTrue((self.folder / "mine" / "arm.html").is_file())

    def test_a_run_is_seen_while_it_goes_on_and_stopped_from_any_tab(self):
        self.copy_example(CHARMIE, "robust.json", sampling={"method": "sobol", "count": 20_000_000, "seed": 1})
        with studio(self, "study.json") as server:
            running, = self.asked(
                server.address, IDLE, ("click", "button[title^='evaluate or optimise']"),
                ("wait", "!document.querySelector('.runs progress').hidden && counterpoise.job.ranks.exists"),
                ("ask", seen := "[counterpoise.job.idle, document.querySelector('.how-far').textContent, counterpoise.job.line]"))
            later, stopped = self.asked(
                server.address, IDLE, ("wait", "!document.querySelector('.runs progress').hidden"), ("ask", seen),
                ("click", "button[title^='stop the command']"), JOB_DONE, JOB)
            for idle, how_far, line in (running, later):
                self.assertFalse(idle)
                self.assertIn("cases", how_far)
                self.assertTrue(line.startswith("counterpoise run study.json"), line)
            self.assertIn("--resume", stopped["text"])

    def test_another_file_is_opened_with_the_page_loaded_again(self):
        self.copy_example(CHARMIE)
        with studio(self, ".") as server:
            files, title, words = self.asked(
                server.address, IDLE, ("ask", "[...document.querySelectorAll('select[aria-label=file] option')].map((one) => one.value)"),
                ("choose", ["select[aria-label=file]", "model.json"]), ("wait", "document.title.startsWith('charmie24')"), IDLE,
                ("ask", "document.title"),
                ("choose", ["select[aria-label=file]", "drives_mounted.json"]),
                ("wait", "document.querySelector('.alert')?.textContent.includes('mounted_on')"),
                ("ask", "document.querySelector('.alert').textContent"),
                quiet=False)  # browsers note on the console that the last one is refused
            self.assertLess({"robust.json", "model.json", "best.json"}, set(files))
            self.assertIn("charmie24", title)
            self.assertIn("drives_mounted.json", words)


EDITED = ("wait", "counterpoise.editor.idle && counterpoise.editor.text !== ''")
EDITOR = ("ask", "counterpoise.editor")


def written(old, new):
    """Writes something else for a part of the text that is edited."""
    return ("eval", f"counterpoise.write(counterpoise.editor.text.replace({json.dumps(old)}, {json.dumps(new)}))")


class Edits(StudioPages):
    def test_the_picture_follows_the_text_and_files_change_when_saved(self):
        self.copy_example(TWO_LINK_ARM)
        before = self.contents()
        with studio(self, "study.json") as server:
            first, axis, wrong, right, plots, names, command, kept_axis = self.asked(
                server.address, IDLE, PLOTS, ("choose", ["select[aria-label='across the map']", "mount_radius"]), IDLE,
                ("ask", "counterpoise.map.across"), ("click", ".editor summary"), EDITED,
                written('"count": 9', '"cuont": 9'), EDITED, EDITOR,
                written('"cuont": 9', '"count": 5'), EDITED, IDLE, EDITOR,
                ("choose", ["select[aria-label='file to edit']", "model.json"]),
                ("wait", "counterpoise.editor.file === 'model.json'"),
                written('"upper_mass": {"value": 3', '"upper_mass": {"value": 4'), EDITED, IDLE, PLOTS,
                ("ask", "Object.keys(counterpoise.values)"),
                COMMAND, ("ask", "counterpoise.map.across"))
            self.assertEqual((axis, kept_axis), ("mount_radius", "mount_radius"))
            self.assertIn("study.json:9:", wrong["messages"][0])
            self.assertIn('did you mean "count"', wrong["messages"][0])
            self.assertEqual((wrong["marks"], right["messages"]), (1, []))
            self.assertNotEqual(plots, first)
            self.assertIn("upper_mass", names)
            self.assertEqual(self.contents(), before)
            text = self.asked(
                server.address, IDLE, ("click", ".editor summary"), EDITED,
                ("choose", ["select[aria-label='file to edit']", "model.json"]),
                ("wait", "counterpoise.editor.file === 'model.json'"),
                written('"upper_mass": {"value": 3', '"upper_mass": {"value": 4'), EDITED, IDLE,
                ("click", "button[title='save (Ctrl+S)']"), ("wait", "document.querySelector('.editor .buttons').textContent.includes('saved')"),
                EDITOR)[0]["text"]
        self.assertEqual((self.folder / "model.json").read_text("utf-8"), text)
        self.assertIn('"upper_mass": {"value": 4', text)
        self.assert_painted(plots, command)  # with what is saved now

    def test_the_editor_knows_the_schema(self):
        self.copy_example(TWO_LINK_ARM)
        shadow = "document.querySelector('.editor-host').shadowRoot"
        # where the text is that begins so, after some of its letters
        place = ("(() => { const walk = document.createTreeWalker(%s.querySelector('.cm-content'), NodeFilter.SHOW_TEXT);"
                 " while (walk.nextNode() && !walk.currentNode.data.startsWith('%s'));"
                 " const range = document.createRange(); range.setStart(walk.currentNode, %d), range.setEnd(walk.currentNode, %d);"
                 " const box = range.getBoundingClientRect(); return [box.right, box.top + box.height / 2]; })()")
        with studio(self, "study.json") as server:
            offered, told = self.asked(
                server.address, IDLE, ("click", ".editor summary"), EDITED,
                written('"sampling": {"method": "grid"}', '"sampling": {"method": ""}'), EDITED,
                ("eval", "document.querySelector('.editor-host').scrollIntoView()"), ("press", place % (shadow, '""', 0, 1)),
                ("key", "s"), ("wait", f"{shadow}.querySelector('.cm-tooltip-autocomplete li') !== null"),
                ("ask", f"[...{shadow}.querySelectorAll('.cm-tooltip-autocomplete li')].map((one) => one.textContent)"),
                ("key", "Escape"), ("move", place % (shadow, '"constraints"', 3, 5)),
                ("wait", f"{shadow}.querySelector('.cm-hover') !== null"), ("ask", f"{shadow}.querySelector('.cm-hover').textContent"))
            self.assertIn('"sobol"', offered)
            self.assertNotIn('"grid"', offered)  # has no s
            schema = json.loads(self.run_program("schema", "study").stdout)
            self.assertIn(schema["properties"]["constraints"]["description"], told)


if __name__ == "__main__":
    unittest.main()
