"""The names objects may have: a class, two hex digits, a SHA-256. Keys are made here from hashes,
never from text that a client sent, and every store checks them again before it acts.
"""

from __future__ import annotations

import hashlib
import re

from fieldapi.storage.failures import KeyRefused

_SHA256 = re.compile(r"[0-9a-f]{64}")
_KEY = re.compile(
    r"(?:(?:originals|aside|bundles|documents|sent)/([0-9a-f]{2})/(?=\1)[0-9a-f]{64}"
    r"|derivatives/([0-9a-f]{2})/(?=\2)[0-9a-f]{64}\.(?:preview|thumbnail)\.jpg)"
)
_CLASSES = "originals|aside|bundles|documents|sent|derivatives"
_PREFIX = re.compile(rf"(?:(?:{_CLASSES})/(?:[0-9a-f]{{2}}/)?)?")
_REPLACEABLE = ("derivatives/", "sent/")


def original_key(sha256: str) -> str:
    """Return the key of a photo as received.

    >>> original_key("ab" * 32)[:19]
    'originals/ab/ababab'
    """
    return _named("originals", sha256)


def aside_key(sha256: str) -> str:
    """Return the key of bytes that were refused as evidence and kept all the same."""
    return _named("aside", sha256)


def bundle_key(sha256: str) -> str:
    """Return the key of a court bundle."""
    return _named("bundles", sha256)


def document_key(sha256: str) -> str:
    """Return the key of a rendered document."""
    return _named("documents", sha256)


def preview_key(sha256: str) -> str:
    """Return the key of the 1280 px derivative of the photo with this hash."""
    return _named("derivatives", sha256) + ".preview.jpg"


def thumbnail_key(sha256: str) -> str:
    """Return the key of the 320 px derivative of the photo with this hash."""
    return _named("derivatives", sha256) + ".thumbnail.jpg"


def sent_key(authority_id: str, photo_id: str) -> str:
    """Return the key of the small picture that a phone sent ahead of a photo: never evidence."""
    name = f"{authority_id}/{photo_id}"
    return _named("sent", hashlib.sha256(name.encode()).hexdigest())


def hash_of(key: str) -> str:
    """Return the SHA-256 that the key carries: a derivative's is its photo's, that of a picture
    sent ahead is of a name.
    """
    return check_key(key).split("/")[2][:64]


def is_replaceable(key: str) -> bool:
    """Say whether an object under this key may be written again with other bytes."""
    return key.startswith(_REPLACEABLE)


def check_key(key: str) -> str:
    """Return `key` if it is one of ours. Raises `KeyRefused`."""
    if not is_key(key):
        raise KeyRefused("not a key of this store")
    return key


def is_key(text: str) -> bool:
    """Say whether `text` is a key of ours."""
    return _KEY.fullmatch(text) is not None


def check_prefix(prefix: str) -> str:
    """Return `prefix` if keys of ours can start with it. Raises `KeyRefused`."""
    if _PREFIX.fullmatch(prefix) is None:
        raise KeyRefused("not a folder of this store")
    return prefix


def _named(kind: str, sha256: str) -> str:
    if _SHA256.fullmatch(sha256) is None:
        raise KeyRefused("a key needs a SHA-256 in lower-case hex")
    return f"{kind}/{sha256[:2]}/{sha256}"
