"""The fingerprint of a statute profile: what has legal effect, hashed.

A case keeps it, so that a later change of the data is seen. Labels, titles and notes take no part.
"""

import dataclasses
import hashlib
import json
from datetime import date

from fieldapi.law.profile import StatuteProfile
from sync.strict import JSON

_NO_EFFECT = frozenset(
    {
        "confirmations",
        "digest",
        "key",
        "known_kinds",
        "label",
        "labels",
        "name",
        "order",
        "reason",
        "then",
        "title",
    }
)


def digest_of(profile: StatuteProfile) -> str:
    """Return the SHA-256 of the profile as canonical JSON, in hex; `effective_to` takes no part.

    A later version that ends this one must not change what earlier cases were judged by.
    """
    plain = _plain(dataclasses.replace(profile, effective_to=None))
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: object) -> JSON:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, frozenset):
        return [*sorted(str(one) for one in value)]
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if dataclasses.is_dataclass(value):
        names = (one.name for one in dataclasses.fields(value))
        return {name: _plain(getattr(value, name)) for name in names if name not in _NO_EFFECT}
    raise TypeError(f"{type(value).__name__} has no place in a profile")
