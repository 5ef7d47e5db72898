"""Which requests to a hook are believed."""

import base64
import hashlib
import hmac
import json
import unittest

from posthorn import ReportRejected, ReportVerifier

NOW = 1_764_000_000
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
OTHER = "whsec_" + base64.b64encode(bytes(32)).decode()
BODY = json.dumps({"type": "message.status", "msg_id": 65, "status": "DELIVERED"})


def signed(body=BODY, *, secret=SECRET, at=NOW, webhook_id="rep_65_0"):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signature = base64.b64encode(hmac.digest(key, f"{webhook_id}.{at}.{body}".encode(), hashlib.sha256)).decode()
    return {"webhook-id": webhook_id, "webhook-timestamp": str(at), "webhook-signature": f"v1a,AAAA v1,{signature}"}


class Verifying(unittest.TestCase):
    def setUp(self):
        self.verifier = ReportVerifier([OTHER, SECRET], now=lambda: NOW + 10)

    def refused(self, reason, body, headers):
        with self.assertRaises(ReportRejected) as raised:
            self.verifier.verify(body, headers)
        self.assertEqual(raised.exception.reason, reason)

    def test_a_report_signed_with_one_of_the_secrets(self):
        (found,) = self.verifier.verify(BODY.encode(), {key.title(): value for key, value in signed().items()})
        self.assertEqual((found.webhook_id, found.report["type"]), ("rep_65_0", "message.status"))

    def test_several_reports_in_one_post(self):
        body = json.dumps([{"webhook_id": f"rep_{n}_0", "type": "link.clicked", "msg_id": n} for n in (66, 67)])
        found = self.verifier.verify(body, signed(body))
        self.assertEqual([each.webhook_id for each in found], ["rep_66_0", "rep_67_0"])
        self.assertNotIn("webhook_id", found[0].report)

    def test_forgeries(self):
        self.refused("signature", BODY + " ", signed())
        self.refused("signature", BODY, {**signed(), "webhook-id": "rep_65_1"})
        self.refused("signature", BODY, {**signed(), "webhook-signature": "v1,\u00fc v1 v1,"})
        self.refused("timestamp", BODY, signed(at=NOW - 400))
        self.refused("timestamp", BODY, signed(at=NOW + 400))
        self.refused("headers", BODY, {**signed(), "webhook-timestamp": "soon"})
        self.refused("headers", BODY, {**signed(), "webhook-timestamp": "\u0661"})
        self.refused("headers", BODY, {})
        self.refused("headers", BODY, signed(webhook_id="r" * 257))

    def test_signed_bodies_that_are_no_reports(self):
        for body in ("", "[3]", "{}", '"text"', '[{"type":"hook.test"}]', "[" * 100_000):
            self.refused("body", body, signed(body))

    def test_secrets_are_checked_without_showing_them(self):
        for wrong in ("", "whsec_c2hvcnQ=", "not base64!", []):
            with self.assertRaises(ValueError) as raised:
                ReportVerifier(wrong)
            if wrong:
                self.assertNotIn(wrong, str(raised.exception))


if __name__ == "__main__":
    unittest.main()
