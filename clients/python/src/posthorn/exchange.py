"""One request and its tries, without I/O: what is sent, what an answer means, and when to send it again."""

from __future__ import annotations

import json
import math
import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from .connections import Response
from .errors import NoAnswerError, NoAnswerReason, RequestError
from .reading import READING
from .settings import Retry, Settings, check_idempotency_key

_PASSING_CODES = ("unavailable", "rate_limited")


@dataclass(frozen=True)
class Answer:
    request_id: str | None
    data: Any


class Exchange:
    """Give each response, or each failure of the connection, to `read` or `fail`: both return what to do."""

    def __init__(self, settings: Settings, path: str, headers: dict[str, str], body: bytes, key: str | None) -> None:
        self.path = path
        self.headers = headers
        self.body = body
        self._settings = settings
        self._key = key
        self._tries = 0
        #: Retries as long as that can help, whatever the policy says.
        self.without_end = False

    @classmethod
    def of_operations(
        cls, settings: Settings, path: str, operations: Sequence[Mapping[str, Any]], idempotency_key: str | None
    ) -> Exchange:
        """Raises TypeError or ValueError for values that JSON cannot carry."""
        if not isinstance(operations, Sequence) or not all(isinstance(each, Mapping) for each in operations):
            raise TypeError('operations: each operation must be a mapping, such as {"type": "balance"}')
        if idempotency_key is not None:
            key: str | None = check_idempotency_key(idempotency_key)
        else:
            # A key would make the gateway store the answer, which a repeat of a read does not need.
            key = None if all(each.get("type") in READING for each in operations) else secrets.token_hex(16)
        data = b",".join(map(_write_fields, operations))
        body = b'{"auth":%b,"data":[%b]}' % (_write_json(settings.api_key), data)
        headers = {"Content-Type": "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        return cls(settings, path, headers, body, key)

    def read(self, response: Response) -> Answer | float:
        """Returns the answer, or the seconds to wait before the next try. Raises RequestError or NoAnswerError."""
        self._tries += 1
        if response.status != 200:
            error = self._no_answer("status", response.status)
            return self._again(error, _is_passing(response.status), _read_retry_after(response.retry_after))
        try:
            value = json.loads(response.body)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise self._no_answer("answer")
        error_text = value.get("error")
        if value.get("success") is False and isinstance(error_text, str):
            refusal = RequestError(error_text, value.get("code"), self._tries, self._key)
            return self._again(refusal, refusal.code in _PASSING_CODES, None)
        if value.get("success") is not True:
            raise self._no_answer("answer")
        request_id = value.get("request_id")
        return Answer(request_id if isinstance(request_id, str) else None, value.get("data"))

    def fail(self, cause: Exception) -> float:
        """The connection failed. Returns the seconds to wait before the next try, or raises NoAnswerError."""
        self._tries += 1
        error = self._no_answer("timeout" if isinstance(cause, TimeoutError) else "network")
        error.__cause__ = cause
        return self._again(error, True, None)

    def wrong_answer(self) -> NoAnswerError:
        return self._no_answer("answer")

    def _again(self, error: RequestError | NoAnswerError, may_retry: bool, asked: float | None) -> float:
        retry = self._settings.retry
        if not may_retry or (self._tries >= retry.tries and not self.without_end):
            raise error
        delay = retry.delay_before(self._tries, random.random(), asked)
        if self._settings.on_retry is not None:
            self._settings.on_retry(Retry(self._tries, delay, error))
        return delay

    def _no_answer(self, reason: NoAnswerReason, status: int | None = None) -> NoAnswerError:
        return NoAnswerError(reason, self._tries, self._key, status)


def write_line(line: Mapping[str, Any]) -> bytes:
    """A line of a bulk. Raises TypeError or ValueError for values that JSON cannot carry."""
    if not isinstance(line, Mapping):
        raise TypeError("lines: each must be a mapping with a phone")
    return _write_fields(line)


def _write_fields(fields: Mapping[str, Any]) -> bytes:
    given = {name: value for name, value in fields.items() if value is not None}
    try:
        return _write_json(given)
    except (TypeError, ValueError):
        for name, value in given.items():
            _write_field(name, value)
        raise


def _write_field(name: str, value: Any) -> None:
    try:
        _write_json(value)
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name}: {error}") from error


def _write_json(value: Any) -> bytes:
    """UTF-8. Dates become RFC 3339. Raises TypeError or ValueError for values that JSON cannot carry."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_write_value)
    return text.encode()


def _write_value(value: Any) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise TypeError("a datetime needs a time zone, such as datetime.UTC")
        return value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(
        f"a value of type {type(value).__name__} cannot be sent: "
        "must be a string, a number, a bool, a date or datetime, or a mapping or list of them"
    )


def _is_passing(status: int) -> bool:
    return status >= 500 or status in (408, 425, 429)


def _read_retry_after(value: str | None) -> float | None:
    """Seconds or an HTTP date (RFC 9110 section 10.2.3); None for anything else."""
    if value is None:
        return None
    if value.isascii() and value.isdigit() and len(value) < 10:
        return float(value)
    try:
        seconds = (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError):
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
