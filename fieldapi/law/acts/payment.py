"""Acts of the owner who comes: offers, payments, release on payment, delivery on deposit, default.

Sources: Gujarat s. 185; Kerala ss. 12, 14, 15(1); Karnataka ss. 10, 12, 16, 17.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from fieldapi.law.acts.sale import still_needed
from fieldapi.law.clocks import follow_up_until
from fieldapi.law.dues import (
    DEPOSIT,
    HELD_ON_ACCOUNT,
    LEVIES,
    ON_ACCOUNT,
    Line,
    Quote,
    needs_security,
    quote,
    rupees,
)
from fieldapi.law.facts import Move
from fieldapi.law.holdings import decision_on, deposit_lines, deposits
from fieldapi.law.money import HELD_DEPOSIT, PAYER, Payment, pay, target_of
from fieldapi.law.particulars import text, truth, whole
from fieldapi.law.scene import Breach, Effect, Rule, Scene
from fieldapi.law.state import APPEARANCES


def _assessed(scene: Scene) -> Effect:
    owed = scene.quote
    return Effect(owed.lines, notes=owed.notes)


def _paid(scene: Scene) -> int:
    return whole(scene.data, "paid_paise") or 0


def _receives(scene: Scene) -> Iterator[Breach]:
    paid, total = _paid(scene), scene.quote.total_paise
    if paid < 1:
        yield Breach("sum.missing")
    elif total is None:
        yield Breach("schedule.missing")
    elif paid > max(total, _sale_still_needs(scene)):
        yield Breach("sum.over")


def _sale_still_needs(scene: Scene) -> int:
    """Return what a sale of this person's cattle, now going on, has still to bring: he may pay it,
    though the heads that are left owe less themselves.
    """
    auction = scene.now.auction
    if auction is None or auction.party != scene.party:
        return 0
    return still_needed(scene.now, auction) or 0


def _received(scene: Scene) -> Effect:
    paid = _paid(scene)
    move = Move(ON_ACCOUNT, paid, PAYER, HELD_ON_ACCOUNT, scene.party)
    return Effect((Line(ON_ACCOUNT, paid, rupees(paid)),), (move,))


def _other_line(scene: Scene) -> Iterator[Breach]:
    line = text(scene.data, "line")
    if line is None or scene.profile.charge(line) is None:
        yield Breach("receipt.line")


def _releases(scene: Scene) -> Iterator[Breach]:
    yield from _is_paid(scene, scene.quote)
    if needs_security(scene.case, scene.at) and text(scene.data, "declaration") != "signed":
        yield Breach("release.declaration")
    if not truth(scene.data, "register_signature"):
        yield Breach("release.signature")


def _is_paid(scene: Scene, owed: Quote) -> Iterator[Breach]:
    """What is missing decides which rule speaks: fine, charges, or the security alone."""
    total, paid = owed.total_paise, _paid(scene)
    if total is None:
        yield Breach("schedule.missing")
        return
    if paid > total:
        yield Breach("sum.over")
    short = total - paid
    if 0 < short <= owed.paise(DEPOSIT):
        yield Breach("release.security")
    elif short > 0:
        yield Breach("release.paid")
        if paid - owed.paise(ON_ACCOUNT) < owed.paise(*LEVIES):
            yield Breach("release.fine")


def _released(scene: Scene) -> Effect:
    return _settled(scene, scene.quote)


def _settled(scene: Scene, owed: Quote, into: str | None = None) -> Effect:
    moves, unpaid = pay(scene.profile, owed.lines, Payment(scene.party, _paid(scene), into))
    return Effect(owed.lines, moves, notes=owed.notes, deficit_paise=unpaid)


def _under_protest(scene: Scene) -> Quote:
    return quote(scene.case, scene.now, scene.party, scene.ids, with_security=False)


def _deposits(scene: Scene) -> Iterator[Breach]:
    owed = _under_protest(scene)
    total = owed.total_paise
    if total is None:
        yield Breach("schedule.missing")
    elif _paid(scene) > total:
        yield Breach("sum.over")
    elif _paid(scene) < total:
        yield Breach("deposit.paid")
    if not truth(scene.data, "register_signature"):
        yield Breach("deposit.signature")
    yield Breach("deposit.provided")


def _deposited(scene: Scene) -> Effect:
    return _settled(scene, _under_protest(scene), HELD_DEPOSIT)


def _applies(scene: Scene) -> Iterator[Breach]:
    """A deposit stands for the fees until a complaint is decided, or none came in time."""
    held = deposits(scene.now)
    if not held:
        yield Breach("deposit.none")
        return
    told = [
        decision_on(scene.case.complaints, one.party, head) for one in held for head in one.heads
    ]
    if any(one is not None and one.outcome is None for one in told):
        yield Breach("deposit.undecided")
    elif any(one is None for one in told):
        until = follow_up_until(scene.case, held[0].at)
        if until is not None and not until.is_over(scene.at):
            yield Breach("deposit.waits", until.opens_at, until.is_sure)


def _applied(scene: Scene) -> Effect:
    moves = [
        Move(
            one.line, one.paise, HELD_DEPOSIT, target_of(scene.profile, one.line), one.party,
            one.how, one.section,
        )
        for held in deposits(scene.now)
        for one in deposit_lines(held)
    ]  # fmt: skip
    return _deposit_effect(scene, moves)


def _deposit_effect(scene: Scene, moves: list[Move]) -> Effect:
    lines = tuple(Line(one.line, one.paise, one.how, "", one.section) for one in moves)
    of = {one.id: sum(move.paise for move in deposit_lines(one)) for one in deposits(scene.now)}
    return Effect(lines, tuple(moves), data={"of": {**of}})


def _refunds(scene: Scene) -> Iterator[Breach]:
    if not deposits(scene.now):
        yield Breach("deposit.none")
    elif text(scene.data, "order_no") is None:
        yield Breach("order.missing")
    yield Breach("deposit.refund")


def _refunded(scene: Scene) -> Effect:
    moves = [
        Move("deposit", one.paise, HELD_DEPOSIT, PAYER, one.party)
        for held in deposits(scene.now)
        for one in deposit_lines(held)
    ]
    return _deposit_effect(scene, moves)


def _on_account(scene: Scene) -> int:
    return scene.now.parties.get((HELD_ON_ACCOUNT, scene.act.party), 0)


def _returns(scene: Scene) -> Iterator[Breach]:
    if _on_account(scene) < 1:
        yield Breach("sum.none")


def _returned(scene: Scene) -> Effect:
    paise = _on_account(scene)
    move = Move(ON_ACCOUNT, paise, HELD_ON_ACCOUNT, PAYER, scene.act.party)
    return Effect((Line(ON_ACCOUNT, paise, rupees(paise)),), (move,))


def _defaults(scene: Scene) -> Iterator[Breach]:
    """Only who came and would not pay is in default; who never came is unclaimed."""
    came = [one for one in scene.now.done(*APPEARANCES) if one.party == scene.party]
    if not came and not truth(scene.data, "appeared"):
        yield Breach("default.appeared")
    total = scene.quote.total_paise
    if total is not None and total <= 0:
        yield Breach("default.nothing_due")
    elif total is not None and total <= scene.quote.paise(DEPOSIT):
        yield Breach("default.security_only")


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "assess": Rule(heads="pound", effect=_assessed, needs_party=True),
        "offer_to_pay": Rule(is_fact=True, needs_party=True),
        "receive_payment": Rule(heads="pound", check=_receives, effect=_received, needs_party=True),
        "return_payment": Rule(check=_returns, effect=_returned),
        "add_receipt_line": Rule(check=_other_line),
        "release": Rule(heads="pound", check=_releases, effect=_released, needs_party=True),
        "deposit_under_protest": Rule(
            heads="pound", check=_deposits, effect=_deposited, needs_party=True
        ),
        "apply_deposit": Rule(check=_applies, effect=_applied),
        "refund_deposit": Rule(check=_refunds, effect=_refunded),
        "record_owner_default": Rule(heads="pound", check=_defaults, needs_party=True),
    }
)
