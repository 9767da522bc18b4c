"""Caps of fines and compensations, and what an illegal seizer has to pay back.

Called by complaints and offences. An order that was made outside is recorded whatever it says; a
sum that is out of bounds warns there, and refuses where this product itself drafts the order.
"""

from collections.abc import Sequence
from dataclasses import replace

from fieldapi.domain.words import sentence
from fieldapi.law.dues import FEED, HELD_ON_ACCOUNT, LEVIES, dues
from fieldapi.law.facts import Case, Complaint, Done, Move
from fieldapi.law.money import OWED_BY_SEIZER, OWED_TO_COMPLAINANT, PAYER
from fieldapi.law.profile import StatuteProfile
from fieldapi.law.rules import Cap
from fieldapi.law.scene import NO, WARN, YES, Verdict
from fieldapi.law.state import state


def check_sum(
    profile: StatuteProfile,
    code: str,
    paise: int | Sequence[int],
    *,
    drafts: bool = False,
    has_reasons: bool = False,
) -> Verdict:
    """Return whether a sum keeps to a cap: several sums are held to it together.

    `drafts`: the product drafts the order, so that a verified cap refuses. `has_reasons`: special
    reasons are written down, so that the least may be gone below.
    """
    cap = profile.cap(code)
    total = paise if isinstance(paise, int) else sum(paise)
    if cap is None:
        return Verdict(YES, "REGISTER")
    if total > cap.most_paise:
        return _beyond(profile, cap, sentence("This is more than the Act allows."), drafts=drafts)
    if total < cap.least_paise and not has_reasons:
        return _beyond(
            profile, cap, sentence("This is less than the Act allows without special reasons.")
        )
    return _beyond(profile, cap, "", allowed=YES)


def _beyond(
    profile: StatuteProfile, cap: Cap, reason: str, *, drafts: bool = False, allowed: str = ""
) -> Verdict:
    why = cap.provenance
    is_blocking = drafts and profile.may_block(why)
    allowed = allowed or (NO if is_blocking else WARN)
    return Verdict(allowed, cap.rule, reason, why.section, why.source.title, code=cap.code)


def reimbursement(case: Case, complaint: Complaint) -> tuple[Move, ...]:
    """Return what the seizer or detainer owes a complainant for the fees that he paid for the heads
    complained of, at once or on account.

    The pound gives nothing back. Security is not among it: it stays the owner's own. Gujarat
    s. 188(3).
    """
    at = complaint.decided_at or complaint.made_at
    total = sum(_fees_paid(case, one, complaint) for one in state(case, at).acts)
    if not total:
        return ()
    return (Move("reimbursement", total, OWED_BY_SEIZER, OWED_TO_COMPLAINANT, complaint.by),)


def _fees_paid(case: Case, one: Done, complaint: Complaint) -> int:
    """Return what an act took of the complainant's money as fees; where he complains of some of its
    heads only, their part.
    """
    paid = sum(
        move.paise
        for move in one.moves
        if move.source in (PAYER, HELD_ON_ACCOUNT)
        and move.party == complaint.by
        and move.line in (*LEVIES, FEED)
    )
    if not paid or not complaint.heads or set(complaint.heads).issuperset(one.heads):
        return paid
    before = replace(case, acts=tuple(each for each in case.acts if each.n < one.n))
    meant = [id for id in one.heads if id in complaint.heads]
    cost = _fees_of(before, one, meant) - _fees_of(before, one, [])
    return min(paid, cost)


def _fees_of(case: Case, one: Done, heads: Sequence[str]) -> int:
    lines = dues(case, one.party, one.at, heads, with_security=False).lines
    return sum(line.paise for line in lines if line.line in (*LEVIES, FEED))
