"""Opaque cursors: what a client hands back to go on reading, sealed so that nobody can forge one
or use another device's. Called by `changes` and by every list.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from hmac import compare_digest

from fieldapi.keyring import Keyring
from fieldapi.problems import BadRequest
from sync.wire import JSON

_MAC_BYTES = 12

Position = Mapping[str, JSON]


def seal(keys: Keyring, holder: str, position: Position) -> str:
    """Return `position` as a cursor that only `holder` can hand back."""
    body = json.dumps(position, sort_keys=True, separators=(",", ":")).encode()
    return urlsafe_b64encode(_mac(keys, holder, body) + body).rstrip(b"=").decode()


def unseal(keys: Keyring, holder: str, cursor: str) -> dict[str, JSON]:
    """Return the position in a cursor. Raises `BadRequest` for one that was not given to holder."""
    try:
        raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except (Base64Error, ValueError) as exc:
        raise _foreign() from exc
    mac, body = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
    if not compare_digest(mac, _mac(keys, holder, body)):
        raise _foreign()
    position: dict[str, JSON] = json.loads(body)
    return position


def _mac(keys: Keyring, holder: str, body: bytes) -> bytes:
    return keys.digest(b"cursor\n" + holder.encode() + b"\n" + body)[:_MAC_BYTES]


def _foreign() -> BadRequest:
    return BadRequest("This cursor was not given to you. Start again without one.")
