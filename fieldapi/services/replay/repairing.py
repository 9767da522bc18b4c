"""Puts records right that are not what their ops make them; every one is told in the ledger.

Called by the command line, after the ledger was verified: ops that were tampered with must not
become the truth.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import partial

from sqlalchemy import delete, select

from fieldapi import ledger
from fieldapi.models import RECORDS, ParkedOp
from fieldapi.models.insert import insert_into
from fieldapi.problems import Conflict
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.services.ops import store
from fieldapi.services.replay.checking import OPS, Difference, compare
from fieldapi.services.replay.rebuilding import Rebuilt, Waiting
from fieldapi.unit import Database, Unit


def repair(database: Database, authority_id: str, differences: Collection[Difference]) -> int:
    """Rewrite the records that differ, and return how many were rewritten.

    Raises `Conflict`, and then nothing was changed, if the ledger itself does not verify.
    """
    with database.read() as session:
        if not ledger.verify(session, authority_id, database.keys).is_sound:
            raise Conflict("The ledger does not verify; nothing is rebuilt from it.")
    return sum(
        database.transact(partial(_repair_one, authority_id=authority_id, difference=one))
        for one in differences
    )


def _repair_one(unit: Unit, *, authority_id: str, difference: Difference) -> bool:
    """Rewrite one record under its lock, if it still differs."""
    kind, record_id = difference.kind, difference.record_id
    _lock(unit, authority_id, kind, record_id)
    for rebuilt, columns in compare(unit.session, authority_id, kind, [record_id]):
        wrong = [name for name in columns if name != OPS]
        if wrong:
            _write(unit, authority_id, rebuilt)
            _enter(unit, authority_id, rebuilt, wrong)
            return True
    return False


def _lock(unit: Unit, authority_id: str, kind: str, record_id: str) -> None:
    store.make_rows(unit.session, authority_id, kind, [record_id], now=unit.now)
    model = RECORDS[kind]
    unit.session.execute(
        select(model.id)
        .where(model.authority_id == authority_id, model.id == record_id)
        .with_for_update()
    )


def _write(unit: Unit, authority_id: str, rebuilt: Rebuilt) -> None:
    row = dict(rebuilt.columns)
    if rebuilt.received_at is not None:
        row["received_at"] = rebuilt.received_at
    store.write_records(unit.session, authority_id, rebuilt.kind, [row])
    for key in rebuilt.listed.keys() - rebuilt.waiting.keys():
        _unlist(unit, authority_id, key)
    for key, waiting in rebuilt.waiting.items():
        _list(unit, authority_id, rebuilt, key, waiting=waiting)


def _unlist(unit: Unit, authority_id: str, key: store.OpKey) -> None:
    actor, op = key
    unit.session.execute(
        delete(ParkedOp).where(
            ParkedOp.authority_id == authority_id, ParkedOp.actor == actor, ParkedOp.op == op
        )
    )


def _list(
    unit: Unit, authority_id: str, rebuilt: Rebuilt, key: store.OpKey, *, waiting: Waiting
) -> None:
    judged = {
        "status": waiting.status,
        "faults": json.dumps(dict(waiting.faults), sort_keys=True),
        "resolved": waiting.resolved,
    }
    actor, op = key
    row = {
        "authority_id": authority_id,
        "actor": actor,
        "op": op,
        "kind": rebuilt.kind,
        "record_id": rebuilt.record_id,
        "by": waiting.by,
        "code": waiting.code,
        "received_at": waiting.received_at or unit.now,
        **judged,
    }
    unit.session.execute(
        insert_into(unit.session, ParkedOp)
        .values(row)
        .on_conflict_do_update(index_elements=["authority_id", "actor", "op"], set_=judged)
    )


def _enter(unit: Unit, authority_id: str, rebuilt: Rebuilt, columns: list[str]) -> None:
    unit.enter(
        authority_id,
        "record.rebuilt",
        subject=f"{rebuilt.kind}/{rebuilt.record_id}",
        actor=OPERATOR_ACTOR,
        moves=True,
        columns=sorted(columns),
    )
