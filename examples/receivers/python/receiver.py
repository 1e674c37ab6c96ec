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

SECRET = os.environ.get("WEBHOOK_SECRET") or sys.exit("Set WEBHOOK_SECRET to the secret of the webhook.")
STRICT = os.environ.get("WEBHOOK_STRICT") == "1"
SEEN = Path(os.environ.get("SEEN_DIR", "seen-events"))
MAX_BYTES = 1024 * 1024  # Larger requests get 413. Events have at most 256 KiB.
handling = Lock()


def handle(event):
    """The work of your website. If it raises, the response is 500 and the event is delivered again."""
    print(json.dumps(event), flush=True)


def handle_once(event):
    """Skips an event that was handled before: deliveries can be repeated, with the same id.

    The id is recorded after the work, so that a crash loses no event.
    """
    seen = SEEN / hashlib.sha256(str(event.get("id")).encode()).hexdigest()
    with handling:
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
            return self.respond(411, {"error": "length required"})
        if int(length) > MAX_BYTES:
            return self.respond(413, {"error": "too large"})
        body = self.rfile.read(int(length))  # The signature covers the raw bytes.
        if not self.is_signed(body):
            return self.respond(401, {"error": "bad signature"})
        try:
            handle_once(json.loads(body))
        except Exception:
            traceback.print_exc()
            return self.respond(500, {"error": "not handled"})
        self.respond(200, {"received": True})

    def is_signed(self, body):
        if not verify_signature(body, self.headers.get("x-svc-signature"), SECRET):
            return False
        return not STRICT or verify_standard(body, self.headers, SECRET)

    def respond(self, status, body):
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
