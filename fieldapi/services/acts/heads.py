"""What befalls a head: born, died, escaped, rescued, handed over by order, or never there."""

from __future__ import annotations

from dataclasses import replace

from fieldapi.problems import InvalidBody
from fieldapi.services.acts.kinds import COUNTER, FIELD, OFFICE, ActBody, ActKind, Scene
from fieldapi.services.acts.opening import add_heads
from fieldapi.services.acts.people import somebody


def _born(scene: Scene, body: ActBody) -> ActBody:
    """Add the young: of the kind that `pick` names, else calves."""
    kinds = [kind for kind, n in body.pick for _ in range(n)] or ["calf"]
    at = body.happened_at or scene.unit.now
    mother = body.data.get("mother")
    if mother is not None and mother not in scene.custody:
        raise InvalidBody(errors={"mother": ["This head is not in this case."]})
    rows = add_heads(scene, kinds, origin="born")
    for row in rows:
        row.started_at = at
    return replace(body, custody=tuple(row.id for row in rows), pick=())


def _corrected(scene: Scene, body: ActBody) -> ActBody:
    """Take out heads that never were (`remove`), add heads that were missed (`pick`)."""
    rows = add_heads(scene, [kind for kind, n in body.pick for _ in range(n)], origin="corrected")
    for row in rows:
        row.started_at = scene.file.opened_at
    removed = body.data.get("remove")
    heads = [str(one) for one in removed] if isinstance(removed, list) else []
    if not rows and not heads:
        raise InvalidBody(errors={"remove": ["Say which heads were never there."]})
    return replace(body, custody=tuple(heads), pick=())


ACTS = (
    ActKind("born", COUNTER, ("mother",), is_fact=True, prepare=_born, is_pick_new=True),
    ActKind("died", FIELD | COUNTER, ("cause", "vet_note"), is_fact=True),
    ActKind("escaped", FIELD | COUNTER, ("cause",), is_fact=True),
    ActKind("rescued", FIELD | COUNTER, ("by", "used_force"), is_fact=True, prepare=somebody),
    ActKind("transfer", OFFICE, ("order_no", "to")),
    ActKind("forfeit_cattle", OFFICE, ("order_no", "by")),
    ActKind(
        "correct_custody",
        OFFICE | {"pound_keeper"},
        ("remove",),
        prepare=_corrected,
        is_pick_new=True,
    ),
)
