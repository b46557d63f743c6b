#!/usr/bin/env python3
"""What is said of random arms, with mounts where they are or with any, against the best springs that an
oracle of its own finds at a grid of mounts."""

import itertools
import json
import sys
import unittest

import numpy

from planar_oracle import Sizing
from program import DONE, INFEASIBLE, ScratchFolder, trials
from random_arms import RandomArm

NEAR = 1e-7  # of two solvers
SURE = 1e-6  # a margin of limits that no solver's rounding decides
FIRST = 200  # from here also a hundred studies find what a thousand do
ROUNDING = 1e-15  # [m], of two ways to the same coordinates


class Oracle:
    """The best of a task at geometries that it is asked about."""

    def __init__(self, task):
        self.task = task
        names = list(task.choices)
        self.choices = [dict(zip(names, values))
                        for values in itertools.product(*task.choices.values())]
        self.best, self.at, self.values = numpy.inf, None, None
        self.widest = -numpy.inf  # margin of limits

    def look(self, points, margins=False):
        """The least objective at mounts, a row each; remembers the best of all."""
        found = numpy.inf
        mounts = dict(zip(self.task.mounts, numpy.asarray(points, float).T))
        for chosen in self.choices:
            sizing = Sizing(self.task, mounts, chosen)
            for at in range(sizing.count):
                if not sizing.clear[at]:
                    continue
                if margins:
                    self.widest = max(self.widest, sizing.margin(at))
                best = sizing.best(at)
                if best is None:
                    continue
                found = min(found, best[0])
                if best[0] < self.best:
                    (self.best, self.values), self.at = best, [float(x[at]) for x in mounts.values()]
        return found

    def grid(self, *others):
        """Looks at a grid of all mounts, at others, and at finer grids about the best."""
        box = whole = numpy.array(list(self.task.mounts.values()))
        each = 15 if len(box) == 1 else 6
        inside = [numpy.clip(other, *whole.T) for other in others]
        self.look([*itertools.product(*(numpy.linspace(*span, each) for span in box)), *inside])
        for _ in range(4):
            if self.at is None:
                return
            half = (box[:, 1] - box[:, 0]) / (each - 1)
            box = numpy.clip(numpy.array([self.at - half, self.at + half]).T, whole[:, :1],
                             whole[:, 1:])
            each = 7 if len(box) == 1 else 4
            self.look(list(itertools.product(*(numpy.linspace(*span, each) for span in box))))


class RandomClaims(ScratchFolder):
    def test_that_no_claim_is_beyond_a_design(self):
        self.counts = dict.fromkeys(("proved", "open", "infeasible", "bounded", "meeting", "proofs", "weights"), 0)
        count = trials(1000)
        for number in range(FIRST, FIRST + count):
            arm = RandomArm(number)
            files = arm.files()
            with self.subTest(number=number, files=json.dumps(files)):
                self.compare(arm, files)
        print(f"{count} studies, {self.counts['proofs']} over mounts: "
              f"{self.counts['proved']} proved, {self.counts['open']} open, "
              f"{self.counts['infeasible']} without a design; "
              f"{self.counts['bounded']} with bounds of computed parameters, "
              f"{self.counts['meeting']} with springs through zero length, "
              f"{self.counts['weights']} with counterweights", flush=True)
        self.assertGreater(self.counts["bounded"] + self.counts["meeting"], 0.3 * count)
        for kind in self.counts:
            self.assertGreater(self.counts[kind], 0, kind)

    def compare(self, arm, files):
        for name, content in files.items():
            self.write(name, content)
        process = self.start("run", "study.json", "--json", "--force", "--threads", "1", "-o", "r.db")
        output, messages = process.communicate()
        self.assertIn(process.returncode, (DONE, INFEASIBLE), messages)
        said = json.loads(output)["proof"]
        rows = [row for row in self.cases("r.db") if row["status"] == "feasible"]
        self.assertEqual(process.returncode == DONE, bool(rows))
        best = min(rows, key=lambda row: row["o"]) if rows else None
        verdicts = self.run_json("verify", "r.db", "--json")
        self.counts["proofs"] += arm.proves
        self.counts["bounded"] += arm.bounded
        self.counts["meeting"] += arm.meets
        self.counts["weights"] += bool(arm.weights)
        # what is allowed where springs may balance perfectly
        self.zero = 1e-8 * arm.task.without_springs()
        if best:
            values = {name: best[name] for name in (*arm.ranges, *arm.choices)}
            mounts = {name: numpy.array([best[name]]) for name in arm.mounts}
            value, broken = arm.task.objective(mounts, values)
            self.assertLessEqual(broken, 2, "limits of the best design")
            turn = ROUNDING / min([self.shortest(arm, spring, mounts)
                                   for spring in arm.springs if spring.ends], default=1)
            self.assert_near(value, best["o"], "the objective of the best design", NEAR + turn)
        if arm.proves:
            self.compare_mounts(arm, said["mounts"], best, verdicts)
        else:
            self.compare_springs(arm, said, best, verdicts)

    def shortest(self, arm, spring, mounts):
        """The shortest length at which a spring needs a direction."""
        length, _ = arm.arm.shape(spring, mounts)
        return max(length.min(), arm.arm.meeting(spring, mounts, length.max()).item())

    def assert_near(self, found, expected, words, near=NEAR):
        self.assertLessEqual(abs(found - expected), near * abs(expected) + self.zero,
                             f"{words}: {found} instead of {expected}")

    def compare_springs(self, arm, said, best, verdicts):
        oracle = Oracle(arm.task)
        oracle.look([[]], margins=True)
        if not best:
            self.counts["infeasible"] += 1
            self.assertEqual(verdicts, [])
            row, = self.cases("r.db")
            self.assertIn("spring", row["reason"])
            self.assertLess(oracle.widest, SURE, "springs that meet all limits")
            return
        self.assertGreater(oracle.widest, -SURE, "limits that no springs meet")
        if numpy.isfinite(oracle.best):
            self.assert_near(best["o"], oracle.best, "the best springs")
        self.assertLessEqual(said["bound"], best["o"] + self.zero)
        verdict, = verdicts
        self.assertEqual(said["proved"], verdict["proved"])
        self.assert_near(said["bound"], verdict["bound"], "the bound that verify finds", 1e-14)
        self.counts["proved" if said["proved"] else "open"] += 1
        self.assertTrue(said["proved"])

    def compare_mounts(self, arm, said, best, verdicts):
        verdict = verdicts[-1]
        self.assertTrue(verdict["mounts"])
        self.assertEqual((said["proved"], said["bound"], said["best"]),
                         (verdict["proved"], verdict["bound"], verdict["value"]))
        self.assertTrue(all(one["proved"] for one in verdicts[:-1]), verdicts)
        oracle = Oracle(arm.task)
        nominal = list(arm.at.values())
        others = [nominal]
        for part in said["parts"]:  # where the least is proved
            ranges = {one["variable"]: (one["low"] + one["high"]) / 2 for one in part["loosest"]}
            others.append([ranges.get(name, arm.at[name]) for name in arm.mounts])
        if best:
            others.append([best[name] for name in arm.mounts])
            here = oracle.look([others[-1]])
            if numpy.isfinite(here):
                self.assertLessEqual(best["o"], here * (1 + NEAR) + self.zero,
                                     f"springs at the best mounts: {oracle.values}")
        oracle.grid(*others)
        found = f"{oracle.best} at {oracle.at} with {oracle.values}"
        if said["bound"] is None:
            self.counts["infeasible"] += 1
            self.assertTrue(said["proved"])
            self.assertIsNone(best)
            if oracle.at is not None:
                oracle.look([oracle.at], margins=True)
                self.assertLess(oracle.widest, SURE, found)
            return
        self.counts["proved" if said["proved"] else "open"] += 1
        self.assertLessEqual(said["bound"], oracle.best * (1 + NEAR) + self.zero, found)
        if best:
            self.assert_near(said["best"], best["o"], "the best design")
            self.assertLessEqual(said["bound"], best["o"])
        if said["proved"]:
            gap = said["asked"]
            self.assertLessEqual(said["best"] - said["bound"], gap * (1 + 2e-6))
            self.assertLessEqual(said["best"], oracle.best * (1 + NEAR) + gap + self.zero, found)


if __name__ == "__main__":
    sys.exit(unittest.main())
