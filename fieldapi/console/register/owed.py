"""What one person owes in every open case, with the way to settle all of it at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Response
from sqlalchemy.orm import Session

from fieldapi.access import session
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.register.case import DueLine, line_of
from fieldapi.domain.access import Principal
from fieldapi.queries import case_views, counter, seizures
from fieldapi.queries.counter import Heads


@dataclass(frozen=True, slots=True)
class OwedInCase:
    """What somebody owes in one case. `total`: empty where a scale is missing."""

    id: str
    reference: str
    herd: str
    lines: list[DueLine]
    total: str
    is_missing: bool


@blp.get("/parties/<party_id>")
@session("party.read")
def owed(party_id: str) -> Response:
    """Show what a person owes in all open cases that the reader may see. Raises `NotFound`."""
    who, now = door.principal(), house().database.clock()
    with house().database.read() as database:
        quote = case_views.quote(database, who, house().packs, party_id, pound_id=None, at=now)
        cases = _cases(database, who, quote)
        stands = str(quote["party"])
        party = counter.party_names(database, who.authority_id, {stands})[stands]
        head = reader(database, who)
    total = quote["total"]
    return page(
        "register/owed.html",
        reader=head,
        party=party,
        cases=cases,
        total="" if total is None else words().rupees(total),
        at=now,
    )


def _cases(database: Session, who: Principal, quote: Mapping[str, Any]) -> list[OwedInCase]:
    ids = [str(one["case"]) for one in quote["cases"]]
    names = seizures.references(database, who.authority_id, ids)
    held = counter.heads_of(database, who.authority_id, str(quote["party"]), ids)
    herds: dict[str, Counter[str]] = {}
    for one in held:
        herds.setdefault(one.case, Counter())[one.kind] += 1
    return [
        _owed(one, names.get(one["case"], ""), herds.get(one["case"], Counter()))
        for one in quote["cases"]
        if one["lines"] or one["case"] in herds
    ]


def _owed(one: Mapping[str, Any], reference: str, herd: Counter[str]) -> OwedInCase:
    total = one["total"]
    return OwedInCase(
        id=str(one["case"]),
        reference=reference,
        herd=words().herd(herd),
        lines=[line_of(line, words()) for line in one["lines"]],
        total="" if total is None else words().rupees(total),
        is_missing=bool(one["missing"]),
    )


def elsewhere(
    database: Session, who: Principal, party_id: str, *, but: str
) -> tuple[list[Heads], Mapping[str, str], int | None]:
    """Return the heads that a person has in other open cases, the references of those cases, and
    what is owed in them; nothing for nobody. Raises `NotFound`.
    """
    if not party_id:
        return [], {}, 0
    at, packs = house().database.clock(), house().packs
    quote = case_views.quote(database, who, packs, party_id, pound_id=None, at=at)
    others = [one for one in quote["cases"] if one["case"] != but]
    ids = [str(one["case"]) for one in others]
    held = counter.heads_of(database, who.authority_id, str(quote["party"]), ids)
    totals = [one["total"] for one in others]
    owed = None if None in totals else sum(totals)
    return held, seizures.references(database, who.authority_id, ids), owed
