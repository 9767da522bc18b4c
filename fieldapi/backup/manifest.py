"""What a backup says of itself, in `MANIFEST.json`: when and by which program it was made, the tree
heads it ends with, and the hash of the list of its files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from fieldapi.backup.files import BackupError
from fieldapi.keyring import Keyring
from fieldapi.ledger import KeptHead, LedgerError, TreeHead, read_kept

NAME = "MANIFEST.json"
FORMAT = 1
DATABASE = "database.sqlite3"
PHOTOS = "photos"
INVENTORY = "PHOTOS.list"
KEYS = "keys"


@dataclass(frozen=True, slots=True)
class Manifest:
    """`program`, `schema`: that made it. `heads`: of every ledger, signed. `public_key`: by which
    they are checked (hex). `secret`: a fingerprint of the HMAC secret. `has_keys`: the key files
    are in it. `photos`, `bytes`: how many objects, how large. `missing`, `damaged`: photos that the
    store no longer had, or had otherwise, when the backup was made. `files`: hash of the list.
    `is_inventory`: the photos are listed in it and stay in their store.
    """

    made_at: str
    program: str
    schema: str
    heads: list[dict[str, object]]
    public_key: str
    secret: str
    has_keys: bool
    photos: int
    bytes: int
    missing: list[str]
    damaged: list[str]
    files: str
    format: int = FORMAT
    is_inventory: bool = False

    def write(self, folder: Path) -> None:
        """Write it into a backup."""
        text = json.dumps(asdict(self), ensure_ascii=False, indent=2, sort_keys=True)
        (folder / NAME).write_text(text + "\n", encoding="utf-8")

    def kept_heads(self) -> list[KeptHead]:
        """Return the heads as the verifier takes them. Raises `BackupError`."""
        try:
            return [read_kept(json.dumps(head)) for head in self.heads]
        except LedgerError as exc:
            raise BackupError(f"{NAME} names a tree head that is none: {exc}") from exc


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a backup. Raises `BackupError` if the folder is none."""
    try:
        said = json.loads((folder / NAME).read_text(encoding="utf-8"))
        if said["format"] > FORMAT:
            raise BackupError(
                f"{folder} was made by a newer program ({said['program']})",
                "restore it with that program",
            )
        return Manifest(**said)
    except FileNotFoundError as exc:
        raise BackupError(f"{folder} is no backup: it has no {NAME}") from exc
    except (ValueError, KeyError, TypeError) as exc:
        raise BackupError(f"{NAME} in {folder} cannot be read") from exc


def heads_json(heads: Mapping[str, TreeHead]) -> list[dict[str, object]]:
    """Return heads as the manifest keeps them, given and ordered by the code of the authority."""
    return [{"code": code, **heads[code].as_json()} for code in sorted(heads)]


def fingerprint(keys: Keyring) -> str:
    """Return what tells one secret from another without telling it."""
    return keys.digest(b"fieldapi backup v1")[:8].hex()
