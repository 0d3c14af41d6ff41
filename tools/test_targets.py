#!/usr/bin/env python3
"""Prints what must be built for the tests that ctest would run with the given arguments: test_targets.py BUILD [ARGS…].

A test's command names the programs it runs; those that ninja knows are its targets. Prints "all" if a test names none
(it may need anything), or if no arguments choose tests.
"""

import json
import re
import subprocess
import sys
from pathlib import Path


def main():
    build, arguments = sys.argv[1], sys.argv[2:]
    if not any(argument.startswith(("-R", "--tests-regex", "-L", "--label-regex")) for argument in arguments):
        return "all"
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", *arguments],
                           capture_output=True, text=True, check=True)
    listed = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], capture_output=True, text=True, check=True)
    known = {line.rsplit(":", 1)[0] for line in listed.stdout.splitlines()}
    # ctest tells the command of a test only once its program has been built; its own files always do.
    commands = {}
    for file in Path(build).rglob("CTestTestfile.cmake"):
        for name, command in re.findall(r"^add_test\((?:\[=\[)?([^\s\]]+)(?:\]=\])? (.*)\)$", file.read_text(), re.MULTILINE):
            commands[name] = re.findall(r'"([^"]*)"', command)
    targets = set()
    for test in json.loads(shown.stdout)["tests"]:
        named = {word.removeprefix(build + "/") for word in commands.get(test["name"], [])} & known
        if not named:
            return "all"
        targets |= named
    return "\n".join(sorted(targets)) or "all"


if __name__ == "__main__":
    print(main())
