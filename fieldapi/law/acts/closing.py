"""Acts on the case itself: stays, closing when nothing is left to do, reopening by order."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from fieldapi.law.acts.security import delivered
from fieldapi.law.dues import needs_security
from fieldapi.law.holdings import decision_on
from fieldapi.law.particulars import text
from fieldapi.law.scene import Breach, Rule, Scene


def _stays(scene: Scene) -> Iterator[Breach]:
    if text(scene.data, "order_no") is None:
        yield Breach("order.missing")


def _lifts(scene: Scene) -> Iterator[Breach]:
    if not scene.now.is_stayed:
        yield Breach("stay.none")


def _closes(scene: Scene) -> Iterator[Breach]:
    """Every head has gone its way, every paisa too, and nobody waits for a decision."""
    if scene.now.is_closed:
        yield Breach("case.closed")
    if scene.now.in_custody():
        yield Breach("case.heads")
    if scene.now.balance_paise:
        yield Breach("case.money")
    if any(one.outcome is None for one in scene.case.complaints):
        yield Breach("case.complaint")
    if _has_to_follow_up(scene):
        yield Breach("close.follow_up")


def _has_to_follow_up(scene: Scene) -> bool:
    """Heads delivered on deposit where security applies: the Act is not done with them."""
    if not needs_security(scene.case, scene.at):
        return False
    for head in delivered(replace(scene, act=replace(scene.act, party=None))):
        complaint = decision_on(scene.case.complaints, head.liable, head.id)
        if complaint is None or complaint.outcome != "illegal":
            return True
    return False


def _reopens(scene: Scene) -> Iterator[Breach]:
    if not scene.now.is_closed:
        yield Breach("case.open")
    yield from _stays(scene)


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "stay": Rule(check=_stays),
        "lift_stay": Rule(check=_lifts),
        "close": Rule(check=_closes),
        "reopen": Rule(check=_reopens, after_close=True),
    }
)
