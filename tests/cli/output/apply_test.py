#!/usr/bin/env python3
"""The design leaves the program: `apply`, and what `show` says for the workshop."""

import csv
import io
import json
import shutil
import unittest

from program import BAD_INPUT, CHARMIE, EXAMPLES, TWO_LINK_ARM, ScratchFolder, trials

STUDIES = [path for path in sorted(EXAMPLES.glob("*/*.json"))
           if '"counterpoise-study/1"' in path.read_text(encoding="utf-8") and path.name != "ways.json"]


class Apply(ScratchFolder):
    def motion_files(self, study):
        """The file of each motion; motions inside the study get one."""
        files = {}
        for name, motion in study["motions"].items():
            if isinstance(motion, dict) and "file" not in motion:
                self.write(f"{name}.inline.json", {"format": "counterpoise-motion/1", **motion})
                motion = f"{name}.inline.json"
            files[name] = motion if isinstance(motion, str) else motion["file"]
        return files

    def assert_same_numbers(self, first, second):
        """Up to rounding: drives that are mounted become bodies of their own, which adds up what
        the mechanism weighs in another order."""
        self.assertEqual(len(first), len(second))
        for one, other in zip(zip(*first), zip(*second)):
            try:
                one, other = [float(x) for x in one], [float(x) for x in other]
            except ValueError:
                self.assertEqual(one, other)
                continue
            size = max(abs(x) for x in other)
            for x, y in zip(one, other):
                self.assertAlmostEqual(x, y, delta=1e-12 * size)

    def check_study(self, path):
        self.folder = self.examples / path.parent.name
        study = json.loads(path.read_text(encoding="utf-8"))
        if "scenarios" in study:  # a fall takes a hundred times as long as a motion
            study["sampling"]["count"] = trials(study["sampling"]["count"])
            self.write(path.name, study)
        self.run_program("run", path.name, "-o", "all.db", "--force")
        self.run_program("show", "all.db", "best", "-o", "shown.csv")
        shown = self.read_csv("shown.csv")
        case = self.run_json("show", "all.db", "best", "--json")
        compared = 0
        for name, file in self.motion_files(study).items():
            # a motion that is gone through with several values has a name for each of them
            names = sorted({row["motion"] for row in shown if row.get("motion", "").startswith(name + "@")})
            for of_values in names or [name]:
                rows = [row for row in shown if row.get("motion", of_values) == of_values]
                if not rows or ("motion" not in shown[0] and compared):
                    continue  # the case runs another motion
                self.run_program("apply", "all.db", "best", "-o", "model_of_best.json",
                                 "--motion", of_values)
                values = of_values.partition("@")[2].split(",") if names else []
                text = self.run_program("simulate", "model_of_best.json", "--motion", file,
                                        *(word for value in values for word in ("--set", value))).stdout
                simulated = list(csv.DictReader(io.StringIO(text)))
                if "motion" not in shown[0] and len(simulated) != len(rows):
                    continue
                common = [column for column in simulated[0] if column in rows[0]]
                self.assertGreater(len(common), 5)
                compare = (self.assert_same_numbers if '"mounted_on"' in json.dumps(study)
                           else self.assertEqual)
                compare([[row[c] for c in common] for row in simulated],
                        [[row[c] for c in common] for row in rows])
                compared += 1
        self.assertGreaterEqual(compared, 1)
        self.assertTrue(case["set_by_case"])

    def test_what_is_simulated_is_what_was_shown(self):
        self.assertGreater(len(STUDIES), 8)
        self.examples = self.folder / "examples"
        shutil.copytree(EXAMPLES, self.examples)
        for path in STUDIES:
            with self.subTest(path.parent.name + "/" + path.name):
                self.check_study(path)

    def test_parameters_that_are_not_set_stay(self):
        self.copy_example(CHARMIE)
        self.run_program("run", "robust.json", "-o", "all.db")
        self.run_program("apply", "all.db", "best", "-o", "new.json")
        before = json.loads((self.folder / "model.json").read_text(encoding="utf-8"))
        after = json.loads((self.folder / "new.json").read_text(encoding="utf-8"))
        case = self.run_json("show", "all.db", "best", "--json")
        self.assertEqual({**before, "parameters": 0}, {**after, "parameters": 0})
        for name, parameter in before["parameters"].items():
            if name not in case["set_by_case"]:
                self.assertEqual(after["parameters"][name], parameter)
                continue
            kept = {k: v for k, v in parameter.items() if k not in ("value", "source")}
            self.assertEqual({k: after["parameters"][name].get(k) for k in kept}, kept)
        part = case["catalogue_parts"]["lean_spring"]
        self.assertIn(part["part"], after["parameters"]["lean_rate"]["source"])
        springs = {row["part"]: row for row in self.read_csv("springs.csv")}
        self.assertEqual(part["columns"], springs[part["part"]])
        self.run_program("check", "new.json")

    def test_values_are_written_in_the_unit_of_the_parameter(self):
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "arm.db")
        for case in range(1, 500, 41):
            self.run_program("apply", "arm.db", case, "-o", "new.json")
            shown = self.run_json("show", "arm.db", case, "--json")["parameters"]
            new = json.loads((self.folder / "new.json").read_text(encoding="utf-8"))["parameters"]
            rate = new["spring_rate"]
            factor = {"N/mm": 1000.0, "N/m": 1.0}[rate["unit"]]
            self.assertEqual(rate["value"] * factor, shown["spring_rate"])
            self.assertEqual(new["post_height"]["value"], shown["post_height"])

    def test_files_that_the_model_names_are_found_from_where_it_is_written(self):
        for name, example in (("arm", "two_link_arm"), ("lid", "cam_lid")):
            shutil.copytree(EXAMPLES / example, self.folder / name)
        self.write("lid/lid.json", {
            "format": "counterpoise-study/1", "model": "model.json", "motions": {"all": "everywhere.json"},
            "variables": {"rate": {"values": [1400, 1500]}}, "sampling": {"method": "grid"},
            "objectives": [{"name": "peak", "minimize": "max", "of": ["hinge"]}]})
        (self.folder / "out" / "deep").mkdir(parents=True)
        self.run_program("run", "lid/lid.json", "-o", "lid.db")
        for place in ("lid/best.json", "out/deep/best.json", "best.json"):
            with self.subTest(place=place):
                said = self.run_program("apply", "lid.db", "best", "-o", place)
                self.assertEqual(said.stderr, "")
                self.run_program("simulate", place, "--motion", "lid/everywhere.json", "-o", "loads.csv")
                self.assertLess(max(abs(float(row["hinge.load"])) for row in self.read_csv("loads.csv")), 1e-9)
        self.assertIn('"profile": "cam.csv"', (self.folder / "lid" / "best.json").read_text("utf-8"))
        self.run_program("run", "arm/study.json", "-o", "arm.db")
        self.run_program("apply", "arm.db", "best", "-o", "out/arm.json")
        self.assertIn('"mesh": "../arm/forearm.obj"', (self.folder / "out" / "arm.json").read_text("utf-8"))
        (self.folder / "arm" / "forearm.obj").unlink()
        said = self.run_program("apply", "arm.db", "best", "-o", "out/arm.json")
        self.assertIn("note: these files that the model names are not found from out/arm.json: forearm.obj;", said.stderr)
        self.assertIn('"mesh": "forearm.obj"', (self.folder / "out" / "arm.json").read_text("utf-8"))

    def test_no_file_of_another_folder_is_taken_for_that_of_the_model(self):
        for name, radius in (("ours", 1), ("other", 2)):
            shutil.copytree(EXAMPLES / "cam_lid", self.folder / name)
            self.write(f"{name}/study.json", {
                "format": "counterpoise-study/1", "model": "model.json", "motions": {"all": "everywhere.json"},
                "variables": {"rate": {"values": [1400 * radius]}}, "sampling": {"method": "grid"},
                "objectives": [{"name": "peak", "minimize": "max", "of": ["hinge"]}]})
        (self.folder / "other" / "model.json").write_text(
            (self.folder / "other" / "model.json").read_text("utf-8").replace('"value": 12', '"value": 13'), "utf-8")
        self.run_program("run", "study.json", "-o", "results.db", cwd=self.folder / "ours")
        (self.folder / "other" / "x").mkdir()
        said = self.run_program("apply", "../ours/results.db", "best", "-o", "x/lid.json", cwd=self.folder / "other")
        self.assertIn("are not found from x/lid.json: cam.csv;", said.stderr)
        self.assertIn('"profile": "cam.csv"', (self.folder / "other" / "x" / "lid.json").read_text("utf-8"))
        said = self.run_program("apply", "ours/results.db", "best", "-o", "ours/lid.json")
        self.assertEqual(said.stderr, "")

    def test_a_case_that_is_not_feasible_is_said(self):
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "arm.db")
        failed = self.query("arm.db", "SELECT * FROM cases WHERE status = 'infeasible'")[0]
        said = self.run_program("apply", "arm.db", failed["id"], "-o", "new.json").stderr
        self.assertIn(f"case {failed['id']} is not feasible: {failed['reason']}", said)
        before = self.contents()
        for arguments, words in ((("arm.db", "bets"), "expected an id or best"),
                                 (("arm.db", "99999"), "has no case 99999")):
            said = self.run_program("apply", *arguments, "-o", "x.json", code=BAD_INPUT).stderr
            self.assertIn(words, said)
        said = self.run_program("apply", "arm.db", "best", "-o", "x.json", "--motion",
                                "lift_and_plaice", code=BAD_INPUT).stderr
        self.assertIn('did you mean "lift_and_place"?', said)
        self.assertEqual(self.contents(), before)


class Bill(ScratchFolder):
    def test_the_bill_has_the_springs_and_the_points(self):
        self.copy_example(CHARMIE)
        self.run_program("run", "robust.json", "-o", "all.db")
        case = self.run_json("show", "all.db", "best", "--json")
        bill = self.run_json("show", "all.db", "best", "--bill", "--json")
        lean = next(s for s in bill["springs"] if s["spring"] == "lean_spring")
        self.assertEqual(lean["rate"], case["parameters"]["lean_rate"])
        self.assertEqual(lean["part"], case["catalogue_parts"]["lean_spring"]["part"])
        for key in ("min_length", "max_length", "max_tension"):
            self.assertEqual(lean[key], case["metrics"]["lean_spring." + key])
        points = {point["point"]: point for point in bill["points"]}
        mount = points["trunk.lean_spring"]
        self.assertEqual(mount["in_body"][1], case["parameters"]["lean_mount_y"])
        self.assertIn("spring lean_spring", mount["holds"])
        text = self.run_program("show", "all.db", "best", "--bill").stdout
        self.assertIn(f"lean_spring: {lean['part']} of springs.csv", text)
        self.assertIn(f"{1e3 * lean['max_length']:.6g} mm", text)
        table = self.run_program("show", "all.db", "best", "--bill", "--format", "csv").stdout
        self.assertIn("rate [N/m]", table.splitlines()[0])

    def bill_of(self, model=None, sets=None, case=6):
        """Of a spring that stands for n parts with the rate k, both chosen by the study."""
        self.write("parts.csv", "part,rate [N/m],tension [N],length [mm]\nA,300,1,120\nB,500,2,150\n")
        self.write("model.json", {
            "format": "counterpoise-model/1",
            "parameters": {"k": {"value": 500, "unit": "N/m"}, "n": 2, "T": {"value": 0, "unit": "N"},
                           "L": {"value": 0, "unit": "m"}},
            "world": {"points": {"p": [0, 0, 0.3]}},
            "bodies": [{"name": "arm", "parent": "world", "mass": 2, "com": [0.3, 0, 0],
                        "joint": {"type": "revolute", "axis": [0, -1, 0]},
                        "points": {"s": [0.1, 0, 0]}}],
            "springs": [{"name": "s", "connect": ["world.p", "arm.s"], "rate": "n*k",
                         "free_length": "L", "initial_tension": "n*T", **(model or {})}],
            "actuators": [{"name": "a", "joint": "arm"}]})
        self.write("study.json", {
            "format": "counterpoise-study/1", "name": "bill", "model": "model.json",
            "motions": {"m": {"duration": 1, "step": 0.1, "coordinates": {
                "a": {"type": "point-to-point", "from": -0.5, "to": 0.5}}}},
            "variables": {"s": {"catalogue": "parts.csv", "sets": sets or {
                "k": "rate", "T": "tension", "L": "length"}}, "n": {"values": [1, 2, 3]}},
            "sampling": {"method": "grid"},
            "objectives": [{"name": "peak", "minimize": "max", "of": ["a"]}]})
        self.run_program("run", "study.json", "--force")
        shown = self.run_json("show", "bill.db", case, "--json")
        bill = self.run_json("show", "bill.db", case, "--bill", "--json")["springs"][0]
        return shown, bill, self.run_program("show", "bill.db", case, "--bill").stdout

    def test_parallel_springs_are_pieces_of_one_part(self):
        for case, pieces in ((4, 1), (5, 2), (6, 3)):
            shown, bill, text = self.bill_of(case=case)
            self.assertEqual((bill["part"], bill["pieces"]), ("B", pieces))
            self.assertEqual((bill["rate"], bill["initial_tension"], bill["free_length"]),
                             (500, 2, 0.15))
            self.assertAlmostEqual(bill["max_tension"],
                                   shown["metrics"]["s.max_tension"] / pieces, delta=1e-9)
            self.assertEqual(bill["not_as_the_part_has_it"], [])
            head = "s: B of parts.csv" if pieces == 1 else \
                f"s: {pieces} pieces side by side, each B of parts.csv"
            self.assertIn(head + "\n  rate                     0.5 N/mm\n", text)
        table = self.run_program("show", "bill.db", 6, "--bill", "--format", "csv").stdout
        self.assertTrue(table.startswith("spring,pieces,part,catalogue,rate [N/m],"))
        self.assertIn("\ns,3,B,parts.csv,500,", table)

    def test_pieces_may_be_counted_by_the_study(self):
        _, bill, text = self.bill_of({"rate": "k", "initial_tension": "T"}, {
            "k": "2*rate", "T": "2*tension", "L": "length"})
        self.assertEqual((bill["pieces"], bill["rate"], bill["initial_tension"]), (2, 500, 2))
        self.assertEqual(bill["not_as_the_part_has_it"], [])
        self.assertIn("2 pieces side by side", text)

    def test_numbers_that_no_pieces_have_are_said(self):
        for model, words in (({"rate": "k/2"}, "rate 250 N/m, where the part has 500"),
                             ({"initial_tension": "T"}, "rate 1500 N/m, where the part has 500"),
                             ({"rate": "1.5*k", "initial_tension": "T"}, "rate 750 N/m")):
            _, bill, text = self.bill_of(model)
            self.assertEqual(bill["pieces"], 1)
            self.assertIn("not as the part has it: " + words, text)

    def test_points_of_the_arm_by_hand(self):
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "arm.db")
        case = self.run_json("show", "arm.db", "best", "--json")["parameters"]
        bill = self.run_json("show", "arm.db", "best", "--bill", "--json")
        points = {point["point"]: point["in_world"] for point in bill["points"]}
        # in the zero configuration the arm lies along x
        self.assertEqual(points["world.post"], [0, 0, case["post_height"]])
        for found, expected in zip(points["upper_arm.spring"], [case["mount_radius"], 0, 0],
                                   strict=True):
            self.assertAlmostEqual(found, expected, delta=1e-12)
        cycles, = bill["springs"][0]["cycles"]
        self.assertEqual((cycles["motion"], cycles["count"]), ("lift_and_place", 1))


class Verdict(ScratchFolder):
    def test_show_begins_with_a_verdict(self):
        self.copy_example(CHARMIE)
        self.run_program("run", "exact.json", "-o", "all.db")
        lines = self.run_program("show", "all.db", "best").stdout.splitlines()
        self.assertEqual(lines[0], "case 1 of charmie_exact: feasible, number 1 of 1")
        self.assertRegex(lines[1], "worst 0.207218, 73.0 % less than the baseline, 79.3 % less")
        self.assertLess(lines.index("parameters"), 7)

    def test_a_parameter_set_to_its_own_value_is_marked(self):
        self.copy_example(TWO_LINK_ARM, "study.json", variables={
            "spring_rate": {"values": [1500]}, "post_height": {"values": [0.2]}}, constraints=None)
        self.run_program("run", "study.json", "-o", "arm.db")
        text = self.run_program("show", "arm.db", 1).stdout
        self.assertRegex(text, r"spring_rate +1500 +N/m +set by this case")
        self.assertRegex(text, r"post_height +0.2 +m +set by this case")
        self.assertRegex(text, r"mount_radius +0.08 +m +invented")


if __name__ == "__main__":
    unittest.main()
