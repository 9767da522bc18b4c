"""Identifiers: UUIDv7 for what the server makes, and names derived by HMAC for what must come out
the same on a replay. Imports nothing of the project.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

import uuid_utils

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_ACTOR = re.compile(r"[0-9a-f]{16}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def new_id() -> str:
    """Return a fresh UUIDv7 (RFC 9562 section 5.7), lower case with hyphens."""
    return str(uuid_utils.uuid7())


def is_id(text: object) -> bool:
    """Say whether `text` is a UUID as this API writes it: lower case, hyphenated.

    >>> is_id("0193a5c0-f7e2-7000-8000-9f86d081884c"), is_id("0193A5C0"), is_id(7)
    (True, False, False)
    """
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def is_actor(text: object) -> bool:
    """Say whether `text` is an actor: 16 lower-case hex digits."""
    return isinstance(text, str) and _ACTOR.fullmatch(text) is not None


def is_sha256(text: object) -> bool:
    """Say whether `text` is a SHA-256 in lower-case hex."""
    return isinstance(text, str) and _SHA256.fullmatch(text) is not None


def new_actor() -> str:
    """Return a fresh actor for a device: 64 random bits as hex."""
    return secrets.token_hex(8)


def server_actor(actor: str) -> str:
    """Return the actor under which the server writes for a credential.

    docs/protocol/sync.md section 6 says why.

    >>> server_actor("9f86d081884c7d65")
    '461348dd3d3babff'
    """
    return hashlib.sha256(f"server/{actor}".encode()).hexdigest()[:16]


def keyed_digest(key: bytes, text: bytes) -> bytes:
    """Return HMAC-SHA256: 32 bytes that only the holder of `key` can make again."""
    return hmac.digest(key, text, "sha256")


def server_op_id(key: bytes, text: str) -> str:
    """Return the UUIDv8 (RFC 9562 section 5.8) of an op the server builds from `text`.

    The same text under the same key gives the same id, so a replay is a replay.
    """
    raw = bytearray(keyed_digest(key, text.encode())[:16])
    raw[6] = raw[6] & 0x0F | 0x80
    raw[8] = raw[8] & 0x3F | 0x80
    digits = raw.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
