"""The promises that every history with the real service must keep, read from the database and from
the phones' own files. A check yields what is wrong, in words.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import func, select

from fieldapi import ledger
from fieldapi.domain.access import Principal
from fieldapi.models import RECORDS, OpPayload, OpRow
from fieldapi.queries import changes
from fieldapi.services import replay
from sync.client.overlay import Screen
from tests.sim.service.world import Held, RecordKey, World

Check = Callable[[World], Iterator[str]]
Document = dict[str, Any]


def nothing_acknowledged_is_missing(world: World) -> Iterator[str]:
    """What a phone holds as answered is stored, byte for byte; nothing waits any more.

    After a restore a revoked phone cannot offer again what was lost: only an export of it can.
    """
    stored = _stored(world)
    for held in world.phones:
        if held.is_revoked and world.was_restored:
            continue
        actor = held.phone.device.actor
        for op, raw, status in held.rows("SELECT id, raw, status FROM op"):
            is_open = status in {"waiting", "refused"}
            if is_open and not held.is_revoked:
                yield f"phone {held.at} still waits for an answer to {op}"
            if is_open or raw is None:
                continue
            if raw not in stored.get((actor, str(op)), ()):
                yield f"phone {held.at} was answered {status}: {op} is not stored as sent"


def _stored(world: World) -> dict[tuple[str, str], list[bytes]]:
    query = select(OpRow.actor, OpRow.op, OpRow.payload, OpPayload.payload).outerjoin(
        OpPayload,
        (OpPayload.authority_id == OpRow.authority_id)
        & (OpPayload.actor == OpRow.actor)
        & (OpPayload.op == OpRow.op),
    )
    with world.house.database.read() as session:
        found: dict[tuple[str, str], list[bytes]] = {}
        for actor, op, plain, personal in session.execute(query):
            found.setdefault((actor, op), []).append(plain or personal or b"")
    return found


def every_op_has_one_receipt(world: World) -> Iterator[str]:
    """One entry of the ledger receives an op; no op is without one."""
    with world.house.database.read() as session:
        entries = [
            entry
            for kind in ("op.applied", "op.held", "op.quarantined")
            for entry in ledger.entries_of_kind(session, world.village.rjk, kind)
        ]
        stored = session.scalar(select(func.count()).select_from(OpRow))
    received = Counter(entry["op"] for entry in entries if "sha256" in entry)
    yield from (f"{op} was received {times} times" for op, times in received.items() if times > 1)
    if len(received) != stored:
        yield f"{stored} ops are stored, {len(received)} were received"


def records_are_what_their_ops_make(world: World) -> Iterator[str]:
    """A replay of all ops finds no difference."""
    with world.house.database.read() as session:
        found = replay.check(session, world.village.rjk)
    yield from (f"a replay differs: {one}" for one in found.differences)


def the_ledger_verifies(world: World) -> Iterator[str]:
    """Every entry, hash and head is as it was written; phones saw no head that does not fit."""
    with world.house.database.read() as session:
        found = ledger.verify(session, world.village.rjk, world.house.keys)
    yield from (f"the ledger: {fault}" for fault in found.faults)
    for held in world.phones:
        yield from (f"phone {held.at}: {alarm}" for alarm in held.phone.state().alarms)


def every_phone_shows_what_a_new_one_would(world: World) -> Iterator[str]:
    """What a phone pulled bit by bit is what a pull from the beginning brings."""
    for held in world.phones:
        if not held.may_read or held.is_revoked:
            continue
        kept = {
            (str(kind), str(record)): json.loads(str(change))
            for kind, record, change in held.rows("SELECT kind, id, change FROM pulled")
            if change is not None
        }
        yield from _compare(held, kept, pulled_anew(world, held))


def _compare(
    held: Held, kept: dict[RecordKey, Document], fresh: dict[RecordKey, Document]
) -> Iterator[str]:
    who = f"phone {held.at} ({held.owner.name})"
    for key in kept.keys() - fresh.keys():
        yield f"{who} still shows {key}, which a new phone does not see"
    for key in fresh.keys() - kept.keys():
        yield f"{who} never got {key}"
    for key in kept.keys() & fresh.keys():
        # Not `seq`: a case that moved for others passes on without a word to those who keep it.
        members = {*kept[key], *fresh[key]} - {"seq"}
        names = [name for name in members if kept[key].get(name) != fresh[key].get(name)]
        if names:
            told = {name: (kept[key].get(name), fresh[key].get(name)) for name in sorted(names)}
            yield f"{who} shows {key} otherwise than a new phone: {told}"


def pulled_anew(world: World, held: Held) -> dict[RecordKey, Document]:
    """Return what a pull from the beginning brings the owner of a phone."""
    found: dict[RecordKey, Document] = {}
    cursor, more = None, True
    principal = _principal(world, held)
    while more:
        with world.house.database.read() as session:
            page = changes.pull(session, world.house.keys, principal, cursor=cursor, limit=100)
        cursor, more = page.cursor, page.more
        for change in map(json.loads, page.changes):
            if change["what"] == "put":
                found[change["kind"], change["id"]] = change
            elif change["what"] in {"leave", "closed"}:
                found.pop((change["kind"], change["id"]), None)
    return found


def _principal(world: World, held: Held) -> Principal:
    answer = world.installation.app.test_client().get(
        "/api/v1/me", headers={"Authorization": f"Bearer {held.phone.device.token}"}
    )
    assert answer.status_code == 200, answer.json
    of_owner = held.owner.principal(world.house.database)
    actor = held.phone.device.actor
    return Principal(
        of_owner.authority_id,
        of_owner.person_id,
        held.phone.device.id,
        actor,
        of_owner.roles,
        of_owner.pounds,
        of_owner.is_confirmed,
    )


def the_feed_is_complete(world: World) -> Iterator[str]:
    """Whoever sees all got every record that is in the tables, and nothing else."""
    bina = next(held for held in world.phones if held.owner.name == "bina")
    delivered = {
        (kind, record)
        for kind, record, change in bina.rows("SELECT kind, id, change FROM pulled")
        if change is not None
    }
    with world.house.database.read() as session:
        there = {
            (kind, record)
            for kind, model in RECORDS.items()
            for record in session.scalars(
                select(model.id).where(model.authority_id == world.village.rjk, model.heads != "")
            )
        }
    if delivered != there:
        yield f"delivered, but not there or the other way: {delivered ^ there}"


def phones_of_one_person_agree(world: World) -> Iterator[str]:
    """Two phones of one person show the same of what both were sent, unless something of it waits
    aside.
    """
    by_person: dict[str, Held] = {}
    for held in world.phones:
        if not held.may_read or held.is_revoked:
            continue
        other = by_person.setdefault(held.owner.name, held)
        for key, _ in world.records:
            differ = _differ(held.screen(key), other.screen(key))
            if differ:
                yield f"phones {held.at} and {other.at} show {key} differently: {differ}"


def _differ(one: Screen | None, two: Screen | None) -> Document:
    """Return the fields that two screens show differently, with both values."""
    if one is None or two is None or one.aside or two.aside:
        return {}
    if not (one.ground.pulled.seq and two.ground.pulled.seq):
        return {}
    both = {n: (one.shown.get(n), two.shown.get(n)) for n in {*one.shown, *two.shown}}
    return {name: values for name, values in both.items() if values[0] != values[1]}


CHECKS: tuple[Check, ...] = (
    nothing_acknowledged_is_missing,
    every_op_has_one_receipt,
    records_are_what_their_ops_make,
    the_ledger_verifies,
    every_phone_shows_what_a_new_one_would,
    the_feed_is_complete,
    phones_of_one_person_agree,
)
