"""The client against a running sandbox: POSTHORN_URL, POSTHORN_KEY, POSTHORN_HOOK_SECRET. Prints what it has seen."""

import asyncio
import os
import queue
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from posthorn import AsyncPosthorn, ItemError, Posthorn, ReportVerifier, RequestError

URL, KEY = os.environ["POSTHORN_URL"], os.environ["POSTHORN_KEY"]
CHAIN = {
    "type": "rcs+chatapp+sms",
    "rcs_signature": "RCSTest",
    "rcs_message": "Your parcel is here.",
    "chatapp_type": "text",
    "chatapp_signature": "ChatTest",
    "chatapp_message": "Your parcel is here.",
    "sms_signature": "SMSTest",
    "sms_message": "Your parcel is here.",
}
verified = queue.Queue()


class Hook(BaseHTTPRequestHandler):
    verifier = ReportVerifier(os.environ["POSTHORN_HOOK_SECRET"])

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        for each in self.verifier.verify(body, self.headers):
            verified.put(each.report)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def send_and_verify():
    with ThreadingHTTPServer(("127.0.0.1", 0), Hook) as hook, Posthorn(URL, KEY) as posthorn:
        threading.Thread(target=hook.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{hook.server_port}/"
        # RCS is refused for phones that end in 01, so the chat app delivers.
        sent = posthorn.execute({**CHAIN, "phone": 491701239501, "id": 2**60, "hook": address}, "order-17-paid")
        again = posthorn.execute({**CHAIN, "phone": 491701239501, "id": 2**60, "hook": address}, "order-17-paid")
        assert again == sent and sent["id"] == 2**60, (sent, again)
        report = verified.get(timeout=20)
        assert report["msg_id"] == sent["msg_id"], report
        print("report", report["status"], report["channel"], flush=True)
        status = posthorn.execute({"type": "status", "msg_id": sent["msg_id"]})
        print("status", status["status"], status["price"], status["currency"], flush=True)
        hook.shutdown()
        try:
            posthorn.execute({**CHAIN, "phone": 12})
        except ItemError as error:
            print("error", error.code, error.field, flush=True)
        try:
            Posthorn(URL, "wrong").execute({"type": "balance"})
        except RequestError as error:
            print("error", error.code, flush=True)


async def read_events():
    async with AsyncPosthorn(URL, KEY) as posthorn:
        sent = await asyncio.gather(
            *(posthorn.execute({**CHAIN, "phone": 491701239600, "id": n, "hook": "feed:"}) for n in range(3))
        )
        awaited = {each["msg_id"] for each in sent}
        async for event in posthorn.events(interval=0.1):
            awaited.discard(event.report.get("msg_id"))
            if not awaited:
                break
        print("events", len(sent), flush=True)


def upload():
    with Posthorn(f"{URL}/api/json.php", KEY) as posthorn:
        message = {"type": "sms", "sms_signature": "SMSTest", "sms_message": "Hello {name}"}
        bulk = posthorn.execute({"type": "bulk/create", "message": message})
        lines = [{"phone": 491701239700 + 2 * n, "name": "Ada"} for n in range(10)]
        uploaded = posthorn.upload_bulk(bulk["bulk_id"], lines)
        assert uploaded is not None
        posthorn.execute({"type": "bulk/stop", "bulk_id": bulk["bulk_id"]})
        print("bulk", uploaded["lines"], posthorn.wait_for_bulk(bulk["bulk_id"])["state"], flush=True)


if __name__ == "__main__":
    send_and_verify()
    asyncio.run(asyncio.wait_for(read_events(), 20))
    upload()
    sys.exit(0)
