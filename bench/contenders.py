"""The servers that are compared: how each is started, and what it costs."""

import contextlib
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

READY = re.compile(r"(?:is ready at|listening at:) (http://\S+)")
START_SECONDS_MAX = 300  # a floor fills itself before it is ready
STOP_SECONDS_MAX = 60


@contextlib.contextmanager
def removed(directory):
    """with removed(directory): … removes it at the end."""
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


class Contender:
    """with Contender("durable", command) as it: … it.endpoint …"""

    def __init__(self, name, command, directory=None):
        self.name = name
        self.command = [str(part) for part in command]
        self.directory = directory  # removed at the end
        self.endpoint = None
        self.process = None
        self.log = None

    def __enter__(self):
        self.log = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=self.log, stdin=subprocess.DEVNULL, text=True)
        alarm = threading.Timer(START_SECONDS_MAX, self.process.kill)
        alarm.start()
        try:
            for line in self.process.stdout:
                found = READY.search(line)
                if found:
                    self.endpoint = found[1].replace("//localhost:", "//127.0.0.1:")
                    return self
        finally:
            alarm.cancel()
        self.stop()
        self.log.seek(0)
        raise RuntimeError(f"{' '.join(self.command)} did not get ready:\n{self.log.read()}")

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        if self.directory:
            shutil.rmtree(self.directory, ignore_errors=True)

    def cpu_seconds(self):
        """Of all its threads so far."""
        # The clock of a process has the number that clock_getcpuclockid(3) gives it.
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def resident_mb(self):
        for line in Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError(f"{self.name} has no resident set")

    def wait_until_idle(self, seconds_max):
        """Lets flushes and compactions end, so that they do not fall into the slice of another."""
        deadline = time.monotonic() + seconds_max
        while time.monotonic() < deadline:
            before = self.cpu_seconds()
            time.sleep(0.1)
            if self.cpu_seconds() - before < 0.005:
                return


class Elsewhere:
    """A peer that is running already."""

    def __init__(self, name, endpoint):
        self.name = name
        self.endpoint = endpoint

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def cpu_seconds(self):
        """Nobody knows."""
        return None

    def wait_until_idle(self, seconds_max):
        pass


class Stable:
    """Makes contenders of one set of options."""

    def __init__(self, build, data, items, cache_mb):
        self.build = Path(build)
        self.data = Path(data)
        self.items = items
        self.cache = f"{cache_mb}MB"

    def program(self):
        return self.build / "stator"

    def directory(self, name):
        return tempfile.mkdtemp(prefix=name.replace(" ", "-") + "-", dir=self.data)

    def stator(self, name, *arguments, memory=False):
        directory = None if memory else self.directory(name)
        where = ["--memory"] if memory else [directory, "--cache", self.cache]
        command = [self.program(), "serve", *where, "--port", "0", "--log-level", "warning", *arguments]
        return Contender(name, command, directory)

    def constant_floor(self):
        return Contender("constant floor", [self.build / "bench/constant_floor"])

    def store_floor(self, name, *arguments):
        directory = self.directory(name)
        command = [self.build / "bench/store_floor", directory, "--cache", self.cache, "--items", self.items,
                   *arguments]
        return Contender(name, command, directory)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def dynalite(folder):
    """Keeps its data in memory. None if it is not installed."""
    program = Path(folder, "node_modules/dynalite/cli.js")
    node = shutil.which("node")
    if not program.is_file() or not node:
        return None
    return Contender("dynalite", [node, program, "--host", "127.0.0.1", "--port", free_port(),
                                  "--createTableMs", 0, "--deleteTableMs", 0, "--updateTableMs", 0])
