#!/usr/bin/env python3
"""stator backup, restore, export and import, on a server and on a directory.

    commands_test.py PROGRAM
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from with_server import Server

PROGRAM = ""


class Commands:
    """The tests; the two classes below say where the tables are."""

    def run_command(self, *arguments, status=0):
        done = subprocess.run([PROGRAM, *arguments, *self.where(arguments[0])], capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def test_items_go_in_and_out(self):
        (self.buckets / "inbox").mkdir(parents=True)
        lines = [json.dumps({"Item": {"pk": {"S": f"item{number}"}}}) for number in range(1000)]
        (self.buckets / "inbox" / "items.json").write_text("\n".join(lines) + "\n")
        self.assertIn("1000 items", self.run_command("import", "s3://inbox/items", "Music", "--key", "pk:S"))
        self.assertIn("Table already exists: Music",
                      self.run_command("import", "s3://inbox/items", "Music", "--key", "pk:S", status=1))

        refused = self.run_command("export", "Music", "s3://out/music", status=1)
        self.assertIn("--enable-recovery", refused)
        exported = self.run_command("export", "Music", "s3://out/music", "--enable-recovery")
        self.assertRegex(exported, r"^s3://out/music/AWSDynamoDB/.*/manifest-summary.json\t1000 items\n$")
        folder = exported.partition("\t")[0].rpartition("/")[0]
        self.assertIn("1000 items", self.run_command(
            "import", folder + "/data/", "Again", "--key", "pk:S", "--compression", "gzip"))
        self.assertIn("1000 items", self.run_command(
            "import", folder + "/data/", "Again", "--into-existing", "--compression", "gzip"))

        arn = self.run_command("backup", "Music", "--name", "first").strip()
        self.assertEqual(self.run_command("backup", "--list"), f"first\t{arn}\n")
        self.assertIn("1000 items", self.run_command("restore", arn, "FromBackup"))
        self.assertIn("1000 items", self.run_command("restore", "Music", "FromPast"))
        self.run_command("backup", "--delete", arn)
        self.assertEqual(self.run_command("backup", "--list"), "")
        self.assertIn("BackupNotFoundException", self.run_command("restore", arn, "Never", status=1))

    def test_a_table_that_is_not_there_is_named(self):
        self.assertIn("not found", self.run_command("backup", "Nothing", status=1))


class OnADirectory(Commands, unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="stator-")
        self.addCleanup(self.temporary.cleanup)
        self.buckets = Path(self.temporary.name) / "buckets"
        self.data = os.path.join(self.temporary.name, "data")
        os.mkdir(self.data)

    def where(self, command):
        options = ["--data", self.data]
        return options + ["--s3-root", str(self.buckets)] if command in ("export", "import") else options

    def test_a_directory_that_is_not_there_is_not_made(self):
        os.rmdir(self.data)
        self.assertIn("there is no directory", self.run_command("backup", "Music", status=1))
        self.assertFalse(os.path.exists(self.data))

    def test_damage_is_found_and_what_can_be_read_is_saved(self):
        (self.buckets / "inbox").mkdir(parents=True)
        lines = [json.dumps({"Item": {"pk": {"S": f"item{number}"}}}) for number in range(1000)]
        (self.buckets / "inbox" / "items.json").write_text("\n".join(lines) + "\n")
        self.run_command("import", "s3://inbox/items", "Music", "--key", "pk:S")

        def run(*arguments, status):
            done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
            return done.stdout + done.stderr

        self.assertIn("1000 items", run("verify", self.data, status=0))
        self.assertEqual(os.stat(os.path.join(self.data, "db")).st_mode & 0o777, 0o700)
        for manifest in Path(self.data, "db").glob("MANIFEST-*"):
            manifest.unlink()
        report = json.loads(run("verify", self.data, "--json", status=1))
        self.assertRegex(report["problems"][0], "MANIFEST-.* is missing")
        refused = self.run_command("backup", "Music", status=1)
        self.assertRegex(refused, "MANIFEST-.* is missing.*stator repair")
        saved = self.data + ".saved"
        self.assertIn("1000 items", run("repair", self.data, "--to", saved, status=0))
        self.assertIn("sound", run("verify", saved, status=0))
        self.assertIn("not a data directory", run("verify", self.data + ".none", status=2))


class OnAServer(Commands, unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="stator-")
        self.addCleanup(self.temporary.cleanup)
        self.buckets = Path(self.temporary.name) / "buckets"
        self.server = Server(PROGRAM, None, ["--s3-root", str(self.buckets)])
        self.server.__enter__()
        self.addCleanup(self.server.log.close)
        self.addCleanup(self.server.__exit__, None, None, None)

    def where(self, _command):
        return ["--endpoint", self.server.endpoint]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    PROGRAM = sys.argv.pop()
    unittest.main()
