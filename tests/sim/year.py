"""A year in a pound, by chance: seizures, owners, payments, disputes, sales, carried through HTTP.

`Year(house, seed).live(n)` carries `n` seizures to their lawful ends and returns what went wrong:
cases that did not close, money that did not balance, receipts with a gap, refusals without a rule.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select

from fieldapi.ids import new_id
from fieldapi.models import Serial, SerialSeries
from fieldapi.unit import Database
from tests.support.pound_house import Body, PoundHouse

DAY = timedelta(days=1)
FIRST_DAY = datetime(2026, 12, 1, 3, 0, tzinfo=UTC)
KINDS = ("cow", "buffalo", "goat")
PEOPLE = tuple(f"Person {n}" for n in range(12))


@dataclass(slots=True)
class Year:
    """A year under way. `blocked`: how often an act was refused, by rule and section."""

    house: PoundHouse
    database: Database
    seed: int
    chance: random.Random = field(init=False)
    faults: list[str] = field(default_factory=list)
    blocked: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    last: str = ""

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def live(self, seizures: int) -> list[str]:
        """Carry so many seizures through and return what went wrong."""
        step = timedelta(days=300) / max(1, seizures)
        for n in range(seizures):
            self.house.clock.now = FIRST_DAY + n * step
            way = self.chance.choice(
                (
                    *(self._pays, self._pays, self._pays),
                    *(self._unclaimed, self._default, self._loses, self._disputes),
                )
            )
            self._carry(way, n)
        self._check_serials()
        return self.faults

    def _carry(self, way: Callable[[str, str, dict[str, int]], None], n: int) -> None:
        animals = {kind: self.chance.randint(1, 3) for kind in self.chance.sample(KINDS, k=2)}
        case = self.house.seize(animals)
        self._later(hours=self.chance.randint(1, 20))
        self.house.take_in(case, animals)
        owner = self.chance.choice(PEOPLE)
        way(case, owner, animals)
        self._settle(case)
        found = self.house.case(case)
        self.ends.update(head["became"] or head["state"] for head in found["custody"])
        if found["state"] != "closed":
            last = [act["act"] for act in found["history"]]
            self.faults.append(f"case {n} is open after {last}: {found['money']}")
        if found["money"]["balance"]:
            self.faults.append(f"case {n} holds {found['money']['balance']}")

    # ---- ways --------------------------------------------------------------------------------

    def _pays(self, case: str, owner: str, _animals: dict[str, int]) -> None:
        self._do(case, "identify", party=owner)
        self._try(case, "order_sale")
        self._later(days=self.chance.randint(0, 5))
        if self.chance.random() < 0.3:
            self._do(case, "receive_payment", party=owner, paid_paise=1000)
        due = self._due(case)
        self._try(case, "release", party=owner, paid_paise=due + 100, **_SIGNED)
        self._do(case, "release", party=owner, paid_paise=due, **_SIGNED)
        self._end_security(case, owner)

    def _loses(self, case: str, owner: str, animals: dict[str, int]) -> None:
        """One head dies or escapes; the owner fetches the rest."""
        kind = next(iter(animals))
        self._do(case, "identify", party=owner)
        self._do(case, self.chance.choice(("died", "escaped")), pick=[{"kind": kind, "n": 1}])
        self._later(days=1)
        self._do(case, "release", party=owner, paid_paise=self._due(case), **_SIGNED)
        self._end_security(case, owner)

    def _disputes(self, case: str, owner: str, _animals: dict[str, int]) -> None:
        """Delivered on deposit, complained of, decided either way; what the Act wants then."""
        self._do(case, "identify", party=owner)
        self._later(days=self.chance.randint(0, 4))
        due = sum(one["paise"] for one in self._lines(case) if one["line"] != "security")
        self._try(case, "deposit_under_protest", party=owner, paid_paise=due + 1, **_SIGNED)
        self._do(case, "deposit_under_protest", party=owner, paid_paise=due, **_SIGNED)
        self._try(case, "demand_security", party=owner)
        outcome = self.chance.choice(("none", "dismissed", "lawful", "illegal"))
        if outcome != "none":
            self._complain(case, owner, outcome)
        self._later(days=40)
        self._try(case, "apply_deposit")
        if self._try(case, "demand_security", party=owner):
            self._follow_up(case, owner)

    def _complain(self, case: str, owner: str, outcome: str) -> None:
        """The order of whoever decides, written in by one and looked at by another."""
        made: Body = {"id": new_id(), "case": case, "by": self.house.party(owner), "text": "no!"}
        self._posted("keeper", "/api/v1/complaints", made)
        path = f"/api/v1/complaints/{made['id']}/acts"
        order: Body = {"act": "record_order", "outcome": outcome, "order_no": "M-1", "by": "JMFC"}
        if outcome == "illegal":
            seizer = self.house.party("Seizer")
            named = {"act": "name_respondent", "party": seizer, "part": "seizer"}
            self._posted("reviewer", path, {"id": new_id(), **named})
        self._later(days=3)
        self._posted("admin", path, {"id": new_id(), "reason": "as it was ordered", **order})
        if outcome != "illegal":
            self._posted("reviewer", path, {"id": new_id(), "act": "confirm_order"})

    def _posted(self, who: str, path: str, body: Body) -> None:
        answer = self.house.as_(who).post(path, json=body)
        if answer.status_code != 201:
            self.faults.append(f"{body.get('act') or 'complaint'}: {answer.json}")

    def _follow_up(self, case: str, owner: str) -> None:
        """Security was demanded: he gives it, or his cattle are seized again and sold."""
        if self.chance.random() < 0.5:
            asked = self.house.case(case)["history"][-1]["total"]
            self._do(case, "deposit_security", party=owner, paid_paise=asked, declaration="signed")
            self._end_security(case, owner)
            return
        self._do(case, "re_seize", party=owner)
        self._sell(case, party=owner)
        self._try(case, "account_to_owner", party=owner)
        self._try(case, "pay_balance", party=owner, receipt_signed=True)
        self._end_security(case, owner)

    def _end_security(self, case: str, owner: str) -> None:
        """After the months: refunded on application, a part of it forfeited before if need be."""
        self._try(case, "refund_security", party=owner, application=True)
        self._later(days=200)
        if not self._try(case, "refund_security", party=owner, application=True):
            self._try(case, "forfeit_security", order_no="State/1")
            self._try(case, "refund_security", party=owner, application=True)

    def _unclaimed(self, case: str, owner: str, _animals: dict[str, int]) -> None:
        self._try(case, "hold_auction")
        self._later(days=9)
        self._try(case, "report_unclaimed")
        self._try(case, "post_notice", **_NOTICE)
        self._later(days=1)
        self._try(case, "hold_auction", expenses_paise=5000)
        self._later(days=8)
        self._sell(case)
        self._later(days=1)
        self._try(case, "hold_surplus")
        if self.chance.random() < 0.5:
            self._do(case, "claim_surplus", party=owner)
            self._try(case, "judge_proof", party=owner, result="accepted", officer="officer")
            proof = {"officer": "officer"}
            self._try(case, "pay_surplus", party=owner, established=True, proof=proof)
        self._later(days=120)
        self._try(case, "credit_surplus_to_fund")

    def _default(self, case: str, owner: str, _animals: dict[str, int]) -> None:
        self._do(case, "identify", party=owner)
        self._do(case, "appear", party=owner)
        self._later(days=1)
        self._try(case, "record_owner_default", party=owner)
        self._sell(case, party=owner)
        self._try(case, "account_to_owner", party=owner)
        left = [head for head in self.house.case(case)["custody"] if head["became"] is None]
        held = self.house.case(case)["money"]["accounts"].get("held.balance", 0)
        if left or held:
            self._try(case, "pay_balance", party=owner, receipt_signed=True)
        self._end_security(case, owner)

    def _sell(self, case: str, **who: Any) -> None:
        """Sell lot by lot until the Act says that it is enough."""
        self._try(case, "order_sale", **who)
        self._try(case, "hold_auction", expenses_paise=5000, **who)
        for head in self.house.case(case)["custody"]:
            if head["state"] == "on_auction":
                self._try(
                    case,
                    "knock_down",
                    custody=[head["id"]],
                    price_paise=self.chance.randint(3000, 20000) * 100,
                    buyer=self.house.party("Buyer"),
                    declaration="for myself",
                )
        self._try(case, "apply_proceeds")

    def _settle(self, case: str) -> None:
        if self.house.case(case)["state"] == "open":
            self._try(case, "remit")

    # ---- doing -------------------------------------------------------------------------------

    def _due(self, case: str) -> int:
        return sum(one["total"] or 0 for one in self.house.case(case)["dues"])

    def _lines(self, case: str) -> list[Body]:
        return [line for one in self.house.case(case)["dues"] for line in one["lines"]]

    def _do(self, case: str, act: str, **body: Any) -> None:
        if not self._try(case, act, **body):
            self.faults.append(f"{act} was refused in {case}: {self.last}")

    def _try(self, case: str, act: str, **body: Any) -> bool:
        """Try an act, with a reason where one is asked for; a refusal has to name its rule."""
        answer = self.house.act(case, act, by="decider", reason="as the law stands", **body)
        if answer.status_code == 201:
            return True
        told: Body = answer.json
        self.last = f"{told.get('code')} {told.get('reason')}"
        if answer.status_code != 409 or not told.get("rule") or not told.get("reason"):
            self.faults.append(f"{act}: {answer.status_code} {told}")
            return False
        if told["rule"] != "REGISTER" and not told.get("section"):
            self.faults.append(f"{act}: {told['rule']} names no section")
        self.blocked[f"{told['rule']} s. {told.get('section')}"] += 1
        return False

    def _later(self, *, days: int = 0, hours: int = 0) -> None:
        self.house.clock.now += timedelta(days=days, hours=hours)

    def _check_serials(self) -> None:
        with self.database.read() as session:
            series = session.scalars(select(SerialSeries)).all()
            for one in series:
                numbers = sorted(
                    session.scalars(
                        select(Serial.number).where(
                            Serial.authority_id == one.authority_id,
                            Serial.pound_id == one.pound_id,
                            Serial.book == one.book,
                            Serial.year == one.year,
                            Serial.letter == one.letter,
                        )
                    )
                )
                if numbers != list(range(1, one.last + 1)):
                    self.faults.append(f"{one.book} {one.year} has a gap: {numbers}")


_SIGNED: Body = {"declaration": "signed", "register_signature": True}
_NOTICE: Body = {
    "particulars": ["number_and_description", "place_of_seizure", "place_impounded"],
    "proclamation": ["village", "market"],
}
