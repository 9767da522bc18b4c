"""Zips of a phone's outbox as tests bend them: written here by hand, not by the code under test."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from tests.support.signing import SigningPhone, sign

Files = dict[str, bytes]


def outbox_files(
    ops: Sequence[object], photos: Mapping[str, bytes] | None = None, **about: Any
) -> Files:
    """Return the files of an outbox with these ops and photos (id → content), no seal yet."""
    contents = photos or {}
    told = {
        "format": "fieldapi outbox 1",
        "photos": {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()},
        **about,
    }
    files = {
        "ops.jsonl": b"".join(_line(op) for op in ops),
        "phone.json": json.dumps(told).encode(),
    }
    files |= {
        f"photos/{hashlib.sha256(content).hexdigest()}": content for content in contents.values()
    }
    return {**files, "MANIFEST.sha256": manifest_of(files)}


def manifest_of(files: Files) -> bytes:
    """Return the manifest of files."""
    lines = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in files.items()]
    return "".join(sorted(lines)).encode()


def sealed(files: Files, phone: SigningPhone) -> Files:
    """Return the files with their manifest signed."""
    header = {"alg": phone.alg, "kid": phone.persona.device_id}
    return {**files, "MANIFEST.jws": sign(files["MANIFEST.sha256"], phone.key, header).encode()}


def zipped(files: Mapping[str, bytes], *, method: int = zipfile.ZIP_STORED) -> bytes:
    """Return a zip of files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


def _line(op: object) -> bytes:
    return (op if isinstance(op, bytes) else json.dumps(op).encode()) + b"\n"
