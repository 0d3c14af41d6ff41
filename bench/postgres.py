"""./dev bench --store postgres: Stator on PostgreSQL beside libpq alone, which sends the same statements.

A PostgreSQL of its own, as initdb makes it: every commit is on disk before it is answered. Stator and the
floor have a database each and take turns, in short slices with as many clients.
"""

import contextlib
import json
import os
import pwd
import resource
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import contenders
import large
from slices import LoadGenerator, Rounds, end_progress, progress, take_turns

PROGRAMS = Path("/usr/lib/postgresql/15/bin")
SETTINGS = {"max_connections": 200, "listen_addresses": "127.0.0.1"}
READERS = 8  # connections for reads: the default on two cores
READ_CLIENTS = 32
WRITE_CLIENTS = 64
HALVES = ("stator-bench-left", "stator-bench-right")
HEAD = f"{'ops/s':>9}{'ratio':>9}{'p50 us':>9}{'p99 us':>9}{'CPU us':>9}{'ratio':>9}{'server':>9}"
# The bytes of the rows of tables: of items and entries, and of the items of a range.
ROW_SIZES = """
SELECT avg(length(key) + length(value)) FILTER (WHERE length(value) >= 600),
       avg(length(key) + length(value)) FILTER (WHERE length(value) < 600)
FROM stator_kv WHERE key >= '\\x02' AND key < '\\x03'"""

# Workload: what it is called in the table, the floor's workload, and how many clients there are.
WORKLOADS = {
    "get": ("GetItem", "get", READ_CLIENTS),
    "query": ("Query, 100 items of 300 B", "scan", READ_CLIENTS),
    "put": ("PutItem", "put", WRITE_CLIENTS),
    "put3gsi": ("PutItem, 3 GSIs", "put4", WRITE_CLIENTS),
}


class PostgreSql:
    """with PostgreSql(directory) as it: … it.create("name") …"""

    def __init__(self, directory):
        self.directory = Path(tempfile.mkdtemp(prefix="postgres-", dir=directory)).resolve()
        self.port = contenders.free_port()
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name

    def run(self, program, *arguments):
        become = ["runuser", "-u", self.user, "--"] if os.geteuid() == 0 else []
        command = [*become, PROGRAMS / program, *arguments]
        found = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False,
                               cwd="/", stdin=subprocess.DEVNULL)
        if found.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}\n{found.stdout}{found.stderr}")
        return found.stdout

    def __enter__(self):
        if not (PROGRAMS / "initdb").is_file():
            raise RuntimeError(f"there is no PostgreSQL in {PROGRAMS}: apt-get install postgresql-15")
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self.directory, self.user)
            self.directory.parent.chmod(0o711)
        data = self.directory / "data"
        self.run("initdb", "-D", data, "-A", "trust", "-U", self.user)
        settings = [f"-c {name}={value}" for name, value in SETTINGS.items()]
        settings += [f"-p {self.port}", "-c unix_socket_directories=''"]
        self.run("pg_ctl", "start", "-w", "-D", data, "-l", self.directory / "log", "-o", " ".join(settings))
        return self

    def __exit__(self, *_):
        with contextlib.suppress(RuntimeError):
            self.run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", self.directory / "data")
        shutil.rmtree(self.directory, ignore_errors=True)

    def cpu_seconds(self):
        """Of all its processes so far."""
        master = (self.directory / "data/postmaster.pid").read_text(encoding="ascii").split()[0]
        ended = Path(f"/proc/{master}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[13:15]
        total = sum(map(int, ended)) / os.sysconf("SC_CLK_TCK")
        for process in [master, *Path(f"/proc/{master}/task/{master}/children").read_text(encoding="ascii").split()]:
            with contextlib.suppress(OSError):
                total += cpu_seconds(process)
        return total

    def url(self, database):
        return f"postgres://{self.user}@127.0.0.1:{self.port}/{database}"

    def ask(self, database, sql):
        return self.run("psql", "-X", "-A", "-t", "-d", self.url(database), "-c", sql).strip()

    def create(self, database):
        self.ask("postgres", f"CREATE DATABASE {database}")
        return self.url(database)


class Floor:
    """Runs when it is measured, and only then."""

    name = "libpq floor"

    def __init__(self, build, url, items):
        self.command = [Path(build) / "bench/postgres_floor", url, "--items", items]

    def start(self, *arguments):
        return subprocess.Popen([str(part) for part in (*self.command, *arguments)], text=True,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    @staticmethod
    def finish(process):
        _, complaint = process.communicate()
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(process.args)}\n{complaint}")

    def fill(self):
        self.finish(self.start("--fill"))


class Generator(LoadGenerator):
    """With as many clients as the workload wants; the floor is its own load.

    The CPU time of an operation is everybody's: the load's, the server's and PostgreSQL's. On a machine where they
    share the cores, and perhaps with others, it says more than throughput does.
    """

    def __init__(self, database, *arguments):
        super().__init__(*arguments)
        self.database = database

    def slice(self, contender, workload, *arguments):
        _, floor_workload, self.connections = WORKLOADS[workload]
        if isinstance(contender, Floor):
            process = contender.start("--workload", floor_workload, "--connections", self.connections, "--seconds",
                                      self.seconds, "--warmup", self.warmup, *arguments)
            process.stdout.readline()  # it is ready
            before = self.database.cpu_seconds() + cpu_seconds(process.pid)
            print(file=process.stdin, flush=True)
            line = process.stdout.readline()
            used = self.database.cpu_seconds() + (cpu_seconds(process.pid) if line else 0) - before
            Floor.finish(process)
            result = json.loads(line) | {"cpu_us": None}
        else:
            before = self.database.cpu_seconds() + children_cpu_seconds()
            result = super().slice(contender, workload, *arguments)
            used = self.database.cpu_seconds() + children_cpu_seconds() - before
        operations = max(result["all"]["ops_per_second"] * (self.seconds + self.warmup), 1)
        result["server_cpu_us"] = result["cpu_us"]
        result["cpu_us"] = used * 1e6 / operations + (result["server_cpu_us"] or 0)
        return result


def cpu_seconds(process):
    """Of all its threads, those that have ended too."""
    return time.clock_gettime((~int(process) << 3) | 2)  # as in contenders.py


def children_cpu_seconds():
    """Of those that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Run:
    def __init__(self, options, database):
        self.options = options
        self.database = database
        self.program = Path(options.build) / "stator"
        self.generator = Generator(database, self.program, options.items, options.seconds, options.warmup)
        self.url = database.create("stator")
        self.floor = Floor(options.build, database.create("floor"), options.items)

    def server(self, name):
        return contenders.Contender(name, [
            self.program, "serve", "--store", self.url, "--store-readers", READERS, "--port", "0", "--log-level",
            "warning"])

    def load(self, server, chosen):
        progress("the floor fills its tables")
        self.floor.fill()
        for workload in chosen:
            if workload != "put" or "get" not in chosen:  # they share a table
                progress(f"loading for {workload}")
                self.generator.load(server, workload)

    def look_at_rows(self):
        """Says where the rows of the floor are not as large as Stator's."""
        sizes = [[float(size or 0) for size in self.database.ask(name, ROW_SIZES).split("|")]
                 for name in ("stator", "floor")]
        for kind, ours, floors in zip(("large", "small"), *sizes):
            if ours and abs(ours - floors) > 0.02 * ours:
                print(f"  not comparable: {kind} rows of the floor have {floors:.0f} bytes, those of Stator {ours:.0f}")

    def workload(self, server, workload):
        rounds = take_turns(self.generator, [server, self.floor], workload, self.options.rounds)
        end_progress()
        print_table(title(workload), rounds, Floor.name)
        return rounds

    def both(self, name, servers, workload, seed):
        """A slice of two load generators, each with half of the clients and a table of its own."""
        found = [None, None]

        def one(i):
            half = LoadGenerator(self.program, self.options.items, self.options.seconds, self.options.warmup,
                                 WORKLOADS[workload][2] // 2)
            found[i] = half.slice(servers[i], workload, "--table", HALVES[i], "--seed", seed)

        threads = [threading.Thread(target=one, args=(i,)) for i in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if None in found:
            raise RuntimeError(f"{name}: a load generator failed")
        every = [half["all"] for half in found]
        return {"all": {"ops_per_second": sum(half["ops_per_second"] for half in every),
                        "p50_us": max(half["p50_us"] for half in every),
                        "p99_us": max(half["p99_us"] for half in every)},
                "cpu_us": None, "error_count": sum(half["error_count"] for half in found)}

    def two_servers(self, first):
        """The same load on one server and spread over two: it is the same database that does the work."""
        figures = {}
        for table in HALVES:
            self.generator.load(first, "get", "--table", table)
        with self.server("second") as second:
            layouts = {"one server": [first, first], "two servers": [first, second]}
            for workload in ("get", "put"):
                rounds = Rounds()
                for number in range(self.options.rounds):
                    progress(f"two servers, {workload}: round {number + 1} of {self.options.rounds}")
                    for name in list(layouts) if number % 2 == 0 else reversed(layouts):
                        rounds.add(name, self.both(name, layouts[name], workload, number + 1))
                end_progress()
                print_table(f"{title(workload)}, two tables", rounds, "one server")
                figures[f"two_servers_{workload}"] = rounds.ratio("two servers", "one server")
        return figures

    def index_build(self, server):
        """Beside the same number of gets every second, without and with an index that is being built."""
        generator = Generator(self.database, self.program, self.options.index_items, self.options.seconds, self.options.warmup)
        progress(f"loading {self.options.index_items:,} items")
        self.generator.drop(server, "get")
        generator.load(server, "get")
        capacity = generator.slice(server, "get")["all"]["ops_per_second"]
        print()
        return large.backfill(generator, server, capacity, self.options.rounds)


def title(workload):
    return f"{WORKLOADS[workload][0]}, {WORKLOADS[workload][2]} clients"


def print_table(what, rounds, base):
    """A row for each contender, with what its throughput and its CPU time are to those of `base`."""
    def number(value, digits=0):
        return f"{'-' if value is None else format(value, f',.{digits}f'):>9}"

    print(f"\n{what:<40}{HEAD}")
    for name in rounds.names():
        cpu = rounds.cpu_us(name)
        server = rounds.median(name, lambda result: result.get("server_cpu_us"))
        errors = rounds.errors(name)
        print(f"  {name:<38}{number(rounds.ops(name))}{number(rounds.ratio(name, base), 2)}"
              f"{number(rounds.latency_us(name, 'p50'))}{number(rounds.latency_us(name, 'p99'))}{number(cpu, 1)}"
              f"{number(cpu and rounds.cpu_us(base) / cpu, 2)}{number(server, 1)}"
              f"{f'  {errors} errors' if errors else ''}", flush=True)


def measure(options, data):
    chosen = [workload for workload in options.workloads.split(",") if workload in WORKLOADS]
    figures = {}
    with PostgreSql(data) as database:
        run = Run(options, database)
        with run.server("stator") as server:
            run.load(server, chosen)
            run.look_at_rows()
            for workload in chosen:
                figures[workload] = run.workload(server, workload)
            if not options.only_workloads:
                figures.update(run.two_servers(server))
                figures.update(run.index_build(server))
    return figures
