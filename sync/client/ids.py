"""Names for what a phone makes: ops, records, photos. Called by `device`."""

from __future__ import annotations

import uuid

ENTROPY = 10  # random bytes in an id


def new_id(ms: int, entropy: bytes) -> str:
    """Return a UUIDv7 (RFC 9562 section 5.7) of a moment and 10 random bytes.

    >>> new_id(1764493923120, bytes(10))
    '019ad408-9330-7000-8000-000000000000'
    """
    raw = bytearray((ms % (1 << 48)).to_bytes(6, "big") + entropy)
    raw[6] = raw[6] & 0x0F | 0x70
    raw[8] = raw[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(raw)))
