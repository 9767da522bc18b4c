"""Whose cattle they are, and who came for them: identified, appeared, claimed, offered to pay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fieldapi import law
from fieldapi.domain.access import Principal
from fieldapi.domain.words import sentence
from fieldapi.models import Party
from fieldapi.problems import InvalidBody
from fieldapi.services.acts.kinds import (
    COUNTER,
    FIELD,
    ActBody,
    ActKind,
    Scene,
    refused,
)
from fieldapi.unit import Unit

NOBODY_LEFT = sentence("Somebody is identified for every head of this case.")


def known_party(unit: Unit, principal: Principal, party_id: str, *, where: str) -> Party:
    """Return the party that stands for an id. Raises `InvalidBody` naming the member `where`."""
    row = unit.session.get(Party, (principal.authority_id, party_id))
    while row is not None and row.merged_into is not None:
        row = unit.session.get(Party, (principal.authority_id, row.merged_into))
    if row is None:
        raise InvalidBody(errors={where: [sentence("There is no such party.")]})
    return row


def somebody(scene: Scene, body: ActBody) -> ActBody:
    """Check the party of an act, where it names one, and read it through merges."""
    if body.party is None:
        return body
    row = known_party(scene.unit, scene.principal, body.party, where="party")
    return replace(body, party=row.id)


def _identified(scene: Scene, body: ActBody) -> ActBody:
    if body.party is None:
        raise InvalidBody(errors={"party": [sentence("Say who it is.")]})
    body = somebody(scene, body)
    data = {"as": "owner", **body.data}
    heads = body.custody or tuple(_of_nobody(scene, str(data["as"])))
    if not heads:
        raise refused(NOBODY_LEFT)
    return replace(body, custody=heads, data=data)


def _of_nobody(scene: Scene, role: str) -> Iterator[str]:
    """Yield the heads for which nobody was identified in this role yet."""
    now = law.state(scene.case, scene.unit.now)
    for head in now.heads.values():
        if head.is_in_custody and (head.keeper if role == "keeper" else head.owner) is None:
            yield head.id


ACTS = (
    ActKind("identify", FIELD | COUNTER, ("as", "proof"), prepare=_identified),
    ActKind("appear", COUNTER, ("by", "refuses"), is_fact=True, prepare=somebody),
    ActKind("claim", COUNTER, ("by", "proof"), is_fact=True, prepare=somebody),
    ActKind("offer_to_pay", COUNTER, ("by",), is_fact=True, prepare=somebody),
)
