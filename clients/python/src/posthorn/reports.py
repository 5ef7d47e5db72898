"""Reports: verifies that a request to a hook is one of the gateway (Standard Webhooks 1.0), and reads event feeds."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import ReportRejected
from .operations import Report
from .settings import check_seconds

#: Maximum signatures read from a header, because anyone may send one.
_MAX_SIGNATURES = 16
_MAX_ID = 256
#: Minimum bytes of a secret, by Standard Webhooks 1.0: a shorter one is a mistake and could be guessed.
_MIN_SECRET_BYTES = 24
_MAX_SECRET_BYTES = 64


@dataclass(frozen=True)
class VerifiedReport:
    #: The same on every try of one report, posted alone or in an array: use it to recognize repetitions.
    webhook_id: str
    #: As in the API reference; `type` says which one it is. Ignore types that you do not know.
    report: Report


@dataclass(frozen=True)
class ReceivedEvent:
    #: The same each time the event is read.
    id: str
    #: Store it together with what the event changes: as `after`, it continues behind this event.
    cursor: str
    report: Report


class ReportVerifier:
    """`secrets`: the hook secret, `whsec_...`; during a rotation the old and the new one."""

    def __init__(
        self,
        secrets: str | Sequence[str],
        tolerance_seconds: float = 300,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Raises ValueError for an invalid secret, without disclosing it."""
        if not secrets:
            raise ValueError(
                "secrets: at least one is needed; is its environment variable set, such as POSTHORN_HOOK_SECRET?"
            )
        all_secrets = secrets if isinstance(secrets, Sequence) and not isinstance(secrets, str) else [secrets]
        self._secrets = [_read_secret(each) for each in all_secrets]
        self._tolerance = check_seconds("tolerance_seconds", tolerance_seconds)
        self._now = now

    def verify(self, body: bytes | str, headers: Mapping[str, str]) -> list[VerifiedReport]:
        """Returns the report of a request, or several in order. The answer to the request counts for all of them.

        `body`: as received, not parsed: the signature covers its bytes. Raises ReportRejected if it is not trustworthy.
        """
        if not isinstance(body, bytes | str):
            raise TypeError("body: must be the text or the bytes as they came, before anything has parsed them")
        content = body.encode() if isinstance(body, str) else body
        webhook_id = _header(headers, "webhook-id")
        if len(webhook_id) > _MAX_ID:
            raise ReportRejected("webhook-id is too long", "headers")
        timestamp = _header(headers, "webhook-timestamp")
        signatures = _header(headers, "webhook-signature")
        self._check_time(timestamp)
        if not self._is_signed(f"{webhook_id}.{timestamp}.".encode() + content, signatures):
            raise ReportRejected("no signature was made with a secret of this hook", "signature")
        try:
            parsed = json.loads(content)
        except (ValueError, RecursionError):
            raise ReportRejected("the body is no JSON", "body") from None
        if isinstance(parsed, list):
            return [_read_item(item) for item in parsed]
        return [VerifiedReport(webhook_id, _read_report(parsed))]

    def _check_time(self, timestamp: str) -> None:
        if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
            raise ReportRejected("webhook-timestamp is no time", "headers")
        if abs(self._now() - int(timestamp)) > self._tolerance:
            raise ReportRejected("signed too long ago, or in the future", "timestamp")

    def _is_signed(self, signed: bytes, signatures: str) -> bool:
        """Compares in constant time. Of the versions of the scheme only `v1` is symmetric."""
        given = [each[3:].encode() for each in signatures.split(" ") if each.startswith("v1,")][:_MAX_SIGNATURES]
        expected = [base64.b64encode(hmac.digest(secret, signed, "sha256")) for secret in self._secrets]
        return any(hmac.compare_digest(each, signature) for each in expected for signature in given)


def read_event(event: Mapping[str, Any]) -> ReceivedEvent:
    report = {name: value for name, value in event.items() if name not in ("event_id", "cursor")}
    return ReceivedEvent(event["event_id"], event["cursor"], _read_report(report))


def _read_secret(secret: str) -> bytes:
    try:
        content = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError, AttributeError):
        content = b""
    if not _MIN_SECRET_BYTES <= len(content) <= _MAX_SECRET_BYTES:
        rule = f"whsec_ and the base64 of {_MIN_SECRET_BYTES} to {_MAX_SECRET_BYTES} bytes"
        raise ValueError(f"secrets: must be {rule}, as the gateway shows them")
    return content


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if value is None:
        value = next((found for key, found in headers.items() if key.lower() == name), None)
    if isinstance(value, str) and value != "":
        return value
    raise ReportRejected(f"{name} is missing", "headers")


def _read_item(item: Any) -> VerifiedReport:
    webhook_id = item.get("webhook_id") if isinstance(item, dict) else None
    if not isinstance(webhook_id, str) or not 0 < len(webhook_id) <= _MAX_ID:
        raise ReportRejected("a report in the body has no webhook_id", "body")
    return VerifiedReport(webhook_id, _read_report({key: item[key] for key in item if key != "webhook_id"}))


def _read_report(body: Any) -> Report:
    if isinstance(body, dict) and isinstance(body.get("type"), str):
        return body  # type: ignore[return-value]
    raise ReportRejected("the body is no report", "body")
