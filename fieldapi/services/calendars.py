"""Closed days of the office and of the pound: periods roll over them, where the law lets them.

Called by the api. A day is set or taken back; each change is entered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import delete

from fieldapi.domain.values import LINE
from fieldapi.domain.words import sentence
from fieldapi.models import ClosedDay
from fieldapi.models.authority import CALENDARS
from fieldapi.models.insert import insert_into
from fieldapi.problems import InvalidBody
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import check_fields
from fieldapi.unit import Unit


@dataclass(frozen=True, slots=True)
class ClosedOn:
    """A day on which a calendar is closed, and why."""

    day: date
    reason: str


@dataclass(frozen=True, slots=True)
class Change:
    """Days that a calendar gains and loses."""

    calendar: str
    closed: Sequence[ClosedOn] = ()
    opened: Sequence[date] = ()


def change(unit: Unit, principal: Principal, new: Change) -> None:
    """Close and open days. Raises `InvalidBody`."""
    require(principal, "calendar.change")
    if new.calendar not in CALENDARS:
        raise InvalidBody(
            errors={
                "calendar": [sentence("This must be one of: {codes}.", codes=", ".join(CALENDARS))]
            }
        )
    for one in new.closed:
        check_fields({"reason": LINE}, {"reason": one.reason})
    for one in new.closed:
        _close(unit, principal.authority_id, new.calendar, one)
    if new.opened:
        unit.session.execute(
            delete(ClosedDay).where(
                ClosedDay.authority_id == principal.authority_id,
                ClosedDay.calendar == new.calendar,
                ClosedDay.day.in_(list(new.opened)),
            )
        )
    unit.enter(
        principal.authority_id,
        "calendar.changed",
        subject=f"authority/{principal.authority_id}",
        actor=principal.actor,
        calendar=new.calendar,
        closed=sorted(one.day.isoformat() for one in new.closed),
        opened=sorted(day.isoformat() for day in new.opened),
    )


def _close(unit: Unit, authority_id: str, calendar: str, one: ClosedOn) -> None:
    values = {
        "authority_id": authority_id,
        "calendar": calendar,
        "day": one.day,
        "reason": one.reason,
    }
    statement = insert_into(unit.session, ClosedDay).values(values)
    unit.session.execute(
        statement.on_conflict_do_update(
            index_elements=["authority_id", "calendar", "day"], set_={"reason": one.reason}
        )
    )
