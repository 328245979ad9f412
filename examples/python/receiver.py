# A receiver for Earshot webhooks in Python 3.9 or newer, without dependencies.
#
#   VERIFY_TOKEN=… SIGNING_SECRET=… python3 receiver.py
#
# It listens on http://127.0.0.1:8787/webhook (PORT changes that), answers the verification request, and prints
# every event with a valid signature. Without SIGNING_SECRET it accepts every request: use that only for testing.
import hashlib
import hmac
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PORT = int(os.environ.get("PORT") or 8787)
VERIFY_TOKEN = os.environ.get("VERIFY_TOKEN", "")
SIGNING_SECRET = os.environ.get("SIGNING_SECRET", "")
# Events have at most 300 KiB; anything larger than this is not from Earshot.
MAX_BYTES = 1024 * 1024

# Processed events. Keep them in your database: an event can arrive twice, even after a restart.
seen = set()
lock = threading.Lock()


class Receiver(BaseHTTPRequestHandler):
    # Connections stay open for the next event.
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        """ The verification request: the bare challenge as the body means yes."""
        address = urlsplit(self.path)
        if address.path != "/webhook":
            return self.answer(404)
        query = {name: values[0] for name, values in parse_qs(address.query, keep_blank_values=True).items()}
        is_ours = query.get("hub.mode") == "subscribe" and is_same(query.get("hub.verify_token", ""), VERIFY_TOKEN)
        if not is_ours:
            return self.answer(403)
        self.answer(200, query.get("hub.challenge", ""))
        say("confirmed")

    def do_POST(self):
        if urlsplit(self.path).path != "/webhook":
            return self.refuse(404)
        length = int(self.headers.get("Content-Length") or 0)
        if length > MAX_BYTES:
            return self.refuse(413)
        # The signature is over these bytes: check it before they are parsed.
        body = self.rfile.read(length)
        if not is_signed(body, self.headers.get("X-Hub-Signature", "")):
            return self.answer(403)
        event_id = self.headers.get("webhook-id")
        try:
            event = json.loads(body)
        except ValueError:
            event = None
        if event is None or event_id is None:
            return self.answer(400)
        # Respond within 5 seconds and do the work afterwards. Store the event before you respond.
        self.answer(200)
        with lock:
            if event_id in seen:
                return
            seen.add(event_id)
        say(f"verified {event['event']} {json.dumps(event['data'], ensure_ascii=False, separators=(',', ':'))}")

    def refuse(self, status):
        """Answers without reading the body, so that the connection cannot be used again."""
        self.close_connection = True
        self.answer(status)

    def answer(self, status, text=""):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def is_signed(body, header):
    if SIGNING_SECRET == "":
        return True
    return is_same(header, "sha256=" + hmac.new(SIGNING_SECRET.encode(), body, hashlib.sha256).hexdigest())


def is_same(given, expected):
    """Compares in constant time."""
    return hmac.compare_digest(given.encode(), expected.encode())


def say(line):
    sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.flush()


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
say(f"listening on http://127.0.0.1:{PORT}/webhook")
server.serve_forever()
