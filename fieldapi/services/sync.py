"""One exchange with a phone: its ops in, what moved out (docs/protocol/sync.md section 3).

Called by `api/sync.py` with an envelope that was read; commits the ops before anything is pulled,
so that a phone gets its own changes back in the same round trip.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from fieldapi import limits
from fieldapi.clock import format_instant, parse_instant, to_ms
from fieldapi.domain.access import Principal
from fieldapi.domain.records import SCHEMA_VERSION
from fieldapi.failpoints import failpoint
from fieldapi.house import House
from fieldapi.ledger import Comparison
from fieldapi.problems import BadRequest, UpgradeRequired
from fieldapi.queries import changes, outstanding
from fieldapi.queries.changes import Pulled
from fieldapi.services import budgets, deliveries, witnesses
from fieldapi.services.ops.results import Result, results_of
from fieldapi.services.photos import uploads
from sync.wire import JSON, Envelope, Slice

PROTOCOL = 1
_MOST_SCHEMA = 2**31 - 1  # what a column takes: far more releases than there will be


@dataclass(frozen=True, slots=True)
class Ask:
    """What an envelope asks for, checked. `device_now_ms`: the phone's clock, None if untold.

    `tree_heads`: as sent; `witnesses` reads them.
    """

    schema: int
    device_now_ms: int | None
    cursor: str | None
    limit: int
    ops: Sequence[Slice]
    tree_heads: JSON = None


def read_ask(envelope: Envelope) -> Ask:
    """Check the members of an envelope. Raises `BadRequest`, `UpgradeRequired`."""
    members = envelope.members
    if members.get("protocol") != PROTOCOL:
        raise UpgradeRequired("Another protocol is spoken here.", min=PROTOCOL, max=PROTOCOL)
    schema = members.get("schema", SCHEMA_VERSION)
    if not _is_whole(schema) or not 1 <= int(str(schema)) <= _MOST_SCHEMA:
        raise BadRequest("schema is a whole number from 1.")
    cursor = members.get("cursor")
    if cursor is not None and not isinstance(cursor, str):
        raise BadRequest("cursor is what the last answer gave, or null.")
    limit = members.get("limit", limits.PAGE_DEFAULT)
    if not _is_whole(limit) or not 1 <= int(str(limit)) <= limits.PAGE_MAX:
        raise BadRequest(f"limit is a whole number from 1 to {limits.PAGE_MAX}.")
    now = _device_now(members.get("device_now"))
    heads = members.get("tree_heads")
    return Ask(int(str(schema)), now, cursor, int(str(limit)), envelope.ops, heads)


def _is_whole(value: JSON) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _device_now(value: JSON) -> int | None:
    """Return the phone's clock; one that shows nonsense is as good as none, and is not refused."""
    if not isinstance(value, str):
        return None
    try:
        return to_ms(parse_instant(value))
    except (ValueError, OverflowError):
        return None


def exchange(
    house: House,
    principal: Principal,
    ask: Ask,
    *,
    tell: Callable[[Mapping[str, int]], None] = lambda _counts: None,
) -> bytes:
    """Take the ops, then tell what moved, as JSON. `tell` hears how many ops came to what.

    Raises `EpochChanged` and `TooManyRequests`, and then nothing was applied.
    """
    taken = _taken(house, principal, ask) if ask.ops else ([], {})
    failpoint("sync.taken")
    found = _found(house, principal, ask, taken)
    failpoint("sync.pulled")
    witnesses.note(house.database, principal, found.compared)
    failpoint("sync.answered")
    tell(Counter(str(one["status"]) for one in found.results))
    return _answer(house.database.clock(), found)


def _taken(house: House, principal: Principal, ask: Ask) -> deliveries.Taken:
    """Take the ops, unless the pull that follows would be refused."""
    with house.database.read() as session:
        budgets.refuse_if_spent(session, principal, len(ask.ops), house.database.clock())
        changes.check_cursor(session, house.keys, principal, ask.cursor)
    return deliveries.take(house, principal, ask)


@dataclass(frozen=True, slots=True)
class _Found:
    """What was read for an answer, all in one snapshot."""

    results: list[Result]
    pulled: Pulled
    photos: list[JSON]
    compared: list[Comparison]


def _found(house: House, principal: Principal, ask: Ask, taken: deliveries.Taken) -> _Found:
    at = principal.authority_id
    with house.database.read() as session:
        results = results_of(session, at, *taken)
        pulled = changes.pull(session, house.keys, principal, cursor=ask.cursor, limit=ask.limit)
        photos = outstanding.photos(session, principal, uploads.offset_in(house))
        kept = witnesses.read_heads(ask.tree_heads, at)
        compared = witnesses.compare(session, pulled.head, kept)
    return _Found(results, pulled, photos, compared)


def _answer(now: datetime, found: _Found) -> bytes:
    pulled = found.pulled
    members: dict[str, JSON] = {
        "protocol": PROTOCOL,
        "server_now": format_instant(now),
        "epoch": pulled.head.epoch,
        "results": [*found.results],
        "cursor": pulled.cursor,
        "more": pulled.more,
        "photos": found.photos,
        "tree_heads": [witnesses.told_of(pulled.head, found.compared)],
    }
    rest = json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode()
    return b'%b,"changes":[%b]}' % (rest[:-1], b",".join(pulled.changes))
