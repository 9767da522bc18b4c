"""Changes as the bytes that are sent. What a row keeps as JSON goes out as it is: to read it only
to write it again was half the work of a pull.

Called by `changes`. `sights.put` says the same as a value; the two agree.
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring as _text

from fieldapi.domain.records import KINDS, merge_kind
from fieldapi.queries import views
from fieldapi.queries.sights import PUT, Brought, Change
from sync.kind import Kind
from sync.spelling import spelled

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


def change(told: Change) -> bytes:
    """Return a change as it is sent."""
    return _ENCODER.encode(told).encode()


def brought(one: Brought, loaded: views.Loaded) -> bytes:
    """Return what a move says of a record as it is sent."""
    row = one.row
    if one.what != PUT or one.how != views.WHOLE:
        return change(one.change(loaded))
    added = _ENCODER.encode(views.added(row, loaded, one.how))
    if any(name in row.shown and name in added for name in _SAID_TWICE[row.KIND]):
        return change(one.change(loaded))
    return _put(one, added).encode()


def _put(one: Brought, added: str) -> str:
    """Return a put whose record is what its row shows, and what the server added to that."""
    row = one.row
    at = (row.authority_id, row.id)
    said = spelled(merge_kind(row.KIND), row.heads, author=row.author_id, record=at)
    shown = row.shown[:-1] + "," if len(row.shown) > len("{}") else "{"
    return (
        f'{{"authority":{_text(row.authority_id)},"seq":{one.seq},"what":"{PUT}",'
        f'"kind":"{row.KIND}","id":{_text(row.id)},"rev":{_text(one.rev)},'
        f'"record":{shown}"struck":{said.struck},{added[1:]},'
        f'"stamps":{said.stamps},"reviews":{said.reviews}}}'
    )


def _said_twice(kind: Kind) -> tuple[str, ...]:
    """Return the names, as JSON, that a record may show and the server has a word about as well:
    there the value decides.
    """
    shown = {one.name for one in kind.fields.values() if one.klass != "server"} | {*kind.headed}
    return tuple(f'"{name}":' for name in sorted(views.ADDED & shown))


_SAID_TWICE = {kind: _said_twice(merge_kind(kind)) for kind in KINDS}
