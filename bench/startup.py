#!/usr/bin/env python3
"""Measures how fast the server starts and how little memory it needs.

    startup.py PROGRAM [--runs N] [--no-judgement]

Cold start is the time from starting the process on an empty directory to its first answer over HTTP (the
health check, GET /). Idle memory is the resident set of that server after the answer. Both are medians.
The exit status is 1 when a target is missed, unless --no-judgement.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/clients"))
from with_server import Server  # noqa: E402

COLD_START_MS_MAX = 50.0
IDLE_MEMORY_MB_MAX = 40.0

# No proxy stands between a machine and itself.
direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def resident_mb(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    raise RuntimeError("the server has no resident set")


def measure(program):
    """Starts one server on an empty directory. Returns (milliseconds, megabytes)."""
    with tempfile.TemporaryDirectory(prefix="stator-bench-") as directory:
        started = time.perf_counter()
        with Server(program, os.path.join(directory, "data")) as server:
            with direct.open(server.endpoint + "/", timeout=30) as answer:
                answer.read()
            milliseconds = (time.perf_counter() - started) * 1000
            return milliseconds, resident_mb(server.process.pid)


def report(name, value, unit, target, judged):
    verdict = "" if not judged else "  ok" if value <= target else "  MISSED"
    print(f"{name:<28} {value:7.1f} {unit}   target {target:.0f} {unit}{verdict}")
    return value <= target


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--no-judgement", action="store_true")
    arguments = parser.parse_args()

    measure(arguments.program)  # the first run reads the program from disk
    runs = [measure(arguments.program) for _ in range(arguments.runs)]
    judged = not arguments.no_judgement
    met = [
        report("cold start to first answer", statistics.median(ms for ms, _ in runs), "ms",
               COLD_START_MS_MAX, judged),
        report("idle memory", statistics.median(mb for _, mb in runs), "MB", IDLE_MEMORY_MB_MAX, judged),
    ]
    return 0 if all(met) or not judged else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RuntimeError as error:
        sys.exit(str(error))
