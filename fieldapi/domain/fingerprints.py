"""The six digits by which an admin knows the phone in front of them from one that stole its code.

Shown on the phone and to the admin; has a JS twin in the web app. Pure.
"""

import hashlib


def thumbprint(jwk: str) -> str:
    """Return the SHA-256 thumbprint (RFC 7638) of a bare JWK in canonical form, in hex."""
    return hashlib.sha256(jwk.encode()).hexdigest()


def fingerprint(device_id: str, actor: str, public_key: str | None) -> str:
    """Return six digits: the first 8 bytes, modulo 10^6, of a SHA-256 over four lines.

    The lines: `fieldapi fingerprint v1`, device id, actor, thumbprint of the key (empty without).

    >>> fingerprint("0193a5c0-f7e2-7000-8000-9f86d081884c", "9f86d081884c7d65", None)
    '352276'
    """
    key = thumbprint(public_key) if public_key else ""
    text = f"fieldapi fingerprint v1\n{device_id}\n{actor}\n{key}\n"
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % 1_000_000
    return f"{number:06d}"
