"""Keeps the dated register of notifications, approvals and appointments that switch rules on.

Called by the api and the command line. Nothing in an entry is ever edited: it is ended, and a new
one takes its place.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from fieldapi.clock import INDIA
from fieldapi.domain.values import LINE, NAME, TRUTH, UUID, Choice, ValueType
from fieldapi.domain.words import sentence
from fieldapi.models import Notification, Pound
from fieldapi.models.notification import KINDS
from fieldapi.problems import Conflict, InvalidBody, NotFound
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import area_text, check_fields, refuse
from fieldapi.unit import Unit
from sync.wire import JSON

SCHEDULES = ("fee_schedule", "feeding_rates", "security_scale", "double_fine_area")
_TYPES: dict[str, ValueType] = {
    "id": UUID,
    "kind": Choice(KINDS),
    "number": NAME,
    "pound_id": UUID,
    "area": LINE,
    "approved_by": LINE,
    "is_sample": TRUTH,
}
_BOUNDS = ("head_from", "head_to", "times_from", "times_to")
_MOST_PAISE = 10**9
_MOST_RATES = 500
_WHOLE = 100


@dataclass(frozen=True, slots=True)
class NewNotification:
    """An entry to be. `effective_from` … `effective_to`: first and last day.

    `data`: of a schedule `{"rates": [{"kind", "paise", "head_from"?, "head_to"?, "times_from"?,
    "times_to"?}]}`; of an appointment `{"names": [ids of parties or people]}`; of an area that was
    drawn `{"polygon": GeoJSON}`, too.
    """

    id: str
    kind: str
    number: str
    effective_from: date
    dated: date | None = None
    effective_to: date | None = None
    pound_id: str | None = None
    area: str | None = None
    approved_by: str | None = None
    approved_on: date | None = None
    is_sample: bool = False
    data: Mapping[str, JSON] = field(default_factory=dict)


def add(unit: Unit, principal: Principal, new: NewNotification) -> Notification:
    """Enter a notification. Raises `InvalidBody`, `NotFound` (the pound)."""
    require(principal, "notification.add")
    check(new)
    pound = (principal.authority_id, new.pound_id)
    if new.pound_id is not None and unit.session.get(Pound, pound) is None:
        raise NotFound(sentence("There is no such pound."))
    row = Notification(
        authority_id=principal.authority_id,
        id=new.id,
        kind=new.kind,
        number=new.number,
        dated=new.dated,
        effective_from=new.effective_from,
        effective_to=new.effective_to,
        pound_id=new.pound_id,
        area=new.area,
        approved_by=new.approved_by,
        approved_on=new.approved_on,
        is_sample=new.is_sample,
        data=json.dumps(new.data, sort_keys=True, ensure_ascii=False),
        entered_by=principal.person_id,
        created_at=unit.now,
        used_at=None,
    )
    unit.session.add(row)
    subject = f"notification/{row.id}"
    unit.enter(
        row.authority_id,
        "notification.added",
        subject=subject,
        actor=principal.actor,
        what=row.kind,
    )
    return row


def end(unit: Unit, principal: Principal, notification_id: str, *, on: date) -> Notification:
    """Let an entry end with the day `on`, today or later. Raises `NotFound`, `InvalidBody`,
    `Conflict` (it ended before).
    """
    require(principal, "notification.add")
    key = (principal.authority_id, notification_id)
    row = unit.session.get(Notification, key, with_for_update=True)
    if row is None:
        raise NotFound(sentence("There is no such notification."))
    today = unit.now.astimezone(INDIA).date()
    if on < today or on < row.effective_from:
        raise refuse(
            "on", sentence("What was in force on a day stays so: name today or a later day.")
        )
    if row.effective_to is not None and row.effective_to < on:
        raise Conflict(
            sentence("It ends before."), current={"effective_to": row.effective_to.isoformat()}
        )
    row.effective_to = on
    unit.enter(
        row.authority_id,
        "notification.ended",
        subject=f"notification/{row.id}",
        actor=principal.actor,
        on=on.isoformat(),
    )
    return row


def check(new: NewNotification) -> None:
    """Raise `InvalidBody` naming every fault of an entry as it is written."""
    check_fields(_TYPES, {name: getattr(new, name) for name in _TYPES})
    if new.effective_to is not None and new.effective_to < new.effective_from:
        raise refuse("effective_to", sentence("It cannot end before it begins."))
    if new.data.get("polygon") is not None:
        area_text("data.polygon", new.data["polygon"])
        if not new.area:
            raise refuse("area", sentence("An area that is drawn has a name, too."))
    percent = new.data.get("forfeit_percent")
    if percent is not None and not (_is_whole(percent) and 0 <= int(str(percent)) <= _WHOLE):
        raise refuse(
            "forfeit_percent", sentence("This is a whole number up to {most}.", most=_WHOLE)
        )
    if new.kind in SCHEDULES:
        faults = dict(_rate_faults(new.data))
        if faults:
            raise InvalidBody(errors={path: [text] for path, text in faults.items()})


def _rate_faults(data: Mapping[str, JSON]) -> Iterator[tuple[str, str]]:
    rates = data.get("rates")
    if not isinstance(rates, list) or not 0 < len(rates) <= _MOST_RATES:
        yield "data.rates", sentence("Give 1 to {most} rates.", most=_MOST_RATES)
        return
    for at, rate in enumerate(rates):
        where = f"data.rates.{at}"
        if not isinstance(rate, Mapping):
            yield where, "A rate is an object with kind and paise."
            continue
        yield from ((f"{where}.{name}", text) for name, text in _faults_of(rate))


def _faults_of(rate: Mapping[str, JSON]) -> Iterator[tuple[str, str]]:
    kind, paise = rate.get("kind"), rate.get("paise")
    if kind is not None and not isinstance(kind, str):
        yield "kind", "This is the code of a kind of animal, or null for all."
    if paise is None and _is_whole(rate.get("percent")):
        paise = 0
    if not _is_whole(paise) or not 0 <= int(str(paise)) <= _MOST_PAISE:
        yield "paise", sentence("This is a whole number of paise.")
    yield from _bound_faults(rate)
    unknown = rate.keys() - {"kind", "paise", "percent", "first_day_paise", *_BOUNDS}
    for name in sorted(unknown):
        yield name, "This is not part of a rate."


def _bound_faults(rate: Mapping[str, JSON]) -> Iterator[tuple[str, str]]:
    """Name the ends of tiers that are no numbers from 1 on, or in the wrong order."""
    given = {name: rate[name] for name in _BOUNDS if rate.get(name) is not None}
    wrong = [name for name, end in given.items() if not _is_whole(end) or int(str(end)) < 1]
    yield from ((name, sentence("This must be a whole number from 1 on.")) for name in wrong)
    if wrong:
        return
    for name in ("head", "times"):
        first, last = given.get(f"{name}_from"), given.get(f"{name}_to")
        if first is not None and last is not None and int(str(first)) > int(str(last)):
            yield f"{name}_to", sentence("It cannot end before it begins.")


def _is_whole(value: JSON) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
