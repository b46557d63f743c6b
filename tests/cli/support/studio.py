"""A studio that a test starts and asks."""

import contextlib
import http.client
import json
import signal
import urllib.parse


class Studio:
    """A running studio. What it says is JSON."""

    def __init__(self, process):
        self.process = process
        self.address = process.stdout.readline().strip()
        where = urllib.parse.urlsplit(self.address)
        self.port = where.port
        self.token = urllib.parse.parse_qs(where.query)["token"][0]
        self.head = {"Content-Type": "application/json", "X-Counterpoise-Token": self.token}

    def request(self, method, path, body=None, head=None, host="127.0.0.1"):
        """The status and the text of an answer."""
        connection = http.client.HTTPConnection(host, self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request(method, path, body=body, headers=self.head if head is None else head)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def ask(self, name, question):
        """The status and the answer; of the file that it was started with, unless the question names another."""
        status, text = self.request("POST", f"/api/{name}", json.dumps({"of": 1, **question}))
        return status, json.loads(text)

    def job(self, *words, **more):
        """What a command came to that the studio has run to its end."""
        status, begun = self.ask("start", {"words": words, **more})
        if "job" not in begun:
            return {"status": status, **begun}
        return {**self.ended(begun["job"]), "command": begun["command"]}

    def ended(self, job):
        news = -1
        while True:
            _, state = self.ask("job", {"job": job, "seen": news})
            if not state["running"]:
                return state
            news = state["news"]

    def resident(self):
        """The memory of the process in bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) * 1024

    def end(self):
        """Ctrl-C; the exit code, and what the program said besides."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        output, messages = self.process.communicate()
        return self.process.returncode, output, messages


@contextlib.contextmanager
def studio(test, *arguments):
    """A studio for a ScratchFolder; it has to end at Ctrl-C without a word of error."""
    running = Studio(test.start("studio", *arguments, "--no-browser"))
    try:
        yield running
    finally:
        code, _, messages = running.end()
    test.assertEqual((code, messages), (0, ""))
