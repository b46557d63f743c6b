#!/usr/bin/env python3
"""Studies of poses at rest: which poses there are, loads in each of them, what a study of them says,
and what is refused."""

import csv
import itertools
import json
import math
import re
import unittest

from program import BAD_INPUT, INFEASIBLE, TWO_LINK_ARM, ScratchFolder

AXES = {"shoulder": {"range": [-30, 45], "count": 4, "unit": "deg"}, "elbow": {"values": [0.1, 0.5, 1.2]}}


def snake(*axes):
    """All combinations; the last axis moves in every pose, forward and backward in turn."""
    if not axes:
        return [()]
    rest = snake(*axes[1:])
    return [(level, *pose) for i, level in enumerate(axes[0]) for pose in (rest[::-1] if i % 2 else rest)]


class Posed(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM)
        self.model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))

    def motion(self, poses, **more):
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": poses, **more})
        return "poses.json"

    def simulated(self, poses):
        said = self.run_program("simulate", "model.json", "--motion", self.motion(poses))
        return [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]

    def study(self, poses=None, **changes):
        study = json.loads((TWO_LINK_ARM / "study.json").read_text("utf-8"))
        study["motions"] = {"poses": {"poses": AXES if poses is None else poses}}
        self.write("study.json", {**study, **changes})


class Poses(Posed):
    def expected(self):
        shoulder = [math.radians(-30 + 25 * i) for i in range(4)]
        return snake(shoulder, AXES["elbow"]["values"])

    def test_loads_in_all_combinations(self):
        rows = self.simulated(AXES)
        self.assertEqual(len(rows), 12)
        for row, (shoulder, elbow) in zip(rows, self.expected(), strict=True):
            self.assertAlmostEqual(row["shoulder.position"], shoulder, delta=1e-15)
            self.assertAlmostEqual(row["elbow.position"], elbow, delta=1e-15)
            self.assertEqual(row["shoulder.velocity"], 0)
            held = {"shoulder": {"type": "hold", "value": shoulder}, "elbow": {"type": "hold", "value": elbow}}
            self.write("one.json", {"format": "counterpoise-motion/1", "duration": 1, "step": 1, "coordinates": held})
            said = self.run_program("simulate", "model.json", "--motion", "one.json").stdout
            alone = next(csv.DictReader(said.splitlines()))
            for actuator in ("shoulder", "elbow"):
                self.assertAlmostEqual(row[f"{actuator}.load"], float(alone[f"{actuator}.load"]), delta=1e-12)

    def test_samples_fill_the_ranges_and_follow_each_other(self):
        rows = self.simulated({"sobol": 256, "ranges": {
            "shoulder": {"range": [-30, 45], "unit": "deg"}, "elbow": {"range": [0, 1.2]}}})
        self.assertEqual(len(rows), 256)
        low, high = math.radians(-30), math.radians(45)
        shares = [((row["shoulder.position"] - low) / (high - low), row["elbow.position"] / 1.2) for row in rows]
        # each cell of a grid of 16 x 16 has one of the first 256 points
        self.assertEqual(len({(int(16 * a + 1e-9), int(16 * b + 1e-9)) for a, b in shares}), 256)
        steps = sorted(math.dist(a, b) for a, b in itertools.pairwise(shares))
        self.assertLess(steps[-1], 0.3)
        self.assertLess(steps[len(steps) // 2], 0.1)

    def test_rows_of_a_file(self):
        self.write("rows.csv", "q1 [deg],q2 [rad],note\n10,0.3,a\n-20,0.5,b\n0,0,c\n")
        rows = self.simulated({"file": "rows.csv", "columns": {"shoulder": "q1", "elbow": "q2"}})
        found = [(round(math.degrees(row["shoulder.position"]), 9), row["elbow.position"]) for row in rows]
        self.assertEqual(found, [(10, 0.3), (-20, 0.5), (0, 0)])

    def test_check_says_how_many_and_which(self):
        said = self.run_program("check", "model.json", self.motion(AXES)).stdout
        self.assertIn("12 poses at rest in motion poses: all combinations of 4 x 3 positions of shoulder, elbow\n", said)
        found = self.run_json("check", self.motion({"sobol": 64, "ranges": {"shoulder": {"range": [0, 1]}}}), "--json")
        self.assertIn("samples of a Sobol sequence in the ranges of shoulder", json.dumps(found))
        self.assertIn('"poses": 64', json.dumps(found))

    def test_a_study_of_poses(self):
        self.study()
        self.run_program("run", "study.json", "-o", "poses.db")
        best = self.run_json("rank", "poses.db", "--top", "1", "--json")[0]
        self.run_program("apply", "poses.db", best["case"], "-o", "model.json")
        loads = [abs(row["shoulder.load"]) for row in self.simulated(AXES)]
        self.assertAlmostEqual(best["shoulder_peak"], max(loads), delta=1e-12)
        self.assertAlmostEqual(best["shoulder_mean"], sum(loads) / len(loads), delta=1e-12)

    def searched(self, **changes):
        self.study(**changes)
        study = json.loads((self.folder / "study.json").read_text("utf-8"))
        del study["sampling"]
        self.write("study.json", study)

    def best_of_grid(self, **variables):
        self.study(variables=variables)
        self.run_program("run", "study.json", "-o", "grid.db", "--force")
        return self.run_json("rank", "grid.db", "--top", "1", "--json")[0]["shoulder_peak"]

    def test_exact_springs_over_poses(self):
        self.searched(variables={"spring_rate": {"range": [500, 2500], "unit": "N/m"}},
                      search={"method": "exact-springs"})
        self.run_program("run", "study.json", "-o", "exact.db")
        best = self.run_json("rank", "exact.db", "--top", "1", "--json")[0]["shoulder_peak"]
        self.run_program("verify", "exact.db")
        grid = self.best_of_grid(spring_rate={"range": [500, 2500], "unit": "N/m", "count": 2001})
        self.assertLessEqual(best, grid * (1 + 1e-12))
        self.assertAlmostEqual(best, grid, delta=0.01)

    def test_best_mounts_over_poses(self):
        mounts = {"post_height": {"range": [0.14, 0.28]}, "mount_radius": {"range": [0.03, 0.1]}}
        self.searched(variables={"spring_rate": {"range": [500, 2500], "unit": "N/m"}, **mounts},
                      search={"method": "exact-springs", "geometry": "prove", "gap": 1e-3},
                      objectives=[{"name": "shoulder_peak", "minimize": "max", "of": ["shoulder"]}])
        said = self.run_program("run", "study.json", "-o", "mounts.db").stdout
        bound = float(re.search(r"at any mounts .*do better than ([0-9.]+);", said).group(1))
        best = self.run_json("rank", "mounts.db", "--top", "1", "--json")[0]["shoulder_peak"]
        self.run_program("verify", "mounts.db")
        grid = self.best_of_grid(
            spring_rate={"range": [500, 2500], "unit": "N/m", "count": 21},
            **{name: {**mount, "count": 21} for name, mount in mounts.items()})
        self.assertLessEqual(bound, best)
        self.assertLessEqual(bound, grid)
        self.assertLessEqual(best, bound + 1.1e-3 * grid)

    def test_the_same_bits_for_threads_and_shards(self):
        self.study()
        for name, options in (("one", ("--threads", 1)), ("two", ("--threads", 2)),
                              ("a", ("--shard", "1/2")), ("b", ("--shard", "2/2"))):
            self.run_program("run", "study.json", "-o", f"{name}.db", *options)
        self.run_program("merge", "a.db", "b.db", "-o", "merged.db")
        for name in ("one", "two", "merged"):
            self.run_program("export", f"{name}.db", "-o", f"{name}.csv")
        one, two, merged = ((self.folder / f"{name}.csv").read_text("utf-8") for name in ("one", "two", "merged"))
        self.assertEqual(one, two)
        self.assertEqual(one, merged)

    def test_motions_of_poses_weigh_by_their_numbers_of_poses(self):
        few = {"shoulder": {"values": [0.2, 0.7]}, "elbow": {"values": [0.3]}}
        self.motion(few)
        self.study(motions={"many": {"poses": AXES}, "few": {"file": "poses.json", "weight": 3}},
                   variables={"spring_rate": {"values": [1.5], "unit": "N/mm"}})
        self.run_program("run", "study.json", "-o", "two.db")
        mean = self.run_json("rank", "two.db", "--top", "1", "--json")[0]["shoulder_mean"]
        sums = [sum(abs(row["shoulder.load"]) for row in self.simulated(poses)) for poses in (AXES, few)]
        self.assertAlmostEqual(mean, (sums[0] + 3 * sums[1]) / (12 + 3 * 2), delta=1e-12)

    def test_cycles_of_springs_are_not_counted(self):
        self.study()
        self.run_program("run", "study.json", "-o", "poses.db")
        said = self.run_program("show", "poses.db", "best", "--bill").stdout
        self.assertIn("cycles                   unknown, as poses at rest have no order in time\n", said)

    def test_a_limit_names_the_pose(self):
        self.model["springs"][0]["max_length"] = 0.1001
        self.write("model.json", self.model)
        self.study()
        self.run_program("run", "study.json", "-o", "none.db", code=INFEASIBLE)
        reason = self.run_json("show", "none.db", 1, "--json")["reason"]
        self.assertRegex(reason, r"spring spring longer than max_length in pose \d+ of 12: "
                                 r"shoulder -?[0-9.]+ rad, elbow [0-9.]+ rad \([0-9.]+ m against 0.1001 m\)")
        degrees = self.run_program("show", "none.db", 1, "--display", "deg").stdout
        self.assertRegex(degrees, r"in pose \d+ of 12: shoulder -?[0-9.]+ deg, elbow [0-9.]+ deg")


class Mistakes(Posed):
    def refused(self, poses, place, words, **more):
        said = self.run_program("simulate", "model.json", "--motion", self.motion(poses, **more),
                                code=BAD_INPUT).stderr
        self.assertIn("poses.json:", said)
        self.assertIn(f": {place}: ", said)
        self.assertIn(words, said)

    def test_wrong_poses(self):
        one = {"range": [0, 1], "count": 3}
        for poses, place, words in (
                ({}, "/poses", "at least one coordinate"),
                ([], "/poses", "an object: poses"),
                (3, "/poses", "an object: poses"),
                ({"shuolder": one}, "/poses/shuolder", 'did you mean "shoulder"?'),
                ({"shoulder": 1}, "/poses/shoulder", "an axis of poses"),
                ({"shoulder": {"range": [0, 1]}}, "/poses/shoulder", "count"),
                ({"shoulder": {"count": 3}}, "/poses/shoulder", "range"),
                ({"shoulder": {"range": [0, 1], "count": 1}}, "/poses/shoulder/count", "2 to 10000000"),
                ({"shoulder": {"range": [0, 1], "count": 2.5}}, "/poses/shoulder/count", "how many positions"),
                ({"shoulder": {"range": [1, 0], "count": 3}}, "/poses/shoulder", "the lower end first"),
                ({"shoulder": {"range": [1, 1], "count": 3}}, "/poses/shoulder", "the lower end first"),
                ({"shoulder": {"range": [0, 1, 2], "count": 3}}, "/poses/shoulder/range", "a range [from, to]"),
                ({"shoulder": {"range": 1, "count": 3}}, "/poses/shoulder/range", "a range [from, to]"),
                ({"shoulder": {"range": ["x", 1], "count": 3}}, "/poses/shoulder/range/0", "x"),
                ({"shoulder": {"range": ["1 mm", 1], "count": 3}}, "/poses/shoulder/range/0", "mm"),
                ({"shoulder": {**one, "unit": "mm"}}, "/poses/shoulder/unit", "mm"),
                ({"shoulder": {**one, "unit": "degree"}}, "/poses/shoulder/unit", "degree"),
                ({"shoulder": {**one, "unit": "deg", "range": ["1 rad", 2]}}, "/poses/shoulder/range/0", "rad"),
                ({"shoulder": {**one, "step": 1}}, "/poses/shoulder/step", "step"),
                ({"shoulder": {"values": []}}, "/poses/shoulder/values", "at least one position"),
                ({"shoulder": {"values": 1}}, "/poses/shoulder/values", "an array of positions"),
                ({"shoulder": {"values": [1, None]}}, "/poses/shoulder/values/1", "null"),
                ({"shoulder": {"values": [1], "count": 3}}, "/poses/shoulder/count", 'does not go with "values"'),
                ({"shoulder": {"values": [1], "range": [0, 1]}}, "/poses/shoulder/range", 'does not go with "values"'),
                ({"shoulder": {"range": [0, 1], "count": 10000}, "elbow": {"range": [0, 1], "count": 10000}},
                 "/poses", "expected at most 10000000"),
                ({"shoulder": one, "upper_arm": one}, "/poses/upper_arm", "is the joint of another coordinate"),
                ({"sobol": 0, "ranges": {"shoulder": {"range": [0, 1]}}}, "/poses/sobol", "1 to 10000000"),
                ({"sobol": 1e9, "ranges": {"shoulder": {"range": [0, 1]}}}, "/poses/sobol", "1 to 10000000"),
                ({"sobol": "many", "ranges": {"shoulder": {"range": [0, 1]}}}, "/poses/sobol", "many"),
                ({"sobol": 8}, "/poses", "ranges"),
                ({"sobol": 8, "ranges": {}}, "/poses/ranges", "at least one coordinate"),
                ({"sobol": 8, "ranges": {"shoulder": [0, 1]}}, "/poses/ranges/shoulder", "a range of positions"),
                ({"sobol": 8, "ranges": {"shoulder": one}}, "/poses/ranges/shoulder/count", "count"),
                ({"sobol": 8, "ranges": {"shoulder": {"range": [2, 1]}}}, "/poses/ranges/shoulder", "the lower end first"),
                ({"sobol": 8, "ranges": {"hand": {"range": [0, 1]}}}, "/poses/ranges/hand", "an actuator or a joint"),
                ({"file": "none.csv", "columns": {"shoulder": "q1"}}, "/poses/file", "none.csv"),
                ({"file": 3, "columns": {"shoulder": "q1"}}, "/poses/file", "a CSV file"),
                ({"file": "rows.csv"}, "/poses", "columns"),
                ({"file": "rows.csv", "columns": {}}, "/poses/columns", "at least one coordinate"),
                ({"file": "rows.csv", "columns": {"shoulder": "q2"}}, "/poses/columns/shoulder", 'did you mean "q1"?'),
                ({"file": "rows.csv", "columns": {"shoulder": 1}}, "/poses/columns/shoulder", "the name of a column"),
                ({"file": "empty.csv", "columns": {"shoulder": "q1"}}, "/poses/file", "0 rows")):
            with self.subTest(poses):
                self.write("rows.csv", "q1\n1\n")
                self.write("empty.csv", "q1\n")
                self.refused(poses, place, words)

    def test_keys_of_time_do_not_go_with_poses(self):
        for key, value in (("duration", 1), ("step", 1), ("inertia", True), ("coordinates", {})):
            with self.subTest(key):
                self.refused(AXES, f"/{key}", 'does not go with "poses"', **{key: value})

    def test_a_unit_of_a_column_that_does_not_fit(self):
        self.write("rows.csv", "q1 [mm]\n1\n")
        motion = self.motion({"file": "rows.csv", "columns": {"shoulder": "q1"}})
        said = self.run_program("simulate", "model.json", "--motion", motion, code=BAD_INPUT).stderr
        self.assertIn("rows.csv:1:1: ", said)

    def test_goals_that_say_nothing_of_poses(self):
        for statistic in ("energy", "peak_power"):
            self.study(objectives=[{"name": "goal", "minimize": statistic, "of": ["shoulder"]}])
            said = self.run_program("check", "study.json", code=BAD_INPUT).stderr
            self.assertIn(f"/objectives/0: found {statistic}, which is 0 in poses", said)
            self.study(constraints=[{"name": "limit", "expression": f"2*elbow.{statistic}", "max": 1}])
            said = self.run_program("check", "study.json", code=BAD_INPUT).stderr
            self.assertIn(f"/constraints/0/expression: found {statistic}, which is 0 in poses", said)
        self.study(motions={"poses": {"poses": AXES}, "move": "motion.json"})
        said = self.run_program("check", "study.json", code=BAD_INPUT).stderr
        self.assertIn("/objectives/1: found mean, which has no meaning over poses at rest and motions in time", said)
        self.study(motions={"poses": {"poses": AXES}, "move": "motion.json"},
                   objectives=[{"name": "peak", "minimize": "max", "of": ["shoulder"]}])
        self.run_program("check", "study.json")

    def test_a_fall_does_not_begin_in_poses(self):
        scenario = json.loads((TWO_LINK_ARM / "power_loss.json").read_text("utf-8"))
        scenario["start"] = {"motion": self.motion(AXES), "time": 0}
        self.write("fall.json", scenario)
        said = self.run_program("check", "model.json", "fall.json", code=BAD_INPUT).stderr
        self.assertIn("a motion in time, not poses", said)


if __name__ == "__main__":
    unittest.main()
