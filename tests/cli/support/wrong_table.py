"""What a row of a table of wrong inputs is, and how it is checked."""

import dataclasses

from arm_files import FILES
from program import BAD_INPUT, ScratchFolder

SIMULATE = ("simulate", "model.json", "--motion", "motion.json", "-o", "loads.csv")
RUN = ("run", "study.json", "-o", "results.db")
PLACE = "«"  # in a changed text: the place the message has to name


@dataclasses.dataclass
class Wrong:
    """One wrong input. `changes` are (file, old text, new text) of the right files; an old text of
    None replaces the whole file. `texts` have to be in the message."""

    what: str
    changes: list
    pointer: str | None
    texts: list
    command: tuple = SIMULATE
    code: int = BAD_INPUT


def wrong_model(what, old, new, pointer, *texts, **more):
    return Wrong(what, [("model.json", old, new)], pointer, list(texts), **more)


def wrong_motion(what, old, new, pointer, *texts, **more):
    return Wrong(what, [("motion.json", old, new)], pointer, list(texts), **more)


def wrong_study(what, old, new, pointer, *texts, **more):
    return Wrong(what, [("study.json", old, new)], pointer, list(texts), command=RUN, **more)


def wrong_command(what, *command, texts, code=BAD_INPUT):
    return Wrong(what, [], None, list(texts), command=command, code=code)


def changed_files(changes):
    """The right files with the changes made, and file:line:column of the marked place."""
    files, place = dict(FILES), None
    for name, old, new in changes:
        if old is not None and files[name].count(old) != 1:
            raise ValueError(f"{old} is {files[name].count(old)} times in {name}")
        text = new if old is None else files[name].replace(old, new)
        before, mark, after = text.partition(PLACE)
        if mark:
            line = before.count("\n") + 1
            place = f"{name}:{line}:{len(before) - before.rfind(chr(10))}"
        files[name] = before + after
    return files, place


class WrongTable(ScratchFolder):
    def check(self, wrong):
        files, place = changed_files(wrong.changes)
        for path in self.folder.iterdir():
            path.unlink()
        for name, text in files.items():
            self.write(name, text)
        before = self.contents()
        result = self.run_program(*wrong.command, code=wrong.code)
        self.assertEqual(result.stdout, "")
        for text in wrong.texts:
            self.assertIn(text, result.stderr)
        if place is not None:
            self.assertTrue(result.stderr.startswith(place + ": "), f"{place}\n{result.stderr}")
        if wrong.pointer is not None:
            self.assertIn(f": {wrong.pointer}: ", result.stderr)
        self.assertEqual(self.contents(), before, "something was written")

    def check_all(self, table):
        for wrong in table:
            with self.subTest(wrong.what):
                self.check(wrong)
