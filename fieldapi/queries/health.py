"""Reads how an installation fares for an authority: its ledger and what a restore lost of it, its
photos, pending work that fails, and what waits for an admin. For the console.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.clock import parse_instant
from fieldapi.models import (
    AsideBytes,
    Device,
    DeviceUse,
    JobFailure,
    Notification,
    OpRow,
    Original,
    Person,
    Photo,
    Place,
    Pound,
    StatuteConfirmation,
)

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class AdminTally:
    """What stands on the admin's first page. `phones`: all that the list of phones has."""

    people: int
    phones: int
    pending_phones: int
    scales: int
    pounds: int
    places: int
    half_confirmed: int
    confirmed: int


@dataclass(frozen=True, slots=True)
class Restore:
    """A restore. `lost`: entries that phones remember and the restored ledger does not have."""

    at: datetime
    epoch: str
    size: int
    lost: int


@dataclass(frozen=True, slots=True)
class LedgerHealth:
    """How a ledger stands. `contradicted`: heads that phones brought back and that do not fit."""

    epoch: str
    size: int
    root: str
    at: datetime
    restores: list[Restore]
    contradicted: int


@dataclass(frozen=True, slots=True)
class PhotoHealth:
    """How the photos of an authority stand, in numbers and bytes."""

    stored: int
    size: int
    unanalysed: int
    damaged: int
    aside: int
    missing: int


@dataclass(frozen=True, slots=True)
class PhoneUse:
    """When a phone last showed itself, to the day, and how many changes it wrote and never sent."""

    used_at: datetime | None
    unsent: int


def admin_tally(session: Session, authority_id: str, version: str) -> AdminTally:
    """Return the numbers of the admin's first page. `version`: of the statute in force."""

    def count(model: type, *where: object) -> int:
        query = select(func.count()).select_from(model)
        found = session.scalar(query.where(model.authority_id == authority_id, *where))  # type: ignore[attr-defined,arg-type]
        return found or 0

    of_version = StatuteConfirmation.version == version
    second = StatuteConfirmation.second_at
    return AdminTally(
        people=count(Person),
        phones=count(Device),
        pending_phones=count(Device, Device.standing == "pending"),
        scales=count(Notification),
        pounds=count(Pound),
        places=count(Place),
        half_confirmed=count(StatuteConfirmation, of_version, second.is_(None)),
        confirmed=count(StatuteConfirmation, of_version, second.is_not(None)),
    )


def ledger_health(session: Session, authority_id: str) -> LedgerHealth:
    """Return how the ledger of an authority stands."""
    head = ledger.head(session, authority_id)
    return LedgerHealth(
        epoch=head.epoch,
        size=head.size,
        root=head.root.hex(),
        at=head.at,
        restores=_restores(session, authority_id),
        contradicted=ledger.count_of_kind(session, authority_id, "ledger.contradicted"),
    )


def _restores(session: Session, authority_id: str) -> list[Restore]:
    restored = list(ledger.entries_of_kind(session, authority_id, "ledger.restored"))
    witnessed = _witnessed(session, authority_id) if restored else {}
    found = []
    for entry in restored:
        epoch, size = str(entry["old_epoch"]), int(str(entry["old_size"]))
        lost = max(0, witnessed.get(epoch, 0) - size)
        found.append(Restore(parse_instant(str(entry["at"])), epoch, size, lost))
    return found


def _witnessed(session: Session, authority_id: str) -> dict[str, int]:
    """Return by epoch the greatest size of the ledger that a phone brought back."""
    witnessed: dict[str, int] = {}
    for entry in ledger.entries_of_kind(session, authority_id, "ledger.witnessed"):
        epoch, size = str(entry["epoch"]), int(str(entry["size"]))
        witnessed[epoch] = max(witnessed.get(epoch, 0), size)
    return witnessed


def photo_health(session: Session, authority_id: str) -> PhotoHealth:
    """Return how the photos of an authority stand."""
    mine = Original.authority_id == authority_id
    stored, size = session.execute(
        select(func.count(), func.coalesce(func.sum(Original.size), 0)).where(mine)
    ).one()
    held = select(Original.sha256).where(mine)
    missing = select(func.count()).where(
        Photo.authority_id == authority_id, Photo.heads != "", Photo.sha256.not_in(held)
    )
    return PhotoHealth(
        stored=stored,
        size=int(size),
        unanalysed=session.scalar(select(func.count()).where(mine, Original.analysed_at.is_(None)))
        or 0,
        damaged=session.scalar(select(func.count()).where(mine, Original.damaged_at.is_not(None)))
        or 0,
        aside=session.scalar(select(func.count()).where(AsideBytes.authority_id == authority_id))
        or 0,
        missing=session.scalar(missing) or 0,
    )


def failures(session: Session) -> list[tuple[str, int, datetime]]:
    """Return pending work that failed: which job, how often, and when it is tried again."""
    rows = session.scalars(select(JobFailure).order_by(JobFailure.again_at).limit(_SHOWN))
    return [(row.job, row.tries, row.again_at) for row in rows]


def phone_uses(session: Session, authority_id: str) -> dict[str, PhoneUse]:
    """Return for each phone when it was last seen, and the gaps in what it sent."""
    sent = dict(
        session.execute(
            select(OpRow.actor, func.count(func.distinct(OpRow.n)))
            .where(OpRow.authority_id == authority_id, OpRow.n.is_not(None))
            .group_by(OpRow.actor)
        ).all()
    )
    rows = session.execute(
        select(Device.id, Device.actor, Device.last_n, DeviceUse.used_at)
        .outerjoin(
            DeviceUse,
            (DeviceUse.authority_id == Device.authority_id) & (DeviceUse.device_id == Device.id),
        )
        .where(Device.authority_id == authority_id)
    )
    return {
        device_id: PhoneUse(used_at, max(0, (last_n or 0) - sent.get(actor, 0)))
        for device_id, actor, last_n, used_at in rows
    }
