"""Installs the program as deploy/install.sh does, into an empty root, and runs it there as a server
with PostgreSQL, S3, a worker and Caddy: files linted, roles, tables, phones over TLS, numbers,
backup and restore, the three checks, an update over it, a gentle end.

    ./dev soak install

What a container engine would add is named at the end, as not run.
"""

from __future__ import annotations

import argparse
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
from http import HTTPStatus
from pathlib import Path
from urllib.request import urlopen

from tests.support.cluster import wait_until
from tests.support.free_ports import LOOPBACK, free_port
from tests.support.postgres import APP, OWNER, Postgres
from tests.support.seaweed import serve_seaweed
from tests.support.throwaway import caddy, installed
from tests.support.tree import ROOT

_NOT_RUN = (
    "docker build, compose up: no engine ran here, nor are base images pinned by digest",
    "a certificate from a public authority: it needs a public name",
    "useradd, systemctl: the root is not this machine's",
)
_START_S = 180  # on a busy machine
_CHECKS = (("ledger", "verify"), ("ops", "replay", "--check"), ("photos", "verify"))
_NO_TOOLS = "hadolint, shellcheck, Caddy: their packages could not be had"


@dataclass(frozen=True, slots=True)
class Installed:
    """The operator's command, the settings of its file, and a bare environment."""

    program: Path
    settings: Mapping[str, str]
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
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    not_run = [*_NOT_RUN]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fieldapi-install-")))
        programs = installed(folder / "tools")
        if programs is None:
            not_run.append(_NO_TOOLS)
        else:
            _step("lint", lambda: _lint(programs))
        _step("install", lambda: _install(folder / "root"))
        here, owner, port = _prepared(stack, folder)
        _step("migrate", lambda: here.run("migrate", **owner))
        running = [here.start("serve", "--port", str(port)), here.start("worker")]
        for one in running:
            stack.callback(one.kill)
        _step("ready", lambda: _wait_ready(port))
        _step("phones", lambda: _phones(stack, here, port, programs))
        _step("numbers", lambda: _numbers(port))
        _step("backup", lambda: here.run("backup", str(folder / "backup")))
        _step("restore", lambda: _restore(here, owner, folder))
        for check in _CHECKS:
            _step(" ".join(check), lambda check=check: here.run(*check))
        _step("install over it", lambda: _install(folder / "root"))
        codes = [_end(one) for one in running]
    print(f"ended with {codes}")
    print("\n".join(f"not run: {each}" for each in not_run))
    return 0 if codes == [0, 0] else 1


def _prepared(stack: ExitStack, folder: Path) -> tuple[Installed, dict[str, str], int]:
    """Start PostgreSQL with the two roles and SeaweedFS; return the program, the owner, a port."""
    server = stack.enter_context(Postgres())
    (folder / "s3").mkdir()
    store = stack.enter_context(serve_seaweed(folder / "s3"))
    for name in ("installed", "restored"):
        server.create(name)
    settings = {
        **store.plain.environ,
        "FIELDAPI_DATABASE_URL": server.url(APP, "installed"),
        "FIELDAPI_STORAGE_URL": store.plain.url("photos"),
        "FIELDAPI_PUBLIC_URL": f"https://localhost:{free_port()}",
        "FIELDAPI_TRUSTED_PROXIES": "1",
    }
    _set(folder / "root", settings)
    owner = {"FIELDAPI_OWNER_DATABASE_URL": server.url(OWNER, "installed")}
    environ = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    here = Installed(folder / "root/usr/local/bin/fieldapi", settings, environ)
    return here, owner, free_port()


def _lint(programs: Path) -> None:
    scripts = sorted((ROOT / "deploy").glob("*.sh"))
    for name, files in (("hadolint", [ROOT / "Dockerfile"]), ("shellcheck", scripts)):
        done = subprocess.run(
            [programs / name, *files], check=False, capture_output=True, text=True
        )
        if done.returncode != 0:
            sys.exit(f"{name}: {done.stdout}")


def _install(root: Path) -> None:
    command = ["sh", str(ROOT / "deploy" / "install.sh"), "--root", str(root)]
    environ = {**os.environ, "PYTHON": sys.executable}
    done = subprocess.run(command, env=environ, check=False, capture_output=True, text=True)
    print("\n".join(line for line in done.stdout.splitlines() if line))
    if done.returncode != 0:
        sys.exit(done.stderr[-2000:])


def _set(root: Path, settings: Mapping[str, str]) -> None:
    """Write settings into the file, as an operator does with an editor."""
    file = root / "etc/fieldapi/fieldapi.env"
    lines = [
        line for line in file.read_text().splitlines() if line.partition("=")[0] not in settings
    ]
    file.write_text("\n".join([*lines, *(f"{name}={text}" for name, text in settings.items()), ""]))


def _wait_ready(port: int) -> None:
    wait_until(lambda: _is_ready(port), "the server", within_s=_START_S)


def _is_ready(port: int) -> bool:
    try:
        with urlopen(f"http://{LOOPBACK}:{port}/readyz", timeout=4) as answer:
            return bool(answer.status == HTTPStatus.OK)
    except OSError:
        return False


def _phones(stack: ExitStack, here: Installed, port: int, programs: Path | None) -> None:
    """Let phones in, through Caddy where it is."""
    here.run("authority", "add", "--code", "RJK", "--name", "Rajkot", "--statute", "gujarat")
    person = ("person", "add", "--authority", "RJK", "--name", "Asha", "--role", "reporter")
    made = json.loads(here.run(*person, "--capacity", "police", "--json"))
    crowd = ("--phones", "3", "--reports", "2", "--photos", "1", "--net", "flaky")
    address, trust = f"http://{LOOPBACK}:{port}", {}
    if programs is not None:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="caddy-")))
        outside = int(here.settings["FIELDAPI_PUBLIC_URL"].rpartition(":")[2])
        proxy = stack.enter_context(caddy(programs, folder, app_port=port, port=outside))
        address, trust = proxy.address, {"SSL_CERT_FILE": str(proxy.certificate)}
    simulate = ("phones", "simulate", "--server", address, "--person", made["id"], *crowd)
    print(f"{address}\n{here.run(*simulate, **trust)}")


def _numbers(port: int) -> None:
    with urlopen(f"http://{LOOPBACK}:{port}/metrics", timeout=10) as answer:
        numbers = answer.read().decode()
    if "fieldapi_worker_up 1.0" not in numbers:
        sys.exit("/metrics does not know of the worker")


def _restore(here: Installed, owner: Mapping[str, str], folder: Path) -> None:
    """Restore beside it, into the other database, and verify that."""
    there = {
        name: address.rpartition("/")[0] + "/restored"
        for name, address in {**here.settings, **owner}.items()
        if name.endswith("DATABASE_URL")
    }
    here.run("restore", str(folder / "backup"), "--into", str(folder / "restored"), **there)
    of_it = {**there, "FIELDAPI_DATA": str(folder / "restored")}
    for check in _CHECKS:
        here.run(*check, **of_it)


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
