"""One installation as a state has it, small: a PostgreSQL, an S3, app hosts and workers, each a
process with a data folder of its own. For tests, chaos and load.

    with cluster(folder, hosts=2, workers=1) as made:
        made.hosts[1].kill()
"""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fieldapi import migrate
from fieldapi.house import House, open_house
from fieldapi.settings import Settings
from tests.support.faulty_store import FaultyStore, faulty_store
from tests.support.free_ports import LOOPBACK, free_port
from tests.support.postgres import APP, OWNER, Postgres
from tests.support.s3 import S3Server, serve_s3
from tests.support.tree import ROOT

_PATIENCE_S = 40
_TICK_S = 0.05


@dataclass(slots=True)
class Process:
    """A `fieldapi` command that runs until it is told to end. `log`: what it says, all starts."""

    command: tuple[str, ...]
    environ: Mapping[str, str]
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; ready is for the caller to see."""
        program = (sys.executable, "-m", "fieldapi.cli", *self.command)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                program, env=self.environ, cwd=ROOT, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self) -> None:
        """End it with all its children, at once: as a host that loses its power."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(_PATIENCE_S)

    def stop(self) -> int:
        """Tell it to end, and wait."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(_PATIENCE_S)

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()


@dataclass(slots=True)
class Host(Process):
    """An app host. `port`: the same after each start."""

    port: int = 0

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    def wait_ready(self) -> None:
        """Return once it serves."""
        wait_until(self.answers, f"the host at {self.port}")

    def answers(self, path: str = "/readyz") -> bool:
        """Say whether this address answers 200."""
        connection = http.client.HTTPConnection(LOOPBACK, self.port, timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status == http.HTTPStatus.OK
        except OSError:
            return False
        finally:
            connection.close()


@dataclass(slots=True)
class Cluster:
    """What runs. `house`: ours, over the same database and store, with the same keys."""

    folder: Path
    postgres: Postgres
    s3: S3Server
    store: FaultyStore
    house: House
    hosts: list[Host] = field(default_factory=list)
    workers: list[Process] = field(default_factory=list)


@contextmanager
def cluster(
    folder: Path,
    *,
    hosts: int,
    workers: int,
    postgres: Postgres | None = None,
    processes: int = 1,
    at_once: int | None = 2,
    is_measured: bool = False,
) -> Iterator[Cluster]:
    """Run so many of each. `postgres`: a server that is there already, else one of its own.

    `processes`: of each app host. `at_once`: of each worker, None for as many as it has by itself.
    `is_measured`: nothing stands between them and S3, so that nothing can be made to fail.
    """
    with ExitStack() as stack:
        server = postgres or stack.enter_context(Postgres())
        name = f"cluster_{folder.name.replace('-', '_').lower()}"
        server.create(name)
        stack.callback(server.drop, name)
        (folder / "buckets").mkdir(parents=True)
        s3 = stack.enter_context(serve_s3(folder / "buckets"))
        store = stack.enter_context(faulty_store(s3.endpoint))
        endpoint = s3.endpoint if is_measured else store.endpoint
        environ = _environ(folder / "office", server, name, endpoint, s3)
        house = _found(environ, s3)
        stack.callback(house.database.close)
        made = Cluster(folder, server, s3, store, house)
        for number in range(hosts):
            made.hosts.append(_host(made, number, environ, processes=processes))
        for number in range(workers):
            made.workers.append(_worker(made, number, environ, at_once=at_once))
        for process in (*made.hosts, *made.workers):
            stack.callback(process.close)
            process.start()
        for host in made.hosts:
            host.wait_ready()
        yield made


def _found(environ: Mapping[str, str], s3: S3Server) -> House:
    settings = Settings.from_env(environ)
    migrate.upgrade(settings.owner_database_url, settings.database_url)
    os.environ.update(s3.environ)  # our own store reads them, as every process does
    return open_house(settings)


def _environ(
    data: Path, server: Postgres, database: str, endpoint: str, s3: S3Server
) -> dict[str, str]:
    return {
        **s3.environ,
        "FIELDAPI_DATA": str(data),
        "FIELDAPI_DATABASE_URL": server.url(APP, database),
        "FIELDAPI_OWNER_DATABASE_URL": server.url(OWNER, database),
        "FIELDAPI_STORAGE_URL": f"s3://photos?endpoint={endpoint}&create=yes&timeout=2",
        "FIELDAPI_TESTING": "1",
    }


def _host(made: Cluster, number: int, environ: Mapping[str, str], *, processes: int) -> Host:
    port = free_port()
    own = _own(made, f"host-{number}", environ)
    command = ("serve", "--port", str(port), "--workers", str(processes), "--threads", "8")
    return Host(command, own, made.folder / f"host-{number}.log", port=port)


def _worker(
    made: Cluster, number: int, environ: Mapping[str, str], *, at_once: int | None
) -> Process:
    own = _own(made, f"worker-{number}", environ)
    command = ("worker",) if at_once is None else ("worker", "--at-once", str(at_once))
    return Process(command, own, made.folder / f"worker-{number}.log")


def _own(made: Cluster, name: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a machine: a data folder of its own, with the same keys."""
    data = made.folder / name
    shutil.copytree(made.house.settings.keys, data / "keys")
    kept = {name: text for name, text in os.environ.items() if not name.startswith("FIELDAPI_")}
    return {**kept, **environ, "FIELDAPI_DATA": str(data), "PYTHONPATH": str(ROOT)}


def wait_until(is_so: Callable[[], bool], what: str, *, within_s: float = _PATIENCE_S) -> None:
    """Ask again and again until it is so."""
    ends = time.monotonic() + within_s
    while not is_so():
        if time.monotonic() > ends:
            raise AssertionError(f"{what}: not within {within_s:.0f} s")
        time.sleep(_TICK_S)
