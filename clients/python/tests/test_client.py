"""The client against a scripted server on loopback: what it sends again, and what it raises."""

import asyncio
import json
import threading
import unittest
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseRequestHandler, ThreadingTCPServer

from posthorn import (
    AsyncPosthorn,
    Failed,
    ItemError,
    NoAnswerError,
    Posthorn,
    ReportVerifier,
    RequestError,
    RetryPolicy,
    Succeeded,
)

KEY = "ph_live_secret"
SMS = {"type": "sms", "phone": 491701234500, "sms_signature": "SMSTest", "sms_message": "Hello"}
SENT = {"success": True, "data": [{"success": True, "data": {"msg_id": 65, "data": 1, "parts": 1}}]}
DENIED = {"success": False, "error": "Access denied", "code": "access_denied"}
REFUSED = {"success": False, "error": "Service unavailable, try again later", "code": "unavailable"}


class ScriptedServer:
    """Answers each request with the next step of a script: an envelope, an HTTP status, or None to hang up."""

    def __init__(self, *script):
        self.script = list(script)
        self.requests = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                outer.requests.append((self.path, self.headers.get("Idempotency-Key"), json.loads(body)))
                step = outer.script.pop(0)
                if step is None:
                    self.close_connection = True
                    return
                status, content = (step, b"") if isinstance(step, int) else (200, json.dumps(step).encode())
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/gateway/"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def client(self, **options):
        return Posthorn(self.address, KEY, retry=RetryPolicy(tries=3, first_delay=0), **options)


class TricklingServer:
    """Answers with a beginning and then byte by byte, until the client has closed the connection."""

    def __init__(self, head):
        outer = self

        class Handler(BaseRequestHandler):
            def handle(self):
                self.request.recv(65_536)
                try:
                    self.request.sendall(head)
                    while not outer.closing.wait(0.02):
                        self.request.sendall(b" ")
                except OSError:
                    pass

        self.closing = threading.Event()
        self.server = ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()


class Retries(unittest.TestCase):
    def test_a_request_is_repeated_with_its_key_until_it_is_answered(self):
        retries = []
        with ScriptedServer(503, REFUSED, SENT) as server, server.client(on_retry=retries.append) as posthorn:
            self.assertEqual(posthorn.execute(SMS)["msg_id"], 65)
        keys = {key for _, key, _ in server.requests}
        self.assertEqual((len(server.requests), len(keys)), (3, 1))
        self.assertRegex(keys.pop(), "^[0-9a-f]{32}$")
        self.assertEqual(server.requests[0][0], "/gateway/api/json.php")
        self.assertEqual(server.requests[0][2], {"auth": KEY, "data": [SMS]})
        self.assertEqual([(each.tries, type(each.error)) for each in retries], [(1, NoAnswerError), (2, RequestError)])

    def test_it_gives_up_after_its_tries_and_says_what_is_known(self):
        with ScriptedServer(REFUSED, 502, 502) as server, server.client() as posthorn:
            with self.assertRaises(NoAnswerError) as raised:
                posthorn.execute(SMS, "order-17")
        error = raised.exception
        self.assertEqual((error.reason, error.status, error.tries, error.idempotency_key), ("status", 502, 3, "order-17"))
        self.assertNotIn(KEY, str(error))

    def test_a_refusal_of_the_request_itself_is_not_repeated(self):
        with ScriptedServer(DENIED) as server, server.client() as posthorn:
            with self.assertRaises(RequestError) as raised:
                posthorn.batch([SMS])
        self.assertEqual((raised.exception.code, raised.exception.tries), ("access_denied", 1))

    def test_neither_is_a_status_that_no_repeat_changes(self):
        for step in (302, 404):
            with ScriptedServer(step) as server, server.client() as posthorn:
                with self.assertRaises(NoAnswerError):
                    posthorn.execute(SMS)

    def test_reads_have_no_key(self):
        balance = {"success": True, "data": [{"success": True, "data": {"amount": 1.5, "currency": "EUR"}}]}
        with ScriptedServer(balance) as server, server.client() as posthorn:
            self.assertEqual(posthorn.execute({"type": "balance"})["amount"], 1.5)
        self.assertIsNone(server.requests[0][1])

    def test_an_idle_connection_that_was_closed_is_replaced(self):
        with ScriptedServer(SENT, None, SENT) as server, server.client() as posthorn:
            posthorn.execute(SMS)
            # The server closes the connection instead of an answer, as if it had been idle for too long.
            posthorn.execute(SMS)
        self.assertEqual(len(server.requests), 3)

    def test_events_are_read_without_end_while_the_gateway_is_down(self):
        event = {"event_id": "e1", "cursor": "1", "type": "hook.test"}
        page = {"success": True, "data": [{"success": True, "data": {"events": [event], "next": "1", "more": True}}]}
        down = [None, 503, 502, REFUSED, None, 503, 502]
        with ScriptedServer(*down, page, *down, page) as server, server.client() as posthorn:
            events = posthorn.events()
            self.assertEqual([next(events).id, next(events).id], ["e1", "e1"])

    def test_so_is_the_status_of_a_bulk(self):
        ended = {"success": True, "data": [{"success": True, "data": {"state": "finished", "ended_at": "2026"}}]}
        with ScriptedServer(502, 502, 502, 502, 502, ended) as server, server.client() as posthorn:
            self.assertEqual(posthorn.wait_for_bulk(5)["state"], "finished")

    def test_events_end_with_an_error_that_no_repeat_changes(self):
        for step in (404, DENIED):
            with ScriptedServer(503, 503, 503, 503, step) as server, server.client() as posthorn:
                with self.assertRaises((NoAnswerError, RequestError)) as raised:
                    next(posthorn.events())
                self.assertEqual(raised.exception.tries, 5)

    def test_an_answer_that_trickles_is_bounded_as_a_whole(self):
        for head in (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b"HTTP/1.1 200 OK\r\nX-Slow: "):
            with self.subTest(head), TricklingServer(head) as server:
                posthorn = Posthorn(server.address, KEY, timeout=0.2, retry=RetryPolicy(tries=2, first_delay=0))
                with posthorn, self.assertRaises(NoAnswerError) as raised:
                    posthorn.execute(SMS)
                self.assertEqual((raised.exception.reason, raised.exception.tries), ("timeout", 2))

    def test_nobody_listening(self):
        with ScriptedServer() as server:
            address = server.address
        with self.assertRaises(NoAnswerError) as raised:
            Posthorn(address, KEY, retry=RetryPolicy(tries=1)).execute(SMS)
        self.assertEqual(raised.exception.reason, "network")


class Results(unittest.TestCase):
    def test_each_operation_of_a_batch_succeeds_or_fails_alone(self):
        failed_send = {"error": "Error in Alpha-name", "code": "sender_not_approved", "field": "sms_signature"}
        failure = {"success": False, **failed_send, "data": {"id": 2}}
        warned = {**SENT["data"][0], "warnings": ["sms_lifetme: ignored"]}
        with ScriptedServer({"success": True, "data": [warned, failure]}) as server, server.client() as posthorn:
            sent, failed = posthorn.batch([SMS, {**SMS, "id": 2}])
        self.assertEqual(sent, Succeeded({"msg_id": 65, "data": 1, "parts": 1}, ("sms_lifetme: ignored",)))
        self.assertIsInstance(failed, Failed)
        self.assertIsInstance(failed.error, ItemError)
        error = failed.error
        self.assertEqual((error.code, error.field, error.id, error.type), ("sender_not_approved", "sms_signature", 2, "sms"))

    def test_what_is_no_answer_of_a_gateway_is_refused(self):
        for answer in ([], {"success": True}, {"success": True, "data": []}, {"success": True, "data": [3]}, "no"):
            with ScriptedServer(answer) as server, server.client() as posthorn:
                with self.assertRaises(NoAnswerError) as raised:
                    posthorn.execute(SMS)
            self.assertEqual(raised.exception.reason, "answer")

    def test_values_that_cannot_be_sent_are_refused_before_anything_is(self):
        with ScriptedServer() as server, server.client() as posthorn:
            for wrong in (float("nan"), object(), datetime(2026, 11, 30), {"text": b"bytes"}):
                with self.assertRaisesRegex((TypeError, ValueError), "^send_at: "):
                    posthorn.execute({**SMS, "send_at": wrong})
            with self.assertRaisesRegex(ValueError, "^bulk_id: "):
                posthorn.upload_bulk("x", [])
            with self.assertRaisesRegex(ValueError, "^from_line: "):
                posthorn.upload_bulk(64, [], from_line=0)
            for lines in (None, ["491701234500"]):
                with self.assertRaisesRegex(TypeError, "^lines: "):
                    posthorn.upload_bulk(64, lines)
            with self.assertRaisesRegex(ValueError, "^interval: "):
                next(posthorn.events(interval="1"))
            with self.assertRaises(ValueError):
                posthorn.execute(SMS, "two words")
        with ScriptedServer() as server, server.client() as posthorn:
            for operation in (None, "balance", [SMS]):
                with self.assertRaisesRegex(TypeError, "each operation must be a mapping"):
                    posthorn.execute(operation)
            with self.assertRaisesRegex(TypeError, "each operation must be a mapping"):
                posthorn.batch({"type": "balance"})
            with self.assertRaisesRegex(ValueError, "^idempotency_key: "):
                posthorn.execute(SMS, 17)
        for missing in ("base_url", "api_key"):
            with self.assertRaisesRegex(ValueError, f"^{missing}: is empty"):
                Posthorn(**{"base_url": "http://127.0.0.1", "api_key": KEY, missing: None})
        with self.assertRaisesRegex(ValueError, "^secrets: at least one is needed"):
            ReportVerifier(None)
        with self.assertRaisesRegex(ValueError, "^secrets: must be "):
            ReportVerifier(17)
        with self.assertRaisesRegex(ValueError, "^tolerance_seconds: "):
            ReportVerifier("whsec_" + "A" * 32, tolerance_seconds="300")
        for name, wrong in (
            ("base_url", "gateway.example"),
            ("base_url", 17),
            ("api_key", ""),
            ("api_key", " k"),
            ("api_key", 17),
            ("timeout", 0),
            ("timeout", "30"),
            ("retry", 3),
            ("on_retry", "log"),
        ):
            with self.assertRaisesRegex(ValueError, f"^{name}: "):
                Posthorn(**{"base_url": "http://127.0.0.1", "api_key": KEY, name: wrong})
        for name in ("tries", "first_delay", "max_delay"):
            with self.assertRaisesRegex(ValueError, f"^retry.{name}: "):
                RetryPolicy(**{name: -1})

    def test_lines_of_a_bulk_are_uploaded_block_by_block(self):
        uploaded = {"success": True, "data": {"lines": 1, "refused": 0, "estimate": 1, "currency": "EUR"}}
        with ScriptedServer(uploaded, 503, uploaded) as server, server.client() as posthorn:
            # Each line is JSON, so a block of one is, too.
            self.assertEqual(posthorn.upload_bulk(64, [{"phone": 491701234500, "name": None}]), uploaded["data"])
            self.assertEqual(posthorn.upload_bulk(64, iter([{"phone": "1"}]), from_line=7), uploaded["data"])
            self.assertIsNone(posthorn.upload_bulk(64, []))
        self.assertEqual([path for path, _, _ in server.requests[1:]], ["/gateway/api/bulk/64/lines?from_line=7"] * 2)
        self.assertEqual(server.requests[0][2], {"phone": 491701234500})


class Asyncio(unittest.TestCase):
    def test_requests_run_side_by_side(self):
        async def send(server):
            async with AsyncPosthorn(server.address, KEY, retry=RetryPolicy(tries=3, first_delay=0)) as posthorn:
                sent = await asyncio.gather(*(posthorn.execute(SMS) for _ in range(3)))
                with self.assertRaises(RequestError):
                    await posthorn.enqueue([SMS])
                return sent

        with ScriptedServer(SENT, 503, SENT, SENT, DENIED) as server:
            self.assertEqual([each["msg_id"] for each in asyncio.run(send(server))], [65, 65, 65])
        self.assertEqual(server.requests[-1][0], "/gateway/v1/json")


if __name__ == "__main__":
    unittest.main()
