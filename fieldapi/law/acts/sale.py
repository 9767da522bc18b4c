"""Acts towards a sale: report, notice, proclamation, order, auction, and each hammer.

Sources: Gujarat ss. 185(4), 186; Kerala ss. 13, 15(1), 18; Karnataka ss. 15, 17, 19.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from types import MappingProxyType

from fieldapi.law.clocks import (
    Period,
    complaint_until,
    end_of,
    latest_end_of,
    notice_until,
    unclaimed_until,
)
from fieldapi.law.days import day_of
from fieldapi.law.dues import HELD_ON_ACCOUNT, Line, quote
from fieldapi.law.facts import Done, Move
from fieldapi.law.money import BUYER, HELD_PROCEEDS, expenses_line
from fieldapi.law.particulars import text, texts, truth, whole
from fieldapi.law.scene import Breach, Effect, Rule, Scene
from fieldapi.law.state import (
    CLAIMS,
    DEEMED,
    DEFAULT,
    OFFERS,
    UNCLAIMED,
    Auction,
    CaseState,
    HeadState,
)

PARTICULARS = frozenset({"number_and_description", "place_of_seizure", "place_impounded"})
PLACES = frozenset({"village", "market"})


def _waited(scene: Scene, gate: str) -> Iterator[Breach]:
    """The days after the impounding; cattle whose owner defaulted or refused wait for none."""
    for head in scene.heads:
        if head.branch is None and head.impounded_at is not None:
            until = unclaimed_until(scene.case, head.impounded_at)
            if until is not None:
                yield from _not_over(until, scene.at, gate)


def _not_over(until: Period, at: datetime, gate: str) -> Iterator[Breach]:
    """Before the last day has passed, surely; on the days to which it may have moved, perhaps."""
    if not until.is_over(at):
        yield Breach(gate, until.opens_at, until.is_sure)
    elif not until.is_surely_over(at):
        yield Breach(gate, until.surely_opens_at, is_sure=False)


def _spoke(scene: Scene, head: HeadState, acts: frozenset[str], until: datetime) -> bool:
    """Say whether somebody who appeared as owner of this head did one of these acts in time."""
    return any(_concerns(scene, one, head) for one in scene.now.done(*acts) if one.at <= until)


def _concerns(scene: Scene, one: Done, head: HeadState) -> bool:
    if one.heads:
        return head.id in one.heads
    owned = scene.now.of(one.party) if one.party is not None else ()
    return head in owned if owned else head.liable is None


def _reports(scene: Scene) -> Iterator[Breach]:
    yield from _waited(scene, "report.seven_days")
    yield from _claimed(scene, "report.claimed")


def _claimed(scene: Scene, gate: str) -> Iterator[Breach]:
    """Kerala s. 13: cattle that somebody claimed, in the first seven days or after the notice."""
    for head in scene.heads:
        if head.branch is None and head.impounded_at is not None:
            ends = _claim_ends(scene, head)
            if ends is not None and _spoke(scene, head, CLAIMS, ends[1]):
                yield Breach(gate, is_sure=_spoke(scene, head, CLAIMS, ends[0]))


def _claim_ends(scene: Scene, head: HeadState) -> tuple[datetime, datetime] | None:
    """Return until when a claim is surely in time, and until when on the best reading."""
    found: list[Period | None] = []
    if head.impounded_at is not None:
        found.append(unclaimed_until(scene.case, head.impounded_at))
    if head.notice is not None:
        found.append(notice_until(scene.case, head.notice.dated))
    known = [one for one in found if one is not None]
    if head.notice is None and scene.case.profile.clock("SALE-7") is not None:
        return scene.at, scene.at
    return (max(map(end_of, known)), max(map(latest_end_of, known))) if known else None


def _notices(scene: Scene) -> Iterator[Breach]:
    yield from _waited(scene, "notice.seven_days")
    given = texts(scene.data, "particulars")
    if given is not None and not PARTICULARS.issubset(given):
        yield Breach("notice.particulars")
    if any(one.branch is None and one.reported_at is None for one in scene.heads):
        yield Breach("notice.report")
    days = scene.profile.value("report_notice_days")
    reports = [one.reported_at for one in scene.heads if one.reported_at is not None]
    if isinstance(days, int) and any(_after(one, scene.at) > days for one in reports):
        yield Breach("notice.late")


def _after(earlier: datetime, later: datetime) -> int:
    return (day_of(later) - day_of(earlier)).days


def _proclaims(scene: Scene) -> Iterator[Breach]:
    if any(one.notice is None for one in scene.heads):
        yield Breach("proclamation.notice")
    if text(scene.data, "manner") not in (None, "drum"):
        yield Breach("proclamation.drum")


def sale_gates(scene: Scene) -> Iterator[Breach]:
    """Yield what keeps these heads from being sold now; asked at every step, to the hammer."""
    yield from _waited(scene, "sale.seven_days")
    for head in scene.heads:
        if head.branch is None:
            yield from _offered(scene, head)
    if scene.asks("sale.claimed"):
        yield from _claimed(scene, "sale.claimed")
    yield from _noticed(scene)
    if scene.now.is_stayed:
        yield Breach("sale.stay")
    if any(one.outcome is None for one in scene.case.complaints if one.made_at <= scene.at):
        yield Breach("sale.complaint")


def _offered(scene: Scene, head: HeadState) -> Iterator[Breach]:
    """Gujarat s. 186(1): an offer within the seven days closes this way, even if paid later."""
    if head.impounded_at is None:
        return
    until = unclaimed_until(scene.case, head.impounded_at)
    if until is not None and _spoke(scene, head, OFFERS, latest_end_of(until)):
        yield Breach("sale.offered", is_sure=_spoke(scene, head, OFFERS, end_of(until)))


def _noticed(scene: Scene) -> Iterator[Breach]:
    for head in scene.heads:
        if head.branch == DEFAULT:
            continue
        if head.notice is None:
            yield Breach("sale.notice")
            continue
        until = notice_until(scene.case, head.notice.dated)
        if until is not None:
            yield from _not_over(until, scene.at, "sale.notice_days")
        if not head.notice.places.issuperset(PLACES):
            yield Breach("sale.proclaimed")


def _notes(scene: Scene) -> tuple[str, ...]:
    """No Act stays a sale while a complaint may still be made; who sells ought to know it."""
    until = complaint_until(scene.case)
    is_open = until is not None and not until.is_surely_over(scene.at)
    return ("complaint_window_open",) if is_open else ()


def _ordered(scene: Scene) -> Effect:
    return Effect(notes=_notes(scene))


def pick_for_sale(scene: Scene) -> tuple[HeadState, ...]:
    """Return the heads that a sale can mean: of one person in default, else of one branch."""
    heads, party = scene.now.heads.values(), scene.act.party
    standing = [one for one in heads if one.is_impounded and one.auction is None]
    mine = [one for one in standing if party is None or one.liable == party]
    for branch in (DEFAULT, DEEMED, None):
        found = tuple(one for one in mine if one.branch == branch)
        if found:
            return found
    return ()


def _holds(scene: Scene) -> Iterator[Breach]:
    if scene.now.auction is not None:
        yield Breach("auction.open")
    kinds = {(one.branch, one.liable if one.branch == DEFAULT else None) for one in scene.heads}
    if len(kinds) > 1:
        yield Breach("heads.mixed")
    yield from sale_gates(scene)


def _held(scene: Scene) -> Effect:
    lines = sale_lines(scene, whole(scene.data, "expenses_paise") or 0)
    if scene.heads[0].branch != DEFAULT:
        return Effect(lines, notes=_notes(scene), data={"heads": [*scene.ids]})
    on_account = scene.now.parties.get((HELD_ON_ACCOUNT, scene.party), 0)
    needed = sum(one.paise for one in lines) - on_account
    shown = (*lines, *(one for one in scene.quote.lines if one.paise < 0))
    return Effect(shown, notes=_notes(scene), data={"needed_paise": needed})


def sale_lines(scene: Scene, expenses: int) -> tuple[Line, ...]:
    """Return what a sale of these heads pays for on their branch, in the order of the Act."""
    branch = scene.heads[0].branch or UNCLAIMED
    deduction = scene.profile.deduction(branch)
    if deduction is None:
        return ()
    heads = None if branch == DEFAULT else scene.ids
    owed = quote(scene.case, scene.now, scene.party, heads)
    lines = [*owed.lines, expenses_line(expenses, deduction.provenance.section)]
    return tuple(
        one for name in deduction.lines for one in lines if one.line == name and one.paise > 0
    )


def _knocks(scene: Scene) -> Iterator[Breach]:
    auction = scene.now.auction
    if auction is None or not set(auction.heads).issuperset(scene.ids):
        yield Breach("head.not_on_auction")
        return
    if (whole(scene.data, "price_paise") or 0) < 1:
        yield Breach("price.missing")
    needed = still_needed(scene.now, auction)
    if needed is not None and needed <= 0:
        yield Breach("sale.necessary")
    yield from _buyer(scene, auction.branch)
    yield from sale_gates(scene)


def _offers(scene: Scene) -> Iterator[Breach]:
    if any(one.auction is None for one in scene.heads):
        yield Breach("head.not_on_auction")


def still_needed(now: CaseState, auction: Auction) -> int | None:
    """Return what a sale for a default has still to bring, None where all of it is sold: less what
    was bid, and less what the owner has paid since it began.
    """
    if auction.needed_paise is None:
        return None
    brought = sum(now.heads[id].price_paise for id in auction.heads if id in now.heads)
    ids = [one.id for one in now.acts]
    since = now.acts[ids.index(auction.id) + 1 :]
    moves = [move for one in since for move in one.moves if move.party == auction.party]
    paid = sum(move.paise for move in moves if move.target == HELD_ON_ACCOUNT)
    back = sum(move.paise for move in moves if move.source == HELD_ON_ACCOUNT)
    return auction.needed_paise - brought - paid + back


def _buyer(scene: Scene, branch: str) -> Iterator[Breach]:
    """Who may not buy: by his own identity, or by whose money it is. Kinship alone is doubtful."""
    gate = "sale.buyer_default" if branch == DEFAULT else "sale.buyer"
    if texts(scene.data, "buyer_is"):
        yield Breach(gate)
    if texts(scene.data, "paid_by_is"):
        yield Breach(f"{gate}_indirect")
    if truth(scene.data, "is_related"):
        yield Breach("sale.related")


def _knocked(scene: Scene) -> Effect:
    price = whole(scene.data, "price_paise") or 0
    auction = scene.now.auction
    move = Move("sale", price, BUYER, HELD_PROCEEDS, text(scene.data, "buyer"))
    flags = ("related_buyer",) if truth(scene.data, "is_related") else ()
    if auction is None or auction.needed_paise is None:
        return Effect(moves=(move,), flags=flags)
    needed = max(0, (still_needed(scene.now, auction) or 0) - price)
    return Effect(moves=(move,), flags=flags, data={"still_needed_paise": needed})


def _disposes(scene: Scene) -> Iterator[Breach]:
    """Kerala s. 13(3) proviso, as enacted: otherwise than by auction, by the Director's order."""
    yield Breach("disposal.provided")
    if text(scene.data, "order_no") is None:
        yield Breach("disposal.order")
    yield from sale_gates(scene)


def _disposed(scene: Scene) -> Effect:
    price = whole(scene.data, "price_paise") or 0
    buyer = text(scene.data, "buyer")
    moves = (Move("sale", price, BUYER, HELD_PROCEEDS, buyer),) if price > 0 else ()
    return Effect(moves=moves)


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "report_unclaimed": Rule(heads="pound", check=_reports, pick=pick_for_sale),
        "post_notice": Rule(heads="pound", check=_notices, pick=pick_for_sale),
        "record_proclamation": Rule(heads="pound", check=_proclaims, pick=pick_for_sale),
        "order_sale": Rule(heads="pound", check=sale_gates, effect=_ordered, pick=pick_for_sale),
        "hold_auction": Rule(heads="pound", check=_holds, effect=_held, pick=pick_for_sale),
        "knock_down": Rule(heads="pound", check=_knocks, effect=_knocked),
        "no_bid": Rule(heads="pound", check=_offers),
        "other_disposal": Rule(
            heads="pound", check=_disposes, effect=_disposed, pick=pick_for_sale
        ),
    }
)
