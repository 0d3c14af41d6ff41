"""A server that behaves like Telegram's Bot API (https://core.telegram.org/bots/api), on loopback.

    with TelegramApi("123456:secret", certificate=None) as api:
        api.post(chat, user, "Har diskat")      # somebody writes
        api.press(sent, "undo:1", user)         # somebody presses a button below a message of the bot
        api.sent                                # what the bot has sent, in order

As there, an update is delivered until a later offset confirms it, a second poller ends the first one, and the bot's own
messages take numbers of their chat. With a certificate (a PEM file with its key) it speaks HTTPS.
"""

import http.server
import json
import ssl
import threading
import time

BOT = {"id": 777_000_777, "is_bot": True, "first_name": "HomeOps", "username": "homeops_bot"}
DATE = 1_772_265_600  # 2026-02-28 09:00 in Stockholm


def private_chat(user):
    return {"id": user["id"], "type": "private", "first_name": user["first_name"]}


class TelegramApi:
    """Everything that happens in it is kept, for tests to look at."""

    def __init__(self, token, certificate=None):
        self.token = token
        self.lock = threading.Condition()
        self.updates = []
        self.next_update = 900_000_001
        self.next_message = {}
        self.sent = []
        self.ended_presses = []
        self.calls = []
        self.problems = []  # (status, body) that the next calls of sendMessage get
        self.before_answer = None  # called with what the bot sends, before it hears that it arrived
        self.after_poll = None  # called when updates have been handed out
        api = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):  # pylint: disable=invalid-name
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                status, answer = api.call(self.path, body)
                text = json.dumps(answer).encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:
                    pass  # the bot is gone

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

        class Listener(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):  # pylint: disable=arguments-differ
                pass  # the bot was killed, or does not trust the certificate

        self.server = Listener(("127.0.0.1", 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"{'https' if certificate else 'http'}://localhost:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    # --- what people do

    def post(self, chat, user, text, reply_to=None):
        """Returns the message."""
        with self.lock:
            message = {"message_id": self._take_number(chat), "from": user, "chat": chat,
                       "date": DATE + len(self.calls) % 60, "text": text}
            if reply_to:
                message["reply_to_message"] = {key: reply_to[key] for key in ("message_id", "from", "chat", "date")}
            self._happens({"message": message})
        return message

    def press(self, message, data, user):
        with self.lock:
            self._happens({"callback_query": {
                "id": str(4_382_934_823_904_802_340 + self.next_update), "from": user, "message": message,
                "chat_instance": "1", "data": data}})

    def wait_until(self, condition, seconds=20):
        """True when the condition holds; looked at again whenever something happens."""
        end = time.monotonic() + seconds
        with self.lock:
            while not condition():
                if time.monotonic() > end:
                    return False
                self.lock.wait(0.05)
        return True

    def all_confirmed(self):
        return not self.updates

    # --- what the bot does

    def call(self, path, body):
        prefix = f"/bot{self.token}/"
        if not path.startswith(prefix):
            return 401, {"ok": False, "error_code": 401, "description": "Unauthorized"}
        method = path[len(prefix):]
        arguments = json.loads(body or b"{}")
        self.calls.append((method, arguments))
        handler = {"getMe": self._get_me, "getUpdates": self._get_updates, "sendMessage": self._send_message,
                   "answerCallbackQuery": self._end_press}.get(method)
        if not handler:
            return 404, {"ok": False, "error_code": 404, "description": "Not Found"}
        return handler(arguments)

    @staticmethod
    def _get_me(_):
        return 200, {"ok": True, "result": BOT}

    def _get_updates(self, arguments):
        end = time.monotonic() + arguments.get("timeout", 0)
        with self.lock:
            offset = arguments.get("offset", 0)
            self.updates = [update for update in self.updates if update["update_id"] >= offset]
            self.lock.notify_all()
            while not self.updates and time.monotonic() < end:
                self.lock.wait(min(0.1, max(0, end - time.monotonic())))
            result = self.updates[:100]
        if result and self.after_poll:
            self.after_poll()
        return 200, {"ok": True, "result": result}

    def _send_message(self, arguments):
        if self.problems:
            return self.problems.pop(0)
        problem = self._problem_of(arguments)
        if problem:
            return 400, {"ok": False, "error_code": 400, "description": f"Bad Request: {problem}"}
        with self.lock:
            chat = {"id": arguments["chat_id"]}
            message = {"message_id": self._take_number(chat), "from": BOT, "chat": chat, "date": DATE,
                       "text": arguments["text"]}
            sent = {**message, "buttons": [button for row in arguments.get("reply_markup", {}).get("inline_keyboard", [])
                                           for button in row],
                    "to": arguments.get("reply_parameters", {}).get("message_id")}
            self.sent.append(sent)
            self.lock.notify_all()
        if self.before_answer:
            self.before_answer(sent)
        return 200, {"ok": True, "result": message}

    @staticmethod
    def _problem_of(arguments):
        if not isinstance(arguments.get("chat_id"), int):
            return "chat not found"
        if not arguments.get("text"):
            return "message text is empty"
        if len(arguments["text"]) > 4096:
            return "message is too long"
        for row in arguments.get("reply_markup", {}).get("inline_keyboard", []):
            for button in row:
                if not button.get("text") or not 1 <= len(button.get("callback_data", "").encode()) <= 64:
                    return "BUTTON_DATA_INVALID"
        return ""

    def _end_press(self, arguments):
        with self.lock:
            self.ended_presses.append(arguments["callback_query_id"])
            self.lock.notify_all()
        return 200, {"ok": True, "result": True}

    def _take_number(self, chat):
        number = self.next_message.get(chat["id"], 1)
        self.next_message[chat["id"]] = number + 1
        return number

    def _happens(self, update):
        self.updates.append({"update_id": self.next_update, **update})
        self.next_update += 1
        self.lock.notify_all()
