"""The client's settings: defaults and checks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from .errors import NoAnswerError, RequestError

SYNC_PATH = "/api/json.php"
ASYNC_PATH = "/v1/json"
BULK_PATH = "/api/bulk/"

#: A delay of 1 ms is longer than a day by then.
_MAX_DOUBLINGS = 30
#: Programs often have the address with the path of the API.
_ENDING = re.compile(r"(?:/api/json\.php|/v1/json)?/*$")
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


@dataclass(frozen=True)
class RetryPolicy:
    """When a request is sent again. Waits are in seconds."""

    #: Maximum number of tries; 1 never retries.
    tries: int = 5
    #: The wait before the second try, doubled before each further one.
    first_delay: float = 0.5
    #: The longest wait, whatever `Retry-After` asks for.
    max_delay: float = 20.0

    def __post_init__(self) -> None:
        if not 1 <= self.tries <= 100:
            raise ValueError("retry.tries: must be from 1 to 100")
        if not (self.first_delay >= 0 and self.max_delay >= 0):
            raise ValueError("retry: delays must not be negative")

    def delay_before(self, tries: int, luck: float, asked: float | None) -> float:
        """Returns a wait between half and all of the doubled one, so that clients do not retry together.

        `tries`: how often it was sent so far. `luck`: from 0 to 1. `asked`: seconds that `Retry-After` asks for.
        """
        whole: float = min(self.max_delay, self.first_delay * 2 ** min(tries - 1, _MAX_DOUBLINGS))
        return max(whole * (0.5 + luck / 2), min(asked or 0.0, self.max_delay))


@dataclass(frozen=True)
class Retry:
    """Given to `on_retry` before each retry."""

    #: How often the request was sent so far.
    tries: int
    #: Seconds until the next try.
    delay: float
    #: The error that would be raised without a further try.
    error: RequestError | NoAnswerError


@dataclass(frozen=True, repr=False)
class Settings:
    base_url: str
    api_key: str
    #: Seconds for each try, including its answer.
    timeout: float = 30.0
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    on_retry: Callable[[Retry], None] | None = None

    def __post_init__(self) -> None:
        if not self.api_key:
            raise ValueError("api_key: is empty; is its environment variable set, such as POSTHORN_KEY?")
        if self.api_key != self.api_key.strip():
            raise ValueError("api_key: must be the key itself, without white space around it")
        if not 0 < self.timeout <= 86_400:
            raise ValueError("timeout: must be a number of seconds up to 86400")
        object.__setattr__(self, "base_url", _read_address(self.base_url))


def check_idempotency_key(key: str) -> str:
    """Raises ValueError for a key that cannot be sent in a header."""
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise ValueError("idempotency_key: must be 1 to 255 visible ASCII characters")
    return key


def _read_address(address: str) -> str:
    if not address:
        raise ValueError("base_url: is empty; is its environment variable set, such as POSTHORN_URL?")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("base_url: must be an absolute http or https address")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("base_url: must have no credentials, query and fragment")
    return _ENDING.sub("", f"{parts.scheme}://{parts.netloc}{parts.path}", count=1)
