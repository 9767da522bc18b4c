"""Removal orders: who may be told to take which cattle where, and what follows if he does not.

Called by the services of removal orders. Source: Gujarat Panchayats Act 1993 s. 190. Other Acts
that know such orders (Karnataka s. 14) are not read; they only warn, and that an order has to be
there, and a fine before a sale for it, is asked under every Act.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from types import MappingProxyType

from fieldapi.law.days import ONE_DAY, day_of, midnight
from fieldapi.law.dues import Line, rupees
from fieldapi.law.facts import Done, Move, Proposal
from fieldapi.law.money import BUYER, PAYER
from fieldapi.law.particulars import day, table, text, truth, whole
from fieldapi.law.profile import StatuteProfile
from fieldapi.law.register import NOTHING_IN_FORCE, SECTION_190, Register
from fieldapi.law.scene import NO, Breach, Judgement, Verdict, verdict

GENERAL, RESIDENTS, OTHERS = "general", "i", "ii"
FINE_END, BALANCE_END = "fine_as_state_directs", "payer"
REMEDIES = ("direct_police_removal", "impose_fine")


@dataclass(frozen=True)
class RemovalCase:
    """An order and what was done under it. `area`: the local area for which it was made."""

    id: str
    profile: StatuteProfile
    acts: tuple[Done, ...] = ()
    register: Register = NOTHING_IN_FORCE
    area: str | None = None

    def after(self, *acts: Done) -> "RemovalCase":
        """Return the order with more acts done."""
        return replace(self, acts=(*self.acts, *acts))


@dataclass(frozen=True)
class RemovalState:
    """An order at a moment. `fined`: who has to pay the fine. `state`: draft, issued, served,
    complied, default, police_removal, fined, paid, sale_for_fine. `fine_paise`: of all fines
    under the order, to which the cap of the Act is held.
    """

    state: str
    issued: Done | None
    fine_paise: int
    recovered_paise: int
    pay_by: date | None
    fined: str | None = None

    @property
    def outstanding_paise(self) -> int:
        """What of the fine is not paid yet."""
        return max(0, self.fine_paise - self.recovered_paise)


@dataclass(frozen=True)
class _Scene:
    order: RemovalCase
    act: Proposal
    now: RemovalState

    @property
    def data(self) -> Mapping[str, object]:
        return self.act.data


_STATES: Mapping[str, str] = MappingProxyType(
    {
        "issue_removal_order": "issued",
        "record_order_made_elsewhere": "issued",
        "serve": "served",
        "comply": "complied",
        "record_default": "default",
        "direct_police_removal": "police_removal",
        "impose_fine": "fined",
    }
)


def removal_state(order: RemovalCase, at: datetime) -> RemovalState:
    """Return how an order stands at a moment."""
    done = sorted((one for one in order.acts if one.at <= at), key=lambda one: (one.at, one.n))
    word, issued, fine, recovered, pay_by = "draft", None, 0, 0, None
    fined: str | None = None
    for one in done:
        word = _STATES.get(one.act, word)
        if word == "issued" and one.act in ("issue_removal_order", "record_order_made_elsewhere"):
            issued = one
        if one.act == "impose_fine":
            fine, pay_by = fine + (whole(one.data, "paise") or 0), day(one.data, "pay_by")
            fined = one.party
        taken = sum(move.paise for move in one.moves if move.target == FINE_END)
        recovered += taken
        if taken and one.act == "sell_for_fine":
            word = "sale_for_fine"
        elif taken and recovered >= fine:
            word = "paid"
    return RemovalState(word, issued, fine, recovered, pay_by, fined)


def judge_removal(order: RemovalCase, act: Proposal) -> Judgement:
    """Return the verdict on an act under a removal order, and the money that it would move."""
    now = removal_state(order, act.happened_at)
    scene = _Scene(order, act, now)
    check = _CHECKS.get(act.act)
    breaches = iter([Breach("act.unknown")]) if check is None else check(scene)
    answer = verdict(order.profile, breaches, act=act.act)
    moves = _moves(scene) if answer.is_possible else ()
    done = Done(
        act.id, len(order.acts) + 1, act.act, act.happened_at, act.mode, act.party, act.heads,
        act.data, moves,
    )  # fmt: skip
    lines = tuple(Line(one.line, one.paise, rupees(one.paise)) for one in moves)
    return Judgement(
        answer, done, lines, sum(one.paise for one in moves), moves, _flags(act, answer, order)
    )


def _flags(act: Proposal, answer: Verdict, order: RemovalCase) -> tuple[str, ...]:
    if act.act != "record_order_made_elsewhere":
        return ()
    judged = verdict(order.profile, _grounds(act, order.profile), act="issue_removal_order")
    return ("ground_not_met",) if NO in (judged.allowed, answer.allowed) else ()


def _issues(scene: _Scene) -> Iterator[Breach]:
    areas = scene.order.register.in_force(
        SECTION_190, day_of(scene.act.happened_at), area=scene.order.area
    )
    if not areas:
        yield Breach("removal.applies")
    yield Breach("removal.unread")
    yield from _grounds(scene.act, scene.order.profile)
    if text(scene.act.data, "place") is None:
        yield Breach("removal.place")
    elif scene.act.data.get("place_in_state") is False:
        yield Breach("removal.in_state")
    until = day(scene.act.data, "period_until")
    if until is None or until < day_of(scene.act.happened_at):
        yield Breach("removal.period")


def _grounds(act: Proposal, profile: StatuteProfile) -> Iterator[Breach]:
    """A special order names an owner who fits its ground; a general one names a class.

    That he is a resident, or is none, has to be found: an order that leaves it open does not stand.
    """
    data = act.data
    ground, is_general = text(data, "ground"), text(data, "kind") == GENERAL
    if ground not in (RESIDENTS, OTHERS):
        yield Breach("removal.ground")
        return
    if not is_general and act.party is None and text(data, "owner") is None:
        yield Breach("removal.owner")
    is_resident = data.get("is_resident")
    if ground == RESIDENTS:
        if is_resident is not True and not is_general:
            yield Breach("removal.resident")
        if (whole(table(data, "animals"), "other") or 0) > 0:
            yield Breach("removal.dry")
        return
    if is_resident is not False and not is_general:
        yield Breach("removal.non_resident")
    least = profile.value("removal_more_than_head")
    head = whole(data, "owns_head")
    if not is_general and isinstance(least, int) and (head is None or head <= least):
        yield Breach("removal.head")


def _any(scene: _Scene) -> Iterator[Breach]:
    if scene.now.issued is None and scene.act.act != "record_order_made_elsewhere":
        yield Breach("removal.none")
        yield Breach("order.none")


def _defaults(scene: _Scene) -> Iterator[Breach]:
    yield from _any(scene)
    yield Breach("removal.unread")
    issued = scene.now.issued
    if scene.now.state == "complied":
        yield Breach("removal.complied")
    until = None if issued is None else day(issued.data, "period_until")
    if until is not None and scene.act.happened_at < midnight(until + ONE_DAY):
        yield Breach("removal.until", midnight(until + ONE_DAY))


def _removes(scene: _Scene) -> Iterator[Breach]:
    yield from _defaults(scene)
    lowest = scene.order.profile.value("removal_least_rank")
    ranks = scene.order.profile.value("police_ranks")
    names = ranks.split() if isinstance(ranks, str) else []
    rank = text(scene.act.data, "officer_rank") or ""
    if rank not in names or (isinstance(lowest, str) and names.index(rank) < names.index(lowest)):
        yield Breach("removal.rank")


def _fines(scene: _Scene) -> Iterator[Breach]:
    yield from _defaults(scene)
    cap = scene.order.profile.cap("removal_fine")
    paise = whole(scene.act.data, "paise") or 0
    if paise < 1:
        yield Breach("sum.missing")
    if cap is not None and scene.now.fine_paise + paise > cap.most_paise:
        yield Breach("removal.fine")
    pay_by = day(scene.act.data, "pay_by")
    if pay_by is None or pay_by < day_of(scene.act.happened_at):
        yield Breach("removal.pay_by")


def _pays(scene: _Scene) -> Iterator[Breach]:
    paid = whole(scene.act.data, "paid_paise") or 0
    if paid < 1:
        yield Breach("sum.missing")
    if paid > scene.now.outstanding_paise:
        yield Breach("sum.over")


def _sells(scene: _Scene) -> Iterator[Breach]:
    yield from _any(scene)
    yield Breach("removal.unread")
    if scene.now.fine_paise == 0:
        yield Breach("removal.no_fine")
    elif scene.now.outstanding_paise == 0:
        yield Breach("removal.recovered")
    if scene.now.outstanding_paise == 0:
        yield Breach("order.no_fine")
    if scene.now.pay_by is not None:
        opens = midnight(scene.now.pay_by + ONE_DAY)
        if scene.act.happened_at < opens:
            yield Breach("removal.time_to_pay", opens)
    if not truth(scene.act.data, "is_in_order"):
        yield Breach("removal.other_cattle")
    if (whole(scene.act.data, "price_paise") or 0) < 1:
        yield Breach("price.missing")


_CHECKS: Mapping[str, Callable[[_Scene], Iterator[Breach]]] = MappingProxyType(
    {
        "issue_removal_order": _issues,
        "record_order_made_elsewhere": _any,
        "serve": _any,
        "comply": _any,
        "record_default": _defaults,
        "direct_police_removal": _removes,
        "impose_fine": _fines,
        "receive_payment": _pays,
        "sell_for_fine": _sells,
    }
)


def _moves(scene: _Scene) -> tuple[Move, ...]:
    """A payment goes to the fine; of a sale what the fine still needs, the rest to the owner."""
    if scene.act.act == "receive_payment":
        paid = whole(scene.act.data, "paid_paise") or 0
        return (Move("fine", paid, PAYER, FINE_END, scene.act.party or scene.now.fined),)
    if scene.act.act != "sell_for_fine":
        return ()
    price = whole(scene.act.data, "price_paise") or 0
    fine = min(price, scene.now.outstanding_paise)
    moves = [Move("fine", fine, BUYER, FINE_END)]
    if price > fine:
        owner = None if scene.now.issued is None else scene.now.issued.party
        moves.append(Move("balance", price - fine, BUYER, BALANCE_END, owner))
    return tuple(moves)
