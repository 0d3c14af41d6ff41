"""A server that can be killed, and a client of one connection."""

import http.client
import json
import os
import re
import subprocess
import tempfile
import threading

READY = re.compile(r"stator is ready at http://127\.0\.0\.1:(\d+)")
START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 60
ANSWER_SECONDS_MAX = 60


class StatorProcess:
    """The real program, with every write durable before its answer: on a directory, or on the PostgreSQL that
    STATOR_TEST_POSTGRES names."""

    def __init__(self, program, directory, *options):
        store = os.environ.get("STATOR_TEST_POSTGRES")
        where = ["--store", store] if store else [directory]
        self.log = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            [program, "serve", *where, "--port", "0", *options], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.port = self._wait_until_ready()

    def _wait_until_ready(self):
        alarm = threading.Timer(START_SECONDS_MAX, self.process.kill)
        alarm.start()
        try:
            for line in self.process.stdout:
                found = READY.search(line)
                if found:
                    return int(found[1])
        finally:
            alarm.cancel()
        self.process.wait()
        raise AssertionError(f"the server did not get ready:\n{self.log_text()}")

    def is_running(self):
        return self.process.poll() is None

    def kill(self):
        """kill -9 of the process that was started here."""
        self.process.kill()
        self.process.wait()
        self._close()

    def stop(self):
        """Asks it to stop, and checks how it did."""
        self.process.terminate()
        try:
            status = self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("the server did not stop on SIGTERM") from None
        log = self.log_text()
        self._close()
        if status != 0:
            raise AssertionError(f"the server ended with status {status} on SIGTERM:\n{log}")

    def log_text(self):
        self.log.seek(0)
        return self.log.read()[-20_000:]

    def _close(self):
        self.process.stdout.close()
        self.log.close()


class Refused(Exception):
    """The server answered with an error."""

    def __init__(self, operation, status, body):
        super().__init__(f"{operation}: {status} {body}")
        self.status = status
        self.kind = body.get("__type", "").partition("#")[2]
        self.body = body


class ConnectionLost(Exception):
    """No whole answer came: nobody knows whether the request was carried out."""


class Client:
    """One connection."""

    HEADERS = {
        "Content-Type": "application/x-amz-json-1.0",
        "X-Amz-Date": "20260101T000000Z",
        "Authorization": "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
                         "SignedHeaders=host;x-amz-date, Signature=0",
    }

    def __init__(self, port, seconds_max=ANSWER_SECONDS_MAX):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds_max)

    STREAMS_OPERATIONS = {"ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"}

    def call(self, operation, **request):
        service = "DynamoDBStreams" if operation in self.STREAMS_OPERATIONS else "DynamoDB"
        headers = {**self.HEADERS, "X-Amz-Target": f"{service}_20120810.{operation}"}
        try:
            self.connection.request("POST", "/", json.dumps(request), headers)
            response = self.connection.getresponse()
            body = json.loads(response.read())
        except (OSError, http.client.HTTPException) as error:
            raise ConnectionLost(operation) from error
        if response.status != 200:
            raise Refused(operation, response.status, body)
        return body

    def scan(self, **request):
        """All items, page by page."""
        items = []
        while True:
            page = self.call("Scan", **request)
            items += page["Items"]
            if "LastEvaluatedKey" not in page:
                return items
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def close(self):
        self.connection.close()
