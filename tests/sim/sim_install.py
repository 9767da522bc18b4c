"""Installs the program as deploy/install.sh does, into an empty root, and runs it there as a server
with PostgreSQL, S3 and a worker: tables, roles, phones, backup, a gentle end.

    ./dev soak install

What compose.yaml adds needs a container engine: it is named at the end, as not run.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.support.cluster import wait_until
from tests.support.free_ports import LOOPBACK, free_port
from tests.support.postgres import APP, OWNER, Postgres
from tests.support.seaweed import serve_seaweed
from tests.support.tree import ROOT

_NOT_RUN = (
    "docker build, compose up: no engine ran here",
    "Caddy with a certificate of its own: it needs a public name",
    "useradd, systemctl: the root is not this machine's",
)


@dataclass(frozen=True, slots=True)
class Installed:
    """The installed command and its settings, as the unit reads them."""

    program: Path
    environ: Mapping[str, str]

    def run(self, *arguments: str, **more: str) -> str:
        """Run it to its end and return what it printed; fail loudly."""
        done = subprocess.run(
            [self.program, *arguments],
            env={**self.environ, **more},
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            sys.exit(f"{arguments} left with {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start it and go on."""
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            [self.program, *arguments], env=self.environ, stdout=quiet, stderr=quiet
        )


def main() -> int:
    """Install, run, end; return 1 if a step did not go as it should."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fieldapi-install-")))
        _step("install", lambda: _install(folder / "root"))
        server = stack.enter_context(Postgres())
        (folder / "s3").mkdir()
        store = stack.enter_context(serve_seaweed(folder / "s3"))
        server.create("installed")
        environ = _settings(folder / "root") | store.plain.environ
        environ |= {
            "FIELDAPI_DATABASE_URL": server.url(APP, "installed"),
            "FIELDAPI_STORAGE_URL": store.plain.url("photos"),
        }
        port = free_port()
        here = Installed(folder / "root/opt/fieldapi/bin/fieldapi", environ)
        owner = {"FIELDAPI_OWNER_DATABASE_URL": server.url(OWNER, "installed")}
        _step("migrate", lambda: here.run("migrate", **owner))
        app, worker = here.start("serve", "--port", str(port)), here.start("worker")
        stack.callback(app.kill)
        stack.callback(worker.kill)
        _step("ready", lambda: wait_until(lambda: _is_ready(here, port), "the server"))
        _step("phones", lambda: _phones(here, port))
        _step("backup", lambda: here.run("backup", str(folder / "backup")))
        checks = (("ledger", "verify"), ("ops", "replay", "--check"), ("photos", "verify"))
        for check in checks:
            _step(" ".join(check), lambda check=check: here.run(*check))
        codes = [_end(one) for one in (app, worker)]
    print(f"ended with {codes}")
    print("\n".join(f"not run: {each}" for each in _NOT_RUN))
    return 0 if codes == [0, 0] else 1


def _install(root: Path) -> None:
    command = ["sh", str(ROOT / "deploy" / "install.sh"), "--root", str(root)]
    environ = {**os.environ, "PYTHON": sys.executable}
    done = subprocess.run(command, env=environ, check=False, capture_output=True, text=True)
    print("\n".join(line for line in done.stdout.splitlines() if line))
    if done.returncode != 0:
        sys.exit(done.stderr[-2000:])


def _settings(root: Path) -> dict[str, str]:
    lines = (root / "etc/fieldapi/fieldapi.env").read_text().splitlines()
    told = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **told}


def _is_ready(here: Installed, port: int) -> bool:
    ask = f"import urllib.request as r; r.urlopen('http://{LOOPBACK}:{port}/readyz', timeout=4)"
    python = here.program.with_name("python")
    return subprocess.run([python, "-c", ask], check=False, capture_output=True).returncode == 0


def _phones(here: Installed, port: int) -> None:
    here.run("authority", "add", "--code", "RJK", "--name", "Rajkot", "--statute", "gujarat")
    person = ("person", "add", "--authority", "RJK", "--name", "Asha", "--role", "reporter")
    made = json.loads(here.run(*person, "--capacity", "police", "--json"))
    crowd = ("--phones", "3", "--reports", "2", "--photos", "1", "--net", "flaky")
    address = f"http://{LOOPBACK}:{port}"
    print(here.run("phones", "simulate", "--server", address, "--person", made["id"], *crowd))


def _end(process: subprocess.Popen[bytes]) -> int:
    process.send_signal(signal.SIGTERM)
    return process.wait(45)


def _step(name: str, work: object) -> None:
    began = time.monotonic()
    assert callable(work)
    work()
    print(f"{name:<22}{time.monotonic() - began:6.1f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
