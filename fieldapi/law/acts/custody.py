"""Acts on heads of cattle: on the way, in the pound, lost, given away by order, corrected."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from fieldapi.law.clocks import transit_deadline
from fieldapi.law.particulars import text, texts
from fieldapi.law.scene import Breach, Effect, Rule, Scene


def _identify(scene: Scene) -> Iterator[Breach]:
    if scene.act.party is None:
        yield Breach("party.missing")


def _impounded(scene: Scene) -> Effect:
    """Twenty-four hours have passed: a fact, told by a flag; it never keeps cattle out."""
    deadline = transit_deadline(scene.profile, scene.case.seizure.at)
    is_late = deadline is not None and deadline.is_late(scene.at)
    flag = None if deadline is None else deadline.clock.flag
    return Effect(flags=(flag,) if is_late and flag is not None else ())


def _ordered(scene: Scene) -> Iterator[Breach]:
    if text(scene.data, "order_no") is None:
        yield Breach("order.missing")


def _born(scene: Scene) -> Iterator[Breach]:
    known = {one.id for one in scene.case.heads}
    if not scene.act.heads or not known.issuperset(scene.act.heads):
        yield Breach("head.unknown")


def _corrected(scene: Scene) -> Iterator[Breach]:
    removed = texts(scene.data, "remove") or scene.act.heads
    for id in removed:
        head = scene.latest.heads.get(id)
        if head is None:
            yield Breach("head.unknown")
        elif head.became is not None:
            yield Breach("head.gone")


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
        "release_by_order": Rule(heads="custody", check=_ordered),
        "correct_custody": Rule(check=_corrected),
    }
)
