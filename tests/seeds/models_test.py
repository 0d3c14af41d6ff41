#!/usr/bin/env python3
"""The models of the five systems: the corrected ones check clean and run; all can be drawn,
generated from and compared."""
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


def main():
    wrong = []
    for name in SYSTEMS:
        written = ROOT / "systems" / name / "as-written.yaml"
        model = ROOT / "systems" / name / "model.yaml"
        wrong += failures(run("check", model))
        wrong += failures(run("check", "--run", *ITEMS, model))
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
