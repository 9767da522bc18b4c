"""Runs the real server, `fieldapi serve`, beside the demo: ready by its own word, ended gently."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from fieldapi.demo.link import LOOPBACK
from fieldapi.demo.place import Place
from fieldapi.demo.telling import Mismatch
from fieldapi.settings import SettingsError

PROGRAM = (sys.executable, "-m", "fieldapi.cli")
_START_S = 60.0
_STOP_S = 40.0
_TICK_S = 0.05


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"


@contextmanager
def running(place: Place, port: int | None) -> Iterator[Server]:
    """Serve for as long as the block lasts. `port` None: a free one.

    Raises `SettingsError` for a port that is taken, `Mismatch` if the server does not come up.
    """
    chosen = free_port(port)
    command = [*PROGRAM, "serve", "--port", str(chosen)]
    with place.server_log.open("wb") as log:
        # In a session of its own: Ctrl-C is for the demo, which then ends it in good order.
        process = subprocess.Popen(  # noqa: S603 - this very program
            command,
            env=place.environ(chosen),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,
        )
    try:
        wait_for(lambda: _is_ready(process, place.server_log), "the server", within_s=_START_S)
        yield Server(process, chosen)
    finally:
        _end(process)


def wait_for(is_so: Callable[[], bool], what: str, *, within_s: float) -> None:
    """Ask again and again until it is so. Raises `Mismatch` if it takes too long."""
    deadline = time.monotonic() + within_s
    while not is_so():
        if time.monotonic() > deadline:
            raise Mismatch(f"{what} was not ready within {within_s:.0f} seconds")
        time.sleep(_TICK_S)


def _is_ready(process: subprocess.Popen[bytes], log: Path) -> bool:
    if process.poll() is not None:
        raise Mismatch(f"the server ended with exit code {process.returncode} before it answered")
    return any(entry.get("event") == "serving" for entry in _entries(log))


def _entries(log: Path) -> Iterator[Mapping[str, object]]:
    for line in log.read_bytes().splitlines():
        with suppress(ValueError):  # half a line, or another program's
            entry = json.loads(line)
            yield entry if isinstance(entry, dict) else {}


def free_port(port: int | None) -> int:
    """Return the port to serve on, found free a moment ago. Raises `SettingsError`."""
    try:
        with socket.create_server((LOOPBACK, port or 0)) as listener:
            found: int = listener.getsockname()[1]
            return found
    except OSError as exc:
        raise SettingsError(
            "--port", f"port {port} cannot be used ({exc.strerror})", "leave it out for a free one"
        ) from exc


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.terminate()
        process.wait(_STOP_S)
    finally:
        process.kill()
        process.wait()
