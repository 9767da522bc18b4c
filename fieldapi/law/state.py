"""Where each head stands and where the money is: the acts of a case, folded.

Called by the rest of `law` and by services. Acts are taken in the order of their own times, so
that the state does not depend on the order in which they were entered. No rule is judged here.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from types import MappingProxyType

from fieldapi.law.days import day_of
from fieldapi.law.facts import Case, Done, Head, Move
from fieldapi.law.particulars import text, texts, whole
from sync.strict import JSON

DEFAULT, UNCLAIMED, DEEMED = "default", "unclaimed", "deemed_unclaimed"
BECOMES: Mapping[str, str] = MappingProxyType(
    {
        "release": "released_paid",
        "pay_balance": "released_paid",
        "deposit_under_protest": "released_on_deposit",
        "release_by_order": "released_by_order",
        "release_at_spot": "released_at_spot",
        "knock_down": "sold",
        "other_disposal": "other_disposal",
        "died": "died",
        "escaped": "escaped",
        "rescued": "rescued",
        "transfer": "transferred",
        "forfeit_cattle": "forfeited",
    }
)
# Heads that were lost to the pound: what they cost until then is owed by whoever answers for them.
LOST = frozenset({"died", "escaped", "rescued"})
SOLD = frozenset({"sold", "other_disposal"})
# Endings that may be found never to have happened: no money, order or sale hangs on them.
UNDOABLE = LOST | {"released_at_spot", "not_there"}
OFFERS = frozenset({"offer_to_pay", "receive_payment", "release", "deposit_under_protest"})
CLAIMS = OFFERS | {"claim"}
APPEARANCES = CLAIMS | {"appear"}


@dataclass(frozen=True)
class HeadState:
    """One head at a moment. `liable`: its keeper, else its owner. `branch`: of a sale, if one.

    `fed_to`: the last day of feeding that was charged; `is_levied`: its fine was charged.
    """

    id: str
    kind: str
    since: datetime
    origin: str = "seized"
    previous: str | None = None
    owner: str | None = None
    keeper: str | None = None
    pound: str | None = None
    pound_area: str | None = None
    sent_at: datetime | None = None
    impounded_at: datetime | None = None
    left_at: datetime | None = None
    became: str | None = None
    branch: str | None = None
    deemed_at: datetime | None = None
    reported_at: datetime | None = None
    notice: "Notice | None" = None
    ordered_at: datetime | None = None
    auction: str | None = None
    price_paise: int = 0
    is_levied: bool = False
    fed_to: date | None = None
    is_followed_up: bool = False
    fees_from: str | None = None

    @property
    def liable(self) -> str | None:
        """Who owes what the head costs."""
        return self.keeper or self.owner

    @property
    def is_in_custody(self) -> bool:
        """Say whether the law holds this head now, in the pound or on the way to it."""
        return self.became is None

    @property
    def is_impounded(self) -> bool:
        """Say whether it stands in a pound now."""
        return self.became is None and self.impounded_at is not None

    @property
    def state(self) -> str:
        """Return the word of the state machine; what a clock alone brings about is not in it."""
        if self.became is not None:
            return self.became
        if self.impounded_at is None:
            return "in_transit" if self.sent_at is not None else "seized"
        return self._state_in_pound()

    def _state_in_pound(self) -> str:
        if self.auction is not None:
            return "on_auction"
        if self.ordered_at is not None:
            return "sale_ordered"
        if self.notice is not None:
            return "noticed"
        if self.branch == DEFAULT:
            return "owner_default"
        if self.branch == DEEMED:
            return DEEMED
        return "reported" if self.reported_at is not None else "impounded"


@dataclass(frozen=True)
class Notice:
    """A notice of unclaimed cattle. `dated`: the day its waiting time runs from."""

    dated: date
    particulars: tuple[str, ...] | None
    places: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Auction:
    """A sale. `needed_paise`: what it has to bring, None where all of it is sold."""

    id: str
    at: datetime
    heads: tuple[str, ...]
    branch: str
    party: str | None
    expenses_paise: int
    needed_paise: int | None
    is_settled: bool = False


@dataclass(frozen=True)
class CaseState:
    """The case at a moment. `parties`: paise of each person in each account held for them."""

    at: datetime
    heads: Mapping[str, HeadState]
    accounts: Mapping[str, int]
    parties: Mapping[tuple[str, str | None], int]
    acts: tuple[Done, ...]
    auctions: Mapping[str, Auction]
    is_closed: bool
    is_stayed: bool

    @property
    def balance_paise(self) -> int:
        """What the case still holds for somebody."""
        return sum(
            paise for name, paise in self.accounts.items() if name.startswith(("held.", "due."))
        )

    @property
    def auction(self) -> Auction | None:
        """The sale that is not settled yet, or None."""
        return next((one for one in self.auctions.values() if not one.is_settled), None)

    def done(self, *acts: str) -> tuple[Done, ...]:
        """Return what was done of these acts, oldest first."""
        return tuple(one for one in self.acts if one.act in acts)

    def in_custody(self) -> tuple[HeadState, ...]:
        """Return the heads that the law holds."""
        return tuple(one for one in self.heads.values() if one.is_in_custody)

    def of(self, party: str | None) -> tuple[HeadState, ...]:
        """Return the heads for which a person answers."""
        return tuple(one for one in self.heads.values() if one.liable == party)


@dataclass
class _Fold:
    """The state under way. Acts change it by the functions of `_STEPS`."""

    heads: dict[str, HeadState]
    accounts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    parties: dict[tuple[str, str | None], int] = field(default_factory=lambda: defaultdict(int))
    auctions: dict[str, Auction] = field(default_factory=dict)
    is_closed: bool = False
    stays: int = 0

    def change(self, ids: Iterable[str], **changes: object) -> None:
        for id in ids:
            if id in self.heads:
                self.heads[id] = replace(self.heads[id], **changes)  # type: ignore[arg-type]

    def book(self, move: Move) -> None:
        for account, paise in ((move.source, -move.paise), (move.target, move.paise)):
            self.accounts[account] += paise
            self.parties[account, move.party] += paise


def state(case: Case, at: datetime) -> CaseState:
    """Return the state of a case at a moment: of acts, only those that had happened by then."""
    done = ordered(one for one in case.acts if one.at <= at)
    fold = _Fold({one.id: _begun(one, case) for one in case.heads if _is_there(one, case, at)})
    _identify(fold, case)
    for one in done:
        _apply(fold, one)
    return CaseState(
        at,
        MappingProxyType(fold.heads),
        MappingProxyType(dict(fold.accounts)),
        MappingProxyType(dict(fold.parties)),
        done,
        MappingProxyType(fold.auctions),
        fold.is_closed,
        fold.stays > 0,
    )


def ordered(acts: Iterable[Done]) -> tuple[Done, ...]:
    """Return acts by their own times; what happened at one instant keeps its turns."""
    return tuple(sorted(acts, key=lambda one: (one.at, one.n)))


def _begun(head: Head, case: Case) -> HeadState:
    since = head.since or case.seizure.at
    return HeadState(head.id, head.kind, since, head.origin, head.previous)


def _is_there(head: Head, case: Case, at: datetime) -> bool:
    return (head.since or case.seizure.at) <= at


def _identify(fold: _Fold, case: Case) -> None:
    """Whose a head is, it always was: who was found out later is owner from the beginning."""
    for one in ordered(one for one in case.acts if one.act == "identify"):
        role = "keeper" if text(one.data, "as") == "keeper" else "owner"
        fold.change(one.heads, **{role: one.party})


def _apply(fold: _Fold, one: Done) -> None:
    step = _STEPS.get(one.act)
    if step is not None:
        step(fold, one)
    became = BECOMES.get(one.act)
    if became is not None:
        here = [id for id in one.heads if id in fold.heads and fold.heads[id].became is None]
        fold.change(here, became=became, left_at=one.at, auction=None)
    for move in one.moves:
        fold.book(move)


def _impound(fold: _Fold, one: Done) -> None:
    pound, area = text(one.data, "pound"), text(one.data, "pound_area")
    for id in one.heads:
        if id in fold.heads and fold.heads[id].impounded_at is None:
            fold.change([id], impounded_at=one.at, pound=pound, pound_area=area)


def _born(fold: _Fold, one: Done) -> None:
    """Young are their mother's owner's; who is not named is one of the heads that stand there."""
    named = fold.heads.get(text(one.data, "mother") or "")
    mothers = [named] if named else [each for each in fold.heads.values() if each.is_impounded]
    fold.change(
        one.heads, impounded_at=one.at, is_levied=True,
        pound=_agreed(one.pound for one in mothers),
        pound_area=_agreed(one.pound_area for one in mothers),
    )  # fmt: skip
    owner, keeper = _agreed(one.owner for one in mothers), _agreed(one.keeper for one in mothers)
    for id in [id for id in one.heads if id in fold.heads and fold.heads[id].liable is None]:
        fold.change([id], owner=owner, keeper=keeper)


def _agreed(values: Iterable[str | None]) -> str | None:
    """Return the one value of all, None where they differ."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _settle(fold: _Fold, one: Done) -> None:
    """Heads that somebody paid for, with those that he lost, owe nothing up to this moment."""
    liable = {fold.heads[id].liable for id in one.heads if id in fold.heads}
    lost = [
        head.id
        for head in fold.heads.values()
        if head.became in LOST and head.impounded_at is not None and head.liable in liable
    ]
    fold.change([*one.heads, *lost], is_levied=True, fed_to=day_of(one.at))


def _re_seize(fold: _Fold, one: Done) -> None:
    """Heads delivered on deposit are back: their fees are deposited, their feeding begins anew."""
    for id in one.heads:
        before = fold.heads.get((fold.heads[id].previous or "") if id in fold.heads else "")
        owner, keeper = (before.owner, before.keeper) if before else (None, None)
        pound = before.pound if before else None
        if before is not None:
            fold.change([before.id], is_followed_up=True)
        fold.change(
            [id], owner=owner, keeper=keeper, pound=text(one.data, "pound") or pound,
            impounded_at=one.at, branch=DEFAULT, is_levied=True,
        )  # fmt: skip


def _default(fold: _Fold, one: Done) -> None:
    fold.change(one.heads, branch=DEFAULT)


def _refuse(fold: _Fold, one: Done) -> None:
    fold.change(one.heads, branch=DEEMED, deemed_at=one.at, ordered_at=None, notice=None)


def _report(fold: _Fold, one: Done) -> None:
    fold.change(one.heads, reported_at=one.at)


def _notice(fold: _Fold, one: Done) -> None:
    places = frozenset(texts(one.data, "proclamation") or ())
    notice = Notice(day_of(one.at), texts(one.data, "particulars"), places)
    fold.change(one.heads, notice=notice)


def _proclaim(fold: _Fold, one: Done) -> None:
    place = text(one.data, "place") or ""
    for id in one.heads:
        head = fold.heads.get(id)
        if head is not None and head.notice is not None:
            notice = replace(head.notice, places=head.notice.places | {place})
            fold.change([id], notice=notice)


def _order(fold: _Fold, one: Done) -> None:
    fold.change(one.heads, ordered_at=one.at)


def _auction(fold: _Fold, one: Done) -> None:
    branch = next((fold.heads[id].branch for id in one.heads if id in fold.heads), None)
    expenses = whole(one.data, "expenses_paise") or 0
    needed = whole(one.data, "needed_paise") if branch == DEFAULT else None
    party = one.party or next((fold.heads[id].liable for id in one.heads if id in fold.heads), None)
    fold.auctions[one.id] = Auction(
        one.id, one.at, one.heads, branch or UNCLAIMED, party, expenses, needed
    )
    fold.change(one.heads, auction=one.id)


def _sell(fold: _Fold, one: Done) -> None:
    price = whole(one.data, "price_paise") or 0
    share, rest = divmod(price, len(one.heads) or 1)
    for place, id in enumerate(one.heads):
        fold.change([id], price_paise=share + (1 if place < rest else 0))


def _apply_proceeds(fold: _Fold, one: Done) -> None:  # noqa: ARG001 - a step like the others
    """What the sale paid for is charged: of a default every head of the person, else what went."""
    for auction in [one for one in fold.auctions.values() if not one.is_settled]:
        fold.auctions[auction.id] = replace(auction, is_settled=True)
        is_default = auction.branch == DEFAULT
        charged = [
            head.id
            for head in fold.heads.values()
            if (head.id in auction.heads and (is_default or head.became in SOLD))
            or (head.became in LOST and head.liable == auction.party)
            or (is_default and head.liable == auction.party)
        ]
        fold.change(charged, is_levied=True, fed_to=day_of(auction.at))
        fold.change(
            [id for id in auction.heads if fold.heads[id].became is None],
            auction=None,
            ordered_at=None,
        )


def _unsold(fold: _Fold, one: Done) -> None:
    """Nobody bid: the head may be put up again; a sale at which nothing went is over."""
    for id in one.heads:
        auction = fold.auctions.get((fold.heads[id].auction or "") if id in fold.heads else "")
        if auction is None:
            continue
        fold.change([id], auction=None, ordered_at=None)
        fates = [fold.heads[each] for each in auction.heads if each in fold.heads]
        if not any(each.became in SOLD or each.auction == auction.id for each in fates):
            fold.auctions[auction.id] = replace(auction, is_settled=True)


def _dispose(fold: _Fold, one: Done) -> None:
    """Another way of selling: it has proceeds like an auction, or none that need settling."""
    _auction(fold, one)
    _sell(fold, one)
    if not whole(one.data, "price_paise"):
        fold.auctions[one.id] = replace(fold.auctions[one.id], is_settled=True)


def _ordered_free(fold: _Fold, one: Done) -> None:
    fees_from = text(one.data, "fees_from") or "seizer"
    fold.change(one.heads, fees_from=fees_from, is_levied=True, fed_to=day_of(one.at))


def _follow_up(fold: _Fold, one: Done) -> None:
    fold.change(one.heads, is_followed_up=True)


def _send(fold: _Fold, one: Done) -> None:
    fold.change(one.heads, sent_at=one.at)


def removed_by(data: Mapping[str, JSON], heads: tuple[str, ...]) -> tuple[str, ...]:
    """Return the heads that a correction says were never there."""
    named = texts(data, "remove")
    if named is not None:
        return named
    return () if "restore" in data else heads


def _correct(fold: _Fold, one: Done) -> None:
    named = removed_by(one.data, one.heads)
    removed = [id for id in named if id in fold.heads and fold.heads[id].became is None]
    fold.change(removed, became="not_there", left_at=one.at, is_levied=True)
    for id in texts(one.data, "restore") or ():
        head = fold.heads.get(id)
        if head is not None and head.became in UNDOABLE:
            is_levied = head.is_levied and head.became != "not_there"
            fold.change([id], became=None, left_at=None, is_levied=is_levied)


def _close(fold: _Fold, one: Done) -> None:
    fold.is_closed = one.act == "close"


def _stay(fold: _Fold, one: Done) -> None:
    fold.stays = max(0, fold.stays + (1 if one.act == "stay" else -1))


_STEPS: Mapping[str, Callable[[_Fold, Done], None]] = MappingProxyType(
    {
        "dispatch_to_pound": _send,
        "impound": _impound,
        "born": _born,
        "release": _settle,
        "deposit_under_protest": _settle,
        "re_seize": _re_seize,
        "record_owner_default": _default,
        "record_refusal": _refuse,
        "report_unclaimed": _report,
        "post_notice": _notice,
        "record_proclamation": _proclaim,
        "order_sale": _order,
        "hold_auction": _auction,
        "knock_down": _sell,
        "no_bid": _unsold,
        "other_disposal": _dispose,
        "apply_proceeds": _apply_proceeds,
        "release_by_order": _ordered_free,
        "deposit_security": _follow_up,
        "correct_custody": _correct,
        "close": _close,
        "reopen": _close,
        "stay": _stay,
        "lift_stay": _stay,
    }
)
