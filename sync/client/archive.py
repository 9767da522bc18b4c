"""Everything a phone holds as one zip, for the day it cannot sync any more.

Called by `device`. The token stays behind: whoever carries the file carries evidence, no key.
"""

from __future__ import annotations

import hashlib
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path

from sync import wire
from sync.client.album import Album
from sync.client.identity import Identity
from sync.client.outbox import Outbox
from sync.wire import JSON

FORMAT = "fieldapi outbox 1"
MANIFEST = "MANIFEST.sha256"
EARLIEST = (1980, 1, 1, 0, 0, 0)  # zip's own first moment: equal contents give equal bytes


def export(db: sqlite3.Connection, target: Path) -> int:
    """Write the ops and photos that are kept to `target`; return how many ops.

    `phone.json` says who and what became of each op; `ops.jsonl` has one op per line, byte for
    byte as it is sent; `photos/` the originals under their SHA-256; `MANIFEST.sha256` fits
    `sha256sum -c`.
    """
    partial = target.with_name(f"{target.name}.partial")
    ops = [kept for kept in Outbox(db).everything() if kept.raw is not None]
    lines = b"".join(kept.raw + b"\n" for kept in ops if kept.raw is not None)
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        hashes = [
            _write(archive, "ops.jsonl", lines),
            _write(archive, "phone.json", wire.canonical(_about(db))),
            *_photos(archive, db),
        ]
        _write(archive, MANIFEST, "".join(sorted(hashes)).encode())
    partial.replace(target)
    return len(ops)


def _about(db: sqlite3.Connection) -> JSON:
    device = Identity(db).device()
    outcomes: dict[str, JSON] = {
        kept.id: {"status": kept.outcome.status, "seq": kept.outcome.seq}
        for kept in Outbox(db).everything()
    }
    return {
        "format": FORMAT,
        "authority": device.authority,
        "device": {"id": device.id, "number": device.number, "actor": device.actor},
        "person": device.person,
        "outcomes": outcomes,
        "photos": {photo.id: photo.sha256 for photo in Album(db).all()},
    }


def _photos(archive: zipfile.ZipFile, db: sqlite3.Connection) -> Iterator[str]:
    paths = {photo.sha256: photo.path for photo in Album(db).all() if photo.path.exists()}
    for sha256, path in sorted(paths.items()):
        yield _write(archive, f"photos/{sha256}", path.read_bytes())


def _write(archive: zipfile.ZipFile, name: str, content: bytes) -> str:
    """Add a file; return its line of the manifest."""
    archive.writestr(zipfile.ZipInfo(name, EARLIEST), content)
    return f"{hashlib.sha256(content).hexdigest()}  {name}\n"
