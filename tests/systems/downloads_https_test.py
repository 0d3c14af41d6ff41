#!/usr/bin/env python3
"""The program `downloads` and a source that speaks TLS, as S3 does: what works, and what goes wrong.

    downloads_https_test.py DOWNLOADS
"""

import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from tls_bucket import Authority, Bucket, File, openssl  # noqa: E402

DOWNLOADS = ""
DAY = "2026-02-28"


def text_of(name, size=50_000):
    line = f"{name},a line of a file\n".encode()
    return (line * (size // len(line) + 1))[:size]


class OverTls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="downloads-https-")
        cls.folder = Path(cls.temporary.name)
        (cls.folder / "tls").mkdir()
        cls.authority = Authority(cls.folder / "tls", "our-authority")
        cls.stranger = Authority(cls.folder / "tls", "another-authority")
        cls.context = cls.authority.certify("IP:127.0.0.1")
        cls.keys = cls.folder / "keys"
        cls.keys.mkdir()
        openssl("genrsa", "-out", str(cls.keys / "downloads.pem"), "2048")
        cls.public_key = str(cls.keys / "downloads.pub.pem")
        openssl("rsa", "-in", str(cls.keys / "downloads.pem"), "-pubout", "-out", cls.public_key)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def setUp(self):
        self.place = Path(tempfile.mkdtemp(dir=self.folder))

    def bucket(self, files, **options):
        return Bucket(self.context, self.public_key, files, **options)

    def command(self, name, *arguments):
        return [DOWNLOADS, name, "--data", str(self.place / "data"), *arguments]

    def run_it(self, name, *arguments, environment=()):
        return subprocess.run(self.command(name, *arguments), capture_output=True, text=True, timeout=100, check=False,
                              stdin=subprocess.DEVNULL, env={**os.environ, **dict(environment)})

    def start_day(self, bucket, *more, environment=()):
        return self.run_it("run", "--date", DAY, "--source", bucket.url, *more, environment=environment)

    def downloader(self, *more):
        return ["--keys", str(self.keys), "--out", str(self.place / "out"), "--ca", self.authority.file, *more]

    def published(self):
        return {path.name: path.read_bytes() for path in (self.place / "out").iterdir()}

    def test_every_file_arrives_or_says_why_not(self):
        good = ("whole", "cut_twice", "ignore_range", "no_length", "busy_twice", "moved")
        bad = {
            "cut_always": "closed in the middle of the answer",
            "other_range": "sends another part of the file than the one asked for: bytes 0-",
            "wrong_length": "the source sends 49984 bytes, and the manifest makes it 50000",
            "no_length_and_short": "the file ends before its end",
            "wrong_content": "checksum is not that of the manifest",
            "endless": "the file is longer than the manifest says",
            "expired": "the source answers 403: <Error><Code>AccessDenied</Code>",
            "moved_to_http": "it redirects to another scheme",
        }
        # Hyphens and capitals, and an extension that is kept.
        names = {behave: "EU-" + behave.replace("_", "-").title() for behave in (*good, *bad, "wrong_certificate")}
        files = {name: File(text_of(name, 49_990), behave, "parquet") for behave, name in names.items()
                 if behave != "wrong_certificate"}
        files[names["wrong_certificate"]] = File(text_of("elsewhere"))
        other_host = self.authority.certify("DNS:elsewhere.example")
        with Bucket(other_host, self.public_key, {}) as elsewhere, \
                self.bucket(files, elsewhere={names["wrong_certificate"]: elsewhere.url}) as bucket:
            ran = self.start_day(bucket, "--ca", self.authority.file)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            done = self.run_it("downloader", *self.downloader("--workers", "16"))
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertEqual(bucket.endless_bytes, 0, "somebody listened to the end")
        lines = dict(re.findall(r"^(.*)-2026-02-28 \(.*?\): (.*)$", done.stdout, re.MULTILINE))
        self.assertEqual(len(lines), len(files), done.stdout)
        for behave in good:
            self.assertEqual(lines[names[behave]], "completed")
        for behave, why in {**bad, "wrong_certificate": "its certificate is not trusted"}.items():
            self.assertTrue(lines[names[behave]].startswith("failed: "), lines[names[behave]])
            self.assertIn(why, lines[names[behave]])
            self.assertNotIn("X-Amz", lines[names[behave]])
        whole = {name: body for name, body in self.published().items() if not name.startswith(".")}
        self.assertEqual(whole, {f"{names[behave]}-{DAY}.parquet": files[names[behave]].plain for behave in good})
        # A transfer that breaks off goes on where it stopped, and what must not be repeated is not.
        first, second, third = files[names["cut_twice"]].ranges
        self.assertIsNone(first)
        offsets = [int(asked[len("bytes="):-1]) for asked in (second, third)]
        self.assertTrue(16_000 < offsets[0] < 17_000 and 33_000 < offsets[1] < 34_000, offsets)
        for behave in ("wrong_length", "wrong_content", "endless", "expired", "moved_to_http"):
            self.assertEqual(len(files[names[behave]].ranges), 1, behave)
        self.assertEqual(len(files[names["cut_always"]].ranges), 4)

    def test_only_the_authorities_that_are_trusted_count(self):
        with self.bucket({"accounts": File(text_of("accounts"))}) as bucket:
            for trust in ([], ["--ca", self.stranger.file]):
                refused = self.start_day(bucket, *trust)
                self.assertEqual(refused.returncode, 1)
                self.assertIn("its certificate is not trusted", refused.stderr)
            empty = self.place / "empty.pem"
            empty.write_text("")
            refused = self.start_day(bucket, "--ca", str(empty))
            self.assertEqual(refused.returncode, 1)
            self.assertIn(f"no certificates can be read from '{empty}'", refused.stderr)
            self.assertEqual(self.start_day(bucket, "--ca", "nowhere.pem").returncode, 2)
            # The certificates of the system, wherever those are.
            ran = self.start_day(bucket, environment={"SSL_CERT_FILE": self.authority.file})
            self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_sizes_have_limits(self):
        files = {"small": File(text_of("small", 900)), "large": File(text_of("large", 2_100))}
        with self.bucket(files) as bucket:
            ran = self.start_day(bucket, "--ca", self.authority.file, "--max-file", "2KB")
            self.assertEqual(ran.returncode, 1)
            self.assertIn("large is refused: it has 2100 bytes, and a file may have 2000", ran.stderr)
            self.assertIn("is queued: 1 jobs created", ran.stdout)
            too_much = self.start_day(bucket, "--ca", self.authority.file, "--max-total", "2900")
            self.assertEqual(too_much.returncode, 1)
            self.assertIn("more than 2900 bytes together", too_much.stderr)
            self.assertEqual(self.start_day(bucket, "--ca", self.authority.file, "--max-total", "3000").returncode, 0)
            left = self.run_it("downloader", *self.downloader("--max-total", "2500"))
            self.assertEqual(left.returncode, 1)
            self.assertIn("files are left that --max-total has no room for", left.stderr)
            rest = self.run_it("downloader", *self.downloader())
            self.assertEqual(rest.returncode, 0, rest.stdout + rest.stderr)
            self.assertEqual(len(self.published()), 2)

    def test_one_bad_entity_fails_alone(self):
        with self.bucket({"EU-Accounts": File(text_of("accounts"))}) as bucket:
            bucket.more = [{**bucket.describe("EU-Accounts"), "entity": "../etc/passwd"}, 7]
            ran = self.start_day(bucket, "--ca", self.authority.file)
            self.assertEqual(ran.returncode, 1)
            self.assertIn("../etc/passwd is refused: a name has no '/'", ran.stderr)
            self.assertEqual(self.run_it("downloader", *self.downloader()).returncode, 0)
            self.assertEqual(list(self.published()), [f"EU-Accounts-{DAY}.csv"])
            polled = self.run_it("poller", "--date", DAY)
            self.assertIn("is failed: 1 of 1 completed, 0 failed, refused: (no name) ../etc/passwd", polled.stdout)

    def test_a_download_goes_on_where_it_was_killed(self):
        file = File(text_of("accounts", 3_000_000), "stalled")
        with self.bucket({"accounts": file}) as bucket:
            source = ["--source", bucket.url, "--ca", self.authority.file]
            self.assertEqual(self.start_day(bucket, "--ca", self.authority.file).returncode, 0)
            with subprocess.Popen(self.command("downloader", *self.downloader()), stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as killed:
                self.assertTrue(bucket.stalled.wait(30))
                while not any(path.stat().st_size > 1_000_000 for path in (self.place / "out").iterdir()):
                    self.assertIsNone(killed.poll())
                killed.send_signal(signal.SIGKILL)
            self.assertEqual(self.run_it("requeue", "--clock", "offset:+31m", *source).returncode, 0)
            done = self.run_it("downloader", *self.downloader())
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.published(), {f"accounts-{DAY}.csv": file.plain})
        self.assertEqual(len(file.ranges), 2)
        self.assertGreater(int(file.ranges[1][len("bytes="):-1]), 1_000_000 - 32)

    def test_a_terminal_shows_progress_and_a_pipe_gets_lines(self):
        files = {name: File(text_of(name, 100_000), "slow") for name in ("accounts", "cards")}
        with self.bucket(files) as bucket:
            self.assertEqual(self.start_day(bucket, "--ca", self.authority.file).returncode, 0)
            ours, theirs = pty.openpty()
            with subprocess.Popen(self.command("downloader", *self.downloader("--workers", "2")), stdin=theirs,
                                  stdout=theirs, stderr=theirs) as process:
                os.close(theirs)
                shown = b""
                try:
                    while piece := os.read(ours, 4096):
                        shown += piece
                except OSError:  # that is how a terminal ends
                    pass
                os.close(ours)
                self.assertEqual(process.wait(), 0)
            shown = shown.decode().replace("\r\n", "\n")
            self.assertRegex(shown, r"accounts-2026-02-28  \[#+\.*\]  \d+\.\d KB of 100\.0 KB\n")
            self.assertRegex(shown, r"0 of 2 files, \d+\.\d KB of 200\.0 KB, \d+\.\d KB/s, 0:\d\d left\n")
            self.assertRegex(shown, r"1 of 2 files, ")
            # What is left on the screen are the lines of the files and the sum.
            self.assertTrue(shown.endswith("2 completed (0 were in the folder already), 0 failed, 0 taken away\n"))
        with self.bucket({"loans": File(text_of("loans"))}) as bucket:
            self.run_it("run", "--date", "2026-03-01", "--source", bucket.url, "--ca", self.authority.file)
            done = self.run_it("downloader", *self.downloader())
            self.assertEqual(done.stderr, "")
            self.assertEqual(done.stdout.splitlines()[0], "loans-2026-03-01 (50.0 KB): completed")
            self.assertEqual(len(done.stdout.splitlines()), 2)


if __name__ == "__main__":
    DOWNLOADS = sys.argv[1]
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
