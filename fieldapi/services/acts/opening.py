"""Opens the file of a case and locks it, so that acts on it follow one another.

Called by `performing`. The first act makes the file: what the statute says is pinned, and each head
that the report counts gets its row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.models import CaseFile, Custody
from fieldapi.models.bulk import insert_many
from fieldapi.models.insert import insert_once
from fieldapi.packs import Packs
from fieldapi.problems import NotFound
from fieldapi.queries import case_facts
from fieldapi.queries.case_facts import Facts
from fieldapi.services.acts.kinds import Scene
from fieldapi.services.authorise import Principal, keeps, may_see_seizure
from fieldapi.unit import Unit


def open_case(
    unit: Unit, principal: Principal, packs: Packs, seizure_id: str, *, is_arrival: bool = False
) -> Facts:
    """Return the facts of a case with its file locked. Raises `NotFound`, `Conflict`.

    `is_arrival`: cattle stand at the principal's pound, whichever pound they were sent to.
    """
    authority_id = principal.authority_id
    facts = case_facts.load(unit.session, packs, authority_id, seizure_id)
    if not is_arrival:
        require_visible(principal, facts)
    if facts.file is None:
        _make_file(unit, principal, facts)
    key = (authority_id, seizure_id)
    unit.session.get(CaseFile, key, with_for_update=True, populate_existing=True)
    unit.session.expire_all()
    return case_facts.load(unit.session, packs, authority_id, seizure_id)


def require_visible(principal: Principal, facts: Facts) -> None:
    """Raise `NotFound` unless the principal sees this case whole."""
    seizure, file = facts.seizure, facts.file
    is_seen = may_see_seizure(principal, author_id=seizure.author_id, pound_id=seizure.pound_id)
    is_kept = file is not None and principal.is_confirmed and keeps(principal, file.pound_id)
    if not (is_seen or is_kept):
        raise NotFound(sentence("There is no such case."))


def _make_file(unit: Unit, principal: Principal, facts: Facts) -> None:
    seizure, profile = facts.seizure, facts.case.profile
    values = {
        "authority_id": seizure.authority_id,
        "id": seizure.id,
        "pound_id": seizure.pound_id,
        "version": profile.version,
        "digest": profile.digest,
        "is_pinned": facts.is_pinned,
        "confirmations": json.dumps(sorted(profile.confirmations)),
        "state": "open",
        "acts": 0,
        "opened_at": unit.now,
        "closed_at": None,
    }
    if not insert_once(unit.session, CaseFile, values):
        return
    rows = [_row(unit, facts, one) for one in facts.drafts]
    insert_many(unit.session, Custody, rows)
    unit.enter(
        seizure.authority_id,
        "case.opened",
        subject=f"seizure/{seizure.id}",
        actor=principal.actor,
        version=profile.version,
        digest=profile.digest,
        heads=len(rows),
    )


def _row(unit: Unit, facts: Facts, one: case_facts.DraftHead) -> dict[str, object]:
    seizure = facts.seizure
    return {
        "authority_id": seizure.authority_id,
        "id": one.id,
        "seizure_id": seizure.id,
        "n": one.n,
        "kind": one.kind,
        "origin": "seized",
        "animal_id": one.animal_id,
        "intake_id": None,
        "owner_id": None,
        "kept_by_id": None,
        "pound_id": None,
        "previous_id": None,
        "started_at": seizure.seized_at or unit.now,
        "impounded_at": None,
    }


def add_heads(
    scene: Scene, kinds: Iterable[str], *, origin: str, previous: str | None = None
) -> list[Custody]:
    """Add heads to a case that is being acted on; the act stores them if the law takes it."""
    first = max((row.n for row in scene.custody.values()), default=0) + 1
    rows = [
        Custody(
            authority_id=scene.file.authority_id,
            id=new_id(),
            seizure_id=scene.file.id,
            n=n,
            kind=kind,
            origin=origin,
            previous_id=previous,
            started_at=scene.unit.now,
        )
        for n, kind in enumerate(kinds, first)
    ]
    scene.added += rows
    scene.custody.update({row.id: row for row in rows})
    return rows
