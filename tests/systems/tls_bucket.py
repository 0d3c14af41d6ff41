"""A bucket that speaks TLS, with certificates of its own, and a source whose files lie in it; some of them badly.

Nothing of it is Stator's: files are encrypted and keys wrapped by the command `openssl`, and Python serves them.
"""

import base64
import hashlib
import http.server
import json
import ssl
import subprocess
import threading
import time
import urllib.parse

URL_BYTES = 8192  # of every address, as long as they may be
PIECE = 4096


def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *arguments], input=data, check=True, capture_output=True).stdout


class Authority:
    """A certificate authority in a folder."""

    def __init__(self, folder, name):
        self.folder, self.file = folder, str(folder / f"{name}.pem")
        self.key = str(folder / f"{name}.key")
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", f"/CN={name}", "-keyout", self.key, "-out", self.file)

    def certify(self, name, days="1"):
        """A context for servers that are called so: "IP:127.0.0.1" or "DNS:…"."""
        stem = str(self.folder / f"server-{len(list(self.folder.iterdir()))}")
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=bucket",
                "-keyout", stem + ".key", "-out", stem + ".csr")
        with open(stem + ".ext", "w", encoding="ascii") as file:
            file.write(f"subjectAltName={name}\n")
        openssl("x509", "-req", "-in", stem + ".csr", "-CA", self.file, "-CAkey", self.key, "-days", days,
                "-extfile", stem + ".ext", "-out", stem + ".pem", "-set_serial", str(time.time_ns()))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(stem + ".pem", stem + ".key")
        return context


class File:
    """A published file. `behave` is the name of a method of Answer."""

    def __init__(self, plain, behave="whole", extension="csv"):
        self.plain, self.behave, self.extension = plain, behave, extension
        self.key, self.iv = hashlib.sha256(plain).digest(), hashlib.md5(plain).digest()
        self.body = openssl("enc", "-aes-256-cbc", "-K", self.key.hex(), "-iv", self.iv.hex(), data=plain)
        self.ranges = []  # what was asked for, request by request


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):  # pylint: disable=invalid-name
        parts = urllib.parse.urlsplit(self.path)
        asked = dict(urllib.parse.parse_qsl(parts.query))
        bucket = self.server.bucket
        if parts.path == "/manifest":
            files = [bucket.describe(name) for name in bucket.files]
            return self.answer_json({"date": asked["date"], "files": files + bucket.more})
        if parts.path == "/link":
            return self.answer_json(bucket.describe(asked["file"][:-len("-2026-02-28")]))
        file = bucket.files[parts.path.rsplit("/", 1)[1]]
        assert len(bucket.url + self.path) == URL_BYTES or parts.path.startswith("/moved")
        file.ranges.append(self.headers.get("Range"))
        try:
            getattr(self, file.behave)(file)
        except (ConnectionError, ssl.SSLError):
            pass  # the other side has heard enough
        return None

    def answer_json(self, value):
        text = json.dumps(value).encode()
        self.send_head(200, len(text))
        self.wfile.write(text)

    def send_head(self, status, length, **headers):
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def hang_up(self):
        self.wfile.flush()
        self.close_connection = True
        self.connection.close()

    # --- how files behave

    def whole(self, file, cut_at=None, pause=0):
        """As S3 does, with ranges; hangs up at an offset."""
        first = int(file.ranges[-1][len("bytes="):-1]) if file.ranges[-1] else 0
        total = len(file.body)
        if first:
            self.send_head(206, total - first, Content_Range=f"bytes {first}-{total - 1}/{total}")
        else:
            self.send_head(200, total)
        end = total if cut_at is None else max(first, cut_at)
        for at in range(first, end, PIECE):
            self.wfile.write(file.body[at:min(at + PIECE, end)])
            time.sleep(pause)
        if cut_at is not None:
            self.hang_up()

    def slow(self, file):
        self.whole(file, pause=0.02)

    def cut_twice(self, file):
        """Every time somewhat later."""
        count = len(file.ranges)
        self.whole(file, cut_at=None if count > 2 else len(file.body) * count // 3)

    def cut_always(self, file):
        self.whole(file, cut_at=len(file.body) // 2)

    def ignore_range(self, file):
        if len(file.ranges) == 1:
            return self.whole(file, cut_at=len(file.body) // 2)
        self.send_head(200, len(file.body))
        return self.wfile.write(file.body)

    def other_range(self, file):
        if len(file.ranges) == 1:
            return self.whole(file, cut_at=len(file.body) // 2)
        self.send_head(206, len(file.body), Content_Range=f"bytes 0-{len(file.body) - 1}/{len(file.body)}")
        return self.wfile.write(file.body)

    def wrong_length(self, file):
        """Shorter than the manifest says, and honest about it."""
        self.send_head(200, len(file.body) - 16)
        self.wfile.write(file.body[:-16])

    def no_length(self, file):
        self.send_head(200, None, Connection="close")
        self.wfile.write(file.body)
        self.close_connection = True

    def no_length_and_short(self, file):
        self.send_head(200, None, Connection="close")
        self.wfile.write(file.body[:len(file.body) // 2])
        self.close_connection = True

    def wrong_content(self, file):
        self.send_head(200, len(file.body))
        self.wfile.write(file.body[:100] + bytes(16) + file.body[116:])

    def endless(self, _file):
        self.send_head(200, None, Connection="close")
        sent = 0
        while sent < 1 << 28:
            sent += self.wfile.write(bytes(1 << 16))
        self.server.bucket.endless_bytes = sent

    def busy_twice(self, file):
        if len(file.ranges) > 2:
            return self.whole(file)
        return self.send_head(503, 0)

    def expired(self, _file):
        text = b"<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"
        self.send_head(403, len(text))
        self.wfile.write(text)

    def moved(self, file):
        if not self.path.startswith("/moved"):
            return self.send_head(307, 0, Location=self.path.replace("/bucket/", "/moved/", 1))
        return self.whole(file)

    def moved_to_http(self, _file):
        self.send_head(307, 0, Location=self.server.bucket.url.replace("https", "http") + "/bucket/x")

    def stalled(self, file):
        """Half of it, and then nothing until the other side is gone; the rest to whoever asks for it."""
        if len(file.ranges) > 1:
            return self.whole(file)
        self.send_head(200, len(file.body))
        self.wfile.write(file.body[:len(file.body) // 2])
        self.server.bucket.stalled.set()
        self.connection.settimeout(60)
        return self.connection.recv(1)


class Bucket:
    """with Bucket(context, public_key, files) as bucket: … bucket.url …"""

    def __init__(self, context, public_key, files, elsewhere=()):
        self.public_key, self.files, self.elsewhere = public_key, files, dict(elsewhere)
        self.more = []  # of the manifest
        self.endless_bytes = 0
        self.stalled = threading.Event()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.server.daemon_threads = True
        # Each connection shakes hands on its own thread.
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.server.handle_error = lambda *arguments: None
        self.server.bucket = self
        self.url = f"https://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()

    def describe(self, name):
        file = self.files[name]
        wrapped = openssl("pkeyutl", "-encrypt", "-pubin", "-inkey", self.public_key, "-pkeyopt",
                          "rsa_padding_mode:oaep", "-pkeyopt", "rsa_oaep_md:sha256", data=file.key)
        url = f"{self.elsewhere.get(name, self.url)}/bucket/{name}?X-Amz-Security-Token="
        return {"entity": name, "url": url + "x" * (URL_BYTES - len(url)), "extension": file.extension,
                "key": base64.b64encode(wrapped).decode(), "iv": base64.b64encode(file.iv).decode(),
                "sha256": hashlib.sha256(file.plain).hexdigest(), "size": len(file.plain)}
