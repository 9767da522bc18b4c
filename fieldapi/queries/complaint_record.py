"""What the record shows beside each allegation of a complaint: facts of the case, computed, never
judged. Called by the reads of a complaint; whether a fact supports an allegation is for a person.

A fact is `{"fact": code, "value": JSON, "evidence": [refs]}`; the codes are in `domain.complaints`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from fieldapi import law
from fieldapi.clock import format_instant
from fieldapi.domain.geo import Point, distance_m
from fieldapi.law.clocks import TRANSIT
from fieldapi.law.days import touched
from fieldapi.law.money import PAYER
from fieldapi.law.profile import SeizureRule
from fieldapi.law.state import APPEARANCES
from fieldapi.queries.case_facts import Facts
from fieldapi.queries.complaint_evidence import LOCATION, Records

Fact = dict[str, Any]
# Which doubts about a record speak to which allegation.
FLAGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "place": (
            "outside_area",
            "location_absent",
            "gps_poor",
            "gps_mock",
            "exif_gps_mismatch",
            "place_kind_not_listed",
        ),
        "time": ("clock_suspect", "exif_time_mismatch"),
        "count": ("count_mismatch", "possible_duplicate", "tag_in_two_cases"),
        "damage": ("damage_not_stated", "photo_reused", "photo_similar", "photo_damaged"),
        "capacity": ("capacity_not_listed", "capacity_not_for_place", "ground_not_listed"),
        "transit": ("late_to_pound", "wrong_pound"),
        "fine": ("contrary_to_rule",),
        "detention": ("late_to_pound", "contrary_to_rule"),
    }
)


@dataclass(frozen=True, slots=True)
class Seen:
    """The case as it is looked at. `by`: who complains."""

    facts: Facts
    records: Records
    now: law.CaseState
    by: str


def shown(seen: Seen, allegation: str) -> list[Fact]:
    """Return the facts beside one allegation, then the doubts that speak to it."""
    flags = [
        _fact("flag", flag, seen.records.flags[flag])
        for flag in FLAGS[allegation]
        if flag in seen.records.flags
    ]
    return [*_FACTS[allegation](seen), *flags]


def _fact(fact: str, value: object, evidence: Iterable[str] = ()) -> Fact:
    return {"fact": fact, "value": value, "evidence": list(evidence)}


def _place(seen: Seen) -> Iterator[Fact]:
    fields = seen.records.seizure.fields
    location = fields.get("location")
    if isinstance(location, dict):
        told = ("lat", "lon", "accuracy_m", "source", "mocked")
        yield _fact("place_fixed", {name: location.get(name) for name in told}, [LOCATION])
    for name in ("place_kind", "place_text"):
        if fields.get(name):
            yield _fact(name, fields[name])
    here = _point(location)
    for fix in fields.get("fixes") or []:
        there = _point(fix)
        if here is not None and there is not None:
            apart = round(distance_m(here, there))
            yield _fact("fix_apart_m", apart, [f"fix/{fix.get('fixed_at')}"])
    for photo, exif in seen.records.exif.items():
        there = _point(exif)
        if here is not None and there is not None:
            yield _fact("photo_apart_m", round(distance_m(here, there)), [f"photo/{photo}"])


def _point(value: object) -> Point | None:
    if not isinstance(value, dict):
        return None
    lat, lon = value.get("lat"), value.get("lon")
    if isinstance(lat, int | float) and isinstance(lon, int | float):
        return Point(lat, lon)
    return None


def _time(seen: Seen) -> Iterator[Fact]:
    seizure = seen.records.seizure
    yield _fact("seized_at", _text(seizure.seized_at))
    yield _fact("received_at", _text(seizure.received_at))
    for photo, exif in seen.records.exif.items():
        if exif.get("taken_at"):
            yield _fact("photo_taken_at", exif["taken_at"], [f"photo/{photo}"])


def _count(seen: Seen) -> Iterator[Fact]:
    reported = Counter[str]()
    for lot in seen.records.animals:
        reported[lot.kind or ""] += lot.count or 0
    yield _fact("reported", dict(sorted(reported.items())))
    for row in seen.records.intakes:
        counts = row.fields.get("counts") or []
        counted = {one["kind"]: one["count"] for one in counts if isinstance(one, dict)}
        yield _fact("counted_in", counted, [f"intake/{row.id}"])
    states = Counter(one.state for one in seen.now.heads.values())
    yield _fact("heads_now", dict(sorted(states.items())))
    photos = [f"photo/{row.id}" for row in seen.records.photos if _is_of(row.fields, "animals")]
    yield _fact("photos_of_animals", len(photos), photos)


def _is_of(fields: Mapping[str, Any], subject: str) -> bool:
    return fields.get("subject") == subject


def _damage(seen: Seen) -> Iterator[Fact]:
    fields = seen.records.seizure.fields
    yield _fact("damage_done", fields.get("damage_done"))
    for name in ("damage.text", "damage.crop", "damage.estimate_paise"):
        if fields.get(name) is not None:
            yield _fact(name.replace(".", "_"), fields[name])
    photos = [f"photo/{row.id}" for row in seen.records.photos if _is_of(row.fields, "damage")]
    yield _fact("photos_of_damage", len(photos), photos)
    for rule in _rules(seen):
        yield _fact("damage_required", rule.damage_required) | _cited(rule)


def _rules(seen: Seen) -> tuple[SeizureRule, ...]:
    one = seen.facts.case.seizure
    return seen.facts.case.profile.seizure_rules_for(one.capacity, one.place_kind)


def _cited(rule: SeizureRule) -> Fact:
    why = rule.provenance
    return {"rule": rule.rule, "section": why.section, "source": why.source.title}


def _capacity(seen: Seen) -> Iterator[Fact]:
    one, profile = seen.facts.case.seizure, seen.facts.case.profile
    yield _fact("capacity", one.capacity or None)
    yield _fact("ground", one.ground or None)
    yield _fact("capacity_listed", profile.capacity(one.capacity) is not None)
    for rule in _rules(seen):
        yield _fact("may_seize", one.ground in rule.grounds) | _cited(rule)


def _transit(seen: Seen) -> Iterator[Fact]:
    clocks = law.clocks(seen.facts.case, seen.now.at)
    running = [one for one in clocks if one.rule == TRANSIT]
    if not running:
        yield _fact("no_time_set", None)
    came = _first(one.impounded_at for one in seen.now.heads.values())
    acts = [f"act/{one.id}" for one in seen.now.done("impound")]
    for one in running:
        yield _fact("to_reach_pound_by", _text(one.last_moment)) | {
            "section": one.section,
            "source": one.source,
            "state": one.state,
        }
        if came is not None and came > one.last_moment:
            late = (came - one.last_moment) // timedelta(minutes=1)
            yield _fact("late_by_minutes", late, acts)
    yield _fact("came_to_pound", _text(came), acts)


def _first(instants: Iterable[datetime | None]) -> datetime | None:
    return min((one for one in instants if one is not None), default=None)


def _fine(seen: Seen) -> Iterator[Fact]:
    for act in seen.now.acts:
        for move in act.moves:
            is_his = move.party == seen.by and move.source == PAYER
            if is_his:
                yield _fact(
                    "paid", {"line": move.line, "paise": move.paise, "how": move.how},
                    [f"act/{act.id}"],
                ) | {"section": move.section}  # fmt: skip
    owed = law.dues(seen.facts.case, seen.by, seen.now.at)
    for line in owed.lines:
        value = {"line": line.line, "paise": line.paise, "how": line.how}
        yield _fact("due", value) | {"section": line.section, "source": line.source}


def _detention(seen: Seen) -> Iterator[Fact]:
    for head in seen.now.heads.values():
        if head.impounded_at is None or seen.by not in (head.owner, head.keeper):
            continue
        until = head.left_at or seen.now.at
        yield _fact(
            "held",
            {
                "head": head.id,
                "kind": head.kind,
                "from": _text(head.impounded_at),
                "to": _text(head.left_at),
                "days": len(touched(head.impounded_at, until)),
                "became": head.became,
            },
        )
    for act in seen.now.done(*APPEARANCES):
        if act.party == seen.by:
            yield _fact("came", {"act": act.act, "at": _text(act.at)}, [f"act/{act.id}"])


def _text(at: datetime | None) -> str | None:
    return format_instant(at) if at is not None else None


_FACTS: Mapping[str, Callable[[Seen], Iterator[Fact]]] = MappingProxyType(
    {
        "place": _place,
        "time": _time,
        "count": _count,
        "damage": _damage,
        "capacity": _capacity,
        "transit": _transit,
        "fine": _fine,
        "detention": _detention,
    }
)
