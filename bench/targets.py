"""The targets: what each is called, its bound, and how it follows from what was measured."""

from dataclasses import dataclass
from typing import Callable, Optional


@dataclass
class Target:
    what: str
    bound: float
    value: Callable[[dict], Optional[float]]  # from the figures by name; None: not measured
    at_most: bool = False
    unit: str = ""
    only: str = ""  # the option without which it is not measured

    def judge(self, figures):
        """(value, verdict)"""
        value = self.value(figures)
        if value is None:
            return None, self.only or "not measured"
        met = value <= self.bound if self.at_most else value >= self.bound
        return value, "pass" if met else "FAIL"


def ratio(workload, name, floor):
    return lambda figures: figures[workload].ratio(name, floor) if workload in figures else None


def figure(name):
    return lambda figures: figures.get(name)


TARGETS = [
    Target("GetItem over HTTP / constant floor", 0.70, ratio("get", "durable", "constant floor")),
    Target("GetItem over HTTP / store floor", 0.80, ratio("get", "durable", "store floor")),
    Target("PutItem over HTTP, sync off / store floor", 0.70, ratio("put", "sync off", "store floor, sync off")),
    Target("PutItem over HTTP, durable / store floor", 0.80, ratio("put", "durable", "store floor")),
    Target("PutItem with 3 GSIs, durable / store floor", 0.70, ratio("put3gsi", "durable", "store floor")),
    Target("UpdateItem with a condition, durable / store floor", 0.65, ratio("cupdate", "durable", "store floor")),
    Target("Query of 100 items of 300 B / store floor", 0.50, ratio("query", "durable", "store floor")),
    Target("embedded GetItem / RocksDB Get", 0.60, figure("embedded_get")),
    Target("embedded PutItem, sync off / RocksDB batch", 0.55, figure("embedded_put")),
    Target("GetItem / dynalite", 20, ratio("get", "durable", "dynalite")),
    Target("PutItem / dynalite", 20, ratio("put", "durable", "dynalite")),
    Target("Query / dynalite", 20, ratio("query", "durable", "dynalite")),
    Target("UpdateItem / dynalite", 20, ratio("cupdate", "durable", "dynalite")),
    Target("Query of 25 in a partition of 1 million / of 100", 0.9, figure("large_partition")),
    Target("GetItem at 10 million items / at 10 thousand", 0.5, figure("item_count"), only="--large"),
    Target("p99 of GetItem while an index is built / without", 2, figure("backfill_p99"), at_most=True, only="--large"),
    Target("p99 while a tenth of the items expires / without", 2, figure("expiry_p99"), at_most=True, only="--expiry"),
    Target("memory / (cache + 60 MB) while loading", 1, figure("load_memory"), at_most=True, only="--large"),
    Target("disk bytes / item bytes", 1.3, figure("disk_bytes"), at_most=True, only="--large"),
    Target("cold start on 10 million items", 250, figure("large_cold_start_ms"), at_most=True, unit=" ms", only="--large"),
    Target("cold start to first answer", 50, figure("cold_start_ms"), at_most=True, unit=" ms"),
    Target("idle memory", 40, figure("idle_memory_mb"), at_most=True, unit=" MB"),
]

POSTGRES_TARGETS = [
    Target("GetItem / libpq", 0.75, ratio("get", "stator", "libpq floor")),
    Target("Query of 100 items / libpq", 0.7, ratio("query", "stator", "libpq floor")),
    Target("PutItem / transactions of one row", 1.5, ratio("put", "stator", "libpq floor")),
    Target("PutItem with 3 GSIs / transactions of four rows", 0.8, ratio("put3gsi", "stator", "libpq floor")),
    Target("GetItem, two servers / one", 0.95, figure("two_servers_get")),
    Target("PutItem, two servers / one", 0.95, figure("two_servers_put")),
    Target("p99 of GetItem while an index is built / without", 2, figure("backfill_p99"), at_most=True),
]


def print_targets(figures, targets=None):
    """Returns whether every target that was measured is met."""
    print(f"{'target':<54} {'value':>10} {'bound':>12}")
    met = True
    for target in TARGETS if targets is None else targets:
        value, verdict = target.judge(figures)
        shown = "-" if value is None else f"{value:.2f}{target.unit}"
        bound = f"{'<=' if target.at_most else '>='} {target.bound:g}{target.unit}"
        print(f"{target.what:<54} {shown:>10} {bound:>12}  {verdict}")
        met = met and verdict != "FAIL"
    return met
