#!/usr/bin/env python3
"""Every requirement of the five systems is shown by a test that carries its number, and docs/seeds.md says which.

    requirements_test.py BUILD            fails if a requirement of a built system has no test, if a test names a
                                          requirement that there is not, if one failed, or if the page is not up to date
    requirements_test.py BUILD --write    writes the page

tests/systems/requirements.txt lists the requirements. S0.4 is shown by the tests called S0_4_… of the system's test
program, and by test_S0_4_… of tests/systems/*_kill_test.py. Results are what the programs left behind when ctest ran
them; a program that did not run since it was built is run here. ctest starts this test only if the kill tests passed;
--write runs them.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SYSTEMS = ["reconciler", "calls", "orders", "downloads", "homeops"]
NUMBER = re.compile(r"^S(\d+)_(\d+)_")
HEAD = """# What the seeds ask for, and the tests that show it

`tests/systems/requirements_test.py` writes this page, and fails when a requirement has no test, when a test failed and when the page is
not up to date. `systems/<name>/` has the tests; those marked with *kill* are in `tests/systems/`.
"""


def read_requirements():
    """{"S0.4": "what it says"}, in order."""
    requirements = {}
    for line in (ROOT / "tests/systems/requirements.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            number, _, text = line.partition(" ")
            requirements[number] = text
    return requirements


def number_of(test):
    """CallReads.S1_3_TheTimeline… → S1.3; None if it carries no number."""
    found = NUMBER.match(test.rpartition(".")[2].removeprefix("test_"))
    return f"S{found[1]}.{found[2]}" if found else None


def listed_tests(program):
    """Suite.Test, one for each; those with parameters once."""
    listing = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, timeout=60, check=True)
    suite, tests = "", {}
    for line in listing.stdout.splitlines():
        name = line.split("#")[0].strip().partition("/")[0] if line.startswith(" ") else line.split("#")[0].strip()
        if not line.startswith(" "):
            suite = name
        elif suite:
            tests[suite + name] = None
    return list(tests)


class System:
    def __init__(self, name, build):
        self.name = name
        self.program = build / "systems/bin" / f"{name}_system_test"
        self.results = build / "systems/results"
        self.kill_test = ROOT / f"tests/systems/{name}_kill_test.py"

    def exists(self):
        return self.program.exists()

    def kill_tests(self):
        if not self.kill_test.exists():
            return []
        text = self.kill_test.read_text(encoding="utf-8")
        return re.findall(r"^\s+def (test_S\d+_\d+_\w+)\(", text, re.MULTILINE)

    def run(self):
        """{test: passed} of the last run, by the program itself if nobody has run it since it was built."""
        self.results.mkdir(parents=True, exist_ok=True)
        report = self.results / f"{self.name}.json"
        if not report.exists() or report.stat().st_mtime < self.program.stat().st_mtime:
            # Its status is in the report.
            subprocess.run([self.program, "--gtest_filter=*.S?_*", f"--gtest_output=json:{report}"], timeout=300,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        passed = {}
        for each in [report, self.results / f"{self.name}.http.json"]:
            if each.exists() and each.stat().st_mtime >= self.program.stat().st_mtime:
                for suite in json.loads(each.read_text(encoding="utf-8"))["testsuites"]:
                    for test in suite["testsuite"]:
                        name = f"{suite['name']}.{test['name'].partition('/')[0]}"
                        good = test.get("result") == "COMPLETED" and not test.get("failures")
                        passed[name] = passed.get(name, True) and good
        return passed


def rows_of(system, requirements, problems):
    """The lines of the system's table."""
    number = SYSTEMS.index(system.name)
    own = {key: [] for key in requirements if key.startswith(f"S{number}.")}
    passed = system.run()
    shown = [(test, f"`{test}`", passed.get(test, False)) for test in listed_tests(system.program)]
    shown += [(test, f"*kill* `{test}`", True) for test in system.kill_tests()]
    for test, text, good in shown:
        key = number_of(test)
        if key is None:
            continue
        if key not in own:
            problems.append(f"{system.name}: {test} carries the number of no requirement of its system")
            continue
        own[key].append((text, good))
        if not good:
            problems.append(f"{system.name}: {test} did not pass")
    for key, tests in own.items():
        if not tests:
            problems.append(f"{system.name}: no test shows {key}, {requirements[key]}")
        result = "none" if not tests else "passed" if all(good for _, good in tests) else "failed"
        yield f"| {key} | {requirements[key]} | {'<br>'.join(text for text, _ in tests)} | {result} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    requirements = read_requirements()
    problems = []
    page = HEAD
    for name in SYSTEMS:
        system = System(name, arguments.build.resolve())
        if not system.exists():
            if (ROOT / f"systems/{name}/main.cc").exists():
                problems.append(f"{name}: {system.program} is not built")
            continue
        if arguments.write and system.kill_tests():
            subprocess.run(["ctest", "--test-dir", arguments.build, "-R", rf"^systems\.{name}\.kill$", "-Q"],
                           timeout=300, check=True)
        page += f"\n## {name}\n| requirement | what it says | shown by | result |\n|---|---|---|---|\n"
        page += "\n".join(rows_of(system, requirements, problems)) + "\n"

    document = ROOT / "docs/seeds.md"
    if arguments.write:
        document.write_text(page, encoding="utf-8")
    elif not document.exists() or document.read_text(encoding="utf-8") != page:
        problems.append("docs/seeds.md is not up to date: requirements_test.py BUILD --write")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{page.count('| passed |')} requirements are shown")


if __name__ == "__main__":
    main()
