"""Acts on heads of cattle: on the way, in the pound, lost, given away by order, corrected."""

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from fieldapi.law.clocks import transit_deadline
from fieldapi.law.dues import Line, quote
from fieldapi.law.facts import Complaint, Move
from fieldapi.law.money import OWED_BY_SEIZER, OWED_TO_POUND, PAYER, target_of
from fieldapi.law.particulars import text, texts, whole
from fieldapi.law.scene import Breach, Effect, Rule, Scene
from fieldapi.law.state import UNDOABLE, HeadState, removed_by


def _identify(scene: Scene) -> Iterator[Breach]:
    if scene.act.party is None:
        yield Breach("party.missing")


def _impounded(scene: Scene) -> Effect:
    """The hours have passed, or another pound was meant: facts, told by flags; neither keeps cattle
    out.
    """
    deadline = transit_deadline(scene.profile, scene.case.seizure.at)
    is_late = deadline is not None and deadline.is_late(scene.at)
    late = deadline.clock.flag if deadline is not None and is_late else None
    wrong = "wrong_pound" if scene.data.get("is_right_pound") is False else None
    return Effect(flags=tuple(flag for flag in (late, wrong) if flag is not None))


def _ordered(scene: Scene) -> Iterator[Breach]:
    if text(scene.data, "order_no") is None:
        yield Breach("order.missing")


def _frees(scene: Scene) -> Iterator[Breach]:
    """While somebody complains, it is the order on the complaint that sets his cattle free."""
    yield from _ordered(scene)
    waiting = [one for one in scene.case.complaints if one.outcome is None]
    for head in scene.heads:
        if any(_is_about(one, head) for one in waiting):
            yield Breach("release.complaint")
            return


def _is_about(one: Complaint, head: HeadState) -> bool:
    return head.id in one.heads if one.heads else one.by in (None, head.owner, head.keeper)


def _released(scene: Scene) -> Effect:
    """Gujarat s. 188(3): of cattle that a Magistrate sets free, the seizer pays the fees."""
    if (text(scene.data, "fees_from") or "seizer") != "seizer":
        return Effect()
    lines: list[Line] = []
    moves: list[Move] = []
    for party in dict.fromkeys(one.liable for one in scene.heads):
        heads = [one.id for one in scene.heads if one.liable == party]
        owed = quote(scene.case, scene.now, party, heads, with_security=False)
        due = [one for one in owed.lines if one.paise > 0]
        lines.extend(due)
        moves.extend(
            Move(one.line, one.paise, OWED_BY_SEIZER, OWED_TO_POUND, None, one.how, one.section)
            for one in due
        )
    return Effect(tuple(lines), tuple(moves))


def _recovers(scene: Scene) -> Iterator[Breach]:
    owed, paid = _receivable(scene), whole(scene.data, "paid_paise") or 0
    if owed < 1:
        yield Breach("sum.none")
    elif paid < 1:
        yield Breach("sum.missing")
    elif paid > owed:
        yield Breach("sum.over")


def _receivable(scene: Scene) -> int:
    return scene.now.accounts.get(OWED_TO_POUND, 0)


def _recovered(scene: Scene) -> Effect:
    """The seizer pays: each line goes where it would have gone, and the receivable shrinks."""
    paid = min(whole(scene.data, "paid_paise") or 0, _receivable(scene))
    owed: Counter[str] = Counter()
    for one in scene.now.acts:
        for move in one.moves:
            if move.target == OWED_TO_POUND:
                owed[move.line] += move.paise
            elif move.source == OWED_TO_POUND:
                owed[move.line] -= move.paise
    moves: list[Move] = []
    for line, paise in owed.items():
        taken = min(paid, paise)
        paid -= taken
        if taken:
            moves.append(Move(line, taken, PAYER, target_of(scene.profile, line)))
            moves.append(Move(line, taken, OWED_TO_POUND, OWED_BY_SEIZER))
    return Effect(moves=tuple(moves))


def _born(scene: Scene) -> Iterator[Breach]:
    new = {one.id for one in scene.latest.heads.values() if one.impounded_at is None}
    born = {one.id for one in scene.case.heads if one.origin == "born"} & new
    if not scene.act.heads or not born.issuperset(scene.act.heads):
        yield Breach("head.unknown")


def _corrected(scene: Scene) -> Iterator[Breach]:
    for id in removed_by(scene.data, scene.act.heads):
        head = scene.latest.heads.get(id)
        if head is None:
            yield Breach("head.unknown")
        elif head.became is not None:
            yield Breach("head.gone")
    for id in texts(scene.data, "restore") or ():
        head = scene.latest.heads.get(id)
        if head is None:
            yield Breach("head.unknown")
        elif head.became not in UNDOABLE:
            yield Breach("head.final")


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "dispatch_to_pound": Rule(heads="way"),
        "identify": Rule(check=_identify, after_close=True),
        "impound": Rule(heads="way", effect=_impounded),
        "release_at_spot": Rule(heads="way"),
        "appear": Rule(is_fact=True, needs_party=True),
        "claim": Rule(is_fact=True, needs_party=True),
        "died": Rule(heads="custody", is_fact=True),
        "born": Rule(check=_born, is_fact=True),
        "escaped": Rule(heads="custody", is_fact=True),
        "rescued": Rule(heads="custody", is_fact=True),
        "transfer": Rule(heads="custody", check=_ordered),
        "forfeit_cattle": Rule(heads="custody", check=_ordered),
        "release_by_order": Rule(heads="custody", check=_frees, effect=_released),
        "recover_from_seizer": Rule(check=_recovers, effect=_recovered, after_close=True),
        "correct_custody": Rule(check=_corrected),
    }
)
