#!/usr/bin/env python3
"""Sends one message by RCS, with fallback to the chat app and SMS, and waits for its final status.

    POSTHORN_URL=http://127.0.0.1:8080 POSTHORN_KEY=... python3 send-chain.py 491701234501

Needs Python 3.9 or newer and its standard library. POSTHORN_HOOK sets the address for reports. A request without an
answer is repeated with the same Idempotency-Key, so that the message is sent once.
"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

TRIES = 5
RETRY_ERRORS = ("Service unavailable, try again later", "Rate limit exceeded")
OPEN_STATUSES = ("QUEUED", "ACCEPTED")


def post(operation, idempotency_key=None):
    """Returns the data of the gateway's answer to one operation. Raises RuntimeError with the gateway's error.

    Pass a key for operations that change something: without it, a retry could execute them twice.
    """
    body = json.dumps({"auth": os.environ["POSTHORN_KEY"], "data": [operation]}).encode()
    headers = {"Content-Type": "application/json"}
    if idempotency_key is not None:
        headers["Idempotency-Key"] = idempotency_key
    url = os.environ["POSTHORN_URL"].rstrip("/") + "/api/json.php"
    for tries in range(1, TRIES + 1):
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=30) as response:
                answer = json.load(response)
        except urllib.error.HTTPError as error:
            problem, retry = f"HTTP status {error.code}", error.code >= 500
        except OSError as error:
            problem, retry = f"no answer: {error}", True
        else:
            if answer["success"]:
                break
            problem = answer["error"]
            retry = problem.startswith(RETRY_ERRORS)
        if not retry or tries == TRIES:
            raise RuntimeError(problem)
        time.sleep(0.5 * 2 ** (tries - 1) * random.uniform(0.5, 1))
    (result,) = answer["data"]
    if not result["success"]:
        raise RuntimeError(result["error"])
    return result["data"]


def main(phone):
    message = {
        "type": "rcs+chatapp+sms",
        "phone": phone,
        "rcs_signature": "RCSTest",
        "rcs_message": "Your parcel is here.",
        "rcs_lifetime": 3600,
        "chatapp_type": "text",
        "chatapp_signature": "ChatTest",
        "chatapp_message": "Your parcel is here.",
        "sms_signature": "SMSTest",
        "sms_message": "Your parcel is here.",
        "hook": os.environ.get("POSTHORN_HOOK"),
    }
    sent = post(message, idempotency_key=str(uuid.uuid4()))
    print(f"accepted as {sent['msg_id']}", flush=True)
    status = {"status": "QUEUED"}
    while status["status"] in OPEN_STATUSES:
        time.sleep(1)
        status = post({"type": "status", "msg_id": sent["msg_id"]})
    print(f"{status['status']} by {status['channel']} for {status['price']} {status['currency']}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (KeyError, TypeError):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    except RuntimeError as error:
        sys.exit(str(error))
