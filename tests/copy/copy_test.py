#!/usr/bin/env python3
"""Copies a database with a bit of everything, there and back, and looks at what arrived.

    copy_test.py PROGRAM [postgres]
"""

import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
from copied_database import (TABLE, Client, StatorProcess, change_a_little, check_equal, copy,
                             copy_arguments, everything, load, make, outcome, places_for)

PROGRAM = sys.argv[1]
KIND = "postgres" if "postgres" in sys.argv[2:] else "directory"


def wait_for_table(client, name):
    while client.call("DescribeTable", TableName=name)["Table"]["TableStatus"] != "ACTIVE":
        time.sleep(0.02)


class CopyTest(unittest.TestCase):
    """One source for all tests, which none of them changes."""

    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.TemporaryDirectory()
        cls.source = f"{cls.root.name}/source"
        cls.places = places_for(KIND, cls.root.name)
        cls.directories = places_for("directory", f"{cls.root.name}/back")
        server = StatorProcess(PROGRAM, cls.source)
        client = Client(server.port)
        make(client)
        load(server.port, 0, 3_000)
        cls.backup = client.call("CreateBackup", TableName=TABLE, BackupName="first")["BackupDetails"]["BackupArn"]
        cls.items_then = sorted(str(found) for found in client.scan(TableName=TABLE))
        change_a_little(client)
        client.call("CreateBackup", TableName=TABLE, BackupName="second")
        cls.seen = everything(client)
        client.close()
        server.stop()

    @classmethod
    def tearDownClass(cls):
        cls.root.cleanup()

    def serve(self, place):
        server = self.places.serve(PROGRAM, place)
        self.addCleanup(lambda: server.is_running() and server.kill())
        return server

    def test_everything_arrives(self):
        target = self.places.new()
        printed = outcome(copy(PROGRAM, self.source, target, "--json"))
        self.assertTrue(printed["equal"])
        self.assertEqual(printed["backups"], 2)
        spaces = check_equal(PROGRAM, self.source, target)
        for name in ("catalog", "items and index entries", "stream records", "expiry", "history", "transaction tokens"):
            self.assertGreater(spaces[name]["rows"], 0, name)
        self.assertEqual(sum(name.startswith("backup ") for name in spaces), 2)
        server = self.serve(target)
        client = Client(server.port)
        self.assertEqual(everything(client), self.seen)
        client.call("PutItem", TableName=TABLE, Item={"pk": {"S": "new"}, "sk": {"N": "1"}})
        client.close()
        server.stop()

    def test_backups_and_the_past_can_be_restored_from_the_copy(self):
        target = self.places.new()
        copy(PROGRAM, self.source, target)
        server = self.serve(target)
        client = Client(server.port)
        client.call("RestoreTableFromBackup", TargetTableName="Restored", BackupArn=self.backup)
        client.call("RestoreTableToPointInTime", SourceTableName=TABLE, TargetTableName="Past",
                    UseLatestRestorableTime=True)
        wait_for_table(client, "Restored")
        wait_for_table(client, "Past")
        restored = sorted(str(found) for found in client.scan(TableName="Restored"))
        self.assertEqual(restored, self.items_then)
        client.close()
        server.stop()

    def test_a_copy_of_the_copy_is_equal_to_the_source(self):
        there, back = self.places.new(), self.directories.new()
        copy(PROGRAM, self.source, there)
        copy(PROGRAM, there, back)
        check_equal(PROGRAM, self.source, back)

    def test_a_finished_copy_is_left_alone(self):
        target = self.places.new()
        copy(PROGRAM, self.source, target)
        self.assertIn("finished copy", copy(PROGRAM, self.source, target, succeeds=False))

    def test_a_target_that_is_not_empty_is_refused(self):
        target = self.places.new()
        self.serve(target).stop()
        self.assertIn("is not empty", copy(PROGRAM, self.source, target, succeeds=False))

    def test_a_source_in_use_is_refused_without_follow(self):
        place = self.directories.new()
        copy(PROGRAM, self.source, place)
        server = StatorProcess(PROGRAM, place)
        self.assertIn("--follow", copy(PROGRAM, place, self.places.new(), succeeds=False))
        server.stop()

    def test_what_is_no_database_is_refused(self):
        self.assertIn("not a data directory", copy(PROGRAM, self.directories.new(), self.places.new(), succeeds=False))

    def test_differences_are_found(self):
        target = self.places.new()
        copy(PROGRAM, self.source, target)
        server = self.serve(target)
        client = Client(server.port)
        client.call("PutItem", TableName=TABLE, Item={"pk": {"S": "new"}, "sk": {"N": "1"}})
        client.close()
        server.stop()
        done = subprocess.run([PROGRAM, "copy", "--from", self.source, "--to", target, "--verify-only"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("DIFFERS", done.stdout)

    def test_ctrl_c_ends_following_with_a_whole_copy_of_a_source_in_use(self):
        place, target = self.directories.new(), self.places.new()
        copy(PROGRAM, self.source, place)
        server = StatorProcess(PROGRAM, place)
        self.addCleanup(lambda: server.is_running() and server.kill())
        with subprocess.Popen(copy_arguments(PROGRAM, place, target, "--follow", "--json"), stdout=subprocess.PIPE,
                              text=True) as process:
            for line in process.stdout:
                if '"following"' in line:
                    break
            process.send_signal(signal.SIGINT)
            done = outcome(process.stdout.read())
        self.assertTrue(done["equal"])
        self.assertFalse(done["source_is_still"])
        server.stop()
        check_equal(PROGRAM, place, target)

    def test_following_ends_when_the_source_is_quiet(self):
        """Also one that does not tell its changes."""
        there, back = self.places.new(), self.directories.new()
        copy(PROGRAM, self.source, there)
        server = self.serve(there)
        done = outcome(copy(PROGRAM, there, back, "--follow", "--until-quiet", "0.5", "--json"))
        self.assertTrue(done["equal"])
        server.stop()
        check_equal(PROGRAM, there, back)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *(word for word in sys.argv[2:] if word != "postgres")])
