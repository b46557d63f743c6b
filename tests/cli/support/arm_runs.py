"""Runs of the program on an arm whose model, motion and study a test writes: loads of simulate, cases of run."""

import csv

from program import BAD_INPUT, ScratchFolder


class ArmRuns(ScratchFolder):
    """A test of the files MODEL and MOTION, which a subclass names, unless others are given."""

    MODEL = None
    MOTION = None

    def files(self, model=None, motion=None, **study):
        """Writes model and motion, and with keys of a study also a study of the shoulder's largest load."""
        self.write("model.json", model or self.MODEL)
        self.write("motion.json", motion or self.MOTION)
        if study:
            self.write("study.json", {"format": "counterpoise-study/1", "model": "model.json",
                                      "motions": {"m": "motion.json"},
                                      "objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder"]}], **study})

    def simulated(self, *arguments):
        """The rows that simulate prints, as numbers by the names of columns."""
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", *arguments)
        return [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]

    def refused(self, *arguments, code=BAD_INPUT):
        """What the program says where it prints no answer and writes nothing."""
        before = self.contents()
        said = self.run_program(*arguments, code=code)
        self.assertEqual(said.stdout, "")
        self.assertEqual(self.contents(), before)
        return said.stderr

    def run_cases(self, *arguments):
        """The cases of the study, run anew."""
        (self.folder / "out.db").unlink(missing_ok=True)
        self.run_program("run", "study.json", "-o", "out.db", *arguments)
        return self.cases("out.db")
