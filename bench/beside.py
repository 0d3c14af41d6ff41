"""What a client with short requests feels beside others with long ones, and what happens beyond capacity."""

import json
import os
import subprocess
import threading
import time
from pathlib import Path

import contenders
from large import call
from slices import end_progress, progress

ITEM_BYTES = 1024
CACHE_MB = 64
SECONDS = 8
LIGHT_TABLE = "beside-light"
HEAVY_TABLE = "beside-heavy"
LIGHT_ITEMS = 10_000
LIGHT = ["--rate", "500", "--connections", "8", "--threads", "1"]
HEAVY_CONNECTIONS = 16
PAGE_ITEMS = 1_000  # a page of 1 MB
QUIET_TIMES_MAX = 5
P99_MS_MAX = 20
OVERLOAD = 3
SERVED_MIN = 0.9
SERVED_P99_MS_MAX = 1000
JOB_SECONDS_MAX = 300


class Load:
    """One run of the load generator."""

    def __init__(self, program, server, workload, table, items, *arguments):
        command = [program, "bench", "--endpoint", server.endpoint, "--workload", workload, "--table", table, "--items",
                   items, "--item-bytes", ITEM_BYTES, "--json", "-", *arguments]
        self.process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)

    def result(self):
        out, problem = self.process.communicate()
        if self.process.returncode != 0:
            raise RuntimeError(problem)
        found = json.loads(out)
        return {**found["all"], "service_p99_us": found["service_p99_us"], "refused": found["error_count"]}


class Forgetting:
    """with Forgetting(directory): … the system forgets the database's files every half second."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        while True:
            for path in self.directory.rglob("*.sst"):
                try:
                    file = os.open(path, os.O_RDONLY)
                except FileNotFoundError:
                    continue
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(file)
            if self.ended.wait(0.5):
                return

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


class Run:
    def __init__(self, options, data):
        self.program = contenders.Stable(options.build, data, LIGHT_ITEMS, CACHE_MB).program()
        self.items = options.beside_items
        self.directory = Path(data) / "beside"
        self.seconds = SECONDS if self.items > 100_000 else 1
        self.server = contenders.Contender(
            "beside", [self.program, "serve", self.directory, "--port", "0", "--log-level", "warning", "--cache",
                       f"{CACHE_MB}MB", "--s3-root", Path(data) / "buckets"])

    def start(self, workload, table, items, *arguments):
        return Load(self.program, self.server, workload, table, items, "--skip-load", *arguments)

    def light(self, workload="get"):
        """The short requests, on a fixed schedule: milliseconds of the slowest hundredth."""
        run = self.start(workload, LIGHT_TABLE, LIGHT_ITEMS, "--seconds", self.seconds, "--warmup", 1, *LIGHT)
        return run.result()["p99_us"] / 1000

    def beside(self, workload, *arguments):
        heavy = self.start(workload, HEAVY_TABLE, self.items, "--seconds", self.seconds + 3, "--connections",
                           HEAVY_CONNECTIONS, *arguments)
        time.sleep(1)
        found = self.light()
        rate = heavy.result()["ops_per_second"]
        return found, f"{rate:,.0f} of them a second"

    def load(self):
        for table, items in ((LIGHT_TABLE, LIGHT_ITEMS), (HEAVY_TABLE, self.items)):
            progress(f"loading {items:,} items")
            Load(self.program, self.server, "get", table, items, "--load-only").process.wait()
        self.server.wait_until_idle(30)
        # What is asked for often is in memory.
        self.start("get", LIGHT_TABLE, LIGHT_ITEMS, "--seconds", min(self.seconds, 3)).result()

    def wait_for(self, operation, body, state):
        deadline = time.monotonic() + JOB_SECONDS_MAX
        while state(call(self.server.endpoint, operation, body)):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{operation}: still not done")
            time.sleep(0.5)

    def during_export(self):
        call(self.server.endpoint, "UpdateContinuousBackups", {
            "TableName": HEAVY_TABLE, "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})
        arn = call(self.server.endpoint, "DescribeTable", {"TableName": HEAVY_TABLE})["Table"]["TableArn"]
        job = call(self.server.endpoint, "ExportTableToPointInTime", {
            "TableArn": arn, "S3Bucket": "beside"})["ExportDescription"]["ExportArn"]
        found = self.light()
        describe = {"ExportArn": job}
        running = call(self.server.endpoint, "DescribeExport", describe)["ExportDescription"]["ExportStatus"]
        self.wait_for("DescribeExport", describe,
                      lambda answer: answer["ExportDescription"]["ExportStatus"] == "IN_PROGRESS")
        return found, "still running at the end" if running == "IN_PROGRESS" else "which was done before the end"

    def during_restore(self):
        backup = call(self.server.endpoint, "CreateBackup", {
            "TableName": HEAVY_TABLE, "BackupName": "beside"})["BackupDetails"]["BackupArn"]
        call(self.server.endpoint, "RestoreTableFromBackup", {
            "BackupArn": backup, "TargetTableName": "beside-restored"})
        found = self.light("put")
        describe = {"TableName": "beside-restored"}
        running = call(self.server.endpoint, "DescribeTable", describe)["Table"]["TableStatus"]
        self.wait_for("DescribeTable", describe, lambda answer: answer["Table"]["TableStatus"] == "CREATING")
        return found, "still running at the end" if running == "CREATING" else "which was done before the end"

    def overload(self, workload, connections, *arguments):
        """Peak rate with few connections, then as many as make three times the work wait."""
        peak = self.start(workload, HEAVY_TABLE, self.items, "--seconds", self.seconds, "--connections", 32,
                          *arguments).result()
        rate = OVERLOAD * peak["ops_per_second"]
        served = self.start(workload, HEAVY_TABLE, self.items, "--seconds", self.seconds, "--connections", connections,
                            "--rate", rate, *arguments).result()
        return peak, served


def measure(options, data):
    run = Run(options, data)
    figures = {}

    def tell(name, what, milliseconds, quiet, note=""):
        end_progress()
        good = milliseconds <= max(QUIET_TIMES_MAX * quiet, P99_MS_MAX)
        figures[name] = {"p99_ms": milliseconds, "times_quiet": milliseconds / quiet, "good": good}
        print(f"  {what:44} {milliseconds:8.2f} ms {milliseconds / quiet:6.1f} x quiet   "
              f"{'good' if good else 'TOO SLOW'}   {note}")

    print(f"\np99 of 500 requests a second beside others, who use {run.items:,} items of 1 KB")
    with run.server:
        run.load()
        quiet = run.light()
        tell("quiet", "GetItem alone", quiet, quiet)
        tell("scan", "GetItem beside 16 clients that scan", *with_quiet(run.beside(
            "scan", "--query-items", PAGE_ITEMS), quiet))
        tell("transact", "GetItem beside transactions of 100 items", *with_quiet(run.beside("transact"), quiet))
        with Forgetting(run.directory):
            found = run.beside("batchget")
        tell("batchget", "GetItem beside BatchGetItem from the disk", *with_quiet(found, quiet))
        tell("export", "GetItem during an export", *with_quiet(run.during_export(), quiet))
        quiet_put = run.light("put")
        tell("quiet_put", "PutItem alone", quiet_put, quiet_put)
        tell("restore", "PutItem during a restore", *with_quiet(run.during_restore(), quiet_put))
        for workload, connections, arguments in (("scan", 1000, ["--query-items", PAGE_ITEMS]), ("put", 1000, [])):
            progress(f"{OVERLOAD} times the capacity: {workload}")
            peak, served = run.overload(workload, connections, *arguments)
            share = served["ops_per_second"] / peak["ops_per_second"]
            p99 = served["service_p99_us"] / 1000
            good = share >= SERVED_MIN and p99 <= SERVED_P99_MS_MAX
            figures[f"overload_{workload}"] = {"served": share, "p99_ms": p99, "good": good}
            end_progress()
            print(f"  {workload} at {OVERLOAD} times its peak of {peak['ops_per_second']:,.0f}/s: {share:.0%} of the peak "
                  f"served, p99 {p99:,.0f} ms   {'good' if good else 'NOT GOOD'}")
    return {"beside": figures}


def with_quiet(found, quiet):
    milliseconds, note = found
    return milliseconds, quiet, note
