#!/usr/bin/env python3
"""`homeops bot` as people meet it in Telegram, against a server that behaves like the Bot API.

    homeops_bot_test.py STATOR HOMEOPS

And the bot killed between a message and its answer: no message is lost, and no answer comes twice.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "clients"))

# pylint: disable=wrong-import-position
from telegram_api import TelegramApi, private_chat
from with_server import Server, client_environment

STATOR = HOMEOPS = ""
TOKEN = "123456:AAE-secret_token"
CLOCK = "fixed:2026-02-28T08:00:30Z"
GROUP = {"id": -1_001_234_567_890, "type": "supergroup", "title": "Hemma"}
MARTIN = {"id": 5_000_000_001, "is_bot": False, "first_name": "Martin"}  # more than 32 bits
ANNA = {"id": 6_000_000_002, "is_bot": False, "first_name": "Anna"}
OTHER_ANNA = {"id": 4_503_599_627_370_495, "is_bot": False, "first_name": "Anna"}  # 2^52 - 1


def certificate(folder):
    """A CA of one's own and what it vouches for: the files (ca, certificate with key)."""
    ca, key, request, signed, both = (str(Path(folder) / name) for name in
                                      ("ca.pem", "key.pem", "request.pem", "signed.pem", "both.pem"))
    extensions = str(Path(folder) / "extensions")
    Path(extensions).write_text("subjectAltName=DNS:localhost\n", encoding="utf-8")
    for command in (
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test CA",
             "-keyout", ca + ".key", "-out", ca],
            ["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", key, "-out", request],
            ["x509", "-req", "-days", "2", "-in", request, "-CA", ca, "-CAkey", ca + ".key", "-CAcreateserial",
             "-extfile", extensions, "-out", signed]):
        subprocess.run(["openssl", *command], check=True, capture_output=True)
    Path(both).write_text(Path(signed).read_text(encoding="utf-8") + Path(key).read_text(encoding="utf-8"),
                          encoding="utf-8")
    return ca, both


class BotTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="stator-")
        self.addCleanup(self.temporary.cleanup)
        self.server = Server(STATOR)
        self.server.__enter__()
        self.addCleanup(self.server.log.close)
        self.addCleanup(self.server.__exit__, None, None, None)
        self.environment = {**client_environment(self.server.endpoint), "TELEGRAM_BOT_TOKEN": TOKEN}
        self.log = open(os.path.join(self.temporary.name, "bot.log"), "w+", encoding="utf-8")
        self.addCleanup(self.log.close)

    def homeops(self, *arguments):
        return [HOMEOPS, "--endpoint", self.server.endpoint, "--clock", CLOCK, *arguments]

    def api(self, files=None):
        api = TelegramApi(TOKEN, files)
        api.__enter__()
        self.addCleanup(api.__exit__, None, None, None)
        return api

    def start(self, api, *options):
        process = subprocess.Popen(self.homeops("bot", "--api", api.url, "--poll", "1", *options),
                                   stdout=self.log, stderr=self.log, env=self.environment)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process, kill=False):
        if process.poll() is None:
            process.kill() if kill else process.terminate()
        return process.wait(30)

    def records(self, table):
        done = subprocess.run(self.homeops("state"), capture_output=True, text=True, timeout=60, check=True,
                              env=self.environment)
        items = [json.loads(line) for line in done.stdout.splitlines()]
        return [item["item"] for item in items if item["table"] == table]

    def answers(self):
        return subprocess.run(self.homeops("answers"), capture_output=True, text=True, timeout=60, check=True,
                              env=self.environment).stdout

    def heard(self):
        self.log.flush()
        return Path(self.log.name).read_text(encoding="utf-8")


class Talks(BotTest):
    def ask(self, api, chat, user, text, reply_to=None):
        """What the bot sends next."""
        before = len(api.sent)
        api.post(chat, user, text, reply_to)
        self.assertTrue(api.wait_until(lambda: len(api.sent) > before), f"no answer to {text!r}: {self.heard()}")
        return api.sent[before]

    def test_over_https_in_swedish_with_buttons(self):
        ca, both = certificate(self.temporary.name)
        api = self.api(both)
        process = self.start(api, "--ca", ca)
        group = dict(GROUP)
        noted = self.ask(api, group, MARTIN, "Har diskat och handlat")
        self.assertEqual(noted["text"], "Noterat: diskning och handling.")
        self.assertEqual(noted["chat"]["id"], GROUP["id"])
        self.assertEqual(self.ask(api, group, ANNA, "Vem diskade senast?")["text"],
                         "Det var Martin, i dag kl. 09:00 (diskning).")
        self.assertEqual(self.ask(api, group, ANNA, "Hur ofta har Martin diskat den här veckan?")["text"],
                         "Martin har gjort det en gång den här veckan (diskning).")
        # A button, and the end of its waiting.
        before = len(api.sent)
        api.press(noted, noted["buttons"][0]["callback_data"], MARTIN)
        self.assertTrue(api.wait_until(lambda: len(api.sent) > before and api.ended_presses))
        self.assertEqual(api.sent[before]["text"], "Ångrat: diskning och handling är borttaget.")
        # An answer to what the bot said, in words.
        noted = self.ask(api, private_chat(MARTIN), MARTIN, "Har diskat kläderna")
        self.assertEqual(self.ask(api, private_chat(MARTIN), MARTIN, "nej, jag menade tvätt", noted)["text"],
                         "Noterat som tvätt. ”diskat kläderna” betyder tvätt här.")
        self.assertEqual(self.end(process), 0)
        self.assertTrue(api.all_confirmed())
        self.assertNotIn("secret", self.heard())

    def test_two_members_of_one_name_are_asked_about(self):
        api = self.api()
        self.start(api)
        self.ask(api, GROUP, ANNA, "Har handlat")
        self.ask(api, GROUP, OTHER_ANNA, "Har tvättat")
        asked = self.ask(api, GROUP, MARTIN, "När handlade Anna sist?")
        self.assertEqual(asked["text"], "Det finns flera som heter Anna. Vem menar du?")
        self.assertEqual([button["text"] for button in asked["buttons"]],
                         [f"Anna ({ANNA['id']})", f"Anna ({OTHER_ANNA['id']})"])
        before = len(api.sent)
        api.press(asked, asked["buttons"][1]["callback_data"], MARTIN)
        self.assertTrue(api.wait_until(lambda: len(api.sent) > before))
        self.assertEqual(api.sent[before]["text"],
                         f"Anna ({OTHER_ANNA['id']}) har inte gjort det än, vad jag vet (handling).")

    def test_names_as_long_as_they_may_be_and_texts_of_any_kind_are_taken(self):
        api = self.api()
        self.start(api)
        long_name = {"id": 9, "is_bot": False, "first_name": "Å" * 64, "last_name": "🏠" * 64}
        chat = private_chat(long_name)
        for text in ("Har diskat", "x" * 4096, "\"quoted\" \\ \n new line", "🧹" * 500, "# - _"):
            self.ask(api, chat, long_name, text)
        self.assertEqual(len([item for item in self.records("homeops-messages") if item["userId"] == 9]), 5)

    def test_a_server_that_fails_is_asked_again(self):
        api = self.api()
        api.problems = [
            (429, {"ok": False, "error_code": 429, "description": "Too Many Requests",
                   "parameters": {"retry_after": 1}}),
        ]
        self.start(api)
        began = time.monotonic()
        self.assertEqual(self.ask(api, private_chat(MARTIN), MARTIN, "Har diskat")["text"], "Noterat: diskning.")
        self.assertGreaterEqual(time.monotonic() - began, 1)
        # A chat that does not take the answer holds nobody up.
        api.problems = [(403, {"ok": False, "error_code": 403, "description": "Forbidden: bot was blocked by the user"})]
        api.post(private_chat(ANNA), ANNA, "Har handlat")
        self.assertEqual(self.ask(api, private_chat(MARTIN), MARTIN, "Har städat")["text"], "Noterat: städning.")
        self.assertIn("bot was blocked by the user", self.heard())

    def test_a_wrong_token_or_certificate_is_said_and_not_shown(self):
        api = self.api()
        self.environment["TELEGRAM_BOT_TOKEN"] = "123456:wrong_secret"
        self.assertEqual(self.start(api).wait(20), 1)
        self.assertIn("does not know this token", self.heard())
        _, both = certificate(self.temporary.name)
        self.assertEqual(self.start(self.api(both)).wait(20), 1)
        self.assertNotIn("secret", self.heard())
        del self.environment["TELEGRAM_BOT_TOKEN"]
        self.assertEqual(self.start(api).wait(20), 2)


class Streams(BotTest):
    def test_each_line_of_a_terminal_is_answered_when_it_comes(self):
        process = subprocess.Popen(self.homeops("chat", "--as", "Martin"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=self.log, text=True, env=self.environment)
        self.addCleanup(self.end, process)
        self.addCleanup(process.stdout.close)
        # The next line is written only after the answer to the one before.
        for line, answer in (("Har diskat", "Noterat: diskning."), (None, "  [1] Ångra"),
                             ("Vem diskade senast?", "Det var Martin, i dag kl. 09:00 (diskning)."),
                             ('{"chatId":"hemma","messageId":50,"userId":-7,"userName":"","timestamp":1772265600,'
                              '"text":"Vem diskade senast?"}', "Det var Martin, i dag kl. 09:00 (diskning).")):
            if line:
                process.stdin.write(line + "\n")
                process.stdin.flush()
            self.assertEqual(process.stdout.readline().rstrip("\n"), answer, self.heard())
        process.stdin.close()
        self.assertEqual(process.wait(30), 0)

    def test_ingest_takes_each_line_when_it_comes_and_shows_how_far_it_is(self):
        process = subprocess.Popen(self.homeops("ingest", "-"), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=self.log, text=True, env=self.environment)
        self.addCleanup(self.end, process)
        process.stdin.write('{"chatId":"a#b","messageId":1,"userId":"U024BE7LH","userName":"' + "Å" * 300 +
                            '","timestamp":1772265600,"text":"Har diskat"}\n')
        process.stdin.flush()
        end = time.monotonic() + 30
        while not self.records("homeops-activities"):
            self.assertLess(time.monotonic(), end, "the line waits for the end of the input")
        process.stdin.close()
        self.assertEqual(process.wait(30), 0, self.heard())
        log = os.path.join(self.temporary.name, "log.jsonl")
        with open(log, "w", encoding="utf-8") as file:
            subprocess.run([HOMEOPS, "generate-log", "--messages", "60"], stdout=file, check=True, timeout=60)
        done = subprocess.run([HOMEOPS, "--data", os.path.join(self.temporary.name, "home"), "ingest", log],
                              capture_output=True, text=True, timeout=120, check=True)
        self.assertRegex(done.stderr, r"reading \S+log.jsonl  \[#+\]  60 of 60")


class Killed(BotTest):
    def run_until_confirmed(self, api, dice):
        """Kills the bot at random moments until everything is confirmed; returns how often."""
        killed = 0
        while not api.all_confirmed():
            process = self.start(api)
            # Later and later, so that the end is reached even on a busy machine.
            api.wait_until(api.all_confirmed, dice.uniform(0.02, 0.1 + killed / 20))
            if not api.all_confirmed():
                killed += 1
            self.end(process, kill=True)
        return killed

    def check(self, api, posted):
        """Every message is there; every one is answered once, or it is known that nobody can say."""
        records = {(item["chatId"], item["messageId"]): item for item in self.records("homeops-messages")}
        answers = {}
        for sent in api.sent:
            key = (str(sent["chat"]["id"]), sent["to"])
            answers[key] = answers.get(key, 0) + 1
        unsure = 0
        for message in posted:
            key = (str(message["chat"]["id"]), message["message_id"])
            self.assertIn(key, records, "a message is lost")
            state = records[key].get("answerState")
            self.assertLessEqual(answers.get(key, 0), 1, "an answer came twice")
            if state == "sent":
                self.assertEqual(answers.get(key, 0), 1, "an answer is called sent and is not")
            else:
                self.assertEqual(state, "unsure", records[key])
                unsure += 1
        return unsure

    def test_again_and_again_no_message_is_lost_and_no_answer_comes_twice(self):
        seed = int.from_bytes(os.urandom(4), "big")
        dice = random.Random(seed)
        print(f"seed {seed}")
        api = self.api()
        texts = ["Har diskat", "Vem diskade senast?", "Har tvättat och handlat", "ångra", "Har städat",
                 "nej, jag menade dammsugning", "Hur ofta har vi diskat den här veckan?"]
        people = [MARTIN, ANNA]
        posted = [api.post(private_chat(people[i % 2]), people[i % 2], texts[i // 2 % len(texts)]) for i in range(40)]
        killed = self.run_until_confirmed(api, dice)
        unsure = self.check(api, posted)
        print(f"{killed} processes killed, {unsure} answers of which nobody can say whether they arrived")
        self.assertLessEqual(unsure, killed)
        # As often as the people said so, and were not taken back.
        activities = self.records("homeops-activities")
        said = {(item["userId"], item["messageId"], item["activity"]) for item in activities}
        self.assertEqual(len(said), len(activities))
        totals = sum(item["totalCount"] for item in self.records("homeops") if item["pk"].startswith("PATTERN#"))
        self.assertEqual(totals, len(activities))

    def test_while_the_answer_is_on_its_way_it_is_not_sent_again(self):
        api = self.api()
        process = self.start(api)
        api.before_answer = lambda _: process.kill()
        posted = [api.post(private_chat(MARTIN), MARTIN, "Har diskat")]
        process.wait(30)
        api.before_answer = None
        posted.append(api.post(private_chat(MARTIN), MARTIN, "Vem diskade senast?"))
        again = self.start(api)
        self.assertTrue(api.wait_until(api.all_confirmed), self.heard())
        self.end(again)
        self.assertEqual([sent["text"] for sent in api.sent],
                         ["Noterat: diskning.", "Det var Martin, i dag kl. 09:00 (diskning)."])
        self.assertEqual(self.check(api, posted), 1)
        # A person sees it, and may want it all the same.
        self.assertRegex(self.answers(), r"5000000001 +1 +2026-02-28 09:00 +unsure +Noterat: diskning\.")
        person = self.start(api, "--resend-unsure")
        self.assertTrue(api.wait_until(lambda: len(api.sent) == 3), self.heard())
        self.end(person)
        self.assertEqual((api.sent[2]["text"], api.sent[2]["to"]), ("Noterat: diskning.", posted[0]["message_id"]))
        self.assertEqual(self.answers(), "every answer has arrived\n")

    def test_between_a_message_and_its_answer_both_come_after_the_restart(self):
        api = self.api()
        process = self.start(api)
        api.after_poll = process.kill
        posted = [api.post(private_chat(MARTIN), MARTIN, "Har diskat")]
        process.wait(30)
        api.after_poll = None
        again = self.start(api)
        self.assertTrue(api.wait_until(api.all_confirmed), self.heard())
        self.end(again)
        self.assertEqual([sent["text"] for sent in api.sent], ["Noterat: diskning."])
        self.assertEqual(self.check(api, posted), 0)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    STATOR, HOMEOPS = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
