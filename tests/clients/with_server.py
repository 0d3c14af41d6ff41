#!/usr/bin/env python3
"""Runs a command against a freshly started server, and checks that the server then stops cleanly.

    with_server.py PROGRAM [--directory | --postgres] [--serve ARG]… -- COMMAND…

The server listens on a free port of 127.0.0.1 and keeps its data in memory, with --directory in a
temporary directory, or with --postgres in the database that STATOR_TEST_POSTGRES names; buckets of exports and imports are folders of STATOR_S3_ROOT. The command finds it in STATOR_ENDPOINT (and AWS_ENDPOINT_URL), with credentials
and a region that every AWS client accepts. The exit status is the command's; a server that does not
stop with status 0 on SIGTERM fails the run.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

READY = re.compile(r"stator is ready at (http://\S+)")
START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 60


def client_environment(endpoint, buckets=""):
    """The caller's environment, with nothing in it that leads an AWS client elsewhere."""
    unwanted = {"http_proxy", "https_proxy", "all_proxy"}
    environment = {
        name: value for name, value in os.environ.items()
        if not name.startswith("AWS_") and name.lower() not in unwanted
    }
    # Debian's own programs first: a version manager's shim does not see Debian's Python modules.
    environment["PATH"] = "/usr/bin:" + environment.get("PATH", "")
    environment.update(
        STATOR_ENDPOINT=endpoint,
        STATOR_S3_ROOT=buckets,
        AWS_ENDPOINT_URL=endpoint,
        AWS_ACCESS_KEY_ID="local",
        AWS_SECRET_ACCESS_KEY="local",
        AWS_REGION="us-east-1",
        AWS_DEFAULT_REGION="us-east-1",
        AWS_CONFIG_FILE=os.devnull,
        AWS_SHARED_CREDENTIALS_FILE=os.devnull,
        AWS_EC2_METADATA_DISABLED="true",
        AWS_PAGER="",
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED="true",
        PYTHONDONTWRITEBYTECODE="1",
    )
    return environment


class Server:
    """with Server(program) as server: … server.endpoint …; leaving the block stops it and checks how."""

    def __init__(self, program, directory=None, serve=(), store=None):
        where = ["--store", store] if store else [directory] if directory else ["--memory"]
        self.command = [program, "serve", *where, "--port", "0", *serve]
        self.endpoint = None
        self.log = None
        self.process = None

    def __enter__(self):
        self.log = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=self.log, stdin=subprocess.DEVNULL, text=True)
        alarm = threading.Timer(START_SECONDS_MAX, self.process.kill)
        alarm.start()
        try:
            for line in self.process.stdout:
                found = READY.search(line)
                if found:
                    self.endpoint = found[1]
                    return self
        finally:
            alarm.cancel()
        status = self.process.wait()
        raise RuntimeError(f"{' '.join(self.command)} did not get ready (status {status}):\n{self.log_text()}")

    def __exit__(self, kind, error, trace):
        status = self.stop()
        if kind is None and status != 0:
            raise RuntimeError(f"the server ended with status {status} on SIGTERM:\n{self.log_text()}")

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return f"none within {STOP_SECONDS_MAX} s"
        finally:
            self.process.stdout.close()

    def log_text(self):
        self.log.seek(0)
        return self.log.read()[-20_000:]


def main():
    if "--" not in sys.argv:
        sys.exit(__doc__)
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--directory", action="store_true")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--serve", action="append", default=[])
    arguments = parser.parse_args(sys.argv[1:split])
    command = sys.argv[split + 1:]

    with tempfile.TemporaryDirectory(prefix="stator-") as directory:
        where = os.path.join(directory, "data") if arguments.directory else None
        buckets = os.path.join(directory, "buckets")
        store = os.environ["STATOR_TEST_POSTGRES"] if arguments.postgres else None
        with Server(arguments.program, where, ["--s3-root", buckets, *arguments.serve], store) as server:
            environment = client_environment(server.endpoint, buckets)
            status = subprocess.run(command, env=environment, check=False).returncode
            if status != 0:
                print("The server's log:\n" + server.log_text(), file=sys.stderr)
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RuntimeError as error:
        sys.exit(str(error))
