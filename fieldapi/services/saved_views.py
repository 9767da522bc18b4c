"""Keeps the filters that somebody named for themselves. Called by the console.

They say how a person works, not what happened: no ledger entry is written.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select

from fieldapi.domain.access import Principal, require
from fieldapi.domain.values import Text
from fieldapi.domain.words import sentence
from fieldapi.models import SavedView
from fieldapi.problems import NotFound
from fieldapi.services.fields import check_fields, refuse
from fieldapi.unit import Unit

MOST = 20
LABEL = Text(60, shortest=1)
_QUERY = Text(1000)
_TOO_MANY = sentence("At most 20 views are kept. Remove one first.")


@dataclass(frozen=True, slots=True)
class NewView:
    """A filter under a name. `id`: made by whoever keeps it; `query`: as in an address."""

    id: str
    name: str
    query: str


def keep(unit: Unit, principal: Principal, new: NewView) -> None:
    """Keep a view; one of the same name is changed. Sent twice, it is kept once.

    Raises `NotAllowed`, `InvalidBody` (the name; more than `MOST` views).
    """
    require(principal, "console.open")
    name = new.name.strip()
    check_fields({"name": LABEL, "query": _QUERY}, {"name": name, "query": new.query})
    row = _named(unit, principal, name)
    if row is not None:
        row.query, row.at = new.query, unit.now
        return
    if unit.session.get(SavedView, (principal.authority_id, new.id)) is not None:
        return
    if _count(unit, principal) >= MOST:
        raise refuse("name", _TOO_MANY)
    unit.session.add(
        SavedView(
            authority_id=principal.authority_id,
            id=new.id,
            person_id=principal.person_id,
            name=name,
            query=new.query,
            at=unit.now,
        )
    )


def remove(unit: Unit, principal: Principal, view_id: str) -> None:
    """Remove a view of one's own. Raises `NotFound`."""
    row = unit.session.get(SavedView, (principal.authority_id, view_id))
    if row is None or row.person_id != principal.person_id:
        raise NotFound
    unit.session.delete(row)


def _named(unit: Unit, principal: Principal, name: str) -> SavedView | None:
    query = select(SavedView).where(*_mine(principal), SavedView.name == name)
    return unit.session.scalars(query.with_for_update()).first()


def _count(unit: Unit, principal: Principal) -> int:
    return unit.session.scalar(select(func.count(SavedView.id)).where(*_mine(principal))) or 0


def _mine(principal: Principal) -> tuple[ColumnElement[bool], ...]:
    return (
        SavedView.authority_id == principal.authority_id,
        SavedView.person_id == principal.person_id,
    )
