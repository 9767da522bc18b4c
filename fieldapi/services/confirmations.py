"""Confirms a value of a statute for an authority: one person against a source, then a second one.

Called by the api. Until both said so, an unverified rule may only warn.
"""

from __future__ import annotations

from dataclasses import dataclass

from fieldapi.clock import INDIA
from fieldapi.domain.values import FREE, UUID
from fieldapi.domain.words import sentence
from fieldapi.models import Authority, StatuteConfirmation
from fieldapi.packs import Packs, UnknownStatute
from fieldapi.problems import Conflict, NotAllowed, NotFound
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import check_fields, refuse
from fieldapi.unit import Unit


@dataclass(frozen=True, slots=True)
class NewConfirmation:
    """A value to be confirmed. `key`: as `fieldapi statutes check` prints it. `version`: None for
    the one in force today. `source`: the Gazette or other print it was compared with.
    """

    id: str
    key: str
    source: str
    version: str | None = None


def first(
    unit: Unit, principal: Principal, packs: Packs, new: NewConfirmation
) -> StatuteConfirmation:
    """Note that one person compared a value. Raises `InvalidBody` for a key that needs none."""
    require(principal, "statute.confirm")
    check_fields({"id": UUID, "source": FREE}, {"id": new.id, "source": new.source})
    if not new.source.strip():
        raise refuse("source", sentence("Name the print that this was compared with."))
    version = new.version or _version_today(unit, principal, packs)
    if new.key not in open_keys(packs, version):
        raise refuse("key", sentence("No unverified value of this version has this key."))
    row = StatuteConfirmation(
        authority_id=principal.authority_id,
        id=new.id,
        version=version,
        key=new.key,
        source=new.source.strip(),
        first_by=principal.person_id,
        first_at=unit.now,
        second_by=None,
        second_at=None,
    )
    unit.session.add(row)
    unit.enter(
        row.authority_id,
        "confirmation.begun",
        subject=f"confirmation/{row.id}",
        actor=principal.actor,
        key=row.key,
        version=row.version,
    )
    return row


def second(unit: Unit, principal: Principal, confirmation_id: str) -> StatuteConfirmation:
    """Confirm for the second time: from now on the value may block. Raises `NotFound`,
    `NotAllowed` (the same person), `Conflict` (done before by another).
    """
    require(principal, "statute.confirm")
    key = (principal.authority_id, confirmation_id)
    row = unit.session.get(StatuteConfirmation, key, with_for_update=True)
    if row is None:
        raise NotFound(sentence("There is no such confirmation."))
    if row.second_by is not None:
        raise Conflict(
            sentence("Two persons have confirmed this."), current={"second_by": row.second_by}
        )
    if row.first_by == principal.person_id:
        raise NotAllowed(sentence("A second person has to compare it."), reason="same-person")
    row.second_by, row.second_at = principal.person_id, unit.now
    unit.enter(
        row.authority_id,
        "confirmation.completed",
        subject=f"confirmation/{row.id}",
        actor=principal.actor,
        key=row.key,
        version=row.version,
    )
    return row


def open_keys(packs: Packs, version: str) -> frozenset[str]:
    """Return the keys of a version's values that are not verified. Raises `InvalidBody`."""
    for series in packs.series.values():
        if any(one.version == version for one in series.profiles):
            return frozenset(
                key
                for entry in series.entries
                for key in (
                    *(() if entry.provenance.is_verified else (entry.key,)),
                    *(f"{entry.key}.{member}" for member in entry.provenance.silent),
                )
            )
    raise refuse("version", sentence("There is no such version of a statute."))


def _version_today(unit: Unit, principal: Principal, packs: Packs) -> str:
    row = unit.session.get_one(Authority, principal.authority_id)
    try:
        return packs.profile(row.statute, on=unit.now.astimezone(INDIA).date()).version
    except UnknownStatute as exc:
        raise refuse("version", sentence("There is no such version of a statute.")) from exc
