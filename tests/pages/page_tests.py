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
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")

# Tables and plots of a page that cannot be saved in each of their ways.
UNSAVED = """[...document.querySelectorAll('table')].filter((one) =>
  !one.closest('.table')?.querySelector('button[title^="save "][title$=" as CSV"]')).concat(
  [...document.querySelectorAll('.plot')].filter((one) => !['SVG', 'PNG'].every((kind) =>
    one.querySelector(`button[title^="save "][title$=" as ${kind}"]`)))).map((one) => one.outerHTML.slice(0, 90))"""

# Loops that are drawn as open at some instant of the run.
OPEN_LOOPS = """[...new Set(Array.from({length: 41}, (_, i) => {
  counterpoise.go(i * 15);  // the time line stops at its end
  return counterpoise.open;
}).flat())]"""

# The scene has a picture.
DRAWN = ("wait", "counterpoise.drawn && counterpoise.frames > 0")

# How many pixels of the scene have a colour of theme.css, and the box around them.
COLOURED = """new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const canvas = document.querySelector('.stage canvas'), copy = document.createElement('canvas');
  const [width, height] = [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext('2d', {willReadFrequently: true});
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--%s');
  context.fillRect(0, 0, 1, 1);
  const wanted = context.getImageData(0, 0, 1, 1).data;
  context.drawImage(canvas, 0, 0);
  const data = context.getImageData(0, 0, width, height).data;
  let count = 0, [left, top, right, bottom] = [width, height, 0, 0];
  for (let i = 0; i < data.length; i += 4) {
    if ([0, 1, 2].some((k) => Math.abs(data[i + k] - wanted[k]) > 2)) continue;
    const x = (i / 4) %% width, y = Math.floor(i / 4 / width);
    ++count;
    left = Math.min(left, x), right = Math.max(right, x);
    top = Math.min(top, y), bottom = Math.max(bottom, y);
  }
  done({count, box: [left, top, right, bottom]});
})))"""


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
    # Whether pages have WebGL, which the processor draws and which takes two fifths of the time to open one.
    webgl = True

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

    def drive(self, page, *steps, width=1440, height=900, scheme="light", quiet=True, **without):
        """Opens the page, takes the steps, and returns what each returned. Nothing may be written on
        the console, requested or blocked. `scripts=False` and `webgl=False` open it without these; `hash`
        is what the page's address ends with. Each opening takes about a second of the processor."""
        found = Browser.do({"page": str(page), "steps": steps, "width": width, "height": height,
                            "scheme": scheme, "webgl": self.webgl, **without})
        self.assertNotIn("error", found)
        if quiet:
            self.assertEqual(found["wrong"], [])
        return found["values"]

    def asked(self, page, *steps, **options):
        """Takes the steps; returns what those called `ask`, which evaluate, and `download` found."""
        taken = [("eval" if name == "ask" else name, of) for name, of in steps]
        found = self.drive(page, *taken, **options)
        return [value for (name, _), value in zip(steps, found) if name in ("ask", "download")]

    def data_of(self, page):
        """The data that the program wrote into a page."""
        text = page.read_text("utf-8").split('id="data">', 1)[1].split("</script>", 1)[0]
        return json.loads(text)
