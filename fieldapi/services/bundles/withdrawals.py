"""Takes bundles out of the store that hold what was erased since: an erasure that stops at the door
of the store would be none. Their rows and hashes stay; a new one can be asked for.

Pending work (`pending.py`).
"""

from __future__ import annotations

import json

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from fieldapi.house import House
from fieldapi.jobs import Job
from fieldapi.models import Aid, Animal, Bundle, Erasure, Intake, Photo
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.storage.keys import bundle_key
from fieldapi.unit import Unit

_AT_ONCE = 20
_WHY = "values of this case were erased after it was made: ask for a new one"


def withdrawing(house: House) -> Job:
    """Return the job that withdraws bundles of cases in which somebody was erased."""

    def run(subject: str) -> None:
        authority_id, _, bundle_id = subject.partition("/")
        with house.database.read() as session:
            row = session.get_one(Bundle, (authority_id, bundle_id))
        # The file first: whatever fails after it is done again, and nobody is given it meanwhile.
        house.storage.delete(bundle_key(str(row.sha256)))
        house.database.transact(lambda unit: _withdraw(unit, authority_id, bundle_id))

    return Job("bundle withdrawals", _outdated, run)


def _outdated(session: Session) -> list[str]:
    is_later = (
        select(Erasure.id)
        .where(
            Erasure.authority_id == Bundle.authority_id,
            Erasure.at > Bundle.done_at,
            _is_of_case(),
        )
        .exists()
    )
    query = (
        select(Bundle.authority_id, Bundle.id)
        .where(Bundle.state == "ready", is_later)
        .order_by(Bundle.done_at)
        .limit(_AT_ONCE)
    )
    return [f"{authority_id}/{bundle_id}" for authority_id, bundle_id in session.execute(query)]


def _is_of_case() -> ColumnElement[bool]:
    children = [
        select(model.id)
        .where(
            model.authority_id == Bundle.authority_id,
            model.id == Erasure.record_id,
            model.seizure_id == Bundle.seizure_id,
        )
        .exists()
        for model in (Animal, Photo, Intake, Aid)
    ]
    return or_(Erasure.record_id == Bundle.seizure_id, *children)


def _withdraw(unit: Unit, authority_id: str, bundle_id: str) -> None:
    row = unit.session.get_one(Bundle, (authority_id, bundle_id))
    row.state = "failed"
    row.missing = json.dumps([{"what": f"bundle/{row.id}", "why": _WHY}])
    unit.enter(
        authority_id,
        "bundle.withdrawn",
        subject=f"bundle/{row.id}",
        actor=OPERATOR_ACTOR,
        sha256=str(row.sha256),
    )
