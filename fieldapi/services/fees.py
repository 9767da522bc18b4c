"""Scales of fees and feeding: loads them from a file, loads the sample, shows what one would levy.

Called by the api and the command line. A scale is an entry of the register (`notifications`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib.resources import files

from fieldapi import law
from fieldapi.clock import INDIA
from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.law.scales import Occasion, double_fine_excess, rate_of
from fieldapi.models import Authority, Notification
from fieldapi.packs import load_packs
from fieldapi.problems import ActNotAllowed, InvalidBody
from fieldapi.queries.case_facts import register_of
from fieldapi.services import notifications
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import refuse
from fieldapi.services.notifications import SCHEDULES, NewNotification
from fieldapi.unit import Unit
from sync.wire import JSON

_MEMBERS = frozenset(
    {"kind", "number", "effective_from", "effective_to", "area", "approved_by", "rates", "tiers"}
    | {"forfeit_percent", "names", "sample"}
)
_ABOVE_DOUBLE = sentence("This is more than double the fine of the scale in force.")


@dataclass(frozen=True, slots=True)
class Previewed:
    """What one kind costs: whole paise by number of times, for one head."""

    kind: str | None
    head: int
    times: int
    paise: int


def add(unit: Unit, principal: Principal, new: NewNotification) -> Notification:
    """Enter a scale. Raises `InvalidBody`; `ActNotAllowed` for a special fine beyond the cap."""
    if new.kind not in SCHEDULES:
        raise refuse("kind", sentence("This must be one of: {codes}.", codes=", ".join(SCHEDULES)))
    notifications.check(new)
    _require_cap(unit, principal, new)
    return notifications.add(unit, principal, new)


def _require_cap(unit: Unit, principal: Principal, new: NewNotification) -> None:
    """Raise `ActNotAllowed` if a special fine is more than the Act lets it be."""
    if new.kind != "double_fine_area":
        return
    authority = unit.session.get_one(Authority, principal.authority_id)
    profile = load_packs().profile(authority.statute, on=new.effective_from)
    entry = law.Notification(
        id=new.id,
        kind=new.kind,
        effective_from=new.effective_from,
        area=new.area,
        rates=law.read_rates(dict(new.data)),
    )
    register = register_of(unit.session, principal.authority_id)
    beyond = double_fine_excess(profile, register, entry, new.effective_from)
    if not beyond:
        return
    value = profile.find_value("double_fine_cap_percent")
    why = None if value is None else value.provenance
    raise ActNotAllowed(
        _ABOVE_DOUBLE,
        rule="KL-DOUBLE",
        reason=_ABOVE_DOUBLE,
        section=None if why is None else why.section,
        source=None if why is None else why.source.title,
        not_before=None,
        most={kind: most for kind, (_, most) in beyond.items()},
    )


def load(
    unit: Unit, principal: Principal, entries: Sequence[NewNotification]
) -> list[Notification]:
    """Enter the scales of a file: all or none. Raises `InvalidBody`."""
    require(principal, "notification.add")
    return [add(unit, principal, one) for one in entries]


def sample(unit: Unit, principal: Principal) -> list[NewNotification]:
    """Return the sample scales of the authority's statute, marked as a sample, from today on."""
    authority = unit.session.get_one(Authority, principal.authority_id)
    today = unit.now.astimezone(INDIA).date()
    series = load_packs().profile(authority.statute, on=today).series
    text = (files("fieldapi") / "statutes" / "samples" / f"{series}.toml").read_text("utf-8")
    return [replace(one, is_sample=True) for one in read_file(text, today=today)]


def read_file(text: str, *, today: date) -> list[NewNotification]:
    """Return the scales of a TOML file with `[[notifications]]`. Raises `InvalidBody`."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise InvalidBody(f"This is not TOML: {exc}.") from exc
    rows = table.get("notifications")
    if not isinstance(rows, list) or not rows:
        raise refuse("notifications", "The file names no [[notifications]].")
    return [_entry(row, at, today=today) for at, row in enumerate(rows)]


def _entry(row: Mapping[str, object], at: int, *, today: date) -> NewNotification:
    unknown = sorted(set(row) - _MEMBERS)
    if unknown:
        raise refuse(f"notifications.{at}.{unknown[0]}", "This member is not known.")
    begins, ends = row.get("effective_from"), row.get("effective_to")
    return NewNotification(
        id=new_id(),
        kind=str(row.get("kind")),
        number=str(row.get("number") or ""),
        effective_from=begins if isinstance(begins, date) else today,
        effective_to=ends if isinstance(ends, date) else None,
        area=_text(row.get("area")),
        approved_by=_text(row.get("approved_by")),
        is_sample=row.get("sample") is True,
        data=_data(row),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _data(row: Mapping[str, object]) -> dict[str, JSON]:
    """Return the rates of an entry: `rates` paise by kind, `tiers` whole rows."""
    rates, tiers = row.get("rates"), row.get("tiers")
    found: list[JSON] = []
    if isinstance(rates, Mapping):
        found += [{"kind": str(kind), "paise": paise} for kind, paise in rates.items()]
    if isinstance(tiers, list):
        found += [dict(one) for one in tiers if isinstance(one, Mapping)]
    data: dict[str, JSON] = {"rates": found}
    percent = row.get("forfeit_percent")
    if isinstance(percent, int):
        data["forfeit_percent"] = percent
    return data


def preview(new: NewNotification, *, head: int, times: int) -> list[Previewed]:
    """Return what a scale would levy for a head of each kind it names. Raises `InvalidBody`."""
    notifications.check(new)
    rates = law.read_rates(dict(new.data))
    kinds = dict.fromkeys(rate.kind for rate in rates)
    found = []
    for kind in kinds:
        paise = rate_of(rates, kind or "", Occasion(head, times))
        if paise is not None:
            found.append(Previewed(kind, head, times, paise))
    return found
