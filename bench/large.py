"""The targets that need ten million items: throughput, memory, disk, cold start, an index built under load."""

import json
import os
import shutil
import statistics
import threading
import time
import urllib.request
from pathlib import Path

import contenders
from slices import LoadGenerator, end_progress, progress

SMALL_ITEMS = 10_000
ITEM_BYTES = 1024
CACHE_MB = 512
MEMORY_BEYOND_CACHE_MB = 60
COMPACTION_SECONDS_MAX = 1800
COLD_STARTS = 5
READ_BYTES = 2**20
SETTLE_SECONDS_MAX = 20  # the rows of a deleted index are cleared in the background
LOAD_OF_CAPACITY = 0.3  # of an open loop: enough to queue, not enough to drown
TABLE = "stator-bench-items"

direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def call(endpoint, operation, body):
    request = urllib.request.Request(endpoint, json.dumps(body).encode(), {
        "X-Amz-Target": f"DynamoDB_20120810.{operation}",
        "Content-Type": "application/x-amz-json-1.0",
        "X-Amz-Date": "20260101T000000Z",
        "Authorization": "AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/aws4_request, "
                         "SignedHeaders=host, Signature=0",
    })
    with direct.open(request, timeout=60) as answer:
        return json.load(answer)


def directory_bytes(directory):
    return sum(path.stat().st_blocks * 512 for path in Path(directory).rglob("*") if path.is_file())


def copy_store(source, target):
    """Files of sorted rows are never changed, and need not be copied."""
    def copy(old, new):
        os.link(old, new) if old.endswith(".sst") else shutil.copy2(old, new)
    shutil.copytree(source, target, copy_function=copy, dirs_exist_ok=True)


def spread(values):
    """The median, and in brackets from where to where."""
    return f"{statistics.median(values):,.0f} us ({min(values):,.0f} to {max(values):,.0f})"


class MemoryWatch:
    """The largest resident set of a server while the block runs."""

    def __init__(self, contender):
        self.contender = contender
        self.peak_mb = 0.0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def watch(self):
        while not self.ended.wait(0.1):
            self.peak_mb = max(self.peak_mb, self.contender.resident_mb())

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


class LargeRun:
    def __init__(self, options, data):
        self.options = options
        self.items = options.large_items
        self.stable = contenders.Stable(options.build, data, self.items, CACHE_MB)
        self.kept = Path(options.large_data) if options.large_data else None
        self.directory = self.stable.directory("large")
        self.generator = LoadGenerator(self.stable.program(), self.items, options.seconds, options.warmup)

    def server(self):
        """On the same directory every time; it is removed with all data at the end."""
        command = [self.stable.program(), "serve", self.directory, "--cache", self.stable.cache, "--port", "0",
                   "--log-level", "warning"]
        return contenders.Contender("large", command)

    def load_once(self):
        """As load, but what is in a kept directory already is used as it is, with the figures of its loading."""
        if not self.kept:
            return self.load()
        figures = self.kept / f"loaded-{self.items}.json"
        if figures.is_file():
            copy_store(self.kept / "store", self.directory)
        else:
            self.kept.mkdir(parents=True, exist_ok=True)
            found = self.load()
            copy_store(self.directory, self.kept / "store")
            figures.write_text(json.dumps(found), encoding="utf-8")
        return json.loads(figures.read_text(encoding="utf-8"))

    def read_files(self):
        """Brings the files into the page cache, where a server that has run for a while has them if they fit."""
        for path in Path(self.directory).rglob("*.sst"):
            with path.open("rb", buffering=0) as file:
                while file.read(READ_BYTES):
                    pass

    def load(self):
        with self.server() as server:
            progress(f"loading {self.items:,} items")
            started = time.monotonic()
            with MemoryWatch(server) as memory:
                self.generator.load(server, "get")
            seconds = time.monotonic() - started
            progress("compacting")
            server.wait_until_idle(COMPACTION_SECONDS_MAX)
            disk = directory_bytes(self.directory)
            end_progress()
            print(f"  loaded {self.items:,} items in {seconds:.0f} s, {self.items / seconds:,.0f}/s; "
                  f"memory up to {memory.peak_mb:.0f} MB; {disk / 2**20:,.0f} MB on disk after compaction")
        return {"load_memory": memory.peak_mb / (CACHE_MB + MEMORY_BEYOND_CACHE_MB),
                "disk_bytes": disk / (self.items * ITEM_BYTES)}

    def cold_start(self):
        """From starting the process to the answer to a GetItem."""
        key = {"TableName": TABLE, "Key": {"pk": {"S": "user000000000001"}}}
        runs = []
        for _ in range(COLD_STARTS):
            started = time.perf_counter()
            with self.server() as server:
                if "Item" not in call(server.endpoint, "GetItem", key):
                    raise RuntimeError("an item is gone after a restart")
                runs.append((time.perf_counter() - started) * 1000)
        return {"large_cold_start_ms": statistics.median(runs)}

    def item_count(self, server):
        small_stable = contenders.Stable(self.options.build, self.stable.data, SMALL_ITEMS, CACHE_MB)
        small_generator = LoadGenerator(self.stable.program(), SMALL_ITEMS, self.options.seconds,
                                        self.options.warmup)
        ratios, rates = [], []
        with small_stable.stator("small") as small:
            small_generator.load(small, "get")
            for turn in range(self.options.rounds):
                progress(f"gets: round {turn + 1} of {self.options.rounds}")
                many = self.generator.slice(server, "get", "--seed", turn + 1)["all"]["ops_per_second"]
                few = small_generator.slice(small, "get", "--seed", turn + 1)["all"]["ops_per_second"]
                ratios.append(many / few)
                rates.append((many, few))
        end_progress()
        many, few = (statistics.median(column) for column in zip(*rates))
        print(f"  GetItem: {many:,.0f}/s of {self.items:,} items, {few:,.0f}/s of {SMALL_ITEMS:,}")
        return {"item_count": statistics.median(ratios)}, many


def change_index(server, **change):
    call(server.endpoint, "UpdateTable", {
        "TableName": TABLE,
        "AttributeDefinitions": [{"AttributeName": "field01", "AttributeType": "S"}],
        "GlobalSecondaryIndexUpdates": [change]})


def is_building(server):
    table = call(server.endpoint, "DescribeTable", {"TableName": TABLE})["Table"]
    return any(index["IndexStatus"] == "CREATING" for index in table.get("GlobalSecondaryIndexes", []))


def backfill(generator, server, capacity, turns):
    """Slices without and with an index being built take turns, each time a new index, so that noise hits both alike."""
    rate = ["--rate", int(capacity * LOAD_OF_CAPACITY)]
    index = {"IndexName": "built", "KeySchema": [{"AttributeName": "field01", "KeyType": "HASH"}],
             "Projection": {"ProjectionType": "KEYS_ONLY"}}

    def p99():
        return generator.slice(server, "get", *rate)["all"]["p99_us"]

    quiet, busy = [], []
    for turn in range(turns):
        progress(f"gets while an index is built: turn {turn + 1} of {turns}")
        quiet.append(p99())
        change_index(server, Create=index)
        found = p99()
        if not is_building(server):
            print("  an index was built before its slice had ended")
            return {}
        busy.append(found)
        change_index(server, Delete={"IndexName": "built"})
        server.wait_until_idle(SETTLE_SECONDS_MAX)
    end_progress()
    print(f"  p99 of GetItem at {rate[1]:,}/s: {spread(quiet)}; while an index is built {spread(busy)}")
    return {"backfill_p99": statistics.median(busy) / statistics.median(quiet)}


def measure(options, data):
    print(f"\n{options.large_items:,} items, cache {CACHE_MB} MB")
    run = LargeRun(options, data)
    figures = run.load_once()
    figures.update(run.cold_start())
    run.read_files()
    with run.server() as server:
        found, capacity = run.item_count(server)
        figures.update(found)
        figures.update(backfill(run.generator, server, capacity, 2 * options.rounds + 2))
    return figures
