#!/usr/bin/env python3
"""Commands that `studio` runs and files that it edits: as the terminal does, and nothing outside of its folder."""

import contextlib
import http.client
import json
import os
import shutil
import unittest

from program import BAD_INPUT, INTERRUPTED, TWO_LINK_ARM, ScratchFolder, trials
from studio import Studio, studio

SANITIZED = "ASAN_OPTIONS" in os.environ


class Commands(ScratchFolder):
    """Commands that the studio runs, in a folder that it was started beside."""

    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "reference.db")
        self.reference = self.cases("reference.db")
        self.run_words = ("run", "study.json", "-o", "two_link_arm.db")

    def test_a_run_is_what_the_terminal_runs(self):
        with studio(self, ".") as server:
            files = {one["name"]: one["kind"] for one in server.ask("files", {})[1]["files"]}
            self.assertEqual((files["study.json"], files["model.json"], files["motion.json"]),
                             ("study", "model", "motion"))
            data = server.ask("open", {"file": "study.json"})[1]
            self.assertEqual(data["results"], "two_link_arm.db")
            self.assertEqual(server.ask("ranks", {"results": data["results"]})[1], {"exists": False})
            ended = server.job(*self.run_words)
            self.assertEqual((ended["code"], ended["done"], ended["total"]), (0, 576, 576))
            self.assertEqual(ended["command"], "counterpoise run study.json -o two_link_arm.db")
            self.assertEqual(self.cases("two_link_arm.db"), self.reference)
            ranks = server.ask("ranks", {"results": data["results"]})[1]
            best = dict(zip([one["name"] for one in ranks["columns"]], ranks["rows"][0]))
            self.assertEqual((ranks["finished"], ranks["cases"], best["rank"]), (True, 576, 1))
            values = server.ask("case", {"results": data["results"], "case": str(best["case"])})[1]["values"]
            design = server.ask("design", {"motion": "lift_and_place", "values": values})[1]
            self.assertEqual([one["value"] for one in design["verdict"]["objectives"]],
                             [best["shoulder_peak"], best["shoulder_mean"]])
            for words in (("check", "study.json"), ("why", "reference.db"), ("show", "reference.db", "best"),
                          ("show", "reference.db", "best", "--bill"), ("verify", "reference.db")):
                ended = server.job(*words)
                said = self.run_program(*words)
                self.assertEqual((ended["code"], ended["text"]), (0, said.stdout), words)
            self.assertEqual(server.job("sheet", "reference.db", "best", "-o", "sheet.pdf")["code"], 0)
            self.assertTrue((self.folder / "sheet.pdf").read_bytes().startswith(b"%PDF"))
            wrong = server.job("why", "study.json")
            self.assertEqual(wrong["code"], BAD_INPUT)
            self.assertIn("study.json", wrong["messages"])

    def test_a_run_that_is_stopped_is_resumed(self):
        with studio(self, ".") as server:
            begun = server.ask("start", {"words": self.run_words})[1]
            for one in server.ask("running", {})[1]["running"]:  # unless it has ended
                self.assertEqual(one, {**begun, "words": list(self.run_words)})
            server.ask("stop", {"job": begun["job"]})
            self.assertIn(server.ended(begun["job"])["code"], (0, INTERRUPTED))
            self.assertEqual(server.ask("running", {}), (200, {"running": []}))
            stored = (self.folder / "two_link_arm.db").exists()
            ended = server.job(*self.run_words, *(["--resume"] if stored else []))
            self.assertEqual(ended["code"], 0, ended)
        self.assertEqual(self.cases("two_link_arm.db"), self.reference)

    def test_a_studio_that_is_killed_loses_nothing(self):
        server = Studio(self.start("studio", ".", "--no-browser"))
        server.ask("start", {"words": self.run_words})
        server.process.kill()
        server.process.communicate()
        stored = (self.folder / "two_link_arm.db").exists()
        self.run_program(*self.run_words, *(["--resume"] if stored else []))
        self.assertEqual(self.cases("two_link_arm.db"), self.reference)

    def test_two_studios_do_not_harm_each_other(self):
        with studio(self, ".") as one, studio(self, ".") as other:
            jobs = [(server, server.ask("start", {"words": self.run_words})[1]["job"]) for server in (one, other)]
            codes = [server.ended(job)["code"] for server, job in jobs]
            self.assertIn(0, codes)
        self.assertEqual(self.cases("two_link_arm.db"), self.reference)

    def test_no_file_is_written_over_unasked(self):
        with studio(self, ".") as server:
            words = ("export", "reference.db", "-o", "cases.csv")
            self.assertEqual(server.job(*words)["code"], 0)
            before = self.contents()
            self.assertEqual(server.job(*words), {"status": 200, "exists": "cases.csv"})
            self.assertEqual(server.job("apply", "reference.db", "best", "-o", "model.json")["exists"], "model.json")
            self.assertEqual(server.job("run", "study.json", "-o", "reference.db")["code"], BAD_INPUT)
            self.assertEqual(self.contents(), before)
            self.assertEqual(server.job(*words, replace=True)["code"], 0)

    def test_a_report_is_shown_in_a_sandbox(self):
        with studio(self, ".") as server:
            ended = server.job("report", "reference.db", "-o", "report.html")
            head = {"Host": f"127.0.0.1:{server.port}"}
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            with contextlib.closing(connection):
                connection.request("GET", f"/pages/{ended['job']}?token={server.token}", headers=head)
                answer = connection.getresponse()
                self.assertEqual(answer.read(), (self.folder / "report.html").read_bytes())
                self.assertTrue(answer.getheader("Content-Security-Policy").startswith("sandbox"))
            self.assertEqual(server.request("GET", f"/pages/{ended['job']}", head=head)[0], 403)
            for path in ("/pages/", "/pages/99", "/pages/model.json", "/pages/../model.json"):
                self.assertEqual(server.request("GET", f"{path}?token={server.token}", head=head)[0], 404, path)

            (self.folder / "report.html").unlink()
            path = f"/pages/{ended['job']}?token={server.token}"
            self.assertEqual(server.request("GET", path, head=head)[0], 404)
            self.assertEqual(server.ask("files", {})[0], 200)

    def test_the_end_of_the_studio_is_that_of_its_run(self):
        with studio(self, ".") as server:
            server.ask("start", {"words": self.run_words})
        stored = (self.folder / "two_link_arm.db").exists()
        self.run_program(*self.run_words, *(["--resume"] if stored else []))
        self.assertEqual(self.cases("two_link_arm.db"), self.reference)

    def test_a_study_that_was_changed_since_has_other_cases(self):
        with studio(self, "study.json") as server:
            self.assertEqual(server.ask("case", {"results": "reference.db", "case": "best"})[0], 200)
            study = json.loads((self.folder / "study.json").read_text("utf-8"))
            study["variables"]["spring_rate"]["range"] = [500, 2600]
            self.write("study.json", json.dumps(study))
            of = server.ask("open", {"file": "study.json"})[1]["of"]
            status, answer = server.ask("case", {"of": of, "results": "reference.db", "case": "best"})
            self.assertEqual(status, 422)
            self.assertIn("has been changed since", answer["error"])

    def test_words_that_lead_elsewhere_are_refused(self):
        outside = self.folder.parent / (self.folder.name + "_outside")
        outside.mkdir()
        self.addCleanup(shutil.rmtree, outside)
        (outside / "study.json").write_bytes((self.folder / "study.json").read_bytes())
        (self.folder / "link.json").symlink_to(outside / "study.json")
        (self.folder / "way").symlink_to(outside)
        (self.folder / "x.db").symlink_to(outside / "x.db")  # which does not exist
        (self.folder / "study.json#a").symlink_to(outside / "study.json")
        before, beside = self.contents(), sorted(outside.iterdir())
        wrong = [["new", "arm", "x"], ["studio", "."], ["convert", "study.json"], ["simulate", "model.json"], [],
                 ["run", "../" + outside.name + "/study.json"], ["run", str(outside / "study.json")],
                 ["run", "link.json"], ["run", "link.json#a"], ["run", "study.json#a"], ["run", "way/study.json"], ["run", "study.json", "-o", "way/x.db"],
                 ["run", "study.json", "-o", "x.db"], ["run", "study.json"], ["report", "reference.db"],
                 ["sheet", "reference.db", "best"], ["run", "study.json", "-o", "."], ["run", "study.json", "-o", "../x.db"], ["run", "study.json", "-o", "/tmp/x.db"], ["run", ""],
                 ["run", "study.json", "-o"], ["run", "study.json", "--shard", "1/2"], ["run", "--output=x.db"],
                 ["check", "a\0b"], ["check", "-h"], ["check", 3], ["check"] + ["study.json"] * 70,
                 ["export", "reference.db", "-o", "way/x.csv"], ["export", "reference.db", "--json"],
                 ["apply", "reference.db", "best", "-o", "./../x.json"], ["show", "reference.db", "-o", "x.csv"]]
        with studio(self, ".") as server:
            for words in wrong:
                self.assertEqual(server.ask("start", {"words": words})[0], 422, words)
            for name in ("link.json", "way/study.json", "../x", "/etc/passwd", "", "a\0b", 3):
                for question, key in (("open", "file"), ("ranks", "results"), ("case", "results")):
                    status, answer = server.ask(question, {key: name})
                    self.assertEqual(status, 422, (question, name))
                    self.assertNotIn("root:", json.dumps(answer))
            names = {one["name"] for one in server.ask("files", {})[1]["files"]}
            self.assertEqual({name for name in names if "link" in name or "way" in name}, set())
            for question in ({}, {"job": 99}, {"job": "1"}):
                for name in ("job", "stop"):
                    self.assertEqual(server.ask(name, question)[0], 422)
        self.assertEqual(self.contents(), before)
        self.assertEqual(sorted(outside.iterdir()), beside)

    def test_many_commands_leave_the_memory_as_it_was(self):
        with studio(self, ".") as server:
            for _ in range(20):
                server.job("check", "study.json")
            before = server.resident()
            for _ in range(trials(1000)):
                self.assertEqual(server.job("check", "study.json")["code"], 0)
            if not SANITIZED:
                self.assertLess(server.resident() - before, 16 << 20)


class Texts(ScratchFolder):
    """Files as texts that a page edits."""

    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM)
        self.before = self.contents()

    def test_what_is_not_saved_counts_as_if_it_were(self):
        model = (self.folder / "model.json").read_text("utf-8")
        heavier = json.loads(model)
        heavier["parameters"]["upper_mass"]["value"] = 4.5
        question = {"motion": "lift_and_place", "values": {}, "scene": False}
        with studio(self, "study.json") as server:
            light = server.ask("design", question)[1]
            data = server.ask("edit", {"file": "study.json", "texts": {"model.json": json.dumps(heavier)}})[1]
            self.assertEqual(data["of"], 1)
            mass = next(one for one in data["sliders"] if one["name"] == "upper_mass")
            self.assertEqual(mass["begin"], 4.5)
            unsaved = server.ask("design", question)[1]
            self.assertEqual(self.contents(), self.before)
            text = server.ask("text", {"file": "model.json"})[1]
            self.assertEqual(text["text"], model)
            saved = server.ask("save", {"file": "model.json", "text": json.dumps(heavier), "hash": text["hash"]})[1]
            self.assertEqual(json.loads((self.folder / "model.json").read_text("utf-8")), heavier)
            again = server.ask("open", {"file": "study.json"})[1]
            own = server.ask("design", {**question, "of": again["of"]})[1]
            self.assertNotEqual(light["loads"], unsaved["loads"])
            for key in ("loads", "metrics", "verdict"):
                self.assertEqual(own[key], unsaved[key])
            self.assertEqual(server.ask("text", {"file": "model.json"})[1]["hash"], saved["hash"])

    def test_mistakes_are_those_of_check(self):
        study = (self.folder / "study.json").read_text("utf-8")
        wrong = study.replace('"count": 9', '"cuont": 9').replace('"of": ["shoulder"]', '"of": ["sholder"]')
        with studio(self, "study.json") as server:
            for text in (wrong, study[:200], ""):
                found = server.ask("edit", {"file": "study.json", "texts": {"study.json": text}})[1]
                self.write("beside.json", text)
                said = self.run_program("check", "beside.json", code=BAD_INPUT).stderr.splitlines()
                errors = [line.replace("study.json", "beside.json") for line in found["errors"]]
                self.assertEqual(errors, said)
            self.assertEqual(server.ask("design", {"motion": "lift_and_place", "values": {}})[0], 200)  # as before

    def test_a_file_that_another_has_changed_is_not_written_over(self):
        with studio(self, "study.json") as server:
            text = server.ask("text", {"file": "motion.json"})[1]
            (self.folder / "motion.json").write_text(text["text"] + "\n", "utf-8")
            before = self.contents()
            answer = server.ask("save", {"file": "motion.json", "text": "{}", "hash": text["hash"]})
            self.assertEqual(answer, (200, {"changed": True}))
            self.assertEqual(self.contents(), before)

    def test_only_json_of_the_folder_is_read_and_written(self):
        outside = self.folder.parent / (self.folder.name + "_outside.json")
        outside.write_text("{}", "utf-8")
        self.addCleanup(outside.unlink)
        (self.folder / "link.json").symlink_to(outside)
        self.write("large.json", "[" + "1," * 400_000 + "1]")
        self.write("parts.csv", "a,b")
        before = self.contents()
        with studio(self, "study.json") as server:
            good = server.ask("text", {"file": "study.json"})[1]["hash"]
            for name in ("link.json", f"../{outside.name}", str(outside), "parts.csv", "", "none.json", 3):
                for question, more in (("text", {}), ("save", {"text": "[]", "hash": good})):
                    status, answer = server.ask(question, {"file": name, **more})
                    self.assertEqual(status, 422, (question, name, answer))
                if name not in ("none.json", "parts.csv", 3):
                    self.assertEqual(server.ask("edit", {"file": "study.json", "texts": {name: "{}"}})[0], 422, name)
            self.assertEqual(server.ask("text", {"file": "large.json"})[0], 422)
            for texts in ([1], {"study.json": 3}, "a"):
                self.assertEqual(server.ask("edit", {"file": "study.json", "texts": texts})[0], 422)
            self.assertEqual(server.ask("edit", {"of": 99, "file": "study.json", "texts": {}})[0], 422)
        self.assertEqual(self.contents(), before)
        self.assertEqual(outside.read_text("utf-8"), "{}")

    def test_schemas_are_those_of_the_program(self):
        with studio(self, "study.json") as server:
            for kind, schema in server.ask("schemas", {})[1].items():
                self.assertEqual(schema, json.loads(self.run_program("schema", kind).stdout))


if __name__ == "__main__":
    unittest.main()
