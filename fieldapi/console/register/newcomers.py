"""Enters somebody in the register of people from a form at the counter. Flask-free."""

from __future__ import annotations

from collections.abc import Mapping

from fieldapi.domain.access import Principal
from fieldapi.services import parties
from fieldapi.services.parties import NewParty
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Database, Unit


def enter_newcomer(
    database: Database, who: Principal, party_id: str, typed: Mapping[str, str]
) -> None:
    """Enter a person once, however often the form is sent. Raises `InvalidBody`, `IdReuse`."""
    parent, residence, mobile = (typed[name] or None for name in ("parent", "residence", "mobile"))
    new = NewParty(typed["name"], parent, residence, mobile, id=party_id)
    request = RequestId("party", party_id, {"id": party_id, **typed})

    def work(unit: Unit) -> None:
        if bind(unit, who, request, current=lambda: party_id):
            parties.add(unit, who, new)

    database.transact(work)
