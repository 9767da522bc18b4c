"""Remembers how far an audit of photos has come, so that one that was stopped goes on from there.

Used by `audit`; a file in the data folder, written in one step, gone when the audit is done.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from sync.wire import JSON

NAME = "photos-verify.json"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """`share`: which part is read, as text. `after`: the last hash that was looked at; `found`:
    what was found up to it.
    """

    share: str
    after: str
    found: Mapping[str, JSON]


def load(folder: Path, share: str) -> Checkpoint | None:
    """Return how far an audit of this share had come; None if there is nothing to go on from."""
    try:
        checkpoint = Checkpoint(**json.loads((folder / NAME).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return checkpoint if checkpoint.share == share else None


def save(folder: Path, checkpoint: Checkpoint) -> None:
    """Remember how far it is."""
    new = folder / f".{NAME}"
    new.write_text(json.dumps(asdict(checkpoint)), encoding="utf-8")
    new.rename(folder / NAME)


def clear(folder: Path) -> None:
    """Forget it: the audit came to its end, or is to begin again."""
    (folder / NAME).unlink(missing_ok=True)
