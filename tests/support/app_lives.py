"""Runs lives of an app phone by chance and holds what it promised against the server's database.

Used by `tests/web/device/test_lives.py` and, at full size, by `tests/sim/sim_app.py`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from fieldapi.models import Animal, LedgerEntry, OpRow, Original, Photo, Seizure
from fieldapi.unit import Database
from tests.support.app_phones import AppPhone, seizure


@dataclass(slots=True)
class Told:
    """What became of some lives. `faults`: each a sentence; none is what we want."""

    reports: int = 0
    kills: int = 0
    ops: int = 0
    faults: list[str] = field(default_factory=list)


def live(phone: AppPhone, database: Database, *, seed: int, sequences: int) -> Told:
    """Let a phone live and compare."""
    device = phone.call("me")["device"]
    phone.kill()
    said = phone.page.evaluate(
        "([seed, count, fields]) => lives.run(seed, count, fields)", [seed, sequences, seizure()]
    )
    with database.read() as session:
        faults = [*_faults(session, said, str(device["actor"]))]
        ops = session.scalar(
            select(func.count()).select_from(OpRow).where(OpRow.actor == device["actor"])
        )
    return Told(len(said["reports"]), said["kills"], int(ops or 0), faults)


def _faults(session: Session, said: Any, actor: str) -> list[str]:
    rows = {row["id"]: row for row in said["reports"]}
    faults = [f"{said['status']} is not at rest"] if said["status"]["opsWaiting"] else []
    faults += [f"report {one} was promised and is gone" for one in said["saved"] if one not in rows]
    faults += [f"report {one} is {row['state']}" for one, row in rows.items() if not _is_in(row)]
    stored = set(session.scalars(select(Seizure.id).where(Seizure.author_actor == actor)))
    faults += [f"report {one} never came" for one in rows.keys() - stored]
    faults += [f"report {one} came and is unknown here" for one in stored - rows.keys()]
    for one in stored & rows.keys():
        faults += _parts(session, one, rows[one])
    return faults + _twice(session, actor)


def _is_in(row: Any) -> bool:
    return row["state"] == "complete"


def _parts(session: Session, report: str, row: Any) -> list[str]:
    lots = session.scalar(
        select(func.count()).select_from(Animal).where(Animal.seizure_id == report)
    )
    photos = session.scalars(select(Photo.sha256).where(Photo.seizure_id == report)).all()
    kept = session.scalar(
        select(func.count()).select_from(Original).where(Original.sha256.in_(photos))
    )
    told = (lots, len(photos), kept)
    wanted = (2, row["photos"]["all"], row["photos"]["all"])
    return [] if told == wanted else [f"report {report} has {told}, not {wanted}"]


def _twice(session: Session, actor: str) -> list[str]:
    """Name ops that stand twice: in the table by their counter, in the ledger by their name."""
    counters = Counter(session.scalars(select(OpRow.n).where(OpRow.actor == actor)))
    entered = session.scalars(select(LedgerEntry.op).where(LedgerEntry.kind == "op.applied"))
    ours = Counter(name for name in entered if name and name.startswith(f"{actor}/"))
    twice = [n for n, count in counters.items() if count > 1]
    again = [name for name, count in ours.items() if count > 1]
    return [
        *(f"op {n} of {actor} stands twice" for n in twice),
        *(f"{name} was entered twice" for name in again),
    ]
