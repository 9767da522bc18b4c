"""Acts on a complaint: which the Act lets follow, and the money that an order makes owed.

Called by the services of complaints. Sources: Gujarat s. 188; Kerala ss. 19-22; Karnataka ss.
20-23. The panchayat decides, or records what a Magistrate decided, as the Act says.
An order made by somebody else is recorded as it came: what is doubtful in it warns.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from fieldapi.law.caps import check_sum, reimbursement
from fieldapi.law.complaints import (
    ALLEGATIONS,
    DISMISSED,
    FINDINGS,
    HELD,
    ILLEGAL,
    ORDERS,
    OUTCOMES,
    SEIZER,
    ComplaintCase,
    ComplaintState,
    complaint_state,
    needs_second,
)
from fieldapi.law.dues import Line, rupees
from fieldapi.law.facts import Complaint, Done, Move, Proposal
from fieldapi.law.money import OWED_BY_SEIZER, OWED_TO_COMPLAINANT, PAYER
from fieldapi.law.particulars import text, truth, whole
from fieldapi.law.scene import NO, WARN, YES, Breach, Judgement, Verdict, verdict
from fieldapi.law.state import state
from sync.strict import JSON

CAP = "illegal_seizure"
COMPENSATION, REIMBURSEMENT, EXPENSES = "compensation", "reimbursement", "expenses"
_RANK = (YES, WARN, NO)


@dataclass(frozen=True)
class _Scene:
    of: ComplaintCase
    act: Proposal
    now: ComplaintState

    @property
    def data(self) -> Mapping[str, JSON]:
        return self.act.data

    @property
    def order(self) -> Mapping[str, JSON]:
        """The particulars of the order that this act makes or confirms."""
        if self.act.act == "confirm_order" and self.now.draft is not None:
            return self.now.draft.data
        return self.act.data

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads for which this act upholds the complaint; empty for all of the complainant."""
        draft = self.now.draft if self.act.act == "confirm_order" else None
        return (self.act.heads if draft is None else draft.heads) or self.of.heads

    @property
    def provided(self) -> str:
        """The act for which the Act provides: who confirms an order, orders."""
        if self.act.act == "confirm_order" and self.now.draft is not None:
            return self.now.draft.act
        return self.act.act

    @property
    def is_in_force(self) -> bool:
        """Say whether an order takes effect by this act."""
        if self.act.act == "confirm_order":
            return self.now.draft is not None
        return self.act.act in ORDERS and not needs_second(self.act.data)


def judge_complaint(one: ComplaintCase, act: Proposal) -> Judgement:
    """Return the verdict on an act on a complaint, and the money that it would move."""
    scene = _Scene(one, act, complaint_state(one, max(act.at, act.happened_at)))
    check = CHECKS.get(act.act)
    breaches = iter([Breach("act.unknown")]) if check is None else check(scene)
    answer = _stricter(verdict(one.profile, breaches, act=scene.provided), _capped(scene))
    moves = _moves(scene) if answer.is_possible else ()
    done = Done(
        act.id, len(one.acts) + 1, act.act, act.happened_at, act.mode, act.party, act.heads,
        act.data, moves,
    )  # fmt: skip
    owed = [move for move in moves if move.source != OWED_TO_COMPLAINANT]
    lines = tuple(Line(move.line, move.paise, rupees(move.paise)) for move in owed)
    return Judgement(answer, done, lines, sum(line.paise for line in lines), moves)


def _stricter(one: Verdict, other: Verdict) -> Verdict:
    return other if _RANK.index(other.allowed) > _RANK.index(one.allowed) else one


def _capped(scene: _Scene) -> Verdict:
    """Compensations are held to the cap: an order that is made here, hard. Together, unless the
    Act is read as one cap for each respondent.
    """
    sums = [paise for _, paise in compensations(scene.data)]
    if scene.act.act not in ORDERS or not sums:
        return Verdict(YES, "REGISTER")
    is_each = scene.of.profile.value("compensation_cap_per") == "respondent"
    held = max(sums) if is_each else sum(sums)
    return check_sum(scene.of.profile, CAP, held, drafts=scene.act.act == "order")


def compensations(data: Mapping[str, JSON]) -> tuple[tuple[str, int], ...]:
    """Return what an order awards: respondent and paise, row by row."""
    rows = data.get(COMPENSATION)
    given = [one for one in rows if isinstance(one, dict)] if isinstance(rows, list) else []
    return tuple((text(one, "party") or "", whole(one, "paise") or 0) for one in given)


def _open(scene: _Scene) -> Iterator[Breach]:
    if not scene.now.is_open:
        yield Breach("complaint.decided")
    elif scene.now.draft is not None:
        yield Breach("complaint.drafted")


def _allegation(scene: _Scene) -> Iterator[Breach]:
    yield from _open(scene)
    what = text(scene.data, "allegation")
    if what not in ALLEGATIONS:
        yield Breach("complaint.allegation")
    elif scene.act.act != "add_allegation" and what not in scene.now.said:
        yield Breach("complaint.not_alleged")


def _finds(scene: _Scene) -> Iterator[Breach]:
    yield from _allegation(scene)
    if text(scene.data, "found") not in FINDINGS or text(scene.data, "text") is None:
        yield Breach("complaint.finding")


def _names(scene: _Scene) -> Iterator[Breach]:
    yield from _open(scene)
    if scene.act.party is None:
        yield Breach("party.missing")


def _summons(scene: _Scene) -> Iterator[Breach]:
    yield from _open(scene)
    if scene.act.party is None or scene.act.party not in scene.now.against:
        yield Breach("complaint.respondent")
    yield from _here(scene)
    if not scene.now.is_well_founded:
        yield Breach("complaint.examined")


def _here(scene: _Scene) -> Iterator[Breach]:
    """What the Act gives to a Magistrate the panchayat does not do itself."""
    if scene.of.profile.value("complaint_decided_here") is not True:
        yield Breach("complaint.elsewhere")


def _inquires(scene: _Scene) -> Iterator[Breach]:
    yield from _open(scene)
    yield from _here(scene)
    if not scene.now.is_summoned:
        yield Breach("complaint.summoned")


def _forwards(scene: _Scene) -> Iterator[Breach]:
    yield from _open(scene)
    if scene.of.profile.value("complaint_decided_here") is True:
        yield Breach("complaint.here")


def _orders(scene: _Scene) -> Iterator[Breach]:
    """An order that is made here: after an inquiry, with a finding on all that was alleged."""
    yield from _open(scene)
    yield from _contents(scene)
    yield from _here(scene)
    outcome = text(scene.data, "outcome")
    if outcome in OUTCOMES and not _is_heard(scene, outcome):
        yield Breach("complaint.inquiry")
    if set(scene.now.said) - set(scene.now.findings):
        yield Breach("complaint.findings")
    yield from _frees(scene)


def _is_heard(scene: _Scene, outcome: str | None) -> bool:
    """A complaint that is not well founded may be dismissed when the complainant was examined."""
    if outcome == DISMISSED and scene.now.is_well_founded is False:
        return True
    return scene.now.is_inquired


def _records(scene: _Scene) -> Iterator[Breach]:
    """An order of somebody else: what is doubtful in it is told, and warns."""
    yield from _open(scene)
    yield from _contents(scene)
    if text(scene.data, "order_no") is None:
        yield Breach("order.missing")
    if scene.of.profile.value("complaint_decided_here") is True:
        yield Breach("complaint.recorded", is_sure=False)
    yield from (replace(one, is_sure=False) for one in _frees(scene))


def _contents(scene: _Scene) -> Iterator[Breach]:
    outcome = text(scene.data, "outcome")
    if outcome not in OUTCOMES:
        yield Breach("complaint.outcome")
    sums = compensations(scene.data)
    is_redress = bool(sums) or truth(scene.data, "release") or whole(scene.data, "expenses_paise")
    if outcome != ILLEGAL and is_redress:
        yield Breach("complaint.redress")
    named = {party for party, _ in sums}
    if text(scene.data, "reimbursed_by") is not None:
        named.add(str(scene.data["reimbursed_by"]))
    if named - set(scene.now.against):
        yield Breach("complaint.respondent")
    if any(paise < 1 for _, paise in sums):
        yield Breach("sum.missing")
    if outcome == ILLEGAL and not scene.now.against and (sums or _fees(scene)):
        yield Breach("complaint.respondent")


def _frees(scene: _Scene) -> Iterator[Breach]:
    """Cattle that are still held have to be set free by an order that finds it illegal."""
    is_illegal = text(scene.data, "outcome") == ILLEGAL
    if is_illegal and held_heads(scene.of, scene.act) and not truth(scene.data, "release"):
        yield Breach("complaint.release")


def held_heads(one: ComplaintCase, act: Proposal) -> tuple[str, ...]:
    """Return the heads complained about, or of them those named, that the law still holds."""
    now, meant = state(one.case, act.at), act.heads or one.heads
    return tuple(
        head.id
        for head in now.in_custody()
        if (head.id in meant if meant else one.by in (head.owner, head.keeper))
    )


def _confirms(scene: _Scene) -> Iterator[Breach]:
    if scene.now.draft is None:
        yield Breach("complaint.no_draft")


def _recovers(scene: _Scene) -> Iterator[Breach]:
    paid = whole(scene.data, "paid_paise") or 0
    if scene.now.outstanding(scene.act.party) < 1:
        yield Breach("sum.none")
    elif paid < 1:
        yield Breach("sum.missing")
    elif paid > scene.now.outstanding(scene.act.party):
        yield Breach("sum.over")


def _hands_over(scene: _Scene) -> Iterator[Breach]:
    if scene.now.held_paise < 1:
        yield Breach("sum.none")


CHECKS: Mapping[str, Callable[[_Scene], Iterator[Breach]]] = MappingProxyType(
    {
        "add_allegation": _allegation,
        "attach_evidence": _allegation,
        "find": _finds,
        "name_respondent": _names,
        "examine": _open,
        "summon": _summons,
        "hold_inquiry": _inquires,
        "forward": _forwards,
        "order": _orders,
        "record_order": _records,
        "confirm_order": _confirms,
        "return_order": _confirms,
        "recover": _recovers,
        "pay_complainant": _hands_over,
        "withdraw": _open,
    }
)


def check_complaint(one: ComplaintCase, act: Proposal) -> tuple[tuple[str, Verdict], ...]:
    """Return every act with its verdict as things stand, its body empty."""
    return tuple(
        (name, judge_complaint(one, replace(act, act=name, data={})).verdict) for name in CHECKS
    )


def _moves(scene: _Scene) -> tuple[Move, ...]:
    if scene.act.act == "recover":
        return _recovered(scene)
    if scene.act.act == "pay_complainant":
        held = scene.now.held_paise
        return (Move(COMPENSATION, held, HELD, PAYER, scene.of.by),) if held else ()
    if not scene.is_in_force or text(scene.order, "outcome") != ILLEGAL:
        return ()
    return (*_awarded(scene), *_repaid(scene))


def _awarded(scene: _Scene) -> Iterator[Move]:
    section = _section(scene)
    for party, paise in compensations(scene.order):
        if paise:
            yield _owed(COMPENSATION, paise, party, section)


def _repaid(scene: _Scene) -> Iterator[Move]:
    """Fees and expenses that the complainant paid: the seizer owes them, the pound nothing."""
    section, payer = _section(scene), _payer(scene)
    paid = _fees(scene)
    if paid:
        yield _owed(REIMBURSEMENT, paid, payer, section)
    expenses = whole(scene.order, "expenses_paise") or 0
    if expenses:
        yield _owed(EXPENSES, expenses, payer, section)


def _owed(line: str, paise: int, party: str | None, section: str) -> Move:
    accounts = (OWED_BY_SEIZER, OWED_TO_COMPLAINANT)
    return Move(line, paise, *accounts, party, rupees(paise), section)


def _fees(scene: _Scene) -> int:
    one = scene.of
    complaint = Complaint(one.id, one.made_at, one.by, ILLEGAL, scene.act.at, scene.heads)
    return sum(move.paise for move in reimbursement(one.case, complaint))


def _payer(scene: _Scene) -> str | None:
    """Return who gives the fees back: whom the order names, else who seized, else who detained."""
    named = text(scene.order, "reimbursed_by")
    if named is not None:
        return named
    ranked = sorted(scene.now.against.items(), key=lambda one: one[1] != SEIZER)
    return ranked[0][0] if ranked else None


def _section(scene: _Scene) -> str:
    cap = scene.of.profile.cap(CAP)
    return "" if cap is None else cap.provenance.section


def _recovered(scene: _Scene) -> tuple[Move, ...]:
    """A respondent pays: line by line, and what he owes shrinks. `is_direct`: he paid the
    complainant himself, so that no money comes by here.
    """
    left = whole(scene.data, "paid_paise") or 0
    moves: list[Move] = []
    for (party, line), paise in scene.now.owed.items():
        if scene.act.party not in (None, party):
            continue
        taken = min(left, paise - scene.now.paid.get((party, line), 0))
        left -= taken
        if taken < 1:
            continue
        if not truth(scene.data, "is_direct"):
            moves.append(Move(line, taken, PAYER, HELD, party))
        moves.append(Move(line, taken, OWED_TO_COMPLAINANT, OWED_BY_SEIZER, party))
    return tuple(moves)
