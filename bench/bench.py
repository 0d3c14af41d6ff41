#!/usr/bin/env python3
"""Compares Stator with its floors and its peers, and prints the targets.

    bench.py BUILD [--store postgres] [--quick] [--large] [--expiry] [--sweep] [--workloads get,put] [--rounds N]
             [--seconds N] [--items N] [--peer NAME=URL]… [--no-dynalite] [--json FILE] [--data DIR] [--no-judgement]

Every workload gets fresh servers. They are loaded alike and then measured in short slices that take turns;
a ratio is the median over the rounds. The exit status is 1 when a target is missed, unless --no-judgement.
"""

import argparse
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import beside
import contenders
import expiry
import large
import machine
import plot
import postgres
import startup
import sweep
from slices import LoadGenerator, end_progress, progress, take_turns
from targets import POSTGRES_TARGETS, TARGETS, print_targets

HERE = Path(__file__).resolve().parent
PARTITION_ITEMS = 1_000_000
CACHE_MB = 256

# Workload: what it is called in the table, and against which floor a contender's figures stand.
WORKLOADS = {
    "get": "GetItem",
    "query": "Query, 100 items of 300 B",
    "put": "PutItem",
    "put3gsi": "PutItem, 3 GSIs",
    "cupdate": "UpdateItem with a condition",
}
FLOOR_OF = {name: "store floor, sync off" for name in ("sync off", "memory", "store floor, sync off")}


def make_contenders(workload, stable, options):
    """Stator first, then the floors, then the peers."""
    made = [stable.stator("durable")]
    if workload == "put":
        made.append(stable.stator("sync off", "--sync", "off"))
    if workload != "put3gsi":
        made.append(stable.stator("memory", memory=True))
    if workload == "get":
        made.append(stable.constant_floor())
    made.append(stable.store_floor("store floor", *(["--indexes", 3] if workload == "put3gsi" else [])))
    if workload == "put":
        made.append(stable.store_floor("store floor, sync off", "--sync", "off"))
    if workload != "put3gsi" and not options.no_dynalite:
        peer = contenders.dynalite(HERE / "peers")
        if peer:
            made.append(peer)
    made.extend(contenders.Elsewhere(*peer.split("=", 1)) for peer in options.peer)
    return made


def measure_workload(workload, stable, generator, options):
    with contextlib.ExitStack() as stack:
        running = []
        for contender in make_contenders(workload, stable, options):
            progress(f"{workload}: starting {contender.name}")
            running.append(stack.enter_context(contender))
            if "floor" not in contender.name:
                generator.load(contender, workload)
        result = take_turns(generator, running, workload, options.rounds)
        for contender in running:
            if isinstance(contender, contenders.Elsewhere):
                generator.drop(contender, workload)
    end_progress()
    return result


def number(value, digits=0, width=9):
    return f"{'-' if value is None else format(value, f',.{digits}f'):>{width}}"


def print_workload(workload, rounds):
    print(f"\n{WORKLOADS[workload]:<28} {'ops/s':>9} {'/ floor':>9} {'p50 us':>9} {'p99 us':>9} {'CPU us':>9}")
    for name in rounds.names():
        floor = FLOOR_OF.get(name, "store floor")
        floor = floor if floor in rounds else "store floor"
        errors = rounds.errors(name)
        print(f"  {name:<26}", number(rounds.ops(name)), number(rounds.ratio(name, floor), 2),
              number(rounds.latency_us(name, "p50")), number(rounds.latency_us(name, "p99")),
              number(rounds.cpu_us(name), 1), f" {errors} errors" if errors else "")
    expected = rounds.body_bytes("durable")
    for name in rounds.names():
        if abs(rounds.body_bytes(name) - expected) > 0.01 * expected:
            print(f"  not comparable: an answer of {name} has {rounds.body_bytes(name):.0f} bytes, "
                  f"one of Stator {expected:.0f}")
    sys.stdout.flush()


def measure_embedded(stable, options):
    progress("embedded")
    directory = stable.directory("embedded")
    command = [stable.build / "bench/embedded_floor", directory, "--items", stable.items, "--json", "--rounds",
               options.embedded_rounds, "--slice", options.embedded_slice]
    with contenders.removed(directory):
        found = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True)
    end_progress()
    lines = {line["operation"]: line for line in map(json.loads, found.stdout.splitlines())}
    print(f"\n{'embedded, one thread':<28} {'Stator':>9} {'store':>9} {'RocksDB':>9} {'/ store':>9} {'/ RocksDB':>9}")
    for name, line in lines.items():
        print(f"  {name:<26}", number(line["embedded"]), number(line["store"]), number(line["rocksdb"]),
              number(line["to_store"], 2), number(line["to_rocksdb"], 2))
    sys.stdout.flush()
    return {"embedded_get": lines["GetItem"]["to_rocksdb"], "embedded_put": lines["PutItem"]["to_rocksdb"]}


def measure_partitions(stable, options):
    """Queries of 25 items, in one partition of a million and in many of a hundred; as many items in both."""
    total = options.partition_items
    generator = LoadGenerator(stable.program(), total, options.seconds, options.warmup)
    shape = ["--item-bytes", 100, "--attributes", 6, "--query-items", 25]
    tables = {"large": ["--partition-items", total, "--table", "large"],
              "small": ["--partition-items", 100, "--table", "small"]}
    ops = {name: [] for name in tables}
    with stable.stator("partitions", "--sync", "off") as server:
        for name, arguments in tables.items():
            progress(f"partitions: loading {name}")
            generator.load(server, "query", *shape, *arguments)
        server.wait_until_idle(30)
        for turn in range(options.rounds):
            for name in list(tables) if turn % 2 == 0 else reversed(tables):
                found = generator.slice(server, "query", *shape, *tables[name], "--seed", turn + 1)
                ops[name].append(found["all"]["ops_per_second"])
    end_progress()
    value = statistics.median(a / b for a, b in zip(ops["large"], ops["small"]))
    print(f"\nQuery of 25 items: {statistics.median(ops['large']):,.0f}/s in a partition of {total:,}, "
          f"{statistics.median(ops['small']):,.0f}/s in partitions of 100")
    return {"large_partition": value}


def measure_startup(stable, options):
    progress("startup")
    startup.measure(str(stable.program()))  # the first run reads the program from disk
    runs = [startup.measure(str(stable.program())) for _ in range(options.startup_runs)]
    end_progress()
    return {"cold_start_ms": statistics.median(ms for ms, _ in runs),
            "idle_memory_mb": statistics.median(mb for _, mb in runs)}


def parse_arguments():
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__.split("\n\n")[0])
    parser.add_argument("build", help=argparse.SUPPRESS)
    parser.add_argument("--store", choices=["postgres"], help="instead: on PostgreSQL, beside libpq alone")
    parser.add_argument("--quick", action="store_true", help="a tiny run of everything; its figures mean nothing")
    parser.add_argument("--large", action="store_true", help="the targets with ten million items too (long)")
    parser.add_argument("--sweep", action="store_true",
                        help="instead: throughput and p99 by connections, items and item size, into docs/plots")
    parser.add_argument("--workloads", default=",".join(WORKLOADS), help="some of " + ",".join(WORKLOADS) + ", or nothing")
    parser.add_argument("--only-workloads", action="store_true", help="not the embedded, partition and start-up parts")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.5, help="of a slice")
    parser.add_argument("--warmup", type=float, default=0.3, help="seconds before a slice")
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--expiry", action="store_true", help="latency while a tenth of a million items expires")
    parser.add_argument("--expiry-items", type=int, default=1_000_000)
    parser.add_argument("--beside", action="store_true", help="latency of short requests beside long ones; overload")
    parser.add_argument("--beside-items", type=int, default=2_000_000)
    parser.add_argument("--large-items", type=int, default=10_000_000)
    parser.add_argument("--large-data", metavar="DIR", help="keep the ten million items there, and use those that are there")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=URL", help="compare with this endpoint too")
    parser.add_argument("--no-dynalite", action="store_true")
    parser.add_argument("--no-judgement", action="store_true", help="exit with 0 even if a target is missed")
    parser.add_argument("--json", metavar="FILE", help="write every slice there")
    parser.add_argument("--data", metavar="DIR", help="where the servers keep their data (default: the build)")
    options = parser.parse_args()
    options.partition_items, options.index_items = PARTITION_ITEMS, 100_000
    options.embedded_rounds, options.embedded_slice, options.startup_runs = 21, 0.1, 11
    if options.quick:
        options.rounds, options.seconds, options.warmup, options.items = 1, 0.3, 0.02, 500
        options.partition_items, options.large_items, options.no_dynalite = 1000, 2000, True
        options.expiry_items = options.beside_items = 2000
        options.embedded_rounds, options.embedded_slice, options.startup_runs = 1, 0.01, 1
        if options.store == "postgres":
            options.rounds, options.seconds, options.warmup, options.items = 2, 0.6, 0.2, 2000
            options.index_items = 20_000
    return options


def run_sweep(options):
    data = Path(options.data or options.build)
    folder = data / "plots" if options.quick else HERE.parent / "docs/plots"
    folder.mkdir(parents=True, exist_ok=True)
    result = sweep.measure(options.build, data, options.quick)
    (folder / "sweep.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for picture in plot.draw_all(result, folder):
        print(f"wrote {picture}")


def measure_all(chosen, options, data):
    """On stores of its own; the figures by name."""
    figures = {}
    stable = contenders.Stable(options.build, data, options.items, CACHE_MB)
    generator = LoadGenerator(stable.program(), options.items, options.seconds, options.warmup)
    for workload in chosen:
        figures[workload] = measure_workload(workload, stable, generator, options)
        print_workload(workload, figures[workload])
    if not options.only_workloads:
        figures.update(measure_embedded(stable, options))
        figures.update(measure_partitions(stable, options))
        figures.update(measure_startup(stable, options))
    if options.large:
        figures.update(large.measure(options, data))
    if options.expiry:
        figures.update(expiry.measure(options, data))
    if options.beside:
        figures.update(beside.measure(options, data))
    return figures


def main():
    options = parse_arguments()
    if options.sweep:
        run_sweep(options)
        return 0
    chosen = [workload for workload in options.workloads.split(",") if workload]
    if not set(chosen) <= set(WORKLOADS):
        sys.exit(f"--workloads takes some of {','.join(WORKLOADS)}")
    with tempfile.TemporaryDirectory(prefix="bench-", dir=options.data or options.build) as data:
        print("\n".join(machine.describe(data)))
        print(f"{options.items:,} items of 1 KB and 12 attributes, {options.rounds} rounds of {options.seconds:g} s "
              "slices; medians")
        if options.store == "postgres":
            figures, targets = postgres.measure(options, data), POSTGRES_TARGETS
        else:
            figures, targets = measure_all(chosen, options, data), TARGETS
    print()
    met = print_targets(figures, targets)
    if options.json:
        plain = {name: value.as_json() if hasattr(value, "as_json") else value for name, value in figures.items()}
        Path(options.json).write_text(json.dumps(plain, indent=1), encoding="utf-8")
    return 0 if met or options.no_judgement or options.quick else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RuntimeError as error:
        sys.exit(str(error))
