"""HTTP to one gateway: connections are kept open and used again. Follows no redirect, because bodies hold the key."""

from __future__ import annotations

import http.client
import ssl
import threading
from dataclasses import dataclass
from urllib.parse import urlsplit

#: More is no answer of a gateway.
MAX_ANSWER_BYTES = 256 * 1024 * 1024
MAX_IDLE = 16


@dataclass(frozen=True)
class Response:
    status: int
    retry_after: str | None
    body: bytes


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
        try:
            connection.request("POST", self._path + path, body, headers)
            answer = connection.getresponse()
            content = answer.read(MAX_ANSWER_BYTES)
            if not answer.isclosed():
                raise http.client.HTTPException("the answer is too large")
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
