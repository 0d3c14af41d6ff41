#!/usr/bin/env python3
"""Runs the code of README.md, or of another document, so that it cannot lie.

    readme_test.py PROGRAM INSTALL_PREFIX [DOCUMENT]

PROGRAM is the built server; INSTALL_PREFIX is where `cmake --install` has put the library. Each fenced
block is run as a reader would run it, all of them against one server; localhost:8000 becomes the address of
that server. A block of plain text right after another block is what that one must print. README.md's block of
CMake builds the block of C++. `<!-- not run: reason -->` in front of a block leaves it out, with a note.
"""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/clients"))
from with_server import Server, client_environment  # noqa: E402

BLOCK = re.compile(
    r"(?:<!-- not run: (?P<reason>[^\n]*?) -->\n+)?^```(?P<language>\w*)\n(?P<text>.*?)^```$"
    r"(?:\n```text\n(?P<output>.*?)^```$)?",
    re.MULTILINE | re.DOTALL)


@dataclass
class Block:
    language: str
    text: str
    output: str | None
    reason: str | None
    document: str
    line: int

    def __str__(self):
        return f"{self.document}:{self.line} ({self.language})"


def read_blocks(document):
    text = (ROOT / document).read_text()
    return [
        Block(found["language"], found["text"], found["output"], found["reason"], document,
              text.count("\n", 0, found.start("language")) + 1)
        for found in BLOCK.finditer(text)
    ]


def fail(block, why):
    sys.exit(f"{block}: {why}\n\n{block.text}")


def run(block, command, environment, directory, text_in=None):
    """Runs a command for a block; returns what it prints."""
    process = subprocess.run(
        command, input=text_in, capture_output=True, text=True, cwd=directory, env=environment,
        timeout=300, check=False)
    if process.returncode != 0:
        fail(block, f"ended with status {process.returncode}\n{process.stdout}{process.stderr}")
    return process.stdout


def commands_of_dev():
    listed = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^\./dev (\w+)", listed, re.MULTILINE))


def check_dev_block(block):
    """A block for people that starts the server or the tests: its commands must exist."""
    for word in re.findall(r"^\./dev (\S+)", block.text, re.MULTILINE):
        if word not in commands_of_dev():
            fail(block, f"there is no ./dev {word}")


class Reader:
    """Does what a reader of a document would do, in a directory of their own. `cmake` builds their C++."""

    def __init__(self, endpoint, prefix, directory, cmake):
        self.address = endpoint.removeprefix("http://")
        self.prefix = prefix
        self.directory = Path(directory)
        self.environment = client_environment(endpoint)
        # What a reader has to set themselves must stand in the block.
        for name in ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
                     "AWS_REGION", "AWS_DEFAULT_REGION"):
            self.environment.pop(name, None)
        self.cmake = cmake

    def run(self, block):
        runner = getattr(self, f"run_{block.language}", None)
        if runner is None:
            fail(block, "nothing here runs this language; say why with <!-- not run: … -->")
        printed = runner(block, block.text.replace("localhost:8000", self.address))
        if block.output is not None and printed.strip() != block.output.strip():
            fail(block, f"prints\n{printed}\nbut {block.document} says\n{block.output}")

    def run_bash(self, block, text):
        # As at a prompt: aliases work, and the first failure stops.
        script = "shopt -s expand_aliases\nset -euo pipefail\n" + text
        return run(block, ["bash", "-s"], self.environment, self.directory, script)

    def run_python(self, block, text):
        return run(block, ["/usr/bin/python3", "-c", text], self.environment, self.directory)

    def run_js(self, block, text):
        modules = self.directory / "node_modules"
        if not modules.exists():
            modules.symlink_to(ROOT / "tests/clients/js/node_modules")
        script = self.directory / "readme.mjs"
        script.write_text(text)
        return run(block, ["node", str(script)], self.environment, self.directory)

    def run_cpp(self, block, text):
        if self.cmake is None:
            fail(block, "README.md has no CMake block to build it with")
        source, build = self.directory / "cpp", self.directory / "cpp-build"
        source.mkdir()
        (source / "main.cc").write_text(text)
        (source / "CMakeLists.txt").write_text(self.cmake.text)
        flags = os.environ.get("STATOR_TEST_CXX_FLAGS", "")
        run(block, ["cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                    f"-DCMAKE_CXX_FLAGS={flags}"], self.environment, self.directory)
        run(block, ["cmake", "--build", build], self.environment, self.directory)
        name = re.search(r"add_executable\((\w+)", self.cmake.text)[1]
        return run(block, [str(build / name)], self.environment, self.directory)


def main():
    program, prefix, document = (*sys.argv[1:], "README.md")[:3]
    readme = read_blocks("README.md")
    blocks = readme if document == "README.md" else read_blocks(document)
    wanted = {"bash", "js", "python", "cpp", "cmake"} if blocks is readme else {"cpp"}
    missing = wanted - {block.language for block in blocks}
    if missing:
        sys.exit(f"{document} has no block of {', '.join(sorted(missing))}")
    cmake = next((block for block in readme if block.language == "cmake"), None)

    ran = 0
    with tempfile.TemporaryDirectory(prefix="stator-readme-") as directory, Server(program) as server:
        reader = Reader(server.endpoint, prefix, directory, cmake)
        for block in blocks:
            if block.reason:
                print(f"{block}: not run: {block.reason}")
            elif block.language == "bash" and "./dev " in block.text:
                check_dev_block(block)
                print(f"{block}: its commands exist")
            elif block.language == "cmake":
                print(f"{block}: builds the C++")
            else:
                reader.run(block)
                ran += 1
                print(f"{block}: ran")
    print(f"{len(blocks)} blocks, {ran} ran")


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:
        sys.exit(str(error))
