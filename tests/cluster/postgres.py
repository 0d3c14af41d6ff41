#!/usr/bin/env python3
"""A real PostgreSQL 15 for tests: started in a moment, with every commit on disk, gone afterwards.

    postgres.py run [--unsynced] -- COMMAND…   runs the command with STATOR_TEST_POSTGRES=postgres://… and gives its exit
                                               status; --unsynced: for tests that pull no plug

As a module: `with Postgres() as database: … database.url()`. A standby is made with database.standby(), and takes over
with promote(). It listens on a port of 127.0.0.1 and on a socket in its own directory; who comes over the port needs the
password. initdb refuses root, so root runs it as the user `postgres`.
"""

import glob
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

BIN = "/usr/lib/postgresql/15/bin"
USER, PASSWORD, DATABASE = "stator", "a+secret", "stator"
START_SECONDS_MAX = 30
STOP_SECONDS_MAX = 30
# Below the ports that the system gives to connections: one that was free stays so while its owner is dead.
PORTS = range(20_000, 30_000)

SETTINGS = {
    "listen_addresses": "127.0.0.1", "max_connections": "200", "shared_buffers": "64MB", "synchronous_commit": "on",
    "wal_level": "replica", "max_wal_senders": "4", "hot_standby": "on", "autovacuum_naptime": "5s",
    "log_min_messages": "warning", "log_line_prefix": "%m [%p] ",
}


def free_port():
    while True:
        port = random.SystemRandom().choice(PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def unprivileged(*command, death_signal=None):
    """The command as somebody whom initdb accepts, who ends when this process ends, however that happens."""
    as_user = ["--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
    as_user += [f"--pdeathsig={death_signal}"] if death_signal else []
    return ["setpriv", *as_user, *command] if as_user else list(command)


def run_quietly(*command):
    done = subprocess.run(unprivileged(*command), stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/",
                          check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")


def own_directory(prefix):
    """A new directory that belongs to whoever runs the database."""
    directory = tempfile.mkdtemp(prefix=prefix)
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        os.chown(directory, user.pw_uid, user.pw_gid)
    return directory


def template():
    """What initdb makes, once for all tests of this machine and user: copying it takes a tenth of the time."""
    path = os.path.join(tempfile.gettempdir(), f"stator-postgres-15-{os.geteuid()}")
    if os.path.exists(os.path.join(path, "PG_VERSION")):
        return path
    directory = own_directory("stator-initdb-")
    secret = os.path.join(directory, "password")
    with open(secret, "w", encoding="utf-8") as file:
        file.write(PASSWORD)
    os.chmod(secret, 0o644)
    run_quietly(f"{BIN}/initdb", "-D", f"{directory}/data", "-U", USER, f"--pwfile={secret}", "--auth-local=trust",
                "--auth-host=scram-sha-256", "--no-locale", "--encoding=UTF8", "--no-sync", "--no-instructions")
    with open(f"{directory}/data/pg_hba.conf", "a", encoding="utf-8") as file:
        file.write("local replication all trust\nhost replication all 127.0.0.1/32 scram-sha-256\n")
    try:
        os.rename(f"{directory}/data", path)
    except OSError:  # somebody else was faster
        if not os.path.exists(os.path.join(path, "PG_VERSION")):
            raise
    shutil.rmtree(directory)
    return path


def children_of(pid):
    try:
        found = []
        for path in glob.glob(f"/proc/{pid}/task/*/children"):
            with open(path, encoding="ascii") as file:
                found += map(int, file.read().split())
        return found
    except OSError:
        return []


class Postgres:
    """One server with its directory. Start it from the main thread: it ends with the thread that started it."""

    def __init__(self, copy_of=None, port=None, **settings):
        self.folder = own_directory("stator-pg-")
        self.data = os.path.join(self.folder, "data")
        self.port = port or free_port()
        self.settings = {**SETTINGS, **settings}
        self.process = None
        self.databases = 0
        try:
            if copy_of:
                self._copy_running(copy_of)
            else:
                run_quietly("cp", "-a", template(), self.data)
                self.start()
                self.sql(f"CREATE DATABASE {DATABASE}", database="postgres")
        except BaseException:
            self.__exit__()
            raise

    def _copy_running(self, primary):
        run_quietly(f"{BIN}/pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d",
                    f"host={primary.folder} port={primary.port} user={USER} application_name=standby")
        # A copy is recovered first, and with fsync each of its thousand files is synced before that.
        with open(f"{self.data}/postgresql.auto.conf", "a", encoding="utf-8") as file:
            file.write("fsync = off\n")
        self.start()
        self.sql("ALTER SYSTEM RESET fsync")
        self.sql("SELECT pg_reload_conf()")
        assert self.sql("SHOW fsync").strip() == "on"
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.sql("SELECT pg_reload_conf()")
        wait_until(lambda: "sync" in primary.sql("SELECT sync_state FROM pg_stat_replication").split(),
                   "the standby follows")

    def standby(self, port=None):
        """A copy that has every commit before its client is told; it takes over with promote()."""
        return Postgres(copy_of=self, port=port, **self.settings)

    def start(self):
        assert threading.current_thread() is threading.main_thread()
        with open(os.path.join(self.data, "postgresql.conf"), "a", encoding="utf-8") as file:
            here = {"port": self.port, "unix_socket_directories": self.folder}
            file.writelines(f"{name} = '{value}'\n" for name, value in {**self.settings, **here}.items())
        with open(os.path.join(self.folder, "log"), "ab") as log:
            # pylint: disable-next=consider-using-with
            self.process = subprocess.Popen(
                unprivileged(f"{BIN}/postgres", "-D", self.data, death_signal="QUIT"),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")
        wait_until(self._is_ready, "PostgreSQL is ready", START_SECONDS_MAX, self.log_text)

    def _is_ready(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"PostgreSQL ended at once:\n{self.log_text()}")
        try:
            with open(os.path.join(self.data, "postmaster.pid"), encoding="utf-8") as file:
                lines = file.read().splitlines()
        except OSError:
            return False
        return len(lines) > 7 and lines[0] == str(self.process.pid) and lines[7].strip() in ("ready", "standby")

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """As a power cut would: kill -9 of the server and of each of its processes, which come after it."""
        children = children_of(self.process.pid)
        self.process.kill()
        for child in children:
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()

    def stop(self):
        """Ends its sessions and stops."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"PostgreSQL did not stop:\n{self.log_text()}") from None

    def promote(self):
        if self.sql("SELECT pg_promote(true, 30)", database="postgres").strip() != "t":
            raise AssertionError(f"the standby was not promoted:\n{self.log_text()}")

    def psql(self, database=DATABASE):
        """The command, as the owner of everything."""
        return [f"{BIN}/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p",
                str(self.port), "-U", USER, "-d", database]

    def sql(self, statement, database=DATABASE, check=True):
        """Rows as lines, columns separated by |."""
        done = subprocess.run([*self.psql(database), "-c", statement], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60, check=False)
        if check and done.returncode != 0:
            raise RuntimeError(f"{statement}\n{done.stderr}{self.log_text()}")
        return done.stdout

    def new_database(self):
        """Its name."""
        self.databases += 1
        name = f"database{self.databases}"
        self.sql(f"CREATE DATABASE {name}", database="postgres")
        return name

    def url(self, database=DATABASE, password=PASSWORD, others=(), **parameters):
        """`others` are further servers, which may have to take over."""
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in (self, *others))
        text = "&".join(f"{name}={value}" for name, value in parameters.items())
        return f"postgres://{USER}:{password.replace('+', '%2B')}@{hosts}/{database}" + (f"?{text}" if text else "")

    def log_text(self):
        try:
            with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as file:
                return file.read()[-5_000:]
        except OSError:
            return ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_running():
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def wait_until(condition, what, seconds_max=30, more=lambda: ""):
    deadline = time.monotonic() + seconds_max
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds_max} s in vain until {what}\n{more()}")
        time.sleep(0.01)


def main():
    arguments = sys.argv[1:]
    settings = {}
    if arguments[:2] == ["run", "--unsynced"]:
        del arguments[1]
        settings = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    if arguments[:2] != ["run", "--"] or len(arguments) < 3:
        sys.exit(__doc__)
    with Postgres(**settings) as database:
        environment = {**os.environ, "STATOR_TEST_POSTGRES": database.url()}
        return subprocess.run(arguments[2:], env=environment, check=False).returncode


if __name__ == "__main__":
    # A test runner that has lost patience: what was started here ends with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sys.exit(main())
