"""Acts on securities: demanded after a delivery on deposit, deposited, forfeited, refunded.

Sources: Gujarat ss. 185(3), 189.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from fieldapi.law.clocks import follow_up_until, security_until
from fieldapi.law.days import day_of, last_instant
from fieldapi.law.dues import DEPOSIT, Line, Quote, needs_security, rupees, security
from fieldapi.law.facts import Complaint, Impounding, Move
from fieldapi.law.holdings import Holding, decision_on, securities
from fieldapi.law.money import HELD_SECURITY, PAYER, Payment, pay
from fieldapi.law.particulars import text, texts, truth, whole
from fieldapi.law.register import SECURITY
from fieldapi.law.scales import ILLEGAL, percent_of
from fieldapi.law.scene import Breach, Effect, Rule, Scene
from fieldapi.law.state import HeadState
from sync.strict import JSON

STATE = "state_government"
ILLEGALLY, LAWFULLY = "illegal", "lawful"
ON_DEPOSIT = "released_on_deposit"


def delivered(scene: Scene) -> tuple[HeadState, ...]:
    """Return the heads that were delivered on deposit and not followed up; those whose seizure was
    adjudged illegal only if there are no others.
    """
    given = [
        one
        for one in scene.now.heads.values()
        if one.became == ON_DEPOSIT
        and not one.is_followed_up
        and (scene.act.party is None or one.liable == scene.act.party)
    ]
    return tuple(one for one in given if _outcome(scene, one) != ILLEGALLY) or tuple(given)


def _decision(scene: Scene, head: HeadState) -> Complaint | None:
    return decision_on(scene.case.complaints, head.liable, head.id)


def _outcome(scene: Scene, head: HeadState) -> str | None:
    found = _decision(scene, head)
    return None if found is None else found.outcome


def _is_delivered(scene: Scene) -> Iterator[Breach]:
    if not scene.heads:
        yield Breach("head.none")
    if any(one.became != ON_DEPOSIT or one.is_followed_up for one in scene.heads):
        yield Breach("head.not_delivered")
    if scene.profile.charge(DEPOSIT) is None:
        yield Breach("security.unknown")


def _demands(scene: Scene) -> Iterator[Breach]:
    yield from _is_delivered(scene)
    if not needs_security(scene.case, scene.at):
        yield Breach("demand.applies")
    outcomes = {one.id: _outcome(scene, one) for one in scene.heads}
    if ILLEGALLY in outcomes.values():
        yield Breach("demand.illegal")
    for one in scene.heads:
        if outcomes[one.id] not in (ILLEGALLY, LAWFULLY):
            yield from _ripens(scene, one)


def _ripens(scene: Scene, head: HeadState) -> Iterator[Breach]:
    """No complaint, or one that was dismissed: the time of the Act has to pass first. One that
    came after it is none.
    """
    found = _decision(scene, head)
    pending = found if found is not None and found.outcome is None else None
    until = None if head.left_at is None else follow_up_until(scene.case, head.left_at)
    if until is not None and not until.is_surely_over(scene.at):
        is_sure = until.is_sure and not until.is_over(scene.at)
        yield Breach("demand.four_weeks", until.opens_at, is_sure)
    elif pending is not None and (until is None or not until.is_surely_over(pending.made_at)):
        yield Breach("demand.undecided")


def _owed(scene: Scene) -> Quote:
    """Return the security for heads that were delivered: by the tier of their impounding."""
    standing = [_standing(one) for one in scene.heads]
    made = security(scene.case, scene.now, standing)
    return Quote(scene.party, made.lines, made.missing)


def _standing(head: HeadState) -> HeadState:
    return replace(head, became=None, left_at=None)


def _demanded(scene: Scene) -> Effect:
    return Effect(_owed(scene).lines)


def _deposits(scene: Scene) -> Iterator[Breach]:
    yield from _is_delivered(scene)
    total, paid = _owed(scene).total_paise, whole(scene.data, "paid_paise") or 0
    if total is None:
        yield Breach("schedule.missing")
    elif paid > total:
        yield Breach("sum.over")
    elif paid < total:
        yield Breach("release.security")
    if text(scene.data, "declaration") != "signed":
        yield Breach("release.declaration")


def _deposited(scene: Scene) -> Effect:
    lines = _owed(scene).lines
    paid = whole(scene.data, "paid_paise") or 0
    moves, unpaid = pay(scene.profile, lines, Payment(scene.party, paid))
    return Effect(lines, moves, deficit_paise=unpaid)


def _seizes_again(scene: Scene) -> Iterator[Breach]:
    """Only heads whose owner was asked and did not declare and deposit. Gujarat s. 185(3)."""
    known = {one.id: one for one in scene.case.heads}
    for id in scene.act.heads:
        before = scene.latest.heads.get(known[id].previous or "") if id in known else None
        if before is None or before.became != ON_DEPOSIT:
            yield Breach("head.unknown")
            return
        asked = [one for one in scene.now.done("demand_security") if before.id in one.heads]
        if before.is_followed_up or not asked:
            yield Breach("re_seize.demanded")
    if not scene.act.heads:
        yield Breach("head.none")


def _meant(scene: Scene) -> tuple[Holding, ...]:
    named = texts(scene.data, "security")
    held = [one for one in securities(scene.now) if one.open_paise > 0]
    return tuple(
        one
        for one in held
        if (named is None or any(map(one.is_called, named)))
        and scene.act.party in (None, one.party)
    )


def _again(scene: Scene, one: Holding) -> tuple[Impounding, ...]:
    """Return the impoundings of the same owner's cattle while the security stood."""
    until = security_until(scene.case, one.since)
    end = scene.at if until is None else min(scene.at, last_instant(until.certain))
    return tuple(
        other for other in scene.case.impoundings
        if other.owner in one.owners and one.since <= other.at <= end
    )  # fmt: skip


def _forfeitable(scene: Scene, one: Holding) -> tuple[Impounding, ...]:
    return tuple(other for other in _again(scene, one) if other.legality != ILLEGAL)


def _was_forfeited(one: Holding) -> bool:
    return one.open_paise < one.paise


def _refunds(scene: Scene) -> Iterator[Breach]:
    held = _meant(scene)
    if not held:
        yield Breach("security.none")
    for one in held:
        until = security_until(scene.case, one.since)
        if until is not None and not until.is_over(scene.at):
            yield Breach("refund.six_months", until.opens_at, until.is_sure)
        if not truth(scene.data, "application"):
            yield Breach("refund.application")
        if _forfeitable(scene, one) and not _was_forfeited(one):
            yield Breach("refund.impounded")


def _refunded(scene: Scene) -> Effect:
    held = _meant(scene)
    moves = tuple(Move(DEPOSIT, one.open_paise, HELD_SECURITY, PAYER, one.party) for one in held)
    of: dict[str, JSON] = {one.id: one.open_paise for one in held}
    lines = tuple(Line(DEPOSIT, one.paise, rupees(one.paise)) for one in moves)
    return Effect(lines, moves, data={"of": of})


def _forfeits(scene: Scene) -> Iterator[Breach]:
    held = _meant(scene)
    if not held:
        yield Breach("security.none")
    for one in held:
        again = _again(scene, one)
        lawful = [other for other in again if other.legality != ILLEGAL]
        if again and not lawful:
            yield Breach("forfeit.illegal")
        elif not again:
            yield Breach("forfeit.impounded")
        elif all(other.legality == "disputed" for other in lawful):
            yield Breach("forfeit.undecided")
        if _part(scene, one) is None:
            yield Breach("forfeit.rules")
        if _was_forfeited(one):
            yield Breach("security.forfeited")


def _part(scene: Scene, one: Holding) -> int | None:
    """Return the percentage that the rules of the State let forfeit, by its scale."""
    entries = scene.case.register.in_force(
        SECURITY, day_of(one.since), area=scene.case.seizure.village
    )
    return next(
        (each.forfeit_percent for each in entries if each.forfeit_percent is not None), None
    )


def _forfeited(scene: Scene) -> Effect:
    of: dict[str, JSON] = {}
    moves: list[Move] = []
    for one in _meant(scene):
        paise = min(one.open_paise, percent_of(one.paise, _part(scene, one) or 0))
        of[one.id] = paise
        if paise:
            how = f"{_part(scene, one)} % * {rupees(one.paise)}"
            moves.append(Move(DEPOSIT, paise, HELD_SECURITY, STATE, one.party, how))
    lines = tuple(Line("forfeited", one.paise, one.how) for one in moves)
    return Effect(lines, tuple(moves), data={"of": of})


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "demand_security": Rule(
            heads="given", check=_demands, effect=_demanded, pick=delivered, needs_party=True
        ),
        "deposit_security": Rule(
            heads="given", check=_deposits, effect=_deposited, pick=delivered, needs_party=True
        ),
        "re_seize": Rule(check=_seizes_again),
        "refund_security": Rule(check=_refunds, effect=_refunded),
        "forfeit_security": Rule(check=_forfeits, effect=_forfeited),
    }
)
