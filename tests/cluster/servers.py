"""Several `stator serve` processes on one database: started, killed, paused, asked, and their logs read.

Every test of this folder takes its servers from here: `with Cluster(arguments, count=3) as cluster`. With --directory
there is one server on a directory instead, which shows whether a test fails for reasons of its own.
"""

import argparse
import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "crash"))

# pylint: disable=wrong-import-position
from postgres import Postgres, free_port, wait_until
from stator_process import Client, ConnectionLost, Refused

LOG_LINE = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z (debug|info|warning)\b")
KEEPER = re.compile(r"(this server|another server) works in the background now")
START_SECONDS_MAX = 30
STOP_SECONDS_MAX = 30
ANSWER_SECONDS_MAX = 30


class Unreachable(Exception):
    """Nothing was sent: the server is not there."""


class Server:
    """One server, always at the same port. Start it from the main thread: it ends with the thread that started it."""

    def __init__(self, program, where, *options, environment=None):
        self.port = free_port()
        self.command = [program, "serve", *where, "--port", str(self.port), *options]
        self.environment = {**os.environ, **(environment or {})}
        self.log = tempfile.TemporaryFile(mode="a+")  # pylint: disable=consider-using-with
        self.process = None
        self.generation = 0  # how often it was started
        self.log_start = 0  # of the last start

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self, wait=True):
        assert threading.current_thread() is threading.main_thread()
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen(["setpriv", "--pdeathsig=KILL", *self.command], env=self.environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log)
        self.generation += 1
        self.log_start = os.fstat(self.log.fileno()).st_size
        if wait:
            self.wait_until_healthy()

    def wait_until_healthy(self, seconds_max=START_SECONDS_MAX):
        def is_healthy():
            if not self.is_running():
                raise AssertionError(f"the server ended by itself:\n{self.log_text()}")
            return self.health()[0] == 200
        wait_until(is_healthy, f"{self.endpoint} is healthy", seconds_max, self.log_text)

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        self.process.kill()
        self.process.wait()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        """Asks it to stop, and checks how it did."""
        self.process.terminate()
        try:
            status = self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the server did not stop on SIGTERM:\n{self.log_text()}") from None
        if status != 0:
            raise AssertionError(f"the server ended with status {status} on SIGTERM:\n{self.log_text()}")

    def get(self, path, body=None, seconds_max=10):
        """Status and body of a GET, or of a POST of JSON; status 0 when nobody answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds_max)
        try:
            if body is None:
                connection.request("GET", path)
            else:
                connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException):
            return 0, ""
        finally:
            connection.close()

    def health(self):
        return self.get("/")

    def clock(self, turn=None):
        status, body = self.get("/_stator/clock", turn)
        if status != 200:
            raise AssertionError(f"the clock answered {status} {body}")
        return json.loads(body)

    def client(self, seconds_max=ANSWER_SECONDS_MAX):
        return Client(self.port, seconds_max)

    def is_keeper(self):
        """Whether it works in the background, by what it said last."""
        found = KEEPER.findall(self.log_text(self.log_start))
        return bool(found) and found[-1] == "this server"

    def log_text(self, start=0):
        # A descriptor of its own: the position of the server's is where it writes.
        with open(f"/proc/self/fd/{self.log.fileno()}", encoding="utf-8", errors="replace") as log:
            log.seek(start)
            return log.read()[-20_000:]

    def unexpected_lines(self, allowed):
        """Errors among its last lines, and whatever is not of the form of a log line, without those that a pattern of `allowed` describes."""
        return [line for line in self.log_text().splitlines()
                if not LOG_LINE.match(line) and not any(re.search(pattern, line) for pattern in allowed)]


class Caller:
    """For one thread: a connection to each of the servers."""

    def __init__(self, servers, seconds_max=ANSWER_SECONDS_MAX):
        self.servers = servers
        self.seconds_max = seconds_max
        self.clients = {}  # server → generation and client

    def call(self, server, operation, **request):
        """Raises Unreachable when nothing was sent, ConnectionLost when nobody knows what became of it."""
        generation, client = self.clients.get(server, (0, None))
        if generation != server.generation or client is None:
            client = self._connect(server)
        try:
            return client.call(operation, **request)
        except ConnectionLost:
            self._forget(server)
            raise

    def _connect(self, server):
        self._forget(server)
        generation = server.generation
        client = server.client(self.seconds_max)
        try:
            client.connection.connect()
        except OSError as error:
            raise Unreachable(str(error)) from error
        self.clients[server] = generation, client
        return client

    def _forget(self, server):
        _, client = self.clients.pop(server, (0, None))
        if client:
            client.close()

    def close(self):
        for server in list(self.clients):
            self._forget(server)


class Cluster:
    """`count` servers on a PostgreSQL of their own; leaving the block stops them and reads their logs."""

    def __init__(self, arguments, count, *options, database=None, url=None, allowed_errors=(), environments=None):
        self.folder = tempfile.TemporaryDirectory(prefix="stator-cluster-")  # pylint: disable=consider-using-with
        self.allowed_errors = list(allowed_errors)
        self.owned = None
        self.database = database
        count = arguments.servers or count
        if arguments.directory:
            count, where = 1, [os.path.join(self.folder.name, "data")]
        else:
            if database is None:
                self.database = self.owned = Postgres()
            where = ["--store", url or self.database.url()]
        environments = environments or {}
        self.servers = [Server(arguments.program, where, *options, environment=environments.get(number))
                        for number in range(count)]

    def __enter__(self):
        try:
            for server in self.servers:
                server.start(wait=False)
            for server in self.servers:
                server.wait_until_healthy()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                for server in self.servers:
                    if server.is_running():
                        server.stop()
                self.check_logs()
            else:
                self.tell_logs()
        finally:
            self.end()

    def check_logs(self):
        for server in self.servers:
            lines = server.unexpected_lines(self.allowed_errors)
            if lines:
                raise AssertionError(f"in the log of {server.endpoint}:\n" + "\n".join(lines[:20]))

    def tell_logs(self):
        """Beside another failure."""
        for server in self.servers:
            for line in server.unexpected_lines([])[:20]:
                say(f"in the log of {server.endpoint}: {line}")

    def end(self):
        for server in self.servers:
            if server.is_running():
                server.kill()
            server.log.close()
        if self.owned:
            self.owned.__exit__()
        self.folder.cleanup()

    def caller(self, seconds_max=ANSWER_SECONDS_MAX):
        return Caller(self.servers, seconds_max)

    def keeper(self):
        """The server that works in the background."""
        if not self.database:
            return self.servers[0]
        wait_until(lambda: sum(server.is_running() and server.is_keeper() for server in self.servers) == 1,
                   "one server works in the background")
        return next(server for server in self.servers if server.is_running() and server.is_keeper())

    def client(self, number=0, seconds_max=ANSWER_SECONDS_MAX):
        return self.servers[number % len(self.servers)].client(seconds_max)


def wait_for_table(client, name, seconds_max=30):
    """DescribeTable once nothing of the table is being made or changed."""
    deadline = time.monotonic() + seconds_max
    while True:
        table = client.call("DescribeTable", TableName=name)["Table"]
        states = {index["IndexStatus"] for index in table.get("GlobalSecondaryIndexes", [])} | {table["TableStatus"]}
        if states == {"ACTIVE"}:
            return table
        if time.monotonic() > deadline:
            raise AssertionError(f"{name} does not settle: {states}")
        time.sleep(0.02)


def started():
    """Prints with the seconds since the first call."""
    begin = time.monotonic()

    def say(text):
        print(f"[{time.monotonic() - begin:5.1f} s] {text}", flush=True)
    return say


say = started()


def run_test(description, test, more=lambda parser: None):
    """The main program of a test: arguments, the seed, the verdict."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("program", help="stator")
    parser.add_argument("--seed", type=int, default=0, help="repeats the choices of a run, not its timing")
    parser.add_argument("--directory", action="store_true", help="one server on a directory, without PostgreSQL")
    parser.add_argument("--servers", type=int, default=0, help="another number of servers")
    more(parser)
    arguments = parser.parse_args()
    arguments.seed = arguments.seed or random.SystemRandom().randrange(1, 10**9)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    say(f"{Path(sys.argv[0]).name} --seed {arguments.seed}")
    try:
        test(arguments)
    except (AssertionError, ConnectionLost, Refused, Unreachable, RuntimeError) as error:
        say(f"FAILED (--seed {arguments.seed}): {type(error).__name__}: {error}")
        sys.exit(1)
    say("passed")
