"""Measures how throughput and latency change with connections, items and item size.

One durable server after the other; every point is the median of some slices. plot.py draws the result.
"""

import statistics
import tempfile

import contenders
import machine
from slices import LoadGenerator, end_progress, progress

WORKLOADS = ("get", "put", "query")
DIMENSIONS = {
    "connections": [1, 2, 4, 8, 16, 32, 64, 128, 256],
    "items": [1_000, 10_000, 100_000, 1_000_000],
    "item_bytes": [128, 512, 1024, 4096, 16384, 65536],
}
QUICK = {"connections": [1, 8], "items": [1_000], "item_bytes": [128]}
DEFAULT_ITEMS = 10_000
BYTES_MAX = 256 * 2**20  # of all items: large ones are fewer
CACHE_MB = 256
QUERY_ITEMS = 10


class Sweep:
    def __init__(self, build, data, workloads, seconds, slices):
        self.build = build
        self.data = data
        self.workloads = workloads
        self.seconds = seconds
        self.slices = slices

    def point(self, workload, dimension, value):
        items = value if dimension == "items" else DEFAULT_ITEMS
        arguments = ["--query-items", QUERY_ITEMS]
        if dimension == "item_bytes":
            arguments += ["--item-bytes", value]
            items = min(items, BYTES_MAX // value) // QUERY_ITEMS * QUERY_ITEMS
        connections = value if dimension == "connections" else 64
        stable = contenders.Stable(self.build, self.data, items, CACHE_MB)
        generator = LoadGenerator(stable.program(), items, self.seconds, self.seconds / 4, connections)
        with stable.stator(f"{workload}-{dimension}-{value}") as server:
            generator.load(server, workload, *arguments)
            found = [generator.slice(server, workload, *arguments)["all"] for _ in range(self.slices)]
        return {"x": value, **{figure: statistics.median(one[figure] for one in found)
                               for figure in ("ops_per_second", "p50_us", "p99_us")}}

    def run(self, dimensions):
        for dimension, values in dimensions.items():
            yield dimension, {workload: self.line(workload, dimension, values) for workload in self.workloads}

    def line(self, workload, dimension, values):
        line = []
        for value in values:
            progress(f"{workload}: {dimension} {value:,}")
            line.append(self.point(workload, dimension, value))
        return line


def measure(build, data, quick):
    """{dimension: {workload: [{"x": …, "ops_per_second": …, "p50_us": …, "p99_us": …}]}}, and the machine."""
    workloads, seconds, slices = (("get",), 0.1, 1) if quick else (WORKLOADS, 1, 3)
    with tempfile.TemporaryDirectory(prefix="sweep-", dir=data) as folder:
        result = {"machine": machine.describe(folder)}
        result.update(Sweep(build, folder, workloads, seconds, slices).run(QUICK if quick else DIMENSIONS))
    end_progress()
    return result
