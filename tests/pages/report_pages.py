"""Reports of studies, opened in a real Chromium."""

import contextlib
import json

from page_tests import Pages
from program import EXAMPLES, altered


class Reports(Pages):
    webgl = False

    def run_study(self, file, results="results.db"):
        self.run_program("run", file, "-o", results, "--force")
        return self.folder / results

    def report(self, results, *arguments, code=0):
        page = self.folder / "report.html"
        said = self.run_program("report", results, *arguments, "-o", page, code=code)
        return page, said

    @contextlib.contextmanager
    def connected(self, results):
        """The results as a database, to alter them."""
        with altered(results) as database, database:
            yield database

    def two_link_arm(self):
        """The results and the report of a small study."""
        results = self.run_study(EXAMPLES / "two_link_arm" / "study.json")
        return results, self.report(results)[0]

    def ask(self, page, *steps, **options):
        """Takes the steps once the page is whole."""
        return self.asked(page, ("wait", "document.documentElement.dataset.ready === 'yes'"), *steps, **options)

    def ranked(self, results, *options):
        return json.loads(self.run_program("rank", results, "--format", "json", "--all",
                                           "--top", "1000000", *options).stdout)

    def place(self, selector):
        """The middle of an element, for the mouse; it is scrolled to first."""
        return ("ask", f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
                        "e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); "
                        "return [b.left, b.top, b.width, b.height]; })()")
