"""HTTP to one gateway: connections are kept open and used again. Follows no redirect, because bodies hold the key."""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

#: More is no answer of a gateway.
MAX_ANSWER_BYTES = 256 * 1024 * 1024
MAX_IDLE = 16


@dataclass(frozen=True)
class Response:
    status: int
    retry_after: str | None
    body: bytes


class _Reader(io.RawIOBase):
    """Reads until a deadline. The timeout of a socket alone bounds each read, not the sum of many small ones."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._sock.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Source:
    """What a response reads from."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._reader = _Reader(sock, deadline)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self._reader)


class Connections:
    """Thread-safe. `post` raises OSError or HTTPException."""

    def __init__(self, base_url: str, timeout: float) -> None:
        parts = urlsplit(base_url)
        self._host = parts.netloc
        self._path = parts.path
        self._timeout = timeout
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def post(self, path: str, headers: dict[str, str], body: bytes) -> Response:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        if connection is not None:
            try:
                return self._exchange(connection, path, headers, body)
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                # The gateway closed it while it was idle. Callers send nothing that may not be sent twice.
                pass
        return self._exchange(self._connect(), path, headers, body)

    def close(self) -> None:
        """Closes the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        if self._tls is None:
            return http.client.HTTPConnection(self._host, timeout=self._timeout)
        return http.client.HTTPSConnection(self._host, timeout=self._timeout, context=self._tls)

    def _exchange(
        self, connection: http.client.HTTPConnection, path: str, headers: dict[str, str], body: bytes
    ) -> Response:
        deadline = time.monotonic() + self._timeout

        def respond(sock: socket.socket, *args: Any, **named: Any) -> http.client.HTTPResponse:
            return http.client.HTTPResponse(_Source(sock, deadline), *args, **named)  # type: ignore[arg-type]

        try:
            if connection.sock is not None:
                connection.sock.settimeout(self._timeout)
            connection.response_class = respond  # type: ignore[assignment]
            connection.request("POST", self._path + path, body, headers)
            answer = connection.getresponse()
            content = answer.read(MAX_ANSWER_BYTES)
            if not answer.isclosed():
                raise http.client.HTTPException("the answer is too large, or ends early")
        except BaseException:
            connection.close()
            raise
        self._keep(connection, answer)
        return Response(answer.status, answer.getheader("Retry-After"), content)

    def _keep(self, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> None:
        with self._lock:
            if not answer.will_close and len(self._idle) < MAX_IDLE:
                self._idle.append(connection)
                return
        connection.close()
