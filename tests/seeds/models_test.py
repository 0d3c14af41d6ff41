#!/usr/bin/env python3
"""The models of the five systems: the corrected ones check clean and run, and a month of each takes
what its cost says; all can be drawn, generated from and compared."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATOR = os.environ.get("STATOR_PROGRAM", str(ROOT / "build/dev/stator"))
SYSTEMS = ["reconciler", "calls", "orders", "downloads", "homeops"]
# Sanitizers are slow, and what they look for shows with fewer items too.
ITEMS = ["--items", "2000"] if os.environ.get("STATOR_SANITIZE") else []
TARGETS = ["terraform", "cloudformation", "cdk", "cli", "iam", "cpp", "workbench"]


def run(*arguments):
    return subprocess.run([STATOR, *map(str, arguments)], capture_output=True, text=True,
                          timeout=600)


def failures(result, *, codes=(0,), empty_is_fine=False):
    said = result.stdout + result.stderr
    what = " ".join(result.args[1:])
    if result.returncode not in codes:
        return [f"stator {what}: left with {result.returncode}\n{said[-2000:]}"]
    if not empty_is_fine and not said.strip():
        return [f"stator {what}: said nothing"]
    return []


def close(one, other, part=1e-6):
    return abs(one - other) <= part * max(1.0, abs(one), abs(other))


def month_failures(model):
    """Runs the model: the month that the engine has metered, and the sums of the cost."""
    result = run("check", "--run", "--json", *ITEMS, model)
    wrong = failures(result)
    ran = json.loads(result.stdout)["month"]
    cost = json.loads(run("cost", "--json", model).stdout)
    days = 30
    for units in ("rru", "wru"):
        total = cost["month"][units]
        if not close(total, ran["total"][f"{units}_metered"], 0.01):
            wrong.append(f"{model}: a month is {total} {units}, metered {ran['total'][f'{units}_metered']}")
        for what, parts in (("patterns", [days * one[f"{units}_per_day"] for one in cost["patterns"]]),
                            ("tables and indexes", [one[f"{units}_month"] for one in cost["parts"]])):
            if not close(total, sum(parts)):
                wrong.append(f"{model}: a month is {total} {units}, its {what} add up to {sum(parts)}")
    for place in ran["places"]:
        if place["verdict"] != "ok":
            wrong.append(f"{model}: {place}")
    # By hand: every pattern that is sent, runs times price; a member of a transaction not by itself.
    by_hand = sum(days * one["runs_per_day"] * one["wru"] for one in cost["patterns"] if not one.get("counted_in"))
    if not close(by_hand, cost["month"]["wru"]):
        wrong.append(f"{model}: by hand a month is {by_hand} WRU, not {cost['month']['wru']}")
    return wrong


def main():
    wrong = []
    for name in SYSTEMS:
        written = ROOT / "systems" / name / "as-written.yaml"
        model = ROOT / "systems" / name / "model.yaml"
        wrong += failures(run("check", model))
        wrong += month_failures(model)
        wrong += failures(run("check", written), codes=(1,))
        wrong += failures(run("diff", written, model), codes=(0, 1))
        for path in (written, model):
            wrong += failures(run("cost", path), codes=(0, 1))
            with tempfile.TemporaryDirectory() as folder:
                wrong += failures(run("chart", path, "--out", folder), empty_is_fine=True)
            for target in TARGETS:
                # A document may leave out a table's key: then there is nothing to generate.
                codes = (0, 1, 2) if path == written else (0,)
                wrong += failures(run("generate", target, path), codes=codes)
    print("\n".join(wrong) or "ten models: all commands run")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
