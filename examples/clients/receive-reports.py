#!/usr/bin/env python3
"""Receives reports at a hook and believes only those that are signed with the account's hook secret.

    POSTHORN_HOOK_SECRET=whsec_... python3 receive-reports.py 9000

Needs Python from 3.9 on and its standard library. While a secret is rotated, give both with a space between them. The
scheme of the signatures is Standard Webhooks 1.0.
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
LONGEST_BODY = 65_536
MOST_SIGNATURES = 16
MOST_REMEMBERED = 10_000


def read_secrets(text):
    return [base64.b64decode(secret.removeprefix("whsec_"), validate=True) for secret in text.split()]


def is_signed(secrets, headers, body, now):
    """Whether one of the secrets signed this body, not long ago."""
    webhook_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    expected = [b"v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)) for secret in secrets]
    given = headers.get("webhook-signature", "").encode().split(b" ")[:MOST_SIGNATURES]
    return any(hmac.compare_digest(each, signature) for each in expected for signature in given)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    secrets = []
    # A report may come twice: the webhook-id is the same on each try. A real receiver remembers them in its database.
    seen = OrderedDict()

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > LONGEST_BODY:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(int(length))
        if not is_signed(self.secrets, self.headers, body, time.time()):
            return self.answer(400)
        webhook_id = self.headers["webhook-id"]
        if webhook_id not in self.seen:
            self.seen[webhook_id] = True
            if len(self.seen) > MOST_REMEMBERED:
                self.seen.popitem(last=False)
            self.hear(json.loads(body))
        self.answer(204)

    def hear(self, report):
        """What the program is for. Work that takes longer belongs elsewhere: the gateway waits ten seconds."""
        if report["type"] == "message.status":
            print(f"{report['msg_id']} {report['status']} by {report['channel']}", flush=True)
        elif report["type"] == "link.clicked":
            print(f"{report['msg_id']} clicked {report['url']}", flush=True)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


def main(port):
    Receiver.secrets = read_secrets(os.environ["POSTHORN_HOOK_SECRET"])
    with ThreadingHTTPServer(("127.0.0.1", int(port)), Receiver) as server:
        print(f"http://127.0.0.1:{server.server_port}/", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (KeyError, TypeError):
        sys.exit(__doc__)
    except KeyboardInterrupt:
        pass
