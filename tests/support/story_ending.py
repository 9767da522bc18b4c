"""How a story that was played through HTTP ends: who closed when, where every rupee went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from fieldapi.clock import format_instant
from fieldapi.packs.cases.story import Step
from fieldapi.packs.cases.values import instant, paise, row
from tests.support.clock import StoppedClock
from tests.support.pound_house import Body, PoundHouse

MS = timedelta(milliseconds=1)


class Ending:
    """The end of a story: what is left to hand over is handed over, then everything is compared."""

    house: PoundHouse
    clock: StoppedClock
    cases: dict[str, str]
    orders: dict[str, str]

    def _same(self, step: Step, what: str, wanted: object, got: object) -> None:
        raise AssertionError("a story says how it compares")

    def _custody(self, name: str) -> list[Body]:
        found: list[Body] = self.house.case(self.cases[name])["custody"]
        return found

    def _final(self, wanted: Mapping[str, Any], last: datetime) -> None:
        self.clock.now = last + timedelta(minutes=1)
        step = Step(self.clock.now, "final", {}, wanted, "final")
        if "open_until" in wanted:
            at = format_instant(instant(wanted["open_until"]) - MS)
            for name, case in self.cases.items():
                self._same(step, f"{name} early", "open", self.house.case(case, at=at)["state"])
        if wanted.get("closed") is True:
            for case in self.cases.values():
                if self.house.case(case)["state"] == "open":
                    self.house.act(case, "remit", by="decider", reason="in the evening")
            states = [self.house.case(case)["state"] for case in self.cases.values()]
            self._same(step, "closed", ["closed"] * len(states), states)
        self._flows(step, wanted)

    def _flows(self, step: Step, wanted: Mapping[str, Any]) -> None:
        names = {party: name for name, party in self.house.parties.items()}
        came: Counter[str] = Counter()
        went: Counter[str] = Counter()
        for act in self._history():
            for move in act["moves"]:
                payer = names.get(move["party"], "-")
                came[payer if move["from"] == "payer" else move["from"]] += move["paise"]
                went[move["to"]] += move["paise"]
                went[f"{move['to']}.{move['line']}"] += move["paise"]
        for key, got in (("in", came), ("out", went)):
            for name, sum_ in row(wanted.get(key)).items():
                self._same(step, f"{key} {name}", paise(sum_), got[name])
        if "held" in wanted:
            held = sum(self.house.case(case)["money"]["balance"] for case in self.cases.values())
            self._same(step, "held", paise(wanted["held"]), held)
        states = Counter(head["state"] for name in self.cases for head in self._custody(name))
        for name, many in row(wanted.get("animals")).items():
            self._same(step, f"animals {name}", many, states[name])
        for name, word in row(wanted.get("orders")).items():
            is_now = self._order_now(name)["state"] if name in self.orders else "draft"
            self._same(step, f"order {name}", "draft" if word == "none" else word, is_now)

    def _history(self) -> Iterator[Body]:
        for case in self.cases.values():
            yield from self.house.case(case)["history"]
        for name in self.orders:
            yield from self._order_now(name)["history"]

    def _order_now(self, name: str) -> Body:
        path = f"/api/v1/removal-orders/{self.orders[name]}"
        found: Body = self.house.as_("decider").get(path).json
        return found


def suits(head: Body, act: str, wanted: str | None) -> bool:
    """Say whether an act of a person can mean this head."""
    is_held, is_in = head["became"] is None, head["impounded_at"] is not None
    if act in {"impound", "dispatch_to_pound"}:
        return is_held and not is_in
    is_his = wanted is None or head["liable"] in (None, wanted)
    if act == "complaint":
        return is_his
    return is_held and is_his and (is_in or act == "rescued")
