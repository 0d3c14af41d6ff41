"""The transcript in a system's README: what a reader types, and what really came back.

    NAME_transcript.py STATOR PROGRAM            compares the README with what happens now
    NAME_transcript.py STATOR PROGRAM --write    writes what happens now into the README

A script of a system says what a reader does, one call per step, against a server of its own:

    def steps(transcript):
        transcript.say("The table is the seed's:")
        transcript.shell("aws dynamodb list-tables")
        transcript.python('print(boto3.resource("dynamodb", endpoint_url="http://127.0.0.1:8000"))')
        transcript.javascript("console.log(await client.send(new ListTablesCommand({})))")

    if __name__ == "__main__":
        transcript.main("calls", steps)

The text goes between `<!-- transcript -->` and `<!-- /transcript -->` of systems/NAME/README.md. Readers see the
server at http://127.0.0.1:8000, wherever it is, and this repository at $STATOR. Its clock and that of the program stand still, so that every run
prints the same; what still differs is made the same by `main(…, same=[(pattern, replacement)])`.
"""

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests/clients"))

# pylint: disable=wrong-import-position
from with_server import Server, client_environment  # noqa: E402

ADDRESS = "http://127.0.0.1:8000"  # as readers see it
CLOCK = "fixed:2026-02-28T08:00:00Z"
BEGIN, END = "<!-- transcript -->", "<!-- /transcript -->"
STEP_SECONDS_MAX = 120


class Transcript:
    """Runs steps against a server and writes down what they print, as Markdown."""

    def __init__(self, name, stator, program, server, folder, clock=CLOCK, same=()):
        self.addresses = {ADDRESS: server.endpoint}  # as readers see them, and as they are
        self.running = []
        self.folder = Path(folder)
        self.same = same
        self.parts = []
        self.console = []  # commands and their output that are not yet a block
        self.environment = client_environment(server.endpoint)
        self.environment["PATH"] = os.pathsep.join(
            [str(Path(program).resolve().parent), str(Path(stator).resolve().parent), self.environment["PATH"]])
        self.environment["STATOR"] = str(ROOT)  # where readers have this repository
        for variable in ("AWS_ENDPOINT_URL", "STATOR_ENDPOINT"):
            self.environment.pop(variable, None)
        aliases = {
            "aws": f"aws --endpoint-url {ADDRESS}",
            name: f"{name} --endpoint {ADDRESS}" + (f" --clock {clock}" if clock else ""),
        }
        self.aliases = [f"alias {word}={shlex.quote(text)}" for word, text in aliases.items()]
        self.console += [f"$ stator serve --memory{f' --clock {clock}' if clock else ''} &",
                         *(f"$ {alias}" for alias in self.aliases)]

    def say(self, text):
        """A sentence or a paragraph between two blocks."""
        self._close_console()
        self.parts.append(text.strip() + "\n")

    def file(self, name, text):
        """A file that the following steps find in their folder; shown as `cat` would show it."""
        text = text.strip("\n") + "\n"
        (self.folder / name).write_text(text, encoding="utf-8")
        self.console += [f"$ cat {name}", text.rstrip("\n")]

    def shell(self, command, status=0):
        """One command line, of one or several lines. Returns what it printed, errors included."""
        script = "\n".join(["shopt -s expand_aliases", *self.aliases, command])
        printed = self._run(["bash", "-c", self._really(script)], command, status)
        first, *more = command.strip().splitlines()
        self.console += [f"$ {first}", *(f"> {line}" for line in more)]
        if printed:
            self.console.append(printed)
        return printed

    def python(self, code, status=0):
        """A program of boto3."""
        return self._program("python", code, ["/usr/bin/python3", "-c", self._really(code.strip())], status)

    def javascript(self, code, status=0):
        """A module for node, with the AWS SDK v3."""
        modules = self.folder / "node_modules"
        if not modules.is_symlink():
            modules.symlink_to(ROOT / "tests/clients/js/node_modules")
        script = self.folder / "step.mjs"
        script.write_text(self._really(code.strip() + "\n"), encoding="utf-8")
        return self._program("js", code, ["node", str(script)], status)

    def background(self, command, address, hidden=""):
        """A server that prints where it is, and runs until the end. Readers see it at `address`, and do not see the
        `hidden` end of the command, which gives it a free port."""
        process = subprocess.Popen(["bash", "-c", f"exec {command} {hidden}"], cwd=self.folder,
                                   env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.running.append(process)
        printed = process.stdout.readline()
        self.addresses[address] = re.search(r"http://\S+", printed)[0]
        self.console += [f"$ {command} &", self._as_shown(printed).rstrip()]

    def stop(self):
        """Ends what runs in the background."""
        for process in self.running:
            process.kill()
            process.wait()
            process.stdout.close()

    def text(self):
        """Everything so far."""
        self._close_console()
        return "\n".join(self.parts)

    def _program(self, language, code, command, status):
        printed = self._run(command, code, status)
        self._close_console()
        self.parts.append(f"```{language}\n{code.strip()}\n```\n")
        if printed:
            self.parts.append(f"```text\n{printed}\n```\n")
        return printed

    def _run(self, command, shown, status):
        process = subprocess.run(
            command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=STEP_SECONDS_MAX, check=False)
        printed = self._as_shown(process.stdout)
        if process.returncode != status:
            sys.exit(f"ended with status {process.returncode}, not {status}:\n{shown}\n\n{printed}")
        for pattern, replacement in self.same:
            printed = re.sub(pattern, replacement, printed)
        return "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())

    def _really(self, text):
        for shown, real in self.addresses.items():
            text = text.replace(shown, real)
        return text

    def _as_shown(self, text):
        for shown, real in self.addresses.items():
            text = text.replace(real, shown)
        return text.replace(str(self.folder), ".").replace(str(ROOT), "$STATOR")

    def _close_console(self):
        if self.console:
            self.parts.append("```console\n" + "\n".join(self.console) + "\n```\n")
        self.console = []


def compare(readme, text, write):
    """Puts the text into the README, or ends with the difference."""
    whole = readme.read_text(encoding="utf-8")
    parts = re.fullmatch(f"(.*{BEGIN}\n)(.*)({END}\n.*)", whole, re.DOTALL)
    if not parts:
        sys.exit(f"{readme} has no place for the transcript: {BEGIN} and {END}, each on a line of its own")
    before, old, after = parts.groups()
    if write:
        readme.write_text(before + text + after, encoding="utf-8")
        return
    if old != text:
        difference = difflib.unified_diff(
            old.splitlines(), text.splitlines(), str(readme.relative_to(ROOT)), "what happens now", lineterm="")
        sys.exit("\n".join(difference) + f"\n\n{Path(sys.argv[0]).name} … --write brings the README up to date")


def main(name, steps, serve=(), clock=CLOCK, same=()):
    """Runs the steps of a system. `serve` is added to the server's command line; clock=None lets time pass."""
    parser = argparse.ArgumentParser()
    parser.add_argument("stator")
    parser.add_argument("program")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    options = [*serve, *(["--clock", clock] if clock else [])]
    with tempfile.TemporaryDirectory(prefix="stator-transcript-") as folder, \
            Server(arguments.stator, serve=options) as server:
        transcript = Transcript(
            name, arguments.stator, arguments.program, server, folder, clock, same)
        try:
            steps(transcript)
            text = transcript.text()
        finally:
            transcript.stop()
    compare(ROOT / "systems" / name / "README.md", text, arguments.write)
    print(f"systems/{name}/README.md: {'written' if arguments.write else 'shows what happens'}")
