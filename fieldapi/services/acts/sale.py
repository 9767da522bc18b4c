"""Sale: ordered, held, knocked down to a buyer whom the Act does not forbid, accounted for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqlalchemy import or_, select

from fieldapi.domain.words import sentence
from fieldapi.models import Membership, Party, Person
from fieldapi.problems import InvalidBody
from fieldapi.services.acts.kinds import (
    COUNTER,
    DISQUALIFIED,
    OFFICE,
    ActBody,
    ActKind,
    Paper,
    Scene,
)
from fieldapi.services.acts.people import known_party, somebody
from sync.wire import JSON

_OFFICE_ROLES = frozenset({"reviewer", "decider", "admin", "auditor"})


def _identified_buyer(scene: Scene, body: ActBody) -> ActBody:
    """Find out from the register of people who the buyer is, and who pays."""
    body = somebody(scene, body)
    data = dict(body.data)
    for member, found in (("buyer", "buyer_is"), ("paid_by", "paid_by_is")):
        party_id = data.get(member)
        if not isinstance(party_id, str):
            continue
        party = known_party(scene.unit, scene.principal, party_id, where=member)
        data[member] = party.id
        said = data.get(found)
        listed = set(said) if isinstance(said, list) else set()
        data[found] = _sorted({*listed, *standing_of(scene, party)})
    if not data.get("buyer") and body.act == "knock_down":
        raise InvalidBody(errors={"buyer": [sentence("Say who bought it.")]})
    return replace(body, data=data)


def _sorted(found: set[JSON]) -> list[JSON]:
    return [one for one in DISQUALIFIED if one in found]


def standing_of(scene: Scene, party: Party) -> Iterator[str]:
    """Yield what a party is to the authority, by account or by their own mobile number."""
    same = [Person.id == party.person_id]
    if party.mobile:
        same.append(Person.mobile == party.mobile)
    people = scene.unit.session.scalars(
        select(Person).where(Person.authority_id == party.authority_id, or_(*same))
    ).all()
    for person in people:
        if (person.capacity or "").startswith("police"):
            yield "police"
        yield from _by_roles(scene, person.id)
        if "watch" in (person.capacity or "") or "servant" in (person.capacity or ""):
            yield "servant"


def _by_roles(scene: Scene, person_id: str) -> Iterator[str]:
    now = scene.unit.now
    roles = set(
        scene.unit.session.scalars(
            select(Membership.role).where(
                Membership.authority_id == scene.file.authority_id,
                Membership.person_id == person_id,
                Membership.starts_at <= now,
                or_(Membership.ends_at.is_(None), Membership.ends_at > now),
            )
        )
    )
    if "pound_keeper" in roles:
        yield "keeper"
    if roles & _OFFICE_ROLES:
        yield "officer"


_SALE = "sale_officer"

ACTS = (
    ActKind("order_sale", OFFICE, ("order_no",), prepare=somebody, appointed=_SALE),
    ActKind(
        "hold_auction",
        OFFICE,
        ("expenses_paise", "place", "conditions"),
        prepare=somebody,
        appointed=_SALE,
    ),
    ActKind(
        "knock_down",
        OFFICE,
        (
            "price_paise",
            "buyer",
            "buyer_is",
            "paid_by",
            "paid_by_is",
            "is_related",
            "declaration",
            "bids",
        ),
        prepare=_identified_buyer,
        appointed=_SALE,
    ),
    ActKind("no_bid", OFFICE, ("bids",), appointed=_SALE),
    ActKind("other_disposal", OFFICE, ("price_paise", "order_no", "to"), appointed=_SALE),
    ActKind(
        "apply_proceeds",
        OFFICE,
        ("expenses_paise",),
        prepare=somebody,
        appointed=_SALE,
        papers=(Paper("sale_record", "sale"),),
    ),
    ActKind(
        "account_to_owner",
        COUNTER,
        ("contents",),
        prepare=somebody,
        papers=(Paper("account", "account"),),
    ),
    ActKind(
        "pay_balance",
        COUNTER,
        ("receipt_signed", "by"),
        prepare=somebody,
        papers=(Paper("payment_voucher"),),
    ),
    ActKind("record_refusal", COUNTER, ("by",), prepare=somebody),
)
