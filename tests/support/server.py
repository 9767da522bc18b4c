"""A real server of a test: gunicorn in a process of its own, on a free loopback port."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any

from fieldapi.settings import Settings
from tests.support.tree import ROOT

_MAIN = """
{first}
from fieldapi.serving import Listen, serve
from fieldapi.settings import Settings
serve(Settings.from_env(), Listen(port=0, workers={workers}))
"""
_START_S = 300  # it ends sooner: with the line that says it serves, or with the process


@dataclass(slots=True)
class Server:
    """A server that runs. `lines`: what it has logged so far; `other`: what of it is no line of
    a log.
    """

    process: subprocess.Popen[str]
    port: int = 0
    lines: list[dict[str, Any]] = field(default_factory=list)
    other: list[str] = field(default_factory=list)
    _is_ready: threading.Event = field(default_factory=threading.Event)

    def ask(
        self, method: str, path: str, *, body: str | bytes | None = None, **headers: str
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Return status, headers and body of one request on a connection of its own."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.headers), answer.read()
        finally:
            connection.close()

    def stop(self) -> int:
        """Tell it to end, wait, and return its exit code."""
        self.process.terminate()
        return self.process.wait(40)

    def read_log(self) -> None:
        """Follow the log to its end."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if not line.endswith("\n"):
                break  # cut off: it was killed while it wrote
            try:
                self.lines.append(json.loads(line))
            except ValueError:
                self.other.append(line)  # what a process of it that was killed had begun
                continue
            if self.lines[-1]["event"] == "serving":
                self.port = self.lines[-1]["port"]
                self._is_ready.set()
        self._is_ready.set()

    def wait_ready(self) -> None:
        """Return once it answers; fail if it ended instead."""
        assert self._is_ready.wait(_START_S), self.lines
        assert self.port, self.lines
        self.ask("GET", "/api/v1/limits")


@contextmanager
def serving(
    settings: Settings, *, workers: int = 1, is_warm: bool = False, **more: str
) -> Iterator[Server]:
    """Give a running server over `settings`; it is gone when the block ends. `more`: what else its
    environment holds. `is_warm`: its first process has read the whole program, so that a worker
    which is killed has its successor at once; not for several, whose numbers are added up.
    """
    environ = {name: text for name, text in os.environ.items() if not name.startswith("FIELDAPI_")}
    environ |= {
        "FIELDAPI_DATA": str(settings.data),
        "FIELDAPI_DATABASE_URL": settings.database_url,
        "FIELDAPI_OWNER_DATABASE_URL": settings.owner_database_url,
        "FIELDAPI_SECRET_KEY": settings.secret_key.decode(),
        "FIELDAPI_TESTING": "1",
        "PYTHONPATH": str(ROOT),
        **more,
    }
    command = [
        sys.executable,
        "-c",
        _MAIN.format(first="import fieldapi.app" if is_warm else "", workers=workers),
    ]
    with subprocess.Popen(
        command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        server = Server(process)
        reader = threading.Thread(target=server.read_log, daemon=True)
        reader.start()
        try:
            server.wait_ready()
            yield server
        finally:
            server.stop()
            reader.join(5)
