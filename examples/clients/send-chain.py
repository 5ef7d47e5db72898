#!/usr/bin/env python3
"""Sends one message by RCS, else by the chat app, else by SMS, and waits until it is known what became of it.

    POSTHORN_URL=http://127.0.0.1:8080 POSTHORN_KEY=... python3 send-chain.py 491701234501

Needs Python from 3.9 on and its standard library. With POSTHORN_HOOK, an address, reports go there too. What gets no
answer is asked again under the same Idempotency-Key, so the message is sent once.
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
ASK_AGAIN = ("Service unavailable, try again later", "Rate limit exceeded")
STILL_OPEN = ("QUEUED", "ACCEPTED")


def ask(operation, idempotency_key=None):
    """What the gateway answers to one operation. Raises RuntimeError with its own words when it refuses or fails.

    Whatever changes something needs a key, or it could be done twice.
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
            problem, again = f"HTTP status {error.code}", error.code >= 500
        except OSError as error:
            problem, again = f"no answer: {error}", True
        else:
            if answer["success"]:
                break
            problem = answer["error"]
            again = problem.startswith(ASK_AGAIN)
        if not again or tries == TRIES:
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
    sent = ask(message, idempotency_key=str(uuid.uuid4()))
    print(f"accepted as {sent['msg_id']}", flush=True)
    status = {"status": "QUEUED"}
    while status["status"] in STILL_OPEN:
        time.sleep(1)
        status = ask({"type": "status", "msg_id": sent["msg_id"]})
    print(f"{status['status']} by {status['channel']} for {status['price']} {status['currency']}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (KeyError, TypeError):
        sys.exit(__doc__)
    except RuntimeError as error:
        sys.exit(str(error))
