"""Compares how a story ends: where every rupee went, what became of the animals, who closed when.

Called by `player.py`. What the Act wants handed over is handed over first, then the case is closed,
as a clerk would do on that evening.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from fieldapi.law.cases import judge
from fieldapi.law.dues import rupees
from fieldapi.law.facts import Proposal
from fieldapi.law.removals import removal_state
from fieldapi.law.scene import NO
from fieldapi.law.state import state
from fieldapi.packs.cases.expect import Fault
from fieldapi.packs.cases.stage import Stage
from fieldapi.packs.cases.story import Mismatch, Row, Step
from fieldapi.packs.cases.values import count, instant, paise, row

EVENING = timedelta(minutes=1)


def check(stage: Stage, last: Step, wanted: Row) -> Iterator[Mismatch]:
    """Yield what does not hold at the end. `closed`: every case can be closed by then.

    `open_until`: nothing can be closed before that moment.
    """
    step = Step(last.at + EVENING, "final", {}, wanted, "final")
    for what, expected, got in _check(stage, step, wanted):
        yield Mismatch(stage.story.id, "final", what, expected, got)


def _check(stage: Stage, step: Step, wanted: Row) -> Iterator[Fault]:
    if "open_until" in wanted:
        yield from _still_open(stage, wanted)
    if wanted.get("closed") is True:
        for name in stage.cases:
            for act in ("apply_deposit", "remit"):
                _act(stage, name, act, step)
            answer = _act(stage, name, "close", step)
            if answer != "yes":
                yield f"closing {name}", "yes", answer
    yield from check_values(stage, step, wanted)


def _still_open(stage: Stage, wanted: Row) -> Iterator[Fault]:
    at = instant(wanted["open_until"]) - timedelta(milliseconds=1)
    for name in stage.cases:
        judged = judge(stage.case(name), Proposal("early", "close", at, at))
        if judged.verdict.allowed != NO:
            yield f"closing {name} early", NO, judged.verdict.allowed


def _act(stage: Stage, name: str, act: str, step: Step) -> str:
    judged = judge(stage.case(name), Proposal(f"final {act}", act, step.at, step.at))
    if judged.verdict.allowed == NO:
        return judged.verdict.reason
    stage.did(name, judged.done)
    return judged.verdict.allowed


def check_values(stage: Stage, step: Step, wanted: Row) -> Iterator[Fault]:
    """Yield faults of `in`, `out`, `held`, `animals` and `orders`."""
    acts = [one for case in stage.cases.values() for one in case.acts]
    acts += [one for order in stage.orders.values() for one in order.acts]
    moves = [move for one in acts if one.at <= step.at for move in one.moves]
    came: Counter[str] = Counter()
    went: Counter[str] = Counter()
    for move in moves:
        came[move.party or "-" if move.source == "payer" else move.source] += move.paise
        went[move.target] += move.paise
        went[f"{move.target}.{move.line}"] += move.paise
    for key, got in (("in", came), ("out", went)):
        for name, sum_ in row(wanted.get(key)).items():
            if got[name] != paise(sum_):
                yield f"{key} {name}", rupees(paise(sum_)), rupees(got[name])
    if "held" in wanted:
        held = sum(state(stage.case(name), step.at).balance_paise for name in stage.cases)
        if held != paise(wanted["held"]):
            yield "held", rupees(paise(wanted["held"])), rupees(held)
    yield from _ends(stage, step, wanted)


def _ends(stage: Stage, step: Step, wanted: Row) -> Iterator[Fault]:
    got = Counter(
        head.state
        for name in stage.cases
        for head in state(stage.case(name), step.at).heads.values()
    )
    for name, many in row(wanted.get("animals")).items():
        if got[name] != count(many):
            yield f"animals {name}", str(many), str(got[name])
    for name, word in row(wanted.get("orders")).items():
        order = stage.orders.get(name)
        is_now = "none" if order is None else removal_state(order, step.at).state
        if is_now != word:
            yield f"order {name}", str(word), is_now
