"""What happens in a filled authority: each plot is one report and all that follows it.

A plot is a generator: it yields how long to wait. Whatever has not happened by now has not happened
yet, so that cases stand in every state. Called by `playing`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from fieldapi.demo.filling.case import Capture, Case, Waits
from fieldapi.demo.filling.stage import Fields, Stage

Run = Callable[[Case], Waits]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
_NOTICE = ("number_and_description", "place_of_seizure", "place_impounded")


@dataclass(frozen=True, slots=True)
class Plot:
    """A report to be. `ago`: before now; `owner`: which of the cast's owners."""

    ago: timedelta
    capture: Capture
    run: Run


def _only_reported(_case: Case) -> Waits:
    """It was reported, and nobody has looked at it."""
    yield HOUR


def _looked_at(case: Case) -> Waits:
    yield 2 * HOUR
    case.stage.review(case.id, "under_review")


def _counted_in(case: Case) -> Waits:
    yield 3 * HOUR
    case.arrive()


def _accepted(case: Case) -> Waits:
    yield from _counted_in(case)
    yield 4 * HOUR
    case.stage.review(case.id, "accepted", "Photos, counts and place agree.")


def _rejected(case: Case) -> Waits:
    yield 5 * HOUR
    case.stage.review(case.id, "rejected", "The photos show another herd at another place.")


def _correction_asked(case: Case) -> Waits:
    yield 5 * HOUR
    asked = "Say whose field it was and take a photo of the damage."
    case.stage.review(case.id, "correction_asked", asked)


def _one_short(case: Case) -> Waits:
    """The keeper counts one head fewer than the report says: both numbers stay."""
    yield 3 * HOUR
    kind, count = next(iter(case.capture.herd.items()))
    case.arrive({**case.capture.herd, kind: count - 1})


def _one_more(case: Case) -> Waits:
    yield 3 * HOUR
    kind, count = next(iter(case.capture.herd.items()))
    case.arrive({**case.capture.herd, kind: count + 1})


def _disputed(case: Case) -> Waits:
    """The keeper writes another count into the report: two values stand."""
    yield from _counted_in(case)
    kind, count = next(iter(case.capture.herd.items()))
    case.recount(kind, count + 2)


def _seen_twice(case: Case) -> Waits:
    """Another reports the same cattle, some minutes later."""
    twin = Case(case.stage, Capture(case.capture.herd, part="police"))
    twin.spot = (case.spot[0] + 0.0002, case.spot[1] - 0.0001)
    twin.seize()
    yield HOUR


def _owner_known(case: Case) -> Waits:
    yield from _accepted(case)
    yield 12 * HOUR
    case.owner(case.stage.cast.owners[1])


def _paid(case: Case) -> Waits:
    yield from _accepted(case)
    yield 20 * HOUR
    party = case.owner(case.stage.chance.choice(case.stage.cast.owners))
    case.now("claim", party=party)
    yield 5 * HOUR
    case.pays(party)
    yield 2 * HOUR
    yield from case.due_to("remit", by="secretary")


def _paid_in_parts(case: Case) -> Waits:
    yield from _counted_in(case)
    yield DAY
    party = case.owner(case.stage.cast.owners[2])
    case.now("receive_payment", party=party, paid_paise=10_000)


def _protested(case: Case) -> Waits:
    """The owner deposits under protest and complains."""
    yield from _accepted(case)
    yield 18 * HOUR
    party = case.owner(case.stage.cast.owners[3])
    yield from case.due_to(
        "deposit_under_protest",
        party=party,
        paid_paise=case.due(),
        register_signature=True,
        is_illegal_claimed=True,
    )
    yield 20 * HOUR
    case.stage.complain(case.id, party, "They were taken from my own yard, not from the road.")


def _unclaimed(case: Case) -> Waits:
    """Nobody comes: reported, noticed, sold, the surplus held, at last the fund's."""
    yield from _accepted(case)
    yield 7 * DAY
    if case.stage.cast.authority.statute != "gujarat":  # which knows neither report nor notice
        yield from case.due_to("report_unclaimed")
        yield from case.due_to(
            "post_notice", particulars=[*_NOTICE], proclamation=["village", "market"]
        )
        yield DAY
        for place in ("village", "market"):
            yield from case.due_to("record_proclamation", place=place, manner="drum")
    yield from _sold(case)


def _sold(case: Case) -> Waits:
    yield from case.due_to("order_sale", by="secretary", order_no="24/2026")
    yield 30 * HOUR
    yield from case.due_to(
        "hold_auction", by="secretary", expenses_paise=15_000, place="Pound yard"
    )
    yield 2 * HOUR
    party = case.stage.party(*case.stage.cast.owners[-1])
    for head in case.heads("on_auction"):
        price = case.stage.chance.randint(45, 160) * 10_000
        said: Fields = {
            "price_paise": price,
            "buyer": party,
            "declaration": "I buy for myself alone",
        }
        yield from case.due_to("knock_down", by="secretary", custody=[head], **said)
    yield HOUR
    yield from case.due_to("apply_proceeds", by="secretary")
    yield DAY
    yield from case.due_to("hold_surplus", by="secretary")
    yield 3 * HOUR
    yield from case.due_to("remit", by="secretary")
    yield DAY
    yield from case.due_to("credit_surplus_to_fund", by="secretary")


def _defaulted(case: Case) -> Waits:
    """The owner came and would not pay: as many are sold as cover what is due."""
    yield from _accepted(case)
    yield DAY
    party = case.owner(case.stage.cast.owners[4])
    case.now("appear", party=party, refuses=True)
    yield 3 * DAY
    yield from case.due_to("record_owner_default", party=party, refuses=True)
    yield from _sold(case)


def _lost_some(case: Case) -> Waits:
    """One head dies in the pound, one is born."""
    yield from _counted_in(case)
    kind = next(iter(case.capture.herd))
    yield 30 * HOUR
    case.now("died", pick=[{"kind": kind, "n": 1}], cause="snake bite", vet_note="seen by the vet")
    yield DAY
    case.now("born", pick=[{"kind": "calf", "n": 1}])


def _rescued(case: Case) -> Waits:
    """Cattle are taken back by force on the way; the police come."""
    yield HOUR
    stage = case.stage
    stage.help(
        "police",
        {
            "id": stage.new_id(),
            "ground": "rescue_committed",
            "rendered": True,
            "seizure_id": case.id,
            "requested_at": stage.moment(),
            "outcome": "Two persons named; the rest of the herd went on to the pound",
            "gd_no": "GD 41/2026",
        },
    )
    kind = next(iter(case.capture.herd))
    case.now("rescued", by="watch", pick=[{"kind": kind, "n": 1}], used_force=True)
    yield 2 * HOUR
    case.arrive({**case.capture.herd, kind: case.capture.herd[kind] - 1})


def _let_go(case: Case) -> Waits:
    yield HOUR
    case.now("release_at_spot", by="secretary", order_no="Oral, 17:40")


def _ordered(case: Case) -> Waits:
    """A court lets the cattle go."""
    yield from _accepted(case)
    yield 2 * DAY
    case.now("stay", by="secretary", order_no="Crl. M.A. 118/2026")
    yield 3 * DAY
    case.now("lift_stay", by="secretary", order_no="Crl. M.A. 118/2026")
    case.now("release_by_order", by="secretary", order_no="Order 77", fees_from="nobody")


_DAMAGE = "trespass_with_damage"


def _of(days: float, herd: dict[str, int], run: Run, **how: object) -> Plot:
    return Plot(timedelta(days=days), Capture(herd, **how), run)  # type: ignore[arg-type]


def plots(stage: Stage) -> Sequence[Plot]:
    """Return every plot of a filling."""
    owner = stage.cast.owners[0]
    known = {"known": True, "name": owner[0], "parent": owner[1], "residence": owner[2]}
    return (
        _of(0.04, {"cow": 3}, _only_reported, late=1),
        _of(0.10, {"buffalo": 2, "cow": 1}, _only_reported, part="canal", ground=_DAMAGE),
        _of(0.20, {"goat": 9}, _only_reported, extra={"owner": known}),
        _of(0.30, {"bullock": 1}, _only_reported, lie=0.4),
        _of(0.9, {"cow": 2}, _only_reported, shots=("animals",), late=1),
        _of(0.45, {"cow": 4, "calf": 1}, _looked_at, ground=_DAMAGE),
        _of(0.6, {"buffalo": 2}, _counted_in),
        _of(0.7, {"cow": 1}, _counted_in, pound=1),
        _of(0.35, {"cow": 2}, _only_reported, part="newcomer", shots=()),
        _of(0.5, {"goat": 4}, _only_reported, is_mocked=True),
        _of(0.8, {"cow": 5}, _seen_twice),
        _of(0.95, {"buffalo": 3}, _disputed),
        _of(1.2, {"cow": 1}, _only_reported, extra={"location_absent_reason": "no_signal"}),
        _of(1.1, {"cow": 3, "bull": 1}, _one_short),
        _of(1.6, {"goat": 6}, _one_more),
        _of(1.4, {"buffalo": 1}, _rejected, lie=0.25),
        _of(2.2, {"cow": 2, "calf": 2}, _correction_asked, part="canal", ground=_DAMAGE),
        _of(2.0, {"bullock": 2}, _accepted, part="police"),
        _of(3.1, {"buffalo": 2}, _owner_known),
        _of(1.9, {"cow": 1}, _paid),
        _of(2.4, {"buffalo": 2}, _paid, part="police"),
        _of(6.3, {"cow": 2, "buffalo": 1}, _paid, pound=1),
        _of(14.0, {"goat": 5}, _paid, part="canal", ground=_DAMAGE),
        _of(26.0, {"bull": 1}, _paid),
        _of(3.4, {"cow": 2}, _paid_in_parts),
        _of(4.4, {"buffalo": 3}, _protested, ground=_DAMAGE, part="canal"),
        _of(16.0, {"cow": 2}, _protested),
        _of(6.9, {"cow": 2}, _unclaimed),
        _of(7.8, {"buffalo": 1, "calf": 1}, _unclaimed),
        _of(12.5, {"cow": 1}, _unclaimed, pound=1),
        _of(17.0, {"bullock": 2}, _unclaimed),
        _of(19.0, {"cow": 2}, _unclaimed),
        _of(30.0, {"buffalo": 2}, _unclaimed),
        _of(110.0, {"cow": 1, "bull": 1}, _unclaimed),
        _of(9.0, {"cow": 2, "buffalo": 2}, _defaulted),
        _of(2.8, {"buffalo": 3}, _lost_some),
        _of(5.2, {"cow": 4}, _rescued),
        _of(8.2, {"goat": 3}, _let_go),
        _of(10.4, {"cow": 2}, _ordered, part="police"),
    )
