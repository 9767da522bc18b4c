"""What befalls a head: born, died, escaped, rescued, handed over by order, or never there."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from fieldapi.domain.words import sentence
from fieldapi.models import Custody, Disposition
from fieldapi.models.bulk import among
from fieldapi.problems import InvalidBody
from fieldapi.queries.dispositions import standing
from fieldapi.services.acts.kinds import COUNTER, FIELD, OFFICE, ActBody, ActKind, Scene, refused
from fieldapi.services.acts.opening import add_heads
from fieldapi.services.acts.people import somebody


def _born(scene: Scene, body: ActBody) -> ActBody:
    """Add the young: of the kind that `pick` names, else calves."""
    kinds = [kind for kind, n in body.pick for _ in range(n)] or ["calf"]
    at = body.happened_at or scene.unit.now
    mother = body.data.get("mother")
    if mother is not None and mother not in scene.custody:
        raise InvalidBody(errors={"mother": [sentence("This head is not in this case.")]})
    rows = add_heads(scene, kinds, origin="born")
    for row in rows:
        row.started_at = at
    return replace(body, custody=tuple(row.id for row in rows), pick=())


def _corrected(scene: Scene, body: ActBody) -> ActBody:
    """Take out heads that never were (`remove`), add heads that were missed (`pick`), take back
    endings that never happened (`restore`).
    """
    rows = add_heads(scene, [kind for kind, n in body.pick for _ in range(n)], origin="corrected")
    for row in rows:
        row.started_at = scene.file.opened_at
    removed = body.data.get("remove")
    heads = [str(one) for one in removed] if isinstance(removed, list) else []
    restored = body.data.get("restore")
    if isinstance(restored, list) and restored:
        _require_no_heir(scene, [str(one) for one in restored])
    elif not rows and not heads:
        raise InvalidBody(errors={"remove": [sentence("Say which heads were never there.")]})
    return replace(body, custody=tuple(heads), pick=())


def _require_no_heir(scene: Scene, heads: Collection[str]) -> None:
    """A head that was seized again did leave: its rescue is not undone."""
    session = scene.unit.session
    query = select(Custody.id).where(
        Custody.authority_id == scene.file.authority_id,
        among(session, Custody.previous_id, heads),
    )
    if session.scalar(query.limit(1)) is not None:
        raise refused(HAS_HEIR)


def _recognised(scene: Scene, body: ActBody) -> ActBody:
    """Say that heads of this case are those that were lost to another: `previous`, in that case,
    for `custody`, here, one by one; without `custody`, the first of each kind.
    """
    named = body.data.get("previous")
    wanted = [str(one) for one in named] if isinstance(named, list) else []
    lost = _lost(scene, wanted)
    if not wanted or set(lost) != set(wanted):
        raise InvalidBody(
            errors={"previous": [sentence("This head was not lost to another case.")]}
        )
    heads = list(body.custody) or _first_of_kinds(scene, [lost[one] for one in wanted])
    pairs = list(zip(wanted, heads, strict=False))
    is_alike = all(_kind(scene, head) == lost[one] for one, head in pairs)
    if len(heads) != len(wanted) or not is_alike:
        raise InvalidBody(errors={"custody": [sentence("Name as many heads of the same kinds.")]})
    for one, head in pairs:
        scene.custody[head].previous_id = one
    try:
        scene.unit.session.flush()
    except IntegrityError as exc:
        raise refused(TAKEN) from exc
    return replace(body, custody=tuple(heads))


def _kind(scene: Scene, head: str) -> str | None:
    row = scene.custody.get(head)
    return None if row is None else row.kind


def _lost(scene: Scene, heads: Collection[str]) -> dict[str, str]:
    """Return the kinds of those heads of other cases that were rescued or escaped, by id."""
    session = scene.unit.session
    query = (
        standing(scene.file.authority_id)
        .where(
            among(session, Custody.id, heads),
            Custody.seizure_id != scene.file.id,
            Disposition.became.in_(("rescued", "escaped")),
        )
        .with_only_columns(Custody.id, Custody.kind)
    )
    return {row.id: row.kind for row in session.execute(query)}


def _first_of_kinds(scene: Scene, kinds: Iterable[str]) -> list[str]:
    free = [row for row in scene.custody.values() if row.previous_id is None]
    found: list[str] = []
    for kind in kinds:
        fit = [row.id for row in free if row.kind == kind and row.id not in found]
        found += fit[:1]
    return found


HAS_HEIR = sentence("This head was seized again after it left.")
TAKEN = sentence("One of these heads was seized again in another case already.")

ACTS = (
    ActKind(
        "recognise",
        FIELD | COUNTER,
        ("previous",),
        is_judged=False,
        prepare=_recognised,
    ),
    ActKind("born", COUNTER, ("mother",), is_fact=True, prepare=_born, is_pick_new=True),
    ActKind("died", FIELD | COUNTER, ("cause", "vet_note"), is_fact=True),
    ActKind("escaped", FIELD | COUNTER, ("cause",), is_fact=True),
    ActKind("rescued", FIELD | COUNTER, ("by", "used_force"), is_fact=True, prepare=somebody),
    ActKind("transfer", OFFICE, ("order_no", "to")),
    ActKind("forfeit_cattle", OFFICE, ("order_no", "by")),
    ActKind(
        "correct_custody",
        OFFICE | {"pound_keeper"},
        ("remove", "restore"),
        prepare=_corrected,
        is_pick_new=True,
    ),
)
