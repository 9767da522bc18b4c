"""Serves the app with gunicorn: several processes, each with threads, over one installation.

Called by `fieldapi serve`. Checks before it listens; stops gently when told to.
"""

from __future__ import annotations

import errno
import gc
import os
import socket
import sys
import tempfile
from dataclasses import dataclass
from ipaddress import ip_address
from wsgiref.types import WSGIApplication

import structlog
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

import fieldapi
from fieldapi import logs, migrate
from fieldapi.engine import tidy
from fieldapi.heap import give_memory_back
from fieldapi.house import House, open_house, require_safe
from fieldapi.jobs import JobRunner
from fieldapi.pacing import PacedWorker
from fieldapi.pending import runner_of
from fieldapi.problems import Conflict
from fieldapi.settings import Settings, SettingsError

STOP_S = 30
_JOB_STOP_S = 5.0
_HEAD_BYTES = 8190
_YOUNG_OBJECTS = 100_000
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Listen:
    """Where and how wide to serve. `port` 0: a free one, told in the log line `serving`.

    `workers` None: one for each core; at most two on SQLite, on PostgreSQL two at least.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    threads: int = 16
    workers: int | None = None


def serve(settings: Settings, listen: Listen) -> None:
    """Serve until SIGTERM or SIGINT. Raises `SettingsError` or `Conflict` before it listens."""
    logs.configure(settings.log_level, settings.log_folder)
    require_private(settings, listen.host)
    require_free(listen)
    prepare(settings)
    give_memory_back()
    with tempfile.TemporaryDirectory(prefix="fieldapi-metrics-") as folder:
        if workers_of(settings, listen) > 1:
            # Read when the numbers are first made, in the workers: they add up over processes.
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        _Gunicorn(settings, listen).run()


def prepare(settings: Settings) -> None:
    """Bring the embedded database to this program's schema, and check whichever is used."""
    if settings.is_sqlite:
        migrate.upgrade(settings.database_url)
    house = open_house(settings)
    require_safe(house)
    house.database.close()


def require_private(settings: Settings, host: str) -> None:
    """Raise `SettingsError` if phones would have to speak to `host` without TLS."""
    if _is_loopback(host) or settings.is_https or settings.is_testing:
        return
    raise SettingsError(
        "FIELDAPI_PUBLIC_URL",
        f"serving on {host} with an http address would send tokens in the clear",
        "put a TLS proxy in front and set its https address here, or serve on 127.0.0.1",
    )


def require_free(listen: Listen) -> None:
    """Raise `Conflict` if nothing can listen there: gunicorn would try for seconds, then say it in
    its own words.
    """
    if "GUNICORN_FD" in os.environ:
        # The successor of a gunicorn that hands its sockets over.
        return
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((listen.host, listen.port))
        except OSError as exc:
            raise Conflict(_why_not(listen, exc)) from exc


def _why_not(listen: Listen, exc: OSError) -> str:
    if exc.errno == errno.EADDRINUSE:
        return f"port {listen.port} is in use: choose another with --port"
    return f"cannot listen on {_address(listen)}: {exc.strerror}"


def workers_of(settings: Settings, listen: Listen) -> int:
    """Return how many processes answer. SQLite has one writer: while one process writes, another
    reads what comes in; a third would wait.
    """
    cores = os.cpu_count() or 1
    return listen.workers or (min(2, cores) if settings.is_sqlite else max(2, cores))


class _Log(Logger):
    """Hands gunicorn's lines to our own log, which keeps their templates only."""

    def setup(self, cfg: Config) -> None:
        """Leave the handlers to `logs.configure`."""
        self.cfg = cfg
        self._access_log_enabled = False
        self.error_log.propagate = True
        self.error_log.setLevel("WARNING")


class _Gunicorn(BaseApplication):
    """One gunicorn over one installation; the app is made in each worker, after the fork."""

    def __init__(self, settings: Settings, listen: Listen) -> None:
        self._settings, self._listen = settings, listen
        self._jobs: JobRunner | None = None
        self._house: House | None = None
        super().__init__()

    def load_config(self) -> None:
        """Set what gunicorn would else read from files and the environment."""
        wanted = {
            "bind": _address(self._listen),
            "workers": workers_of(self._settings, self._listen),
            "worker_class": PacedWorker,
            "threads": self._listen.threads,
            "timeout": 120,
            "graceful_timeout": STOP_S,
            "keepalive": 15,
            "limit_request_line": _HEAD_BYTES,
            # Only `FIELDAPI_TRUSTED_PROXIES` says whom to believe; gunicorn believes nobody.
            "forwarded_allow_ips": "",
            "control_socket_disable": True,
            "logger_class": _Log,
            "when_ready": _say_ready,
            "worker_exit": _finish,
            "on_exit": self.leave,
        }
        for name, value in wanted.items():
            self.cfg.set(name, value)

    def load(self) -> WSGIApplication:
        """Return the app of this worker, and begin with what is pending."""
        # Here and not above: the numbers of `/metrics` look for their folder when imported.
        from fieldapi.app import create_app  # noqa: PLC0415

        app = create_app(self._settings)
        self._house = app.extensions["fieldapi"]
        self._jobs = runner_of(self._house)
        self._jobs.start()
        spare_the_collector()
        return app

    def finish(self) -> None:
        """Let the job at hand end, if it is quick about it: after a crash it runs again."""
        if self._jobs is not None:
            self._jobs.stop(_JOB_STOP_S)
        if self._house is not None:
            self._house.database.close()

    def leave(self, _arbiter: Arbiter) -> None:
        """Write the embedded database's log back into it, now that all processes are gone."""
        if self._settings.is_sqlite:
            tidy(self._settings.database_url)


def spare_the_collector() -> None:
    """Leave what lives as long as the process out of garbage collection, and look for cycles less
    often: a page of 500 records makes 10,000 objects that go by themselves.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 20, 50)


def _address(listen: Listen) -> str:
    host = f"[{listen.host}]" if ":" in listen.host else listen.host
    return f"{host}:{listen.port}"


def _say_ready(arbiter: Arbiter) -> None:
    """Tell the log, and whoever sits before the terminal."""
    host, port = arbiter.LISTENERS[0].sock.getsockname()[:2]
    log.info("serving", port=port, workers=arbiter.num_workers, version=fieldapi.__version__)
    url = f"http://{_address(Listen(host, port))}"
    sys.stdout.write(
        f"fieldapi {fieldapi.__version__}: {url}/  the office signs in at {url}/console/,"
        f" the API is described at {url}/docs\n"
    )
    sys.stdout.flush()


def _finish(_arbiter: Arbiter, worker: Worker) -> None:
    worker.app.finish()


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
