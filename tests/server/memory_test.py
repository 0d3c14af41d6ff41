"""The stator program against clients that want its memory: whatever they do, it takes little, they are
refused or closed, and others are answered meanwhile.

Usage: memory_test.py PATH-OF-STATOR
"""

import gzip
import json
import socket
import sys
import tempfile
import time
import unittest

import robustness_test as http

MIB = 1 << 20
CLIENTS = 100
PEAK_MAX = 256 * MIB


def peak_bytes(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def send_what_is_taken(client, data):
    """Sends until the server takes no more for a while. Returns the number of bytes sent."""
    client.setblocking(False)
    sent = 0
    refused_since = None
    while sent < len(data):
        try:
            sent += client.send(data[sent : sent + MIB])
            refused_since = None
        except BlockingIOError:
            refused_since = refused_since or time.monotonic()
            if time.monotonic() - refused_since > 0.02:
                break
            time.sleep(0.005)
        except ConnectionError:
            break
    client.settimeout(http.TIMEOUT_S)
    return sent


class MemoryTest(unittest.TestCase):
    def start(self, *arguments):
        server = http.Server(*arguments)
        self.addCleanup(server.kill)
        return server

    def connect(self, server, count=CLIENTS):
        clients = []
        for _ in range(count):
            client = server.connect()
            self.addCleanup(client.close)
            clients.append(client)
        return clients

    def statuses(self, clients):
        """What each client is told; 0: closed without an answer."""
        counts = {}
        for client in clients:
            try:
                status = http.read_answer(client)[0]
            except (ConnectionError, OSError):
                status = 0
            counts[status] = counts.get(status, 0) + 1
        return counts

    def report(self, server, what, more=""):
        peak = peak_bytes(server)
        print(f"{what}: {peak / MIB:.0f} MB at most{more}", flush=True)
        self.assertEqual(server.ask(http.post("ListTables", "{}"))[0], 200)
        if http.MEASURES_MEMORY:
            self.assertLess(peak, PEAK_MAX)

    def test_unfinished_bodies(self):
        server = self.start("--memory")
        body = b'{"TableName":"T","Item":{"a":{"S":"' + b"x" * (15 * MIB)
        clients = self.connect(server)
        for client in clients:
            send_what_is_taken(client, http.head("PutItem", len(body) + 100) + body)
        # Others are answered at once meanwhile.
        begin = time.monotonic()
        self.assertEqual(server.ask(http.post("ListTables", "{}"))[0], 200)
        self.assertLess(time.monotonic() - begin, 2)
        last = self.statuses(clients[-1:])
        self.report(server, f"{CLIENTS} unfinished bodies of 15 MB", f", the last one got {last}")
        self.assertEqual(last, {503: 1})

    def test_unfinished_bodies_of_strangers(self):
        with tempfile.NamedTemporaryFile("w", suffix=".keys") as keys:
            keys.write("[default]\naws_access_key_id=key\naws_secret_access_key=secret\n")
            keys.flush()
            server = self.start("--memory", "--credentials", keys.name)
            clients = self.connect(server)
            for client in clients:
                send_what_is_taken(client, http.head("PutItem", 15 * MIB) + b" " * MIB)
            counts = self.statuses(clients)
            peak = peak_bytes(server)
            print(f"{CLIENTS} bodies of strangers: {peak / MIB:.0f} MB at most, answers {counts}")
            self.assertEqual(counts, {400: CLIENTS})
            if http.MEASURES_MEMORY:
                self.assertLess(peak, 64 * MIB)

    def create_table(self, server):
        table = {
            "TableName": "Items",
            "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
            "BillingMode": "PAY_PER_REQUEST",
        }
        self.assertEqual(server.ask(http.post("CreateTable", json.dumps(table)))[0], 200)

    def test_packed_bodies(self):
        puts = [
            {"PutRequest": {"Item": {"a": {"S": str(i)}, "b": {"S": "x" * 390_000}}}}
            for i in range(25)
        ]
        writes = json.dumps({"RequestItems": {"Items": puts}}).encode()
        # The second kind takes most when it is decoded, and long; a few do.
        for what, operation, text, count in [
            ("items", "BatchWriteItem", writes + b" " * (15 * MIB - len(writes)), CLIENTS),
            ("numbers", "PutItem", b'{"TableName":"T","x":[' + b"1," * (7 * MIB) + b"1]}", 12),
        ]:
            with self.subTest(what=what), tempfile.TemporaryDirectory() as directory:
                server = self.start(directory)
                self.create_table(server)
                packed = gzip.compress(text)
                request = http.head(operation, len(packed), "Content-Encoding: gzip\r\n") + packed
                clients = self.connect(server, count)
                for client in clients:
                    client.sendall(request)
                counts = self.statuses(clients)
                self.report(
                    server,
                    f"{count} packed bodies of {len(packed) >> 10} KB, 15 MB of {what}",
                    f", answers {counts}",
                )
                self.assertLessEqual(set(counts), {200, 400, 503})
                server.kill()

    def test_answers_that_nobody_reads(self):
        server = self.start("--memory")
        self.create_table(server)
        keys = [{"a": {"S": str(i)}} for i in range(40)]
        for key in keys:
            item = {"TableName": "Items", "Item": {**key, "b": {"S": "x" * 400_000}}}
            self.assertEqual(server.ask(http.post("PutItem", json.dumps(item)))[0], 200)
        request = http.post("BatchGetItem", json.dumps({"RequestItems": {"Items": {"Keys": keys}}}))
        clients = []
        for _ in range(CLIENTS):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.settimeout(http.TIMEOUT_S)
            client.connect(("127.0.0.1", server.port))
            self.addCleanup(client.close)
            client.sendall(request * 4)
            clients.append(client)
        time.sleep(1)
        self.assertEqual(server.ask(http.post("ListTables", "{}"))[0], 200)
        last = self.statuses(clients[-1:])
        self.report(server, f"{CLIENTS} readers that do not read", f", the last one got {last}")
        # No memory for its address, or too many that wait before it: ThrottlingException.
        self.assertIn(last, ({503: 1}, {400: 1}))


if __name__ == "__main__":
    http.PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=1)
