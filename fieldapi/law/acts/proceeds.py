"""Acts after a sale: what its proceeds pay for, the account, the balance, and what is refused.

Sources: Gujarat ss. 185(4), 186(1); Kerala ss. 13(3), 15(2) to (5), 16; Karnataka s. 18.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from fieldapi.law.acts.sale import still_needed
from fieldapi.law.days import SMALLEST
from fieldapi.law.dues import EXPENSES, HELD_ON_ACCOUNT, ON_ACCOUNT, Line, quote, rupees
from fieldapi.law.facts import Move
from fieldapi.law.money import (
    HELD_BALANCE,
    HELD_PROCEEDS,
    HELD_SURPLUS,
    PAYER,
    TREASURY,
    expenses_line,
    from_proceeds,
    split,
)
from fieldapi.law.particulars import truth, whole
from fieldapi.law.scene import Breach, Effect, Rule, Scene
from fieldapi.law.state import DEEMED, DEFAULT, SOLD, Auction, CaseState, HeadState


def _applies(scene: Scene) -> Iterator[Breach]:
    auction = scene.now.auction
    if auction is None:
        yield Breach("auction.none")
    elif any(scene.now.heads[id].auction == auction.id for id in auction.heads):
        yield from _unfinished(scene, auction)


def _unfinished(scene: Scene, auction: Auction) -> Iterator[Breach]:
    """Heads that nobody needs to sell any more are left over; others have to find their end."""
    needed = still_needed(scene.now, auction)
    if needed is None or needed > 0:
        yield Breach("auction.unfinished")


def _applied(scene: Scene) -> Effect:
    """Each person's animals bear what they cost, never those of another."""
    auction = scene.now.auction
    if auction is None:
        return Effect()
    groups = _groups(scene, auction)
    prices = [sum(one.price_paise for one in heads) for _, heads in groups]
    spent = whole(scene.data, "expenses_paise")
    expenses = split(auction.expenses_paise if spent is None else spent, prices)
    parts = [
        _group(scene, auction, party, heads, price, cost)
        for (party, heads), price, cost in zip(groups, prices, expenses, strict=True)
    ]
    return Effect(
        tuple(line for part in parts for line in part.lines),
        tuple(move for part in parts for move in part.moves),
        rest_paise=sum(part.rest_paise or 0 for part in parts),
        deficit_paise=sum(part.deficit_paise for part in parts),
        data={"auction": auction.id},
    )


def _groups(scene: Scene, auction: Auction) -> list[tuple[str | None, list[HeadState]]]:
    sold = [scene.now.heads[id] for id in auction.heads if scene.now.heads[id].became in SOLD]
    if auction.branch == DEFAULT:
        return [(auction.party, sold)]
    parties = list(dict.fromkeys(one.liable for one in sold))
    return [(party, [one for one in sold if one.liable == party]) for party in parties]


def _group(  # noqa: PLR0913, PLR0917 - one row of the sale account
    scene: Scene,
    auction: Auction,
    party: str | None,
    sold: list[HeadState],
    price: int,
    cost: int,
) -> Effect:
    deduction = scene.profile.deduction(auction.branch)
    names = () if deduction is None else deduction.lines
    section = "" if deduction is None else deduction.provenance.section
    owed = (*_owed(scene, auction, party, sold), expenses_line(cost, section))
    lines = tuple(one for name in names for one in owed if one.line == name and one.paise > 0)
    on_account = scene.now.parties.get((HELD_ON_ACCOUNT, party), 0)
    moves, rest, deficit = from_proceeds(
        scene.profile, lines, price, on_account=on_account, party=party
    )
    moves.extend(_treasury(names, cost))
    is_balance = deduction is not None and deduction.rest == "balance"
    if rest:
        target = HELD_BALANCE if is_balance else HELD_SURPLUS
        moves.append(Move("surplus", rest, HELD_PROCEEDS, target, party))
    shown = (*lines, *(_paid_line(on_account)))
    return Effect(shown, tuple(moves), rest_paise=rest, deficit_paise=deficit)


def _paid_line(on_account: int) -> tuple[Line, ...]:
    return (Line(ON_ACCOUNT, -on_account, rupees(-on_account)),) if on_account else ()


def _treasury(names: tuple[str, ...], cost: int) -> list[Move]:
    """What a sale cost is borne by the panchayat where the Act does not let it be deducted."""
    is_borne = cost > 0 and EXPENSES not in names
    return [Move(EXPENSES, cost, TREASURY, EXPENSES)] if is_borne else []


def _owed(
    scene: Scene, auction: Auction, party: str | None, sold: list[HeadState]
) -> tuple[Line, ...]:
    """Return what is owed as the sale found it: sold heads are quoted as they stood before it."""
    before = _before_sale(scene, auction)
    heads = None if auction.branch == DEFAULT else [one.id for one in sold]
    return quote(scene.case, before, party, heads).lines


def _before_sale(scene: Scene, auction: Auction) -> CaseState:
    heads = {
        head.id: replace(head, became=None, left_at=None)
        if head.id in auction.heads and head.became in SOLD
        else head
        for head in scene.now.heads.values()
    }
    return replace(scene.now, at=auction.at + SMALLEST, heads=MappingProxyType(heads))


def _accounts(scene: Scene) -> Iterator[Breach]:
    if not any(one.branch == DEFAULT and one.is_settled for one in scene.now.auctions.values()):
        yield Breach("auction.none")


def _balance(scene: Scene) -> int:
    """Return what is left for the person; for anybody, where nobody is named yet."""
    kept = scene.now.parties
    if scene.party is None:
        return sum(paise for (account, _), paise in kept.items() if account == HELD_BALANCE)
    return kept.get((HELD_BALANCE, scene.party), 0)


def _is_left(scene: Scene) -> Iterator[Breach]:
    """Heads that are named have to be among those that a sale left over."""
    left = {one.id for one in _left(replace(scene, now=scene.latest))}
    if not left.issuperset(scene.ids):
        yield Breach("head.gone")


def _returns(scene: Scene) -> Iterator[Breach]:
    yield from _is_left(scene)
    settled = [one for one in scene.now.auctions.values() if one.is_settled]
    if not settled or (not _balance(scene) and not scene.heads):
        yield Breach("balance.none")
    if not scene.now.done("account_to_owner"):
        yield Breach("balance.account")
    if not truth(scene.data, "receipt_signed"):
        yield Breach("balance.receipt")


def _returned(scene: Scene) -> Effect:
    paise = _balance(scene)
    moves = (Move("balance", paise, HELD_BALANCE, PAYER, scene.party),) if paise else ()
    return Effect(tuple(Line(one.line, one.paise, rupees(one.paise)) for one in moves), moves)


def _refuses(scene: Scene) -> Iterator[Breach]:
    yield from _is_left(scene)
    if not scene.now.auctions or (not _balance(scene) and not scene.heads):
        yield Breach("balance.none")
    if scene.profile.deduction(DEEMED) is None:
        yield Breach("refusal.provided")


def _refused(scene: Scene) -> Effect:
    paise = _balance(scene)
    moves = (Move("surplus", paise, HELD_BALANCE, HELD_SURPLUS, scene.party),) if paise else ()
    return Effect(moves=moves, rest_paise=paise)


def _left(scene: Scene) -> tuple[HeadState, ...]:
    """Return the heads that a sale for a default left over."""
    return tuple(
        one
        for one in scene.now.heads.values()
        if one.is_impounded
        and one.branch == DEFAULT
        and one.auction is None
        and scene.act.party in (None, one.liable)
        and one.is_levied
    )


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "apply_proceeds": Rule(check=_applies, effect=_applied),
        "account_to_owner": Rule(check=_accounts, needs_party=True),
        "pay_balance": Rule(
            heads="rest", check=_returns, effect=_returned, pick=_left, needs_party=True
        ),
        "record_refusal": Rule(
            heads="rest", check=_refuses, effect=_refused, pick=_left, needs_party=True
        ),
    }
)
