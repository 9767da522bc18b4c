"""People of the register: adds them, finds the same one again, merges two that are one.

Called by the api and by the acts that identify somebody. The ledger hears ids alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import or_, select, update

from fieldapi.domain.values import LINE, MOBILE, NAME, TRUTH, UUID, ValueType
from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.models import Custody, Party, Person
from fieldapi.problems import Conflict, InvalidBody, NotFound
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import check_fields
from fieldapi.unit import Unit
from sync.wire import JSON

_TYPES: dict[str, ValueType] = {
    "id": UUID,
    "name": NAME,
    "parent": LINE,
    "residence": LINE,
    "mobile": MOBILE,
    "is_resident": TRUTH,
    "person_id": UUID,
}


@dataclass(frozen=True, slots=True)
class NewParty:
    """Somebody of the register to be. `person_id`: their account here, if they have one.

    `is_resident`: whether they live in the local area for good; None: nobody asked.
    """

    name: str
    parent: str | None = None
    residence: str | None = None
    mobile: str | None = None
    is_resident: bool | None = None
    person_id: str | None = None
    id: str | None = None


def add(unit: Unit, principal: Principal, new: NewParty) -> Party:
    """Add a party. Raises `InvalidBody`, `NotFound` (the account)."""
    require(principal, "party.add")
    given: dict[str, JSON] = {name: getattr(new, name) for name in _TYPES}
    check_fields(_TYPES, given)
    key = (principal.authority_id, new.person_id)
    if new.person_id is not None and unit.session.get(Person, key) is None:
        raise NotFound(sentence("There is no such person."))
    row = Party(
        authority_id=principal.authority_id,
        id=new.id or new_id(),
        name=new.name,
        parent=new.parent,
        residence=new.residence,
        mobile=new.mobile,
        is_resident=new.is_resident,
        person_id=new.person_id,
        merged_into=None,
        created_at=unit.now,
    )
    unit.session.add(row)
    unit.session.flush()
    subject = f"party/{row.id}"
    unit.enter(row.authority_id, "party.added", subject=subject, actor=principal.actor)
    return row


def get(unit: Unit, principal: Principal, party_id: str) -> Party:
    """Return the party that stands for this id, through merges. Raises `NotFound`."""
    row = unit.session.get(Party, (principal.authority_id, party_id))
    while row is not None and row.merged_into is not None:
        row = unit.session.get(Party, (principal.authority_id, row.merged_into))
    if row is None:
        raise NotFound(sentence("There is no such party."))
    return row


def merge(unit: Unit, principal: Principal, party_id: str, *, into: str) -> Party:
    """Let `into` stand for `party_id` from now on, in custody as in times counted.

    Acts and money keep the id they were written with and are read through the merge. Raises
    `NotFound`, `InvalidBody` (the same one), `Conflict` (merged already, elsewhere).
    """
    require(principal, "party.merge")
    row = unit.session.get(Party, (principal.authority_id, party_id), with_for_update=True)
    if row is None:
        raise NotFound(sentence("There is no such party."))
    target = get(unit, principal, into)
    if target.id == row.id:
        raise InvalidBody(errors={"into": [sentence("This is the same party.")]})
    if row.merged_into is not None:
        raise Conflict(
            sentence("This party was merged before."), current={"merged_into": row.merged_into}
        )
    row.merged_into = target.id
    for column in (Custody.owner_id, Custody.kept_by_id):
        unit.session.execute(
            update(Custody)
            .where(Custody.authority_id == row.authority_id, column == row.id)
            .values({column.key: target.id})
            .execution_options(synchronize_session=False)
        )
    unit.enter(
        row.authority_id,
        "party.merged",
        subject=f"party/{row.id}",
        actor=principal.actor,
        into=target.id,
    )
    return target


def all_ids(unit: Unit, authority_id: str, party_ids: Iterable[str]) -> set[str]:
    """Return these ids and all that were merged into them: one human being under every id."""
    found = set(party_ids)
    while True:
        query = select(Party.id).where(
            Party.authority_id == authority_id,
            or_(Party.merged_into.in_(sorted(found))),
            Party.id.not_in(sorted(found)),
        )
        more = set(unit.session.scalars(query))
        if not more:
            return found
        found |= more
