"""The clock of the stator program: set on the command line, turned through /_stator/clock.

Usage: clock_test.py PATH-OF-STATOR
"""

import json
import subprocess
import sys
import time
import unittest

import robustness_test
from robustness_test import Server, post

NEW_YEAR_2026 = 1767225600
DAY_S = 86_400


def request(method, body="", host="localhost", more="Content-Type: application/json\r\n"):
    return (
        f"{method} /_stator/clock HTTP/1.1\r\nHost: {host}\r\n{more}"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


class ClockTest(unittest.TestCase):
    def start(self, *arguments):
        server = Server("--memory", *arguments)
        self.addCleanup(server.kill)
        return server

    def read(self, server):
        status, headers, body = server.ask(request("GET"))
        self.assertEqual((status, headers["content-type"]), (200, "application/json"))
        return json.loads(body)

    def turn(self, server, turn):
        status, _, body = server.ask(request("POST", json.dumps(turn)))
        self.assertEqual(status, 200, body)
        return json.loads(body)

    def call(self, server, operation, parameters):
        status, _, body = server.ask(post(operation, json.dumps(parameters)))
        return status, json.loads(body)

    def create_table(self, server, name):
        status, body = self.call(server, "CreateTable", {
            "TableName": name, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})
        self.assertEqual(status, 200, body)
        return body["TableDescription"]["CreationDateTime"]

    def assert_near(self, seconds, expected):
        self.assertLess(abs(seconds - expected), 60)

    def test_the_system_clock_runs_on_from_where_it_is_set(self):
        server = self.start()
        read = self.read(server)
        self.assertEqual((read["mode"], read["offset_seconds"]), ("system", 0))
        self.assert_near(read["now"], time.time())

        ahead = self.turn(server, {"advance_seconds": 31 * DAY_S})
        self.assertEqual((ahead["mode"], ahead["offset_seconds"]), ("offset", 31 * DAY_S))
        self.assert_near(self.create_table(server, "Ahead"), time.time() + 31 * DAY_S)

        self.assertEqual(self.turn(server, {"now": NEW_YEAR_2026})["mode"], "offset")
        self.assert_near(self.create_table(server, "Then"), NEW_YEAR_2026)

        self.assertEqual(self.turn(server, {"reset": True})["mode"], "system")
        self.assert_near(self.create_table(server, "Now"), time.time())

    def test_a_fixed_clock_stands_until_it_is_turned(self):
        server = self.start("--clock", "fixed:2026-01-01T00:00:00Z")
        self.assertEqual(self.create_table(server, "First"), NEW_YEAR_2026)
        self.assertEqual(self.create_table(server, "Second"), NEW_YEAR_2026)
        turned = self.turn(server, {"advance_seconds": 0.25})
        self.assertEqual((turned["mode"], turned["now"]), ("fixed", NEW_YEAR_2026 + 0.25))
        self.assertEqual(self.create_table(server, "Third"), NEW_YEAR_2026 + 0.25)
        self.assertEqual(self.turn(server, {"now": 5})["now"], 5)
        self.assertEqual(self.turn(server, {"reset": True})["now"], NEW_YEAR_2026)

    def test_an_offset_is_what_reset_returns_to(self):
        server = self.start("--clock", "offset:-2h")
        self.assertEqual(self.read(server)["offset_seconds"], -7200)
        self.assertEqual(self.turn(server, {"advance_seconds": -1})["offset_seconds"], -7201)
        self.assertEqual(self.turn(server, {"reset": True})["offset_seconds"], -7200)

    def test_rules_that_wait_are_waited_for_in_no_time(self):
        server = self.start()
        self.create_table(server, "Table")
        protect = lambda wanted: self.call(  # noqa: E731
            server, "UpdateTable", {"TableName": "Table", "DeletionProtectionEnabled": wanted})
        self.assertEqual(protect(True)[0], 200)
        self.assertTrue(protect(False)[1]["__type"].endswith("ThrottlingException"))
        self.turn(server, {"advance_seconds": 15})
        self.assertEqual(protect(False)[0], 200)

    def test_http_dates_stay_real(self):
        server = self.start("--clock", "fixed:0")
        _, headers, _ = server.ask(request("GET"))
        self.assertNotIn("1970", headers["date"])

    def test_mistakes_turn_nothing_and_say_what_to_do(self):
        server = self.start("--clock", "fixed:100")
        for body in ["", "{", "[]", "{}", '{"now": -1}', '{"now": 1e400}', '{"now": "1"}',
                     '{"advance_seconds": 1e18}', '{"reset": false}', '{"x": 1}',
                     '{"now": 1, "reset": true}', "\x00", "[" * 5000]:
            with self.subTest(body=body):
                status, _, answer = server.ask(request("POST", body))
                self.assertEqual(status, 400)
                self.assertIn("Send one of", json.loads(answer)["message"])
        self.assertEqual(self.read(server)["now"], 100)

    def test_web_pages_of_other_sites_are_kept_out(self):
        server = self.start("--clock", "fixed:100", "--cors", "*")
        turn = '{"now": 5}'
        json_type = "Content-Type: application/json\r\n"
        for status, hostile in [
            (403, request("POST", turn, host="evil.example")),
            (403, request("GET", host=f"evil.example:{server.port}")),
            (403, request("POST", turn, more=json_type + "Origin: http://evil.example\r\n")),
            (403, request("POST", turn, more=json_type + "Origin: null\r\n")),
            (403, request("OPTIONS", more="Origin: http://evil.example\r\n"
                          "Access-Control-Request-Method: POST\r\n")),
            (415, request("POST", turn, more="Content-Type: text/plain\r\n")),
            (415, request("POST", turn, more="")),
        ]:
            with self.subTest(hostile=hostile):
                got, headers, body = server.ask(hostile)
                self.assertEqual(got, status)
                self.assertNotIn("access-control-allow-origin", headers)
                self.assertTrue(json.loads(body)["message"])
        self.assertEqual(self.read(server)["now"], 100)

        host = f"127.0.0.1:{server.port}"
        own = request("POST", turn, host=host, more=f"{json_type}Origin: http://{host}\r\n")
        self.assertEqual(server.ask(own)[0], 200)

    def test_a_wrong_setting_is_a_clear_failure(self):
        for setting in ["tomorrow", "fixed:", "offset:1y", "fixed:99999999999999"]:
            failed = subprocess.run(
                [robustness_test.PROGRAM, "serve", "--memory", "--port", "0", "--clock", setting],
                capture_output=True, text=True, timeout=robustness_test.TIMEOUT_S, check=False)
            self.assertEqual(failed.returncode, 2, setting)
            self.assertIn(f"--clock: '{setting}'", failed.stderr)


if __name__ == "__main__":
    robustness_test.PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=1)
