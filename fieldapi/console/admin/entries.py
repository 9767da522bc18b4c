"""Entries of the dated register in words: rates and their tiers, who is appointed, where it counts,
and what a scale would levy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from fieldapi.console.admin import drawn
from fieldapi.console.admin.drawn import Shown
from fieldapi.console.words import Words
from fieldapi.documents import saying
from fieldapi.domain.geo import Area, Point, read_area
from fieldapi.domain.labels import NOTIFICATIONS
from fieldapi.queries.register import NotificationView
from fieldapi.services import fees
from fieldapi.services.notifications import SCHEDULES, NewNotification
from sync.wire import JSON

_HEAD, _DAYS = 2, 3


@dataclass(frozen=True, slots=True)
class Around:
    """What entries are told with: names of pounds and people, limits and places on the map."""

    pounds: Mapping[str, str]
    people: Mapping[str, str]
    limits: Area | None
    places: Sequence[tuple[str, Point]]
    today: date


@dataclass(slots=True)
class Entry:
    """An entry of the register, in words. `rates`: kind and tier, and amount."""

    view: NotificationView
    label: str
    since: str
    until: str
    pound: str
    rates: list[tuple[str, str]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    is_over: bool = False
    limits: Shown | None = None


def entry(one: NotificationView, around: Around, words: Words) -> Entry:
    """Return an entry in words."""
    named, polygon = one.data.get("names"), one.data.get("polygon")
    appointed = named if isinstance(named, list) else []
    limits = None if polygon is None else read_area(polygon)
    return Entry(
        view=one,
        label=words.gettext(NOTIFICATIONS.get(one.kind, one.kind)),
        since=words.date(one.effective_from),
        until=words.date(one.effective_to) if one.effective_to else "",
        pound=around.pounds.get(one.pound_id or "", ""),
        rates=rates(one.data, words),
        names=[around.people.get(str(name), "") for name in appointed],
        is_over=one.effective_to is not None and one.effective_to < around.today,
        limits=None if limits is None else drawn.shown(limits, around.limits, around.places, words),
    )


def rates(data: Mapping[str, JSON], words: Words) -> list[tuple[str, str]]:
    """Return the rates of a scale in words, each kind and tier with its amount."""
    listed = data.get("rates")
    found = [rate for rate in listed if isinstance(rate, dict)] if isinstance(listed, list) else []
    return [_rate(rate, words) for rate in found]


def _rate(rate: Mapping[str, JSON], words: Words) -> tuple[str, str]:
    kind, paise, first = rate.get("kind"), rate.get("paise"), rate.get("first_day_paise")
    name = words.kind(str(kind)).capitalize() if kind else words.gettext("Any kind")
    head, times = _bounds(rate, "head"), _bounds(rate, "times")
    tier = [
        *([words.gettext("{range} head", range=head)] if head else []),
        *([words.gettext("time {range}", range=times)] if times else []),
    ]
    amount = words.rupees(int(str(paise))) if paise is not None else f"{rate.get('percent')} %"
    if first is not None:
        on_first = words.rupees(int(str(first)))
        amount = words.gettext("{sum}, on the first day {first}", sum=amount, first=on_first)
    return ", ".join([name, *tier]), amount


def _bounds(rate: Mapping[str, JSON], name: str) -> str:
    """Return a tier as a range of numbers, e.g. `1–4`, `10+`; empty if it has no ends."""
    first, last = rate.get(f"{name}_from"), rate.get(f"{name}_to")
    return "" if first is None and last is None else saying.span(first, last)


def would(new: NewNotification | None, words: Words) -> list[str]:
    """Return what a scale would levy for two heads of each kind, of feeding for three days."""
    if new is None or new.kind not in SCHEDULES:
        return []
    said = []
    for one in fees.preview(new, head=_HEAD, times=1):
        name = words.kind(one.kind, _HEAD) if one.kind else words.gettext("Any kind")
        paise = one.paise * _HEAD
        if new.kind == "feeding_rates":
            said.append(
                words.gettext(
                    "{head} {kind} × {days} days = {sum}",
                    head=_HEAD,
                    kind=name,
                    days=_DAYS,
                    sum=words.rupees(paise * _DAYS),
                )
            )
        else:
            said.append(f"{_HEAD} {name} = {words.rupees(paise)}")
    return said
