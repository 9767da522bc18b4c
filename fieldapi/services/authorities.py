"""Founds an authority and keeps its area. Called by the command line and by the api."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from fieldapi.domain.values import NAME, TRUTH, UUID, Choice, Pattern, ValueType
from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.ledger import FIRST_EPOCH
from fieldapi.locale import LANGUAGES
from fieldapi.models import Authority
from fieldapi.packs import load_packs
from fieldapi.problems import Conflict, NotFound
from fieldapi.services.authorise import OPERATOR_ACTOR, Principal, require
from fieldapi.services.fields import area_text, check_fields, refuse
from fieldapi.unit import Unit
from sync.wire import JSON

_TYPES: dict[str, ValueType] = {
    "id": UUID,
    "code": Pattern("[A-Z]{3,5}", sentence("A code is three to five capital letters."), "code"),
    "name": NAME,
    "confirm_devices": TRUTH,
}


@dataclass(frozen=True, slots=True)
class NewAuthority:
    """What an authority begins with. `statute`: a series, or one pinned version of it.

    `languages`: codes in the order of preference; the first is that of its printed cards.
    """

    code: str
    name: str
    statute: str
    languages: Sequence[str] = ("en",)
    confirm_devices: bool = True


def found(unit: Unit, new: NewAuthority, *, authority_id: str | None = None) -> Authority:
    """Add an authority with its own empty ledger. Raises `InvalidBody`, `Conflict`."""
    _check(new, authority_id)
    if unit.session.scalar(select(Authority.id).where(Authority.code == new.code)):
        raise Conflict(f"{new.code} is the code of another authority.")
    row = Authority(
        id=authority_id or new_id(),
        code=new.code,
        name=new.name,
        statute=new.statute,
        languages=" ".join(new.languages),
        area=None,
        confirm_devices=new.confirm_devices,
        next_device=1,
        retention_days=None,
        created_at=unit.now,
    )
    unit.session.add(row)
    unit.session.flush()
    unit.open_ledger(row.id)
    subject = f"authority/{row.id}"
    unit.enter(row.id, "ledger.opened", subject=subject, actor=OPERATOR_ACTOR, epoch=FIRST_EPOCH)
    unit.enter(row.id, "authority.added", subject=subject, actor=OPERATOR_ACTOR, code=row.code)
    return row


def set_area(unit: Unit, principal: Principal, area: JSON) -> Authority:
    """Replace the limits of the authority: a GeoJSON polygon. Raises `InvalidBody`."""
    require(principal, "authority.change")
    row = get(unit, principal.authority_id)
    row.area = area_text("area", area)
    unit.enter(
        row.id,
        "authority.changed",
        subject=f"authority/{row.id}",
        actor=principal.actor,
        fields=["area"],
    )
    return row


def get(unit: Unit, authority_id: str) -> Authority:
    """Return the authority. Raises `NotFound`."""
    row = unit.session.get(Authority, authority_id)
    if row is None:
        raise NotFound("There is no such authority.")
    return row


def _check(new: NewAuthority, authority_id: str | None) -> None:
    given: dict[str, JSON] = {
        "id": authority_id,
        "code": new.code,
        "name": new.name,
        "statute": new.statute,
        "confirm_devices": new.confirm_devices,
    }
    check_fields({**_TYPES, "statute": Choice(load_packs().names())}, given)
    unknown = sorted(set(new.languages) - set(LANGUAGES))
    if unknown or not new.languages:
        raise refuse("languages", f"Known languages: {', '.join(LANGUAGES)}.")
