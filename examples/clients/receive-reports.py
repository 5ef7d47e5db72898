#!/usr/bin/env python3
"""Receives reports at a hook and accepts only those that are signed with the secret of the account or of the hook.

    POSTHORN_HOOK_SECRET=whsec_... python3 receive-reports.py 9000

Needs Python 3.9 or newer and its standard library. While a secret is rotated, set both secrets, separated by a space.
Signatures follow Standard Webhooks 1.0.
"""

import base64
import binascii
import hashlib
import hmac
import json
import os
import socket
import sys
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1_048_576
MAX_SIGNATURES = 16
MAX_REMEMBERED = 10_000
MAX_DISCARDED_READS = 256


def read_secrets(text):
    return [base64.b64decode(secret.removeprefix("whsec_"), validate=True) for secret in text.split()]


def is_signed(secrets, headers, body, now):
    """Returns whether one of the secrets signed this body within the tolerance."""
    webhook_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    expected = [b"v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)) for secret in secrets]
    given = headers.get("webhook-signature", "").encode().split(b" ")[:MAX_SIGNATURES]
    return any(hmac.compare_digest(each, signature) for each in expected for signature in given)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    secrets = []
    # A report can arrive twice, with the same id. Store the ids in your database instead.
    seen = OrderedDict()

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            return self.refuse_length()
        body = self.rfile.read(int(length))
        if not is_signed(self.secrets, self.headers, body, time.time()):
            return self.answer(400)
        # An account with several reports per POST gets an array, in which each report has its id.
        parsed = json.loads(body)
        if isinstance(parsed, list):
            for report in parsed:
                self.handle_once(report["webhook_id"], report)
        else:
            self.handle_once(self.headers["webhook-id"], parsed)
        self.answer(204)

    def handle_once(self, webhook_id, report):
        if webhook_id in self.seen:
            return
        self.seen[webhook_id] = True
        if len(self.seen) > MAX_REMEMBERED:
            self.seen.popitem(last=False)
        self.handle_report(report)

    def handle_report(self, report):
        """Processes a verified report. Do longer work elsewhere: the gateway waits ten seconds for the answer."""
        if report["type"] == "message.status":
            print(f"{report['msg_id']} {report['status']} by {report['channel']}", flush=True)
        elif report["type"] == "link.clicked":
            print(f"{report['msg_id']} clicked {report['url']}", flush=True)
        elif report["type"] == "message.inbound":
            print(f"{report['from']} wrote to {report['to']}: {report['text']}", flush=True)
        elif report["type"] == "verify.status":
            print(f"verification {report['verify_id']} {report['status']}", flush=True)
        else:
            print(report["type"], flush=True)

    def refuse_length(self):
        self.close_connection = True
        self.answer(413)
        # Closing while the body arrives would reset the connection, and the sender might miss the answer.
        self.connection.shutdown(socket.SHUT_WR)
        for _ in range(MAX_DISCARDED_READS):
            if not self.rfile.read1(65_536):
                break

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        if self.close_connection:
            self.send_header("Connection", "close")
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
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    except binascii.Error:
        sys.exit("POSTHORN_HOOK_SECRET: must be whsec_ and base64, as `posthorn account create` printed it")
    except KeyboardInterrupt:
        pass
