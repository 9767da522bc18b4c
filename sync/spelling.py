"""What a put says of the heads of a record, written as JSON at once: for pages of a first sync.

Most records are ordinary, one head in each field and nothing struck: of these no view is made. Of
all others `view` says it, and it is the truth that this agrees with.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from json.encoder import encode_basestring as _text
from typing import NamedTuple

from sync.kind import Field, Kind
from sync.state import FORMAT, Entry, Saved, State
from sync.view import view

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_DECISION = 5  # of a saved source
_RARE = frozenset("ext")  # values erased, elements struck, two actors of one id


class Spelled(NamedTuple):
    """Three members of a put, each as JSON text."""

    stamps: str
    struck: str
    reviews: str


def spelled(kind: Kind, heads: str, *, author: str | None, record: tuple[str, str]) -> Spelled:
    """Return what a put says of saved `heads` (`State.dumps`). `record`: its authority and id.

    Raises StateInvalid for another format.
    """
    stamps = _ordinary(kind, json.loads(heads)) if heads else "{}"
    if stamps is not None:
        return Spelled(stamps, "{}", "[]")
    seen = view(kind, State.loads(heads), author=author)
    authority, record_id = record
    reviews = [one.as_json(authority, kind.name, record_id) for one in seen.reviews]
    said = (seen.stamps, seen.struck, reviews)
    return Spelled(*(_ENCODER.encode(one) for one in said))


def _ordinary(kind: Kind, saved: Saved) -> str | None:
    """Return the stamps of a record that is an ordinary one, None for any other."""
    if saved["v"] != FORMAT or not _RARE.isdisjoint(saved):
        return None
    heads, adds, sources = saved.get("h", {}), saved.get("a", {}), saved["o"]
    if not (heads.keys() <= kind.fields.keys() >= adds.keys()):
        return None
    if any(len(told) != 1 or sources[told[0][0]][_DECISION] is not None for told in heads.values()):
        return None
    marks = [_mark(op, stamp, effective) for op, stamp, _, effective, *_ in sources]
    fields = [f'"{name}":[{marks[told[0][0]]}}}]' for name, told in heads.items()]
    fields += [f'"{name}":[{_adds(kind.fields[name], adds[name], marks)}]' for name in adds]
    return "{" + ",".join(fields) + "}"


def _mark(op: str, stamp: str, effective: int) -> str:
    """Return an op in `stamps`, open at its end for what a set adds."""
    return f'{{"op":{_text(op)},"t":{_text(stamp)},"e":{effective}'


def _adds(field: Field, adds: Sequence[Entry], marks: Sequence[str]) -> str:
    keys = ((at, _ENCODER.encode(field.key_of(value))) for at, value in adds)
    return ",".join(f'{marks[at]},"key":{key}}}' for at, key in keys)
