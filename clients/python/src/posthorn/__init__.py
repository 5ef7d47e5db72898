"""The client of the Posthorn messaging gateway: everything that a program can import."""

from .client import AsyncPosthorn, Enqueued, Failed, Posthorn, Result, Succeeded
from .errors import ItemError, NoAnswerError, PosthornError, ReportRejected, RequestError
from .reports import ReceivedEvent, ReportVerifier, VerifiedReport
from .settings import Retry, RetryPolicy

__all__ = [
    "AsyncPosthorn",
    "Enqueued",
    "Failed",
    "ItemError",
    "NoAnswerError",
    "Posthorn",
    "PosthornError",
    "ReceivedEvent",
    "ReportRejected",
    "ReportVerifier",
    "RequestError",
    "Result",
    "Retry",
    "RetryPolicy",
    "Succeeded",
    "VerifiedReport",
]
