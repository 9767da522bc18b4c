"""On the way to the pound: sent off, let go at the spot, taken into the pound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from fieldapi import law
from fieldapi.domain.access import keeps
from fieldapi.domain.words import sentence
from fieldapi.models import Custody, Pound
from fieldapi.problems import InvalidBody, NotAllowed, NotFound
from fieldapi.services.acts.kinds import FIELD, KEEPER, ActBody, ActKind, Paper, Scene
from fieldapi.services.acts.opening import add_heads
from fieldapi.services.acts.right_pound import is_right_pound

_COUNTED = "counted"


def _pound_of(scene: Scene, body: ActBody) -> Pound:
    """Return the pound that the act names, or the one of the case. Raises `InvalidBody`."""
    pound_id = body.data.get("pound") or scene.file.pound_id
    if not isinstance(pound_id, str):
        raise InvalidBody(errors={"pound": [sentence("Say to which pound.")]})
    row = scene.unit.session.get(Pound, (scene.file.authority_id, pound_id))
    if row is None:
        raise NotFound(sentence("There is no such pound."))
    return row


def _to_pound(scene: Scene, body: ActBody) -> ActBody:
    pound = _pound_of(scene, body)
    return replace(body, data={**body.data, "pound": pound.id})


def _taken_in(scene: Scene, body: ActBody) -> ActBody:
    """Take as many heads of each kind as were counted, and add rows for more."""
    pound = _pound_of(scene, body)
    if not keeps(scene.principal, pound.id) and not scene.principal.has("decider", "admin"):
        raise NotAllowed(sentence("This pound is not yours to keep."), reason="pound")
    heads = body.custody or _counted(scene, body)
    at = body.happened_at or scene.unit.now
    for row in scene.added:
        row.started_at, row.intake_id = at, body.intake_id
    for head in heads:
        if body.intake_id is not None:
            scene.custody[head].intake_id = body.intake_id
    data = {**body.data, "pound": pound.id, "pound_area": pound.name}
    is_right = is_right_pound(scene, pound)
    if is_right is not None:
        data["is_right_pound"] = is_right
    return replace(body, custody=tuple(heads), data=data)


def _counted(scene: Scene, body: ActBody) -> list[str]:
    now = law.state(scene.case, scene.unit.now)
    free = [one for one in now.heads.values() if one.is_in_custody and one.impounded_at is None]
    counts = body.data.get("counts")
    if not isinstance(counts, list):
        return [one.id for one in free]
    found: list[str] = []
    for kind, count in _sums(counts).items():
        mine = [one.id for one in free if one.kind == kind][:count]
        more = add_heads(scene, [kind] * (count - len(mine)), origin=_COUNTED)
        found += [*mine, *(row.id for row in more)]
    return found


def _sums(counts: Sequence[object]) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in counts:
        if isinstance(one, dict):
            found[str(one["kind"])] += int(one["count"])
    return found


def is_on_the_way(head: law.HeadState) -> bool:
    """Say whether a head is held and not in a pound."""
    return head.is_in_custody and head.impounded_at is None


def rows_free_to_link(scene: Scene, counts: Sequence[object]) -> list[Custody] | None:
    """Return heads that an act without arrival took in, if they are all that was counted."""
    now = law.state(scene.case, scene.unit.now)
    found: list[Custody] = []
    for kind, count in _sums(counts).items():
        mine = [
            scene.custody[one.id]
            for one in now.heads.values()
            if one.kind == kind
            and one.impounded_at is not None
            and one.id in scene.custody
            and scene.custody[one.id].intake_id is None
        ]
        if len(mine) < count or any(
            one.kind == kind and is_on_the_way(one) for one in now.heads.values()
        ):
            return None
        found += mine[:count]
    return found


ACTS = (
    ActKind(
        "dispatch_to_pound",
        FIELD,
        ("pound", "by"),
        is_fact=True,
        prepare=_to_pound,
        pickable=is_on_the_way,
    ),
    ActKind("release_at_spot", FIELD, ("order_no", "by"), pickable=is_on_the_way),
    ActKind(
        "impound",
        KEEPER,
        ("pound", "counts", "by", "register_signature", "paper_serial"),
        prepare=_taken_in,
        pickable=is_on_the_way,
        papers=(Paper("register_entry", "register"), Paper("register_copy")),
    ),
)
