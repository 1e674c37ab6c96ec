# WEBHOOK_SECRET=whsec_… python3 receiver.py
import hashlib
import json
import os
import sys
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock

from verify import verify_signature
from verify_standard import verify_standard

SECRET = os.environ.get("WEBHOOK_SECRET") or sys.exit("WEBHOOK_SECRET is not set: the secret that was shown when the webhook was registered.")
STRICT = os.environ.get("WEBHOOK_STRICT") == "1"
SEEN = Path(os.environ.get("SEEN_DIR", "seen-events"))
MOST_BYTES = 1024 * 1024  # An event has at most 256 KiB; nothing longer is read.
one_at_a_time = Lock()


def handle(event):
    """What your website does with an event. When it raises, the answer is 500, and the event comes again."""
    print(json.dumps(event), flush=True)


def handle_once(event):
    """An event may come more than once, always with the same id. It is noted when it has been handled, so that a crash loses none."""
    seen = SEEN / hashlib.sha256(str(event.get("id")).encode()).hexdigest()
    with one_at_a_time:
        if "id" in event and seen.exists():
            return
        handle(event)
        if "id" in event:
            seen.touch()


class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def do_POST(self):
        length = self.headers.get("content-length") or ""
        if not length.isascii() or not length.isdigit():
            return self.answer(411, {"error": "length required"})
        if int(length) > MOST_BYTES:
            return self.answer(413, {"error": "too large"})
        body = self.rfile.read(int(length))  # The raw bytes: text that was parsed and written again has another signature.
        if not self.is_genuine(body):
            return self.answer(401, {"error": "bad signature"})
        try:
            handle_once(json.loads(body))
        except Exception:
            traceback.print_exc()
            return self.answer(500, {"error": "not handled"})
        self.answer(200, {"received": True})

    def is_genuine(self, body):
        genuine = verify_signature(body, self.headers.get("x-svc-signature"), SECRET)
        return genuine and (not STRICT or verify_standard(body, self.headers, SECRET))

    def answer(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


SEEN.mkdir(parents=True, exist_ok=True)
server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3001"))), Receiver)
print(f"Listening on http://127.0.0.1:{server.server_port}", file=sys.stderr, flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    pass
