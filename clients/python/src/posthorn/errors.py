"""The errors of this client. No message contains the API key, a text or a phone number."""

from __future__ import annotations

from typing import Any, Literal


class PosthornError(Exception):
    """An error of the gateway or of the way to it."""


class RequestError(PosthornError):
    """The gateway refused the request as a whole: its last try executed nothing."""

    def __init__(self, text: str, code: Any, tries: int, idempotency_key: str | None) -> None:
        super().__init__(text)
        #: `access_denied`, `rate_limited`, ...; `unknown` from a gateway that is older than codes.
        self.code = _read_code(code)
        #: How often the request was sent.
        self.tries = tries
        #: Sending the same operations again under this key executes nothing twice.
        self.idempotency_key = idempotency_key


class ItemError(PosthornError):
    """One operation failed."""

    def __init__(
        self, text: str, code: Any, operation: dict[str, Any], field: Any = None, warnings: Any = None
    ) -> None:
        super().__init__(text)
        #: `sender_not_approved`, `insufficient_funds`, ...; `unknown` from a gateway that is older than codes.
        self.code = _read_code(code)
        #: The operation's `type`.
        self.type = str(operation.get("type"))
        #: The invalid field; None if the error is about no single field.
        self.field: str | None = field if isinstance(field, str) else None
        #: Fields that were ignored, as `name: ignored`: a misspelled one may be among them.
        self.warnings = read_warnings(warnings)
        #: The `id` of the operation; None if there was none.
        self.id: int | float | str | None = operation.get("id")


#: `network`: the connection failed. `timeout`: no answer in time. `status`: an HTTP status that the gateway does not
#: send, from an intermediary. `answer`: what came is no answer of a gateway.
NoAnswerReason = Literal["network", "timeout", "status", "answer"]

_NO_ANSWER: dict[NoAnswerReason, str] = {
    "network": "the connection to the gateway failed",
    "timeout": "the gateway did not answer in time",
    "status": "something that is not the gateway answered with HTTP status",
    "answer": "what came is no answer of a gateway",
}


class NoAnswerError(PosthornError):
    """There is no answer, and it is unknown whether the request was executed."""

    def __init__(
        self, reason: NoAnswerReason, tries: int, idempotency_key: str | None, status: int | None = None
    ) -> None:
        super().__init__(_NO_ANSWER[reason] + ("" if status is None else f" {status}"))
        self.reason: NoAnswerReason = reason
        self.status = status
        self.tries = tries
        self.idempotency_key = idempotency_key


class ReportRejected(PosthornError):
    """A request to the hook that is not a trustworthy report."""

    def __init__(self, message: str, reason: Literal["headers", "timestamp", "signature", "body"]) -> None:
        super().__init__(message)
        #: `headers`: one is missing or malformed. `timestamp`: signed too long ago, or in the future. `signature`: none
        #: was made with one of the secrets. `body`: the signature is valid, but the body is no report.
        self.reason = reason


def read_warnings(listed: Any) -> tuple[str, ...]:
    return tuple(each for each in listed if isinstance(each, str)) if isinstance(listed, list) else ()


def _read_code(code: Any) -> str:
    return code if isinstance(code, str) else "unknown"
