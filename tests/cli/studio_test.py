#!/usr/bin/env python3
"""The server of `studio`: it answers its own page about any design, and refuses everything else."""

import contextlib
import csv
import http.client
import io
import json
import os
import random
import shlex
import socket
import subprocess
import unittest

from program import BAD_INPUT, CHARMIE, EXAMPLES, PROGRAM, TWO_LINK_ARM, ScratchFolder, trials
from studio import studio

SANITIZED = "ASAN_OPTIONS" in os.environ


class Designs(ScratchFolder):
    def simulated(self, command, *more):
        """The rows of the command line that the studio prints beside a design."""
        words = shlex.split(command) + list(more)
        self.assertEqual(words[:2], ["counterpoise", "simulate"])
        text = subprocess.run([PROGRAM, *words[1:]], cwd=self.folder, check=True, text=True,
                              capture_output=True).stdout
        return list(csv.DictReader(io.StringIO(text)))

    def test_metrics_are_those_of_what_simulate_prints(self):
        self.copy_example(CHARMIE)
        random.seed(20261129)
        model = json.loads((self.folder / "model.json").read_text("utf-8"))
        height = model["parameters"]["slider_height"]["value"]
        with studio(self, "robust.json") as server:
            for _ in range(trials(40)):
                values = {"lift_spring": random.randrange(11), "lean_spring": random.randrange(11),
                          "crank_spring_radius": random.uniform(0.05, 0.12),
                          "slider_height": height * random.uniform(0.98, 1.02)}
                motion = random.choice(["squat", "reach"])
                status, answer = server.ask("design", {"motion": motion, "values": values})
                self.assertEqual(status, 200, answer)
                if "refused" in answer or not answer["metrics"]:
                    continue
                self.assertIsNone(answer["verdict"])  # slider_height is no variable of the study
                for key, more in (("metrics", []), ("bare", ["--without-springs"])):
                    rows = self.simulated(answer["command"], *more)
                    self.assertTrue(answer[key])
                    for metrics in answer[key]:
                        loads = [abs(float(row[metrics["actuator"] + ".load"])) for row in rows]
                        self.assertAlmostEqual(metrics["max"], max(loads), delta=1e-9 * max(loads))

    def test_what_the_study_says_is_what_run_stores(self):
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "arm.db")
        ranked = json.loads(self.run_program("rank", "arm.db", "--all", "--top", "1000000",
                                             "--format", "json").stdout)
        best = self.run_json("show", "arm.db", "best", "--json")
        with studio(self, "arm.db") as server:
            status, answer = server.ask("design", {"motion": "lift_and_place", "values": {}})
            self.assertEqual(status, 200)
            for objective in answer["verdict"]["objectives"]:
                self.assertEqual(objective["value"], ranked[0][objective["name"]])
            words = shlex.split(answer["command"])
            given = dict(word.split("=") for word in words if "=" in word)
            self.assertEqual({name: float(value) for name, value in given.items()},
                             {name: best["parameters"][name] for name in best["set_by_case"]})

    def test_points_move_as_the_handles_say(self):
        self.copy_example(CHARMIE)
        with studio(self, "robust.json") as server:
            first = server.ask("design", {"motion": "squat", "values": {}})[1]
            step = 1e-3
            begin = {"crank_spring_radius": 0.12, "anchor_height": 0.56, "lean_mount_y": -0.06}
            moved = 0
            for name, value in begin.items():
                there = server.ask("design", {"motion": "squat", "values": {name: value - step}})[1]
                handles = {handle["point"]: handle["along"] for handle in first["handles"]
                           if handle["slider"] == name}
                for p, point in enumerate(first["design"]["mechanism"]["points"]):
                    after = there["design"]["mechanism"]["points"][p]["position"]
                    for axis in range(3):
                        expected = point["position"][axis] - step * handles.get(p, [0, 0, 0])[axis]
                        self.assertAlmostEqual(after[axis], expected, delta=1e-8)
                moved += len(handles)
            self.assertGreaterEqual(moved, 4)

    def test_a_design_that_cannot_be_is_said(self):
        self.copy_example(TWO_LINK_ARM)
        with studio(self, "study.json") as server:
            for values, words in (({"nothing": 1}, "expected a variable of the study"),
                                  ({"spring_rate": "a"}, "expected a number"),
                                  ({"spring_rate": 0.5}, "expected the number of a level"),
                                  ({"spring_rate": 1e6}, "expected 0 to")):
                status, answer = server.ask("design", {"motion": "lift_and_place", "values": values})
                self.assertEqual(status, 422)
                self.assertIn(words, answer["error"])
            for question in ({}, {"motion": "dance", "values": {}}, {"motion": "lift_and_place"},
                             {"motion": "lift_and_place", "values": []}):
                self.assertEqual(server.ask("design", question)[0], 422)
            status, answer = server.ask("design", {"motion": "lift_and_place", "values": {"upper_mass": -1}})
            self.assertEqual(status, 200)
            self.assertIn("mass", answer["refused"])

    def test_loads_alone_are_those_of_the_scene(self):
        self.copy_example(CHARMIE)
        with studio(self, "robust.json") as server:
            for values in ({}, {"anchor_height": 0.5}, {"lift_spring": 3, "lean_mount_y": -0.09}):
                question = {"motion": "reach", "values": values}
                drawn = server.ask("design", question)[1]
                alone = server.ask("design", {**question, "scene": False})[1]
                some = server.ask("design", {**question, "scene": False, "actuators": ["lift"]})[1]
                run = drawn["design"]["run"]
                series = {(one["element"], one["quantity"]): one["values"] for one in run["series"]}
                self.assertEqual(alone["times"], run["times"])
                self.assertGreater(len(alone["loads"]), 10)
                for actuator, column in alone["loads"].items():
                    self.assertEqual(column, series[actuator, "load"])
                    self.assertEqual(alone["bare_loads"][actuator], series[actuator, "bare_load"])
                self.assertEqual(some["loads"], {"lift": alone["loads"]["lift"]})
                for key in ("metrics", "bare", "verdict", "command"):
                    self.assertEqual(alone[key], drawn[key])
                found = [one for one in drawn["findings"] if one["kind"] in ("limit", "warning")]
                self.assertEqual([one for one in alone["findings"] if one in found], found)

    def test_a_model_alone_is_shown_in_the_motions_beside_it(self):
        self.copy_example(CHARMIE)
        with studio(self, "model.json") as server:
            data = server.ask("open", {"file": "model.json"})[1]
            self.assertEqual(data["kind"], "model")
            self.assertEqual({one["of"] for one in data["sliders"]}, {"parameter"})
            names = [one["name"] for one in data["motions"]]
            self.assertIn("motion_squat", names)
            height = next(one["begin"] for one in data["sliders"] if one["name"] == "slider_height") * 1.01
            answer = server.ask("design", {"motion": "motion_squat", "values": {"slider_height": height}})[1]
            rows = self.simulated(answer["command"])
            self.assertIn(f"--set slider_height={height}", answer["command"])
            self.assertTrue(answer["metrics"])
            for metrics in answer["metrics"]:
                loads = [abs(float(row[metrics["actuator"] + ".load"])) for row in rows]
                self.assertAlmostEqual(metrics["max"], max(loads), delta=1e-9 * max(loads))
    def filled(self, server, question):
        """The cells of a whole map, by their columns and rows, and the numbers of these."""
        count, cells = question["columns"] * question["rows"], []
        while len(cells) < count:
            status, answer = server.ask("map", {"values": {}, **question, "cells": list(range(len(cells), count))})
            self.assertEqual(status, 200, answer)
            self.assertGreater(len(answer["cells"]), 0)
            cells += answer["cells"]
        self.assertEqual(len(cells), count)
        return {(i % question["columns"], i // question["columns"]): cell for i, cell in enumerate(cells)}, answer

    def test_a_variant_of_a_study_is_opened_as_a_study(self):
        self.copy_example(EXAMPLES / "ways")
        self.run_program("run", "ways.json", "-o", "all")
        with studio(self, "ways.json") as server:
            opens = {one["opens"]: one["name"] for one in server.ask("files", {})[1]["files"] if one["kind"] == "study"}
            self.assertEqual(opens, dict.fromkeys([f"ways.json#{way}" for way in ("spring", "cable", "counterweight")], "ways.json"))
            self.assertEqual(server.ask("open", {"file": "ways.json"})[1]["file"], "ways.json#spring")
            for way in ("spring", "cable", "counterweight"):
                data = server.ask("open", {"file": f"ways.json#{way}"})[1]
                self.assertEqual((data["file"], data["results"]), (f"ways.json#{way}", f"ways_{way}.db"))
                best = self.run_json("show", f"all/{way}.db", "best", "--json")
                values = server.ask("case", {"of": data["of"], "results": f"all/{way}.db", "case": "best"})[1]["values"]
                design = server.ask("design", {"of": data["of"], "motion": data["motions"][0]["name"], "values": values})[1]
                self.assertEqual(design["verdict"]["objectives"][0]["value"], best["objectives"]["peak"])
                self.assertEqual(design["command"], "")  # simulate knows no variants
            self.assertEqual(server.ask("open", {"file": "ways.json#none"})[0], 422)
            self.assertEqual(server.job("run", "ways.json#cable", "-o", "ways_cable.db")["code"], 0)
            compared = server.job("compare", "ways_cable.db", "all/spring.db", "-o", "ways.html")
            self.assertEqual(compared["code"], 0)
            self.assertEqual(compared["text"], self.run_program("compare", "ways_cable.db", "all/spring.db").stdout)
            self.assertIn("is a folder", server.ask("start", {"words": ["compare", "all"]})[1]["error"])
        self.assertEqual(self.cases("ways_cable.db"), self.cases("all/cable.db"))

    def test_a_map_is_the_grid_of_a_run(self):
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "grid.db")
        rows = {(row["spring_rate"], row["post_height"], row["mount_radius"]): row for row in self.cases("grid.db")}
        document = json.loads((self.folder / "study.json").read_text("utf-8"))
        for variable in document["variables"].values():
            del variable["count"]
        document["sampling"] = {"method": "sobol", "count": 1, "seed": 1}
        self.write("ranges.json", document)
        rate = 1000
        for study, values in (("study.json", {"spring_rate": 2}), ("ranges.json", {"spring_rate": rate})):
            with self.subTest(study), studio(self, study) as server:
                cells, answer = self.filled(server, {
                    "motion": "lift_and_place", "values": values, "across": "mount_radius", "up": "post_height",
                    "columns": 8, "rows": 8})
                self.assertEqual((answer["objective"], answer["unit"]), ("shoulder_peak", "N*m"))
                found = set()
                for (column, row), cell in cells.items():
                    of_run = rows[rate, answer["up"][row], answer["across"][column]]
                    self.assertEqual(cell["value"], of_run["shoulder_peak"])
                    self.assertEqual(cell.get("reason", ""), of_run["reason"])
                    found.add(of_run["status"])
                self.assertEqual(found, {"feasible", "infeasible"})

    def sized_study(self, **more):
        """CHARMIE's best springs for mounts that are searched over, for the lift alone."""
        self.copy_example(CHARMIE, "best.json", search={
            "method": "exact-springs", "algorithm": ["GN_CRS2_LM"], "starts": 1, "max_evaluations": 60, "seed": 1},
            objectives=[{"name": "lift_peak", "minimize": "max", "of": ["lift"]},
                        {"name": "lift_mean", "minimize": "mean", "of": ["lift"]}], **more)
        self.run_program("run", "study.json", "-o", "best.db")
        return self.cases("best.db")

    def test_a_map_of_the_best_springs_is_what_a_search_finds(self):
        rows = self.sized_study(constraints=[{"name": "peak", "expression": "lift.max", "max": 20}])
        document = json.loads((self.folder / "study.json").read_text("utf-8"))
        feasible = [row for row in rows if row["status"] == "feasible"][:3]
        infeasible = [row for row in rows if row["status"] == "infeasible"][:3]
        self.assertEqual((len(feasible), len(infeasible)), (3, 3))
        for pair in zip(feasible, infeasible):  # at two corners of a map whose ends are theirs
            for name in ("crank_spring_radius", "anchor_height"):
                document["variables"][name] = {"range": sorted(row[name] for row in pair)}
            self.write("corners.json", document)
            with studio(self, "corners.json") as server:
                for row in pair:
                    cells, answer = self.filled(server, {
                        "motion": "squat", "values": {"lean_mount_y": row["lean_mount_y"]}, "size": True,
                        "across": "crank_spring_radius", "up": "anchor_height", "columns": 2, "rows": 2})
                    cell = cells[answer["across"].index(row["crank_spring_radius"]),
                                 answer["up"].index(row["anchor_height"])]
                    if row["status"] == "infeasible":
                        self.assertEqual((cell["value"], cell["reason"]), (None, row["reason"]))
                        continue
                    slight = 1e-9 * row["lift_peak"]  # what settling ties may give up
                    self.assertAlmostEqual(cell["value"], row["lift_peak"], delta=slight)
                    self.assertAlmostEqual(cell["bound"], row["lift_peak"], delta=slight)

    def test_the_proof_is_that_of_show(self):
        self.sized_study()
        optimum = self.run_json("show", "best.db", "best", "--json")["explanation"]["optimum"]
        with studio(self, "best.db") as server:
            answer = server.ask("design", {"motion": "squat", "values": {}, "size": True})[1]
            own = answer["optimum"]
            self.assertEqual((own["objective"], own["unit"], own["prices_unknown"]), ("lift_peak", "N", ""))
            self.assertAlmostEqual(own["bound"], optimum["bound"], delta=1e-9 * optimum["bound"])
            self.assertEqual(len(own["priced"]), len(optimum["limits"]))
            self.assertGreater(len(own["priced"]), 0)
            for price, limit in zip(own["priced"], optimum["limits"]):
                self.assertTrue(limit["name"].startswith(price["name"]))
                self.assertEqual([price[key] for key in ("loosened_by", "step", "unit")],
                                 [limit[key] for key in ("loosened_by", "step", "unit")])
                gain = limit["shadow_price"]["lift_peak"]
                self.assertAlmostEqual(price["gains"][0]["less"], gain, delta=1e-6 * gain)
            self.assertNotIn("optimum", server.ask("design", {"motion": "squat", "values": {}})[1])

    def test_a_map_that_cannot_be_is_said(self):
        self.copy_example(CHARMIE, "best.json")
        good = {"motion": "squat", "values": {}, "across": "anchor_height", "up": "lean_mount_y",
                "columns": 3, "rows": 3, "cells": [0]}
        wrong = (({"across": "nothing"}, "expected a variable of the study"), ({"up": None}, "name of a variable"),
                 ({"up": "slider_height"}, "expected a variable of the study"), ({"up": "anchor_height"}, "the same"),
                 ({"columns": 1}, "from 2 to 100"), ({"rows": 101}, "from 2 to 100"), ({"rows": 2.5}, "whole number"),
                 ({"columns": -3}, "whole number"), ({"rows": None}, "whole number"), ({"cells": [9]}, "below 9"),
                 ({"cells": [-1]}, "below 9"), ({"cells": ["a"]}, "below 9"), ({"cells": [0.5]}, "below 9"),
                 ({"cells": []}, "1 to 1000"), ({"cells": {}}, "1 to 1000"), ({"cells": [0] * 1001}, "1 to 1000"),
                 ({"size": True, "up": "lift_rate"}, "is sized"), ({"values": []}, "object of values"),
                 ({"motion": "dance"}, "no motion"))
        with studio(self, "study.json") as server:
            self.assertEqual(len(server.ask("map", good)[1]["cells"]), 1)
            for change, words in wrong:
                with self.subTest(change):
                    status, answer = server.ask("map", {**good, **change})
                    self.assertEqual(status, 422)
                    self.assertIn(words, answer["error"])
            status, answer = server.ask("map", {**good, "values": {"slider_height": 0.5}})
            self.assertEqual(status, 200)
            self.assertIn("put them back", answer["refused"])
        with studio(self, "robust.json") as server:
            for change, words in (({"up": "lift_spring"}, "that is a number"), ({"size": True}, "no exact springs")):
                status, answer = server.ask("map", {**good, **change})
                self.assertEqual(status, 422)
                self.assertIn(words, answer["error"])
        self.copy_example(TWO_LINK_ARM)
        with studio(self, "study.json") as server:
            status, answer = server.ask("map", {**good, "motion": "lift_and_place", "across": "post_height", "up": "spring_rate"})
            self.assertEqual(status, 422)
            self.assertIn("the 8 levels of post_height", answer["error"])

    def test_wrong_arguments(self):
        self.copy_example(CHARMIE)
        self.write("scrap.json", "{")
        (self.folder / "empty").mkdir()
        (self.folder / "alone").mkdir()
        (self.folder / "alone" / "model.json").write_bytes((self.folder / "model.json").read_bytes())
        for arguments, words in ((("none.json",), "none.json"), (("scrap.json",), "scrap.json:1"),
                                 (("drives_mounted.json",), 'leave out "mounted_on"'),
                                 (("nowhere/study.json",), "is no folder"),
                                 (("empty",), "counterpoise new arm"),
                                 (("alone/model.json",), "found no motion for this model"),
                                 (("robust.json", "--case", "3"), "goes with a results file")):
            said = self.run_program("studio", *arguments, "--no-browser", code=BAD_INPUT)
            self.assertIn(words, said.stderr)


class Hostile(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM)
        self.question = json.dumps({"of": 1, "motion": "lift_and_place", "values": {}})

    def test_only_the_own_page_is_let_in(self):
        with studio(self, "study.json") as server:
            own = f"127.0.0.1:{server.port}"
            good = {**server.head, "Host": own, "Origin": f"http://{own}"}
            self.assertEqual(server.request("POST", "/api/design", self.question, good)[0], 200)
            self.assertEqual(server.request("GET", f"/?token={server.token}", head={})[0], 200)
            wrong = [{"Host": "evil.example"}, {"Host": f"evil.example:{server.port}"}, {"Host": "127.0.0.1"},
                     {"Host": f"127.0.0.1.evil.example:{server.port}"}, {"Origin": "http://evil.example"},
                     {"Origin": "null"}, {"Origin": f"https://{own}"}, {"Sec-Fetch-Site": "cross-site"},
                     {"Sec-Fetch-Site": "same-site"}, {"X-Counterpoise-Token": ""},
                     {"X-Counterpoise-Token": "0" * 32}, {"X-Counterpoise-Token": server.token[:-1]},
                     {"X-Counterpoise-Token": server.token + "0"}]
            for head in wrong:
                with self.subTest(head):
                    status, text = server.request("POST", "/api/design", self.question, {**good, **head})
                    self.assertEqual(status, 403)
                    self.assertNotIn("metrics", text)
            self.assertEqual(server.request("POST", "/api/design", self.question,
                                            {**good, "Content-Type": "text/plain"})[0], 415)
            for path in ("/", "/?token=", f"/?token={server.token[::-1]}", "/../../etc/passwd",
                         f"/model.json?token={server.token}", f"/..%2f..%2fetc/passwd?token={server.token}",
                         f"//etc/passwd?token={server.token}", f"/api/design?token={server.token}"):
                with self.subTest(path):
                    status, text = server.request("GET", path, head={"Host": own})
                    self.assertIn(status, (403, 404))
                    self.assertNotIn("root:", text)
            for method in ("PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "PATCH"):
                self.assertNotEqual(server.request(method, "/api/design", self.question, good)[0], 200)
            for path in ("/api/", "/api/run", "/api/../api/design", "/api/design/"):
                self.assertEqual(server.request("POST", path, self.question, good)[0], 404)

    def test_only_the_loopback_interface_listens(self):
        with studio(self, "study.json") as server:
            port = f"{server.port:04X}"
            listening = []
            for file in ("/proc/net/tcp", "/proc/net/tcp6"):
                if not os.path.exists(file):
                    continue
                with open(file, encoding="ascii") as table:
                    rows = [line.split() for line in table][1:]
                listening += [row[1] for row in rows if row[1].endswith(":" + port) and row[3] == "0A"]
            loopback = {"0100007F:" + port, "00000000000000000000000001000000:" + port}
            self.assertIn("0100007F:" + port, listening)
            self.assertEqual(set(listening) - loopback, set())

    def test_what_is_no_request_is_refused_and_the_next_is_answered(self):
        with studio(self, "study.json") as server:
            own = f"127.0.0.1:{server.port}"
            head = f"POST /api/design HTTP/1.1\r\nHost: {own}\r\nContent-Type: application/json\r\n" \
                   f"X-Counterpoise-Token: {server.token}\r\n"
            texts = [b"", b"\r\n\r\n", b"\0" * 100, b"GET", b"GET / HTTP/9.9\r\n\r\n", b"A" * 20_000,
                     f"{head}Content-Length: 1000000000\r\n\r\n".encode() + b"{" * 1000,
                     f"{head}Content-Length: -1\r\n\r\n{{}}".encode(),
                     f"{head}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n".encode(),
                     f"{head}X-Long: {'x' * 9000}\r\nContent-Length: 2\r\n\r\n{{}}".encode(),
                     f"{head}Content-Length: 5\r\n\r\n[[[[[".encode()]
            for text in texts:
                with self.subTest(text[-60:]), socket.create_connection(("127.0.0.1", server.port)) as sock:
                    said = b""
                    with contextlib.suppress(OSError):  # it does not read to the end of all of them
                        sock.sendall(text)
                        sock.shutdown(socket.SHUT_WR)
                        while part := sock.recv(65536):
                            said += part
                    self.assertNotIn(b"HTTP/1.1 200", said)
            for body in ("", "{", "null", "[]", "1e999", "[" * 100_000, "{" * 17, '{"a":' * 17, "\0", "\xff"):
                self.assertEqual(server.request("POST", "/api/design", body.encode("latin1"))[0], 400, body[:20])
            self.assertEqual(server.request("POST", "/api/design", self.question)[0], 200)

    def test_connections_that_say_nothing_hinder_nobody(self):
        with studio(self, "study.json") as server:
            silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(200)]
            for sock in silent[::2]:
                sock.sendall(b"POST /api/design HTTP/1.1\r\nHost: ")
            self.assertEqual(server.request("POST", "/api/design", self.question)[0], 200)
            more = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(200)]
            for sock in silent + more:
                sock.close()
            for _ in range(100_000):  # until the server has seen that they are gone
                with contextlib.suppress(OSError, http.client.HTTPException):
                    if server.request("POST", "/api/design", self.question)[0] == 200:
                        break
            else:
                self.fail("the studio does not answer any more")

    def test_many_events_leave_the_memory_as_it_was(self):
        with studio(self, "study.json") as server:
            random.seed(1)
            def move():
                values = {"spring_rate": random.randrange(3), "post_height": random.randrange(3)}
                self.assertEqual(server.ask("design", {"motion": "lift_and_place", "values": values})[0], 200)
                cells = [random.randrange(64) for _ in range(8)]
                self.assertEqual(server.ask("map", {
                    "motion": "lift_and_place", "values": {"spring_rate": 2}, "across": "mount_radius",
                    "up": "post_height", "columns": 8, "rows": 8, "cells": cells})[0], 200)
            for _ in range(200):
                move()
            before = server.resident()
            for _ in range(trials(10_000)):
                move()
            if not SANITIZED:  # which keeps what is freed
                self.assertLess(server.resident() - before, 8 << 20)

    def test_nothing_is_written(self):
        before = self.contents()
        with studio(self, "study.json") as server:
            server.request("POST", "/api/design", self.question)
        self.assertEqual(self.contents(), before)


if __name__ == "__main__":
    unittest.main()
