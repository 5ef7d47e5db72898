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
#: Seconds.
_LONGEST = 86_400
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
        check_whole("retry.tries", self.tries, 1, 100)
        check_seconds("retry.first_delay", self.first_delay)
        check_seconds("retry.max_delay", self.max_delay)

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
        if not isinstance(self.api_key, str) or self.api_key != self.api_key.strip():
            raise ValueError("api_key: must be the key itself, without white space around it")
        check_seconds("timeout", self.timeout)
        if self.timeout == 0:
            raise ValueError("timeout: must be more than 0 seconds")
        if not isinstance(self.retry, RetryPolicy):
            raise ValueError("retry: must be a RetryPolicy")
        if self.on_retry is not None and not callable(self.on_retry):
            raise ValueError("on_retry: must be a function")
        object.__setattr__(self, "base_url", _read_address(self.base_url))


def check_whole(name: str, value: int, least: int, most: int) -> int:
    """Raises ValueError that names the argument and the range."""
    if not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{name}: must be a whole number from {least} to {most}")
    return value


def check_seconds(name: str, value: float) -> float:
    """Raises ValueError that names the argument and the range."""
    if not isinstance(value, int | float) or not 0 <= value <= _LONGEST:
        raise ValueError(f"{name}: must be a number of seconds from 0 to {_LONGEST}")
    return value


def check_idempotency_key(key: str) -> str:
    """Raises ValueError for a key that cannot be sent in a header."""
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise ValueError("idempotency_key: must be 1 to 255 visible ASCII characters")
    return key


def _read_address(address: str) -> str:
    if not address:
        raise ValueError("base_url: is empty; is its environment variable set, such as POSTHORN_URL?")
    if not isinstance(address, str):
        raise ValueError("base_url: must be a string")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("base_url: must be an absolute http or https address")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("base_url: must have no credentials, query and fragment")
    return _ENDING.sub("", f"{parts.scheme}://{parts.netloc}{parts.path}", count=1)
