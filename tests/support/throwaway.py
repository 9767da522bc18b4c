"""Programs of others for the time of one run: linters of what we install, and a proxy with TLS.

Installed by pip into a folder of the caller, each checked by its hash.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.cluster import wait_until
from tests.support.free_ports import free_port
from tests.support.tree import ROOT

_WANTED = Path(__file__).with_name("throwaway.txt")
_OURS = ("app:8000", "127.0.0.1:{port}")  # compose.yaml's name of the app, and where it is here
# What stands around deploy/Caddyfile where ports below 1024 are not ours.
_AROUND = """{{
    admin off
    skip_install_trust
    http_port {http}
    storage file_system {folder}
}}
import {site}
"""


def installed(folder: Path) -> Path | None:
    """Return the folder of the programs; None where they cannot be had."""
    python = folder / "bin" / "python"
    pip = ("-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:")
    for command in (
        [sys.executable, "-m", "venv", str(folder)],
        [str(python), *pip, "--require-hashes", "--requirement", str(_WANTED)],
    ):
        if subprocess.run(command, check=False, capture_output=True).returncode != 0:
            return None
    return folder / "bin"


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy with TLS. `certificate`: of the authority that vouches for it."""

    address: str
    certificate: Path


@contextmanager
def caddy(programs: Path, folder: Path, *, app_port: int, port: int) -> Iterator[Proxy]:
    """Run deploy/Caddyfile in front of the app, with a certificate that Caddy makes itself."""
    site, whole = folder / "site", folder / "Caddyfile"
    text = (ROOT / "deploy" / "Caddyfile").read_text()
    site.write_text(text.replace(_OURS[0], _OURS[1].format(port=app_port)))
    whole.write_text(_AROUND.format(http=free_port(), folder=folder / "caddy", site=site))
    environ = {**os.environ, "FIELDAPI_HOST": f"localhost:{port}", "HOME": str(folder)}
    command = [str(programs / "caddy"), "run", "--adapter", "caddyfile", "--config", str(whole)]
    root = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(command, env=environ, stdout=log, stderr=log)
    try:
        wait_until(lambda: root.exists() and process.poll() is None, "Caddy")
        yield Proxy(f"https://localhost:{port}", root)
    finally:
        process.terminate()
        process.wait(20)
