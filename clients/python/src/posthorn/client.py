"""The client: sends operations to the gateway, one or many in a request, and retries where that can help.

A retry uses the same idempotency key, so that nothing is ever executed twice.
"""

from __future__ import annotations

import asyncio
import http.client
import re
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar, cast

from .connections import Connections, Response
from .errors import ItemError, read_warnings
from .execute import AsyncExecute, Execute
from .exchange import Answer, Exchange, write_line
from .operations import BulkData, Operation
from .reports import ReceivedEvent, read_event
from .settings import ASYNC_PATH, BULK_PATH, SYNC_PATH, Retry, RetryPolicy, Settings, check_seconds, check_whole

T = TypeVar("T")
#: Yields a request to post, or seconds to wait; gets the response, or the error of the connection.
_Flow = Generator[Exchange | float, Response | Exception | None, T]

#: Lines of a bulk in one request.
_LINES = 5_000
#: Seconds between two looks at a bulk.
_BULK_LOOK = 2.0


@dataclass(frozen=True)
class Succeeded:
    """The result of an operation of a batch."""

    data: Any
    #: Fields of the operation that were ignored, as `name: ignored`: a misspelled one may be among them.
    warnings: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Failed:
    """The failure of an operation of a batch; the others are not concerned."""

    error: ItemError


Result = Succeeded | Failed


@dataclass(frozen=True)
class Enqueued:
    #: The gateway's name for the request.
    request_id: str
    results: list[Result]


class _Client:
    """What the synchronous and the asynchronous client share: flows without I/O."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        retry: RetryPolicy | None = None,
        on_retry: Callable[[Retry], None] | None = None,
    ) -> None:
        """`timeout`: seconds for each try. Raises ValueError that names the invalid option."""
        self._settings = Settings(base_url, api_key, timeout, retry or RetryPolicy(), on_retry)
        self._connections = Connections(self._settings.base_url, timeout)

    def _ask(self, exchange: Exchange) -> _Flow[Answer]:
        while True:
            response = yield exchange
            outcome = exchange.read(response) if isinstance(response, Response) else exchange.fail(_cause(response))
            if isinstance(outcome, Answer):
                return outcome
            yield outcome

    def _batch(
        self, path: str, operations: Sequence[Mapping[str, Any]], key: str | None, *, without_end: bool = False
    ) -> _Flow[Enqueued]:
        exchange = Exchange.of_operations(self._settings, path, operations, key)
        exchange.without_end = without_end
        answer = yield from self._ask(exchange)
        if not isinstance(answer.data, list) or len(answer.data) != len(operations):
            raise exchange.wrong_answer()
        pairs = zip(answer.data, operations, strict=True)
        return Enqueued(answer.request_id or "", [_read_result(exchange, *pair) for pair in pairs])

    def _execute(self, operation: Mapping[str, Any], key: str | None, *, without_end: bool = False) -> _Flow[Any]:
        (result,) = (yield from self._batch(SYNC_PATH, [operation], key, without_end=without_end)).results
        if isinstance(result, Failed):
            raise result.error
        return result.data

    def _page(self, after: str | None, limit: int | None) -> _Flow[dict[str, Any]]:
        return self._execute({"type": "event/list", "after": after, "limit": limit}, None, without_end=True)

    def _upload(self, bulk_id: int | str, lines: Iterable[Mapping[str, Any]], first: int) -> _Flow[dict[str, Any] | None]:
        uploaded: dict[str, Any] | None = None
        if not re.fullmatch("[0-9]{1,16}", str(bulk_id)):
            raise ValueError("bulk_id: must be the bulk_id of bulk/create")
        check_whole("from_line", first, 1, 2**53)
        if not isinstance(lines, Iterable):
            raise TypeError("lines: must be a list, a generator or another iterable of mappings")
        source = iter(lines)
        headers = {"Content-Type": "application/x-ndjson", "Authorization": f"Bearer {self._settings.api_key}"}
        while block := [write_line(line) for line in islice(source, _LINES)]:
            path = f"{BULK_PATH}{bulk_id}/lines?from_line={first}"
            exchange = Exchange(self._settings, path, headers, b"\n".join(block), None)
            answer = yield from self._ask(exchange)
            if not isinstance(answer.data, dict):
                raise exchange.wrong_answer()
            uploaded = answer.data
            first += len(block)
        return uploaded

    def _wait_for_bulk(self, bulk_id: int | str) -> _Flow[BulkData]:
        while True:
            bulk = yield from self._execute({"type": "bulk/status", "bulk_id": bulk_id}, None, without_end=True)
            if bulk["state"] == "paused" or bulk["ended_at"] is not None:
                return cast(BulkData, bulk)
            yield _BULK_LOOK

    def _post(self, exchange: Exchange) -> Response | Exception:
        try:
            return self._connections.post(exchange.path, exchange.headers, exchange.body)
        except (OSError, http.client.HTTPException) as error:
            return error


class Posthorn(_Client):
    """Thread-safe. Use it in a `with` statement, or call `close`, to close idle connections."""

    @property
    def execute(self) -> Execute:
        """Executes one operation and returns its data: `execute({"type": "balance"})["amount"]`.

        The second argument is `idempotency_key`: for 24 hours the same key with the same operation returns the first
        answer and executes nothing, also from another process. Without it, each call has a new random key.
        Raises ItemError if the operation failed, RequestError, NoAnswerError, and ValueError or TypeError for values
        that cannot be sent.
        """
        return cast(Execute, self._execute_one)

    def _execute_one(self, operation: Mapping[str, Any], idempotency_key: str | None = None) -> Any:
        return self._run(self._execute(operation, idempotency_key))

    def batch(self, operations: Sequence[Operation], idempotency_key: str | None = None) -> list[Result]:
        """Executes up to 1,000 operations in one request and returns their results in order.

        The request is executed as a whole or not at all; within it each operation succeeds or fails alone.
        """
        return self._run(self._batch(SYNC_PATH, operations, idempotency_key)).results

    def enqueue(self, operations: Sequence[Operation], idempotency_key: str | None = None) -> Enqueued:
        """The same with up to 10,000 operations; never waits for a call to ring."""
        return self._run(self._batch(ASYNC_PATH, operations, idempotency_key))

    def events(
        self, after: str | None = None, *, limit: int | None = None, interval: float = 1.0
    ) -> Iterator[ReceivedEvent]:
        """Reads the reports that the gateway keeps for reading (`hook: "feed:"`), and waits for new ones, without end.

        A page is acknowledged when the loop asks for the next one. `after`: the cursor of the last processed event;
        without it, the last acknowledged one. `interval`: seconds until the next look when there are none.
        While the gateway is down, it retries without end, with waits of up to `RetryPolicy.max_delay`.
        """
        check_seconds("interval", interval)
        while True:
            page = self._run(self._page(after, limit))
            yield from map(read_event, page["events"])
            after = page["next"]
            if not page["more"]:
                time.sleep(interval)

    def upload_bulk(
        self, bulk_id: int | str, lines: Iterable[Mapping[str, Any]], *, from_line: int = 1
    ) -> dict[str, Any] | None:
        """Uploads lines of a bulk: `phone`, `id`, and a member for each placeholder. Returns None for no lines.

        Called again with the same lines after a failure, it skips those that were stored.
        """
        return self._run(self._upload(bulk_id, lines, from_line))

    def wait_for_bulk(self, bulk_id: int | str) -> BulkData:
        """Returns once a bulk is paused, or has ended and all of its messages have. Asks every few seconds.

        While the gateway is down, it retries without end.
        """
        return self._run(self._wait_for_bulk(bulk_id))

    def close(self) -> None:
        self._connections.close()

    def __enter__(self) -> Posthorn:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, flow: _Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                if isinstance(step, Exchange):
                    step = flow.send(self._post(step))
                else:
                    time.sleep(step)
                    step = flow.send(None)
        except StopIteration as end:
            return cast(T, end.value)


class AsyncPosthorn(_Client):
    """The same for asyncio. Requests run in threads; a cancelled call ends at once, its request within the timeout.

    Use it in an `async with` statement, or call `close`, to close idle connections.
    """

    @property
    def execute(self) -> AsyncExecute:
        """As of `Posthorn`."""
        return cast(AsyncExecute, self._execute_one)

    async def _execute_one(self, operation: Mapping[str, Any], idempotency_key: str | None = None) -> Any:
        return await self._run(self._execute(operation, idempotency_key))

    async def batch(self, operations: Sequence[Operation], idempotency_key: str | None = None) -> list[Result]:
        """As of `Posthorn`."""
        return (await self._run(self._batch(SYNC_PATH, operations, idempotency_key))).results

    async def enqueue(self, operations: Sequence[Operation], idempotency_key: str | None = None) -> Enqueued:
        """As of `Posthorn`."""
        return await self._run(self._batch(ASYNC_PATH, operations, idempotency_key))

    async def events(
        self, after: str | None = None, *, limit: int | None = None, interval: float = 1.0
    ) -> AsyncIterator[ReceivedEvent]:
        """As of `Posthorn`."""
        check_seconds("interval", interval)
        while True:
            page = await self._run(self._page(after, limit))
            for event in page["events"]:
                yield read_event(event)
            after = page["next"]
            if not page["more"]:
                await asyncio.sleep(interval)

    async def upload_bulk(
        self, bulk_id: int | str, lines: Iterable[Mapping[str, Any]], *, from_line: int = 1
    ) -> dict[str, Any] | None:
        """As of `Posthorn`."""
        return await self._run(self._upload(bulk_id, lines, from_line))

    async def wait_for_bulk(self, bulk_id: int | str) -> BulkData:
        """As of `Posthorn`."""
        return await self._run(self._wait_for_bulk(bulk_id))

    async def close(self) -> None:
        self._connections.close()

    async def __aenter__(self) -> AsyncPosthorn:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _run(self, flow: _Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                if isinstance(step, Exchange):
                    step = flow.send(await asyncio.to_thread(self._post, step))
                else:
                    await asyncio.sleep(step)
                    step = flow.send(None)
        except StopIteration as end:
            return cast(T, end.value)


def _cause(response: Response | Exception | None) -> Exception:
    return response if isinstance(response, Exception) else OSError("no response")


def _read_result(exchange: Exchange, result: Any, operation: Mapping[str, Any]) -> Result:
    if not isinstance(result, dict):
        raise exchange.wrong_answer()
    data, text = result.get("data"), result.get("error")
    if result.get("success") is False and isinstance(text, str):
        code, field, warnings = result.get("code"), result.get("field"), result.get("warnings")
        return Failed(ItemError(text, code, dict(operation), field, warnings))
    if result.get("success") is not True or not isinstance(data, dict | list):
        raise exchange.wrong_answer()
    return Succeeded(data, read_warnings(result.get("warnings")))
