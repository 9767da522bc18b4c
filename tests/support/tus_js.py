"""tus-js-client of npm, run in Node: for the tests of uploads and for their measurement."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fieldapi.ids import new_id
from tests.support.photos import sha256
from tests.support.tree import ROOT
from tools import node

SCRIPTS = ROOT / "tests" / "clients" / "tus"
_PATIENCE_S = 300


@dataclass(frozen=True, slots=True)
class PhotoFile:
    """A photo as the script takes it."""

    id: str
    sha256: str
    path: str


def bench_folder(folder: Path) -> Path:
    """Lay the scripts beside the packages. Raises `NodeMissing`, `CalledProcessError`."""
    shutil.copytree(SCRIPTS, folder, ignore=shutil.ignore_patterns("*.json"))
    (folder / "node_modules").symlink_to(node.packages(SCRIPTS))
    return folder


def photo_file(folder: Path, content: bytes, photo_id: str | None = None) -> PhotoFile:
    """Write a photo where the script finds it."""
    digest = sha256(content)
    path = folder / digest
    path.write_bytes(content)
    return PhotoFile(photo_id or new_id(), digest, str(path))


def upload(
    folder: Path,
    endpoint: str,
    photos: Sequence[PhotoFile],
    *,
    headers: Mapping[str, str],
    at_once: int = 1,
    **options: object,
) -> list[dict[str, Any]]:
    """Upload the photos; return what the script said of each, and at last how long it took.

    `options`: of tus-js-client, by their names there.
    """
    plan = {
        "endpoint": endpoint,
        "headers": dict(headers),
        "at_once": at_once,
        "photos": [{"id": one.id, "sha256": one.sha256, "path": one.path} for one in photos],
        "options": options,
    }
    (folder / "plan.json").write_text(json.dumps(plan))
    done = subprocess.run(
        [node.node().program, "upload.mjs", "plan.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_S,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return [json.loads(line) for line in done.stdout.splitlines()]
