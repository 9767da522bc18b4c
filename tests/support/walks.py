"""Cases that go their way by chance: random acts, judged by `law`, done unless refused."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from random import Random

from fieldapi.law.acts import ACTS
from fieldapi.law.cases import judge
from fieldapi.law.dues import dues
from fieldapi.law.facts import Case, Complaint, Head, Impounding, Proposal, Seizure
from fieldapi.law.profile import StatuteProfile
from fieldapi.law.register import Notification, Rate, Register
from fieldapi.law.scene import NO, WARN, Judgement
from fieldapi.law.state import state
from sync.strict import JSON

START = datetime(2027, 1, 4, 3, 30, tzinfo=UTC)
LONG_AGO = date(2020, 1, 1)
PARTIES = ("asha", "kanta")
KINDS = ("cow", "buffalo", "goat")
REGISTER = Register(
    (
        Notification("fees", "fee_schedule", LONG_AGO, rates=(Rate(10050), Rate(2075, "goat"))),
        Notification("feed", "feeding_rates", LONG_AGO, rates=(Rate(4033, first_day_paise=5000),)),
        Notification(
            "deposit", "security_scale", LONG_AGO, rates=(Rate(25000),), forfeit_percent=33
        ),
        Notification("proof", "proof_officer", LONG_AGO, names=frozenset({"bina"})),
    )
)
# Acts that carry a case on; the others come now and then, losses of heads among them.
LIKELY = (
    "appear",
    "claim",
    "receive_payment",
    "release",
    "deposit_under_protest",
    "demand_security",
    "deposit_security",
    "record_owner_default",
    "report_unclaimed",
    "post_notice",
    "hold_auction",
    "knock_down",
    "knock_down",
    "knock_down",
    "apply_proceeds",
    "account_to_owner",
    "pay_balance",
    "record_refusal",
    "hold_surplus",
    "claim_surplus",
    "judge_proof",
    "pay_surplus",
    "credit_surplus_to_fund",
    "refund_security",
    "remit",
    "close",
)
APPLIES = Notification("189", "section_189", LONG_AGO)


def begun(chance: Random, profile: StatuteProfile) -> Case:
    """Return a seizure of one to four head whose owners may be known."""
    heads = tuple(Head(f"h{n}", chance.choice(KINDS)) for n in range(chance.randint(1, 4)))
    on = (APPLIES,) if chance.random() < 0.5 else ()
    register = Register((*REGISTER.notifications, *on))
    earlier = Impounding(START - timedelta(days=100), 2, "asha", "asha")
    case = Case("case", profile, Seizure(START), heads, (), register, impoundings=(earlier,))
    for head in heads:
        if chance.random() < 0.8:
            act = Proposal(f"id-{head.id}", "identify", START, START, party=chance.choice(PARTIES))
            case = case.after(judge(case, replace(act, heads=(head.id,))).done)
    return case


@dataclass
class Walk:
    """A case under way. `steps`: each act that was tried, as it was judged, and the case before."""

    case: Case
    at: datetime = START
    steps: list[tuple[Case, Proposal, Judgement]] = field(default_factory=list)

    def go(self, chance: Random) -> None:
        """Let some time pass and try one act; a doubtful one is done as often as not."""
        self.at += timedelta(minutes=chance.choice((1, 30, 600, 1440, 4320, 20000)))
        if chance.random() < 0.05:
            self._complain(chance)
        name = chance.choice(LIKELY if chance.random() < 0.7 else [*ACTS])
        act = Proposal(f"act{len(self.steps)}", name, self.at, self.at)
        act = replace(act, party=chance.choice((*PARTIES, None)), data=self._data(chance, name))
        act = replace(act, heads=self._heads(chance, name))
        judged = judge(self.case, act)
        self.steps.append((self.case, act, judged))
        if judged.verdict.allowed != NO and (
            judged.verdict.allowed != WARN or chance.random() < 0.5
        ):
            self.case = self.case.after(judged.done)

    def _heads(self, chance: Random, name: str) -> tuple[str, ...]:
        if name == "knock_down":
            left = [one for one in state(self.case, self.at).heads.values() if one.auction]
            return (chance.choice(left).id,) if left else ()
        if name in ("born", "re_seize") or chance.random() < 0.7:
            return ()
        return (chance.choice(self.case.heads).id,)

    def _complain(self, chance: Random) -> None:
        made = Complaint("c", self.at, chance.choice(PARTIES))
        outcome = chance.choice((None, "lawful", "illegal", "dismissed"))
        decided = replace(made, outcome=outcome, decided_at=self.at if outcome else None)
        self.case = replace(self.case, complaints=(decided,))

    def _data(self, chance: Random, name: str) -> dict[str, JSON]:
        """Return particulars that are right more often than not."""
        party = chance.choice(PARTIES)
        owed = dues(self.case, party, self.at, with_security=name == "release").total_paise or 0
        paid = chance.choice((owed, owed, owed, owed // 2, 1, owed + 1))
        return {
            "paid_paise": max(0, paid),
            "price_paise": chance.choice((100, 99999, 350000, 0)),
            "expenses_paise": chance.choice((0, 101, 30000)),
            "declaration": chance.choice(("signed", "signed", None)),
            "register_signature": chance.random() < 0.8,
            "receipt_signed": chance.random() < 0.8,
            "application": chance.random() < 0.8,
            "established": chance.random() < 0.5,
            "order_no": chance.choice(("7/2027", None)),
            "buyer_is": [one for one in ("keeper",) if chance.random() < 0.3],
            "result": chance.choice(("accepted", "rejected")),
            "officer": chance.choice(("bina", "mohan")),
            "proclamation": ["village", "market"],
            "line": chance.choice(("feeding", "trouble")),
            "fees_from": chance.choice(("seizer", "nobody")),
        }


def walked(chance: Random, profile: StatuteProfile, steps: int = 40) -> Walk:
    """Return a case after so many tries, most of them in an order that makes sense."""
    walk = Walk(begun(chance, profile))
    impound = Proposal("in", "impound", START, START + timedelta(hours=2), data={"pound": "p"})
    walk.case = walk.case.after(judge(walk.case, impound).done)
    for _ in range(steps):
        walk.go(chance)
    return walk


def end_of(walk: Walk) -> datetime:
    """Return a moment after everything."""
    assert state(walk.case, walk.at)
    return walk.at + timedelta(days=1)
