"""Pages that the program writes, opened in a real Chromium."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from program import ScratchFolder

HERE = pathlib.Path(__file__).resolve().parent
PLAYWRIGHT = HERE.parents[1] / "report" / "node_modules" / "playwright-core" / "index.mjs"
NODE = os.environ.get("COUNTERPOISE_NODE") or shutil.which("node")
CHROMIUM = shutil.which("chromium")

# Tables and plots of a page that cannot be saved in each of their ways.
UNSAVED = """[...document.querySelectorAll('table')].filter((one) =>
  !one.closest('.table')?.querySelector('button[title^="save "][title$=" as CSV"]')).concat(
  [...document.querySelectorAll('.plot')].filter((one) => !['SVG', 'PNG'].every((kind) =>
    one.querySelector(`button[title^="save "][title$=" as ${kind}"]`)))).map((one) => one.outerHTML.slice(0, 90))"""


class Browser:
    """One Chromium, driven by drive.mjs, for as long as the tests of a file take."""

    running = None

    @classmethod
    def do(cls, job):
        """What became of a job. A browser that ended is not used again."""
        if cls.running is None:
            cls.running = subprocess.Popen([NODE, HERE / "drive.mjs", PLAYWRIGHT, CHROMIUM], text=True,
                                           stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        cls.running.stdin.write(json.dumps(job) + "\n")
        cls.running.stdin.flush()
        answer = cls.running.stdout.readline()
        if answer:
            return json.loads(answer)
        return {"error": f"the browser ended with {cls.close()}"}

    @classmethod
    def close(cls):
        """Waits for the browser to end; returns its exit code."""
        ending, cls.running = cls.running, None
        if ending is None:
            return 0
        with ending:  # closes its input, which ends it
            pass
        return ending.returncode


class Pages(ScratchFolder):
    @classmethod
    def setUpClass(cls):
        lacking = [name for name, place in (("node", NODE), ("Chromium", CHROMIUM)) if not place]
        if not PLAYWRIGHT.is_file():
            lacking.append("report/node_modules")
        if lacking:
            why = f"pages are not opened: {', '.join(lacking)} is not installed"
            print(why, file=sys.stderr)  # ctest reads it
            raise unittest.SkipTest(why)
        unittest.addModuleCleanup(Browser.close)

    def view(self, *arguments, code=0):
        """The page of a mechanism, and what the program said."""
        page = self.folder / "view.html"
        said = self.run_program("view", *arguments, "-o", page, code=code)
        return page, said

    def drive(self, page, *steps, width=1440, height=900, scheme="light", quiet=True):
        """Opens the page, takes the steps, and returns what each returned. Nothing may be written on
        the console, requested or blocked."""
        found = Browser.do({"page": str(page), "steps": steps, "width": width, "height": height,
                            "scheme": scheme})
        self.assertNotIn("error", found)
        if quiet:
            self.assertEqual(found["wrong"], [])
        return found["values"]

    def data_of(self, page):
        """The data that the program wrote into a page."""
        text = page.read_text("utf-8").split('id="data">', 1)[1].split("</script>", 1)[0]
        return json.loads(text)
