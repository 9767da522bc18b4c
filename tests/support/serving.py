"""A real server in processes of its own, on a free loopback port, for measurements and crashes.

Settings come by the environment as in production; the process stops with the context.
"""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from fieldapi import migrate
from fieldapi.clock import system_clock
from fieldapi.keyring import open_keyring
from fieldapi.settings import Settings
from fieldapi.unit import Database
from tests.support.free_ports import LOOPBACK, free_port
from tests.support.postgres import APP, OWNER, Postgres
from tests.support.tree import ROOT

_PATIENCE_S = 120  # as slow as a machine may be that does much else
_PROGRAM = (
    "from fieldapi.serving import Listen, serve; from fieldapi.settings import Settings; "
    "import sys; serve(Settings.from_env(), Listen(port=int(sys.argv[1])))"
)


@dataclass(frozen=True, slots=True)
class Served:
    """A running server: `database` is ours, over the same data; `root` its first process."""

    port: int
    settings: Settings
    database: Database
    root: psutil.Process
    others: tuple[psutil.Process, ...] = ()

    @property
    def owner_dsn(self) -> str:
        """Return the owner's address as psycopg reads it."""
        return self.settings.owner_database_url.replace("+psycopg", "")

    def cpu_s(self) -> float:
        """Return the CPU seconds of server and database so far, children included."""
        return sum(_cpu_s(one) for one in (self.root, *self.others))

    def pictures_cpu_s(self) -> float:
        """Return how many of them went into looking into photos."""
        found = self.root.children(recursive=True)
        return sum(_own_cpu_s(one) for one in found if is_of_pictures(one))

    def memory_mib(self) -> float:
        """Return the greatest resident memory of one server process now."""
        processes = [self.root, *self.root.children(recursive=True)]
        return max(one.memory_info().rss for one in processes) / 2**20


@contextmanager
def serve_on_postgres(folder: Path, *, is_durable: bool = True) -> Iterator[Served]:
    """Serve an empty installation on PostgreSQL; fsync is on, and on the disk if durable."""
    with Postgres(is_durable=is_durable) as server:
        server.create("served")
        environ = {
            "FIELDAPI_DATA": str(folder),
            "FIELDAPI_DATABASE_URL": server.url(APP, "served"),
            "FIELDAPI_OWNER_DATABASE_URL": server.url(OWNER, "served"),
        }
        settings = Settings.from_env(environ)
        migrate.upgrade(settings.owner_database_url, settings.database_url)
        backends = tuple(one for one in psutil.process_iter() if _listens(one, server.port))
        with _served(settings, environ, backends) as served:
            yield served


@contextmanager
def serve_on_sqlite(folder: Path) -> Iterator[Served]:
    """Serve an empty installation of the embedded size."""
    environ = {"FIELDAPI_DATA": str(folder)}
    settings = Settings.from_env(environ)
    migrate.upgrade(settings.database_url)
    with _served(settings, environ, ()) as served:
        yield served


@contextmanager
def _served(
    settings: Settings, environ: Mapping[str, str], others: tuple[psutil.Process, ...]
) -> Iterator[Served]:
    port = free_port()
    program = [sys.executable, "-c", _PROGRAM, str(port)]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FIELDAPI_")}
    with (folder_of(settings) / "server.log").open("wb") as log:
        process = subprocess.Popen(program, env={**kept, **environ}, cwd=ROOT, stderr=log)
    database = Database(settings.database_url, keys=open_keyring(settings), clock=system_clock)
    try:
        _await_health(port, process)
        yield Served(port, settings, database, psutil.Process(process.pid), others)
    finally:
        database.close()
        process.terminate()
        process.wait(_PATIENCE_S)


def folder_of(settings: Settings) -> Path:
    """Return where the log of the server goes."""
    return settings.data


def _listens(process: psutil.Process, port: int) -> bool:
    try:
        command = process.cmdline()
    except psutil.Error:
        return False
    return bool(command) and command[0].endswith("/postgres") and str(port) in command


def is_of_pictures(process: psutil.Process) -> bool:
    """Say whether a process looks into photos; it makes a child for each."""
    try:
        return any("imaging" in part for part in process.cmdline())
    except psutil.Error:
        return False  # it has just ended


def _own_cpu_s(process: psutil.Process) -> float:
    """Return the seconds of a process and of its children that have ended."""
    try:
        return sum(process.cpu_times()[:4])
    except psutil.Error:
        return 0.0


def _cpu_s(process: psutil.Process) -> float:
    """Return user and system seconds of a process, its living children and the ended ones."""
    total = 0.0
    for one in (process, *process.children(recursive=True)):
        try:
            has_ended = one is process or is_of_pictures(one)
            total += sum(one.cpu_times()[: 4 if has_ended else 2])
        except psutil.Error:
            continue
    return total


def _await_health(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError("the server ended before it answered")
        try:
            connection = http.client.HTTPConnection(LOOPBACK, port, timeout=1)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == http.HTTPStatus.OK:
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not answer in time")
