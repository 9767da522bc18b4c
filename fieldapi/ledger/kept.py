"""Tree heads that somebody carried away and brings back: a phone, a printed code, a letter.

Called by the verifier, the command line and the page that checks heads. Three forms are read: the
JSON of a sync answer, the text that the signature of a head covers, and the line of a pound board
or a covering letter (`AUTHORITY EPOCH.SIZE ROOT`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fieldapi.clock import parse_instant
from fieldapi.keyring import Keyring
from fieldapi.ledger.entries import LedgerError
from fieldapi.ledger.heads import TITLE, TreeHead, head_message
from sync.wire import JSON, WireError, loads

_ROOT = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SIGNATURE = re.compile(r"[0-9a-f]{128}", re.ASCII)
_EPOCH = re.compile(r"[A-Z]{1,8}", re.ASCII)
_BOARD = re.compile(r"(\S{1,64})\s+([A-Z]{1,8})\.(\d{1,15})\s+([0-9a-fA-F]{64})", re.ASCII)
_PAIR = 2
_NAMES = ("authority", "epoch", "size", "root", "at", "signature")


@dataclass(frozen=True, slots=True)
class KeptHead:
    """What the ledger was, as somebody knows it. `at`: RFC 3339, needed to check `signature`."""

    authority_id: str
    epoch: str
    size: int
    root: bytes
    at: str | None = None
    signature: bytes | None = None

    def is_signed(self, keys: Keyring) -> bool:
        """Say whether its signature is one of this installation."""
        if self.at is None or self.signature is None:
            return False
        at = parse_instant(self.at)
        message = head_message(self.authority_id, self.epoch, self.size, root=self.root, at=at)
        return keys.verifies(message, self.signature)


def text_of(head: TreeHead) -> str:
    """Return a head as text to print or to keep: the signed lines, then the signature."""
    return f"{head.message().decode()}{head.signature.hex()}\n"


def read_kept(text: str) -> KeptHead:
    """Return the head in `text`: what `text_of` wrote, the line of a board, or JSON with
    `authority`, `epoch`, `size`, `root` and perhaps `at` and `signature`. Raises `LedgerError`.
    """
    said = text.removeprefix("\ufeff").strip()
    board = _BOARD.fullmatch(said)
    if board is not None:
        return kept_of(dict(zip(_NAMES, _of_board(board), strict=False)))
    lines = said.splitlines()
    if lines and lines[0].strip() == TITLE:
        return kept_of(dict(zip(_NAMES, (line.strip() for line in lines[1:]), strict=False)))
    try:
        value = loads(said)
    except WireError as exc:
        raise LedgerError("this is no tree head: neither its text nor its JSON") from exc
    if not isinstance(value, dict):
        raise LedgerError("this is no tree head: a JSON object was expected")
    return kept_of(value)


def _of_board(board: re.Match[str]) -> tuple[str, ...]:
    authority, epoch, size, root = board.groups()
    return authority, epoch, size, root.lower()


def read_pair(text: str) -> list[KeptHead]:
    """Return the heads in `text`, one or two of them, one below the other. Raises `LedgerError`."""
    lines = text.removeprefix("\ufeff").strip().splitlines()
    starts = [
        n for n, line in enumerate(lines) if line.strip() == TITLE or _BOARD.fullmatch(line.strip())
    ]
    if len(starts) != _PAIR or starts[0] != 0:
        return [read_kept(text)]
    parts = (lines[: starts[1]], lines[starts[1] :])
    return [read_kept("\n".join(part)) for part in parts]


def kept_of(said: Mapping[str, JSON]) -> KeptHead:
    """Return the head that these members name. Raises `LedgerError`."""
    size = said.get("size")
    if isinstance(size, str) and size.isascii() and size.isdigit():
        size = int(size)
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise LedgerError("a tree head names its size, a whole number")
    at, signature = said.get("at"), said.get("signature")
    return KeptHead(
        _text(said, "authority", re.compile(r"\S{1,64}")),
        _text(said, "epoch", _EPOCH),
        size,
        bytes.fromhex(_text(said, "root", _ROOT)),
        None if at is None else _instant(said),
        None if signature is None else bytes.fromhex(_text(said, "signature", _SIGNATURE)),
    )


def _text(said: Mapping[str, JSON], name: str, pattern: re.Pattern[str]) -> str:
    value = said.get(name)
    if not isinstance(value, str) or pattern.fullmatch(value) is None:
        raise LedgerError(f"a tree head names its {name}; here it is missing or misspelt")
    return value


def _instant(said: Mapping[str, JSON]) -> str:
    at = _text(said, "at", re.compile(r"\S{1,40}"))
    try:
        parse_instant(at)
    except ValueError as exc:
        raise LedgerError("the time of a tree head is RFC 3339") from exc
    return at
