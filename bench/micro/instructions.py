#!/usr/bin/env python3
"""Counts the instructions of one request of each kind and compares them with bench/baseline.json.

    instructions.py ONE_REQUEST [--scenario NAME]… [--keep DIR]
    instructions.py ONE_REQUEST --update --reason "why the cost has changed"

A request is counted from its bytes to the bytes of its answer, on the memory store, under callgrind. The
counts do not depend on the load of the machine and hardly on the machine. More than 3 % above the baseline
fails: then either the change costs more than it should, or the cost is meant and --update says why.

Another compiler, another C library or another processor family count differently: then there is nothing to
compare, and the exit status is 77. The same if valgrind is missing.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BASELINE = Path(__file__).resolve().parent.parent / "baseline.json"
SCENARIOS = ("GetItem", "PutItem", "PutItem-3-indexes", "UpdateItem-conditional", "Query-25-items",
             "BatchWriteItem-25-items")
TOLERANCE = 0.03
REQUESTS = 200
SKIPPED = 77  # ctest shows the test as skipped
ALLOCATORS = {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "memalign"}


class Profile:
    """The sums of one callgrind output file."""

    def __init__(self, text):
        self.instructions = int(re.search(r"^totals: (\d+)", text, re.MULTILINE).group(1))
        self.allocations = 0
        names = {}  # callgrind writes a name once, and its number from then on
        callee = None
        for line in text.splitlines():
            if line.startswith(("fn=", "cfn=")):
                number, name = re.match(r"c?fn=\((\d+)\)(?: (.*))?", line).groups()
                callee = names.setdefault(number, name)
            elif line.startswith("calls=") and callee in ALLOCATORS:
                self.allocations += int(line[6:].split()[0])


def environment(program_output):
    """What the counts depend on, besides the code."""
    flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    avx2 = flags is not None and "avx2" in flags.group(1).split()
    return {
        "compiler": re.search(r"^compiler: (.*)$", program_output, re.MULTILINE).group(1),
        "libc": " ".join(platform.libc_ver()),
        "processor": platform.machine() + (" avx2" if avx2 else ""),
    }


def measure(program, scenario, keep):
    """Runs one scenario. Returns its row of the baseline, and the environment."""
    with tempfile.TemporaryDirectory(prefix="stator-instructions-") as directory:
        out = Path(keep or directory, f"callgrind.{scenario}.out")
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}",
             program, scenario, "--requests", str(REQUESTS)],
            # Nothing of the caller's environment may count, and no name is looked up on its first call.
            env={"PATH": os.environ["PATH"], "LD_BIND_NOW": "1"},
            capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise RuntimeError(f"{scenario} failed:\n{run.stdout}{run.stderr}")
        profile = Profile(out.read_text(encoding="utf-8"))
    if profile.instructions == 0:
        raise RuntimeError(f"{scenario}: callgrind has counted nothing")
    row = {"instructions": round(profile.instructions / REQUESTS),
           "allocations": round(profile.allocations / REQUESTS, 1)}
    return row, environment(run.stdout)


def judge(now, before):
    """Compares two rows. Returns whether the new one is acceptable, and what to say about it."""
    if before is None:
        return False, "   not in the baseline"
    change = now["instructions"] / before["instructions"] - 1
    text = f" {before['instructions']:>12,} {change:>+8.2%}"
    if now["instructions"] > before["instructions"] * (1 + TOLERANCE):
        return False, text + "   TOO MUCH"
    return True, text + ("   better; --update keeps it so" if change < -TOLERANCE else "")


def update(path, rows, where, reason):
    path.write_text(json.dumps({"reason": reason, "environment": where, "requests": rows}, indent=2) + "\n",
                    encoding="utf-8")
    print(f"{path} is written; commit it with the change that it belongs to")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--scenario", action="append", help="measure this one only; may be repeated")
    parser.add_argument("--baseline", type=Path, default=BASELINE)
    parser.add_argument("--keep", help="leave callgrind's files in this directory, for callgrind_annotate")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--reason", help="why the counts have changed; needed by --update")
    arguments = parser.parse_args()
    if arguments.update and (not arguments.reason or arguments.scenario):
        parser.error("--update measures every scenario and needs a --reason")
    how_to_update = f'{sys.argv[0]} {arguments.program} --update --reason "…"'
    if shutil.which("valgrind") is None:
        print("valgrind is not installed (apt-get install valgrind): nothing is counted")
        return SKIPPED

    baseline = {"environment": None, "requests": {}}
    if arguments.baseline.exists() or not arguments.update:
        baseline = json.loads(arguments.baseline.read_text(encoding="utf-8"))
    rows = {}
    within = []
    print(f"{'one request':<26} {'instructions':>12} {'allocations':>12} {'baseline':>12} {'change':>8}")
    for scenario in arguments.scenario or SCENARIOS:
        rows[scenario], where = measure(arguments.program, scenario, arguments.keep)
        accepted, verdict = judge(rows[scenario], baseline["requests"].get(scenario))
        within.append(accepted)
        print(f"{scenario:<26} {rows[scenario]['instructions']:>12,} "
              f"{rows[scenario]['allocations']:>12,.1f}{verdict}", flush=True)

    if arguments.update:
        update(arguments.baseline, rows, where, arguments.reason)
        return 0
    if where != baseline["environment"]:
        print(f"not compared: the baseline was made with {baseline['environment']}, this is {where}; "
              f"to make it anew: {how_to_update}")
        return SKIPPED
    if not all(within):
        print(f"more than {TOLERANCE:.0%} above bench/baseline.json, or not in it; if that is meant: "
              f"{how_to_update}")
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RuntimeError as error:
        sys.exit(str(error))
