"""Acts on money that waits: surpluses claimed, proved, paid or credited, and what is remitted.

Sources: Gujarat s. 186(1); Kerala ss. 11(3), 16, 17; Karnataka ss. 10(2), 18.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from types import MappingProxyType

from fieldapi.law.clocks import Period, surplus_clock, surplus_until
from fieldapi.law.days import day_of, last_instant
from fieldapi.law.dues import Line, rupees
from fieldapi.law.facts import Done, Move
from fieldapi.law.holdings import Holding, surpluses
from fieldapi.law.money import HELD_BALANCE, HELD_SURPLUS, PAYER
from fieldapi.law.particulars import instant, table, text, texts, truth, whole
from fieldapi.law.register import PROOF_OFFICER
from fieldapi.law.scene import Breach, Effect, Rule, Scene
from sync.strict import JSON

PROVED = "proved"


def _open(scene: Scene) -> tuple[Holding, ...]:
    """Return the surpluses that the act means: those it names, or all that are held."""
    named = texts(scene.data, "surplus")
    held = [one for one in surpluses(scene.now) if one.open_paise > 0]
    return tuple(one for one in held if named is None or any(map(one.is_called, named)))


def _any(scene: Scene) -> Iterator[Breach]:
    if not _open(scene):
        yield Breach("surplus.none")


def _period(scene: Scene, one: Holding) -> Period | None:
    return surplus_until(scene.case, one.since, one.received_at)


def _is_proof(scene: Scene) -> bool:
    return scene.profile.value("surplus_test") == PROVED


def _pays(scene: Scene) -> Iterator[Breach]:
    yield from _any(scene)
    asks = _proves if _is_proof(scene) else _establishes
    for held in _open(scene):
        yield from asks(scene, held)


def _proves(scene: Scene, held: Holding) -> Iterator[Breach]:
    """Gujarat s. 186(1): proved within the days, to an officer whom the panchayat authorised."""
    officer, proved_at = _proof(scene, held)
    if proved_at is None:
        yield Breach("surplus.proof")
        return
    if not _is_authorised(scene, officer, proved_at):
        yield Breach("surplus.officer")
    yield from _in_time(scene, held, proved_at)


def _is_authorised(scene: Scene, officer: str | None, at: datetime) -> bool:
    appointed = scene.case.register.in_force(PROOF_OFFICER, day_of(at))
    return officer is not None and any(officer in one.names for one in appointed)


def _proof(scene: Scene, held: Holding) -> tuple[str | None, datetime | None]:
    given = table(scene.data, "proof")
    if given:
        return text(given, "officer"), instant(given, "accepted_at") or scene.at
    accepted = [one for one in _judged(scene, held) if _is_by(scene, one) and _is_accepted(one)]
    if not accepted:
        return None, None
    return text(accepted[-1].data, "officer"), accepted[-1].at


def _in_time(scene: Scene, held: Holding, at: datetime) -> Iterator[Breach]:
    """Late on every reading it is refused; late on a certain reading alone, doubtful."""
    until = _period(scene, held)
    if until is not None and until.is_over(at):
        yield Breach("surplus.late", is_sure=until.is_sure and until.is_surely_over(at))


def _establishes(scene: Scene, held: Holding) -> Iterator[Breach]:
    """Kerala s. 16(3): preferred in time, established whenever."""
    claims = [one.at for one in _claims(scene, held) if _is_by(scene, one)]
    yield from _in_time(scene, held, min(claims, default=scene.at))
    judged = [one for one in _judged(scene, held) if _is_by(scene, one)]
    if not truth(scene.data, "established") and not any(map(_is_accepted, judged)):
        yield Breach("surplus.established")


def _claims(scene: Scene, held: Holding) -> list[Done]:
    return [one for one in scene.now.done("claim_surplus") if _means(one, held)]


def _judged(scene: Scene, held: Holding) -> list[Done]:
    """Return what was last judged of each person's proof of this surplus."""
    last = {one.party: one for one in scene.now.done("judge_proof") if _means(one, held)}
    return list(last.values())


def _is_accepted(judged: Done) -> bool:
    return text(judged.data, "result") == "accepted"


def _is_by(scene: Scene, one: Done) -> bool:
    return scene.act.party is None or one.party in (None, scene.act.party)


def _goes_to(scene: Scene, target: str, line: str) -> Effect:
    held = _open(scene)
    of: dict[str, JSON] = {one.id: one.open_paise for one in held}
    moves = tuple(Move(line, one.open_paise, HELD_SURPLUS, target, one.party) for one in held)
    lines = tuple(Line(line, one.paise, rupees(one.paise)) for one in moves)
    return Effect(lines, moves, data={"of": of})


def _paid(scene: Scene) -> Effect:
    return _goes_to(scene, PAYER, "surplus")


def _credits(scene: Scene) -> Iterator[Breach]:
    yield from _any(scene)
    for one in _open(scene):
        until = _period(scene, one)
        if until is None:
            continue
        if not until.is_surely_over(scene.at):
            is_sure = until.is_sure and not until.is_over(scene.at)
            yield Breach("surplus.window", until.opens_at, is_sure)
        if not _is_proof(scene) and _is_undecided(scene, one, until):
            yield Breach("surplus.claimed")
        yield from _proved(scene, one, until)


def _proved(scene: Scene, held: Holding, until: Period) -> Iterator[Breach]:
    """Yield that a surplus is somebody's: proved in time, or claimed in time and established."""
    found = [_proved_at(scene, held, one) for one in _judged(scene, held) if _is_accepted(one)]
    at = min((one for one in found if one is not None), default=None)
    if at is not None and not until.is_surely_over(at):
        yield Breach("surplus.proved", is_sure=not until.is_over(at))


def _proved_at(scene: Scene, held: Holding, judged: Done) -> datetime | None:
    """Return what has to lie within the time: the proof before an authorised officer, or where
    a claim is enough for that, the first claim. None: nobody judged who may.
    """
    if not _is_proof(scene):
        return min((one.at for one in _claims(scene, held)), default=judged.at)
    return judged.at if _is_authorised(scene, text(judged.data, "officer"), judged.at) else None


def _means(one: Done, held: Holding) -> bool:
    """Say whether an act is about this surplus: by name, or because it names none."""
    named = texts(one.data, "surplus")
    return one.at >= held.since and (named is None or any(map(held.is_called, named)))


def _is_undecided(scene: Scene, held: Holding, until: Period) -> bool:
    """Say whether somebody claimed in time and no one has judged this claim since."""
    judged = _judged(scene, held)
    return any(
        not any(one.at >= claim.at and one.party in (None, claim.party) for one in judged)
        for claim in _claims(scene, held)
        if claim.at <= last_instant(until.latest)
    )


def _credited(scene: Scene) -> Effect:
    fund = scene.profile.value("surplus_to")
    return _goes_to(scene, fund if isinstance(fund, str) else "fund", "surplus")


def _balances(scene: Scene) -> list[tuple[str | None, int]]:
    """Return the balances that nobody has fetched, by person."""
    held = [one for one in scene.now.parties.items() if one[0][0] == HELD_BALANCE and one[1] > 0]
    return [(party, paise) for (_, party), paise in held]


def _taken(scene: Scene) -> Effect:
    """A balance that was not fetched becomes a surplus in deposit. Kerala s. 16(3)."""
    moves = [
        Move("surplus", paise, HELD_BALANCE, HELD_SURPLUS, party)
        for party, paise in _balances(scene)
    ]
    return Effect(moves=tuple(moves))


def _received(scene: Scene) -> Iterator[Breach]:
    if not _open(scene) and not _balances(scene):
        yield Breach("surplus.none")
    clock = surplus_clock(scene.profile)
    if clock is not None and clock.starts_at != "received_at":
        yield Breach("surplus.receipt")


def _remits(scene: Scene) -> Iterator[Breach]:
    """Fines go where the Act sends them, and nowhere else."""
    to, due = text(scene.data, "to"), _due(scene)
    if to is not None and to not in {one.target for one in scene.profile.charges}:
        yield Breach("remit.target")
    elif not due or (to is not None and f"due.{to}" not in due):
        yield Breach("sum.none")
    paise = whole(scene.data, "paise")
    if paise is not None and to is not None and paise > due.get(f"due.{to}", paise):
        yield Breach("sum.over")


def _due(scene: Scene) -> dict[str, int]:
    return {
        name: paise
        for name, paise in scene.now.accounts.items()
        if name.startswith("due.") and paise > 0
    }


def _remitted(scene: Scene) -> Effect:
    to, limit = text(scene.data, "to"), whole(scene.data, "paise")
    moves = tuple(
        Move("remittance", paise if limit is None else min(limit, paise), name, end)
        for name, paise in _due(scene).items()
        if (end := name.removeprefix("due.")) == to or to is None
    )
    return Effect(tuple(Line(one.target, one.paise, rupees(one.paise)) for one in moves), moves)


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "hold_surplus": Rule(check=_received, effect=_taken),
        "claim_surplus": Rule(check=_any, is_fact=True),
        "judge_proof": Rule(check=_any, is_fact=True),
        "pay_surplus": Rule(check=_pays, effect=_paid),
        "credit_surplus_to_fund": Rule(check=_credits, effect=_credited),
        "remit": Rule(check=_remits, effect=_remitted, after_close=True),
    }
)
