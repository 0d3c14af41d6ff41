"""The stator program against hostile input: every request gets a clear answer, memory stays bounded,
and the server still answers afterwards.

Usage: robustness_test.py PATH-OF-STATOR
"""

import contextlib
import json
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
SEED = int(os.environ.get("STATOR_TEST_SEED", random.SystemRandom().randrange(2**32)))
TIMEOUT_S = 30
MIB = 1 << 20
# Sanitizers keep what is freed, and more.
MEASURES_MEMORY = not os.environ.get("STATOR_SANITIZE")

SIGNATURE = (
    "Authorization: AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=0\r\nX-Amz-Date: 20260101T000000Z\r\n"
)


def head(operation, length, more=""):
    return (
        f"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n"
        f"Content-Type: application/x-amz-json-1.0\r\n{SIGNATURE}{more}"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


def post(operation, body):
    body = body.encode() if isinstance(body, str) else body
    return head(operation, len(body)) + body


class Server:
    """A running program; stopped with SIGTERM, after which it must have left in good order."""

    def __init__(self, *arguments, stderr=None):
        level = [] if "--log-level" in arguments else ["--log-level", "warning"]
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", *level, *arguments],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
        line = self.process.stdout.readline()
        assert line.startswith("stator is ready at http://"), line
        self.port = int(line.rsplit(":", 1)[1])

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT_S)

    def ask(self, request):
        """Sends one request on its own connection; returns (status, headers, body)."""
        with contextlib.closing(self.connect()) as client:
            with contextlib.suppress(ConnectionError):
                client.sendall(request)
            return read_answer(client)

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(TIMEOUT_S)
        self.process.stdout.close()
        return code

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()


def read_answer(client):
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(65536)
        if not more:
            return 0, {}, b""
        data += more
    text, body = data.split(b"\r\n\r\n", 1)
    lines = text.decode("latin-1").split("\r\n")
    headers = {}
    for line in lines[1:]:
        name, value = line.split(": ", 1)
        headers[name.lower()] = value
    while len(body) < int(headers.get("content-length", 0)):
        body += client.recv(65536)
    return int(lines[0].split(" ")[1]), headers, body


def error_type(body):
    return json.loads(body)["__type"].split("#")[-1]


class RobustnessTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.random = random.Random(SEED)
        cls.server = Server("--memory")

    @classmethod
    def tearDownClass(cls):
        cls.server.kill()

    def tearDown(self):
        self.assertEqual(self.server.ask(post("ListTables", "{}"))[0], 200, f"seed {SEED}")

    def assert_grown_less(self, before, most):
        if MEASURES_MEMORY:
            self.assertLess(self.server.resident_bytes() - before, most)

    def assert_error(self, request, error):
        status, _, body = self.server.ask(request)
        self.assertEqual((status, error_type(body)), (400, error))

    def test_text_that_is_not_json(self):
        for body in ["{", "}", "nul", '{"a":}', "{} {}", "\x00", '{"TableName":"a', "[" * 100]:
            with self.subTest(body=body):
                self.assert_error(post("GetItem", body), "SerializationException")

    def test_invalid_utf8(self):
        for text in [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82"]:
            with self.subTest(text=text):
                body = b'{"TableName":"' + text + b'"}'
                self.assert_error(post("GetItem", body), "SerializationException")

    def test_deep_nesting(self):
        for depth in [33, 100, 511, 513, 10_000]:
            value = '{"L":[' * depth + '{"S":"x"}' + "]}" * depth
            body = '{"TableName":"Nested","Item":{"a":' + value + "}}"
            status, _, answer = self.server.ask(post("PutItem", body))
            self.assertEqual(status, 400, depth)
            self.assertIn(
                error_type(answer),
                ("ValidationException", "SerializationException", "ResourceNotFoundException"),
            )
        arrays = '{"TableName":' + "[" * 10_000 + "]" * 10_000 + "}"
        self.assert_error(post("GetItem", arrays), "SerializationException")

    def test_body_of_100_megabytes(self):
        before = self.server.resident_bytes()
        size = 100 * MIB
        status, headers, body = self.server.ask(head("PutItem", size) + b" " * size)
        self.assertEqual((status, body[:5]), (413, b"0\r\n\r\n"))
        self.assertEqual(headers["connection"], "close")
        self.assert_grown_less(before, 8 * MIB)

    def test_announced_megabytes_cost_nothing(self):
        before = self.server.resident_bytes()
        with contextlib.ExitStack() as stack:
            for _ in range(200):
                client = stack.enter_context(contextlib.closing(self.server.connect()))
                client.sendall(head("PutItem", 16 * MIB) + b"{")
            self.server.ask(post("ListTables", "{}"))
            self.assert_grown_less(before, 40 * MIB)

    def test_half_sent_requests(self):
        whole = post("ListTables", "{}")
        for end in range(1, len(whole), 7):
            with contextlib.closing(self.server.connect()) as client:
                client.sendall(whole[:end])
                client.shutdown(socket.SHUT_WR)
                self.assertEqual(client.recv(1), b"")

    def test_connections_that_vanish(self):
        for i in range(300):
            client = self.server.connect()
            client.sendall(post("ListTables", "{}") * (i % 5))
            # No orderly end: a reset.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            client.close()

    def test_2000_idle_connections(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
        before = self.server.resident_bytes()
        with contextlib.ExitStack() as stack:
            clients = []
            for _ in range(2000):
                clients.append(stack.enter_context(contextlib.closing(self.server.connect())))
            for client in clients[::100]:
                client.sendall(post("ListTables", "{}"))
                self.assertEqual(read_answer(client)[0], 200)
            self.assert_grown_less(before, 8 * MIB)

    def test_random_garbage(self):
        for _ in range(200):
            garbage = self.random.randbytes(self.random.randrange(1, 2000))
            with contextlib.closing(self.server.connect()) as client:
                with contextlib.suppress(ConnectionError):
                    client.sendall(garbage)
                    client.shutdown(socket.SHUT_WR)
                    self.assertIn(read_answer(client)[0], (0, 400, 404, 414, 431))

    def test_damaged_requests(self):
        item = '{"TableName":"T","Key":{"a":{"S":"x"}},"ConsistentRead":true}'
        for _ in range(1000):
            damaged = bytearray(post("GetItem", item))
            for _ in range(self.random.randrange(1, 6)):
                damaged[self.random.randrange(len(damaged))] = self.random.randrange(256)
            with contextlib.closing(self.server.connect()) as client:
                client.sendall(damaged)
                client.shutdown(socket.SHUT_WR)
                self.assertIn(read_answer(client)[0], (0, 200, 400, 403, 404, 408, 413, 414, 431))

    def test_damaged_json(self):
        item = '{"TableName":"T","Item":{"a":{"M":{"b":{"L":[{"N":"1e5"},{"B":"AAA="}]}}}}}'
        with contextlib.closing(self.server.connect()) as client:
            for _ in range(3000):
                damaged = bytearray(item.encode())
                for _ in range(self.random.randrange(1, 6)):
                    damaged[self.random.randrange(len(damaged))] = self.random.randrange(256)
                client.sendall(post("PutItem", bytes(damaged)))
                status, _, body = read_answer(client)
                self.assertEqual(status, 400, (SEED, damaged))
                self.assertTrue(error_type(body).endswith("Exception"), body)

    def test_memory_is_given_back(self):
        body = json.dumps({"TableName": "T", "Item": {"a": {"S": "x" * (15 * MIB)}}})
        self.server.ask(post("PutItem", body))
        before = self.server.resident_bytes()
        for _ in range(20):
            self.assertEqual(self.server.ask(post("PutItem", body))[0], 400)
        self.assert_grown_less(before, 150 * MIB)


class ProgramTest(unittest.TestCase):
    def run_program(self, *arguments):
        return subprocess.run(
            [PROGRAM, *arguments], capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )

    def test_stops_in_good_order(self):
        with tempfile.TemporaryDirectory() as directory:
            server = Server(directory)
            self.addCleanup(server.kill)
            self.assertEqual(server.ask(post("ListTables", "{}"))[0], 200)
            self.assertEqual(server.stop(), 0)

    def test_port_in_use_is_a_clear_failure(self):
        server = Server("--memory")
        self.addCleanup(server.kill)
        second = self.run_program("serve", "--memory", "--port", str(server.port))
        self.assertEqual(second.returncode, 1)
        self.assertIn(f"port {server.port}", second.stderr)
        self.assertIn("--port", second.stderr)

    def test_directory_that_cannot_be_used_is_a_clear_failure(self):
        with tempfile.NamedTemporaryFile() as file:
            failed = self.run_program("serve", file.name, "--port", "0")
            self.assertEqual(failed.returncode, 1)
            self.assertIn(file.name, failed.stderr)

    def test_other_machines_are_kept_out(self):
        refused = self.run_program("serve", "--memory", "--host", "0.0.0.0", "--port", "0")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--insecure", refused.stderr)

    def test_nobody_sees_secrets(self):
        with tempfile.TemporaryDirectory() as directory:
            keys = os.path.join(directory, "keys")
            with open(keys, "w", encoding="ascii") as file:
                file.write("[a]\naws_access_key_id=key\naws_secret_access_key=hidden-secret\n")
                file.write("aws_session_token=hidden-token\n")
            log = os.path.join(directory, "log")
            with open(log, "w", encoding="ascii") as stderr:
                server = Server(
                    "--memory", "--credentials", keys, "--log-level", "debug", stderr=stderr
                )
            self.addCleanup(server.kill)
            for more in ["", "X-Amz-Security-Token: hidden-token\r\n"]:
                self.assertEqual(server.ask(head("PutItem", 2, more) + b"{}")[0], 400)
            with open(f"/proc/{server.process.pid}/cmdline", encoding="ascii") as cmdline:
                self.assertNotIn("hidden", cmdline.read())
            self.assertEqual(server.stop(), 0)
            with open(log, encoding="utf-8") as lines:
                text = lines.read()
            self.assertIn("PutItem", text)
            for secret in ["hidden", "AWS4-HMAC-SHA256", "Signature="]:
                self.assertNotIn(secret, text)

    def test_version_and_help(self):
        self.assertRegex(self.run_program("version").stdout, r"^stator \d+\.\d+\.\d+\n$")
        self.assertIn("Examples:", self.run_program("help").stdout)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=1)
