"""Court bundles: asked for by a person, made as pending work, kept under their hash, counted.

Called by api, console and command line. The file itself is made by `making`; what stands in
a bundle does not depend on who asked or how often: that is in its covering letter.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import structlog
from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from fieldapi.domain.access import Principal, require
from fieldapi.domain.redactions import REDACTIONS
from fieldapi.house import House
from fieldapi.jobs import Job
from fieldapi.ledger import Detail
from fieldapi.models import Bundle, BundleWork, Complaint, JobFailure, Seizure
from fieldapi.models.insert import insert_into
from fieldapi.problems import InvalidBody, NotFound
from fieldapi.services.bundles import making
from fieldapi.services.bundles.content import Draw, Wanted
from fieldapi.services.bundles.making import LostOriginal, Made, NotYet, Refused
from fieldapi.services.photos import damage
from fieldapi.storage import StorageDenied, StorageUnavailable
from fieldapi.unit import Database, Unit

log = structlog.get_logger(__name__)

NAME = "bundles"
REFUSE, NAMED = "refuse", "name"
_AT_ONCE = 20
# After so many tries, some minutes, whoever asked is told: another one can be asked for.
_TRIES = 8


@dataclass(frozen=True, slots=True)
class NewBundle:
    """What is asked for. `redact`: codes of `REDACTIONS`. `missing`: `refuse` makes none while a
    photo is not there, `name` names it in the bundle.
    """

    id: str
    seizure_id: str
    complaint_id: str | None = None
    redact: Sequence[str] = ()
    missing: str = REFUSE


def ask(unit: Unit, principal: Principal, new: NewBundle) -> Bundle:
    """Note that a bundle is wanted; a job makes it. Raises `NotAllowed`, `NotFound`,
    `InvalidBody`.
    """
    require(principal, "bundle.make")
    _check(new)
    at = principal.authority_id
    # Locked, so that the submissions of a case are counted one by one.
    query = select(Seizure).where(Seizure.authority_id == at, Seizure.id == new.seizure_id)
    seizure = unit.session.scalar(query.with_for_update())
    if seizure is None or not seizure.heads:
        raise NotFound("There is no such case.")
    _require_complaint(unit.session, at, new)
    row = _row(unit, principal, new, number=_submissions(unit.session, at, new.seizure_id) + 1)
    unit.session.add(row)
    unit.enter(
        at,
        "bundle.asked",
        subject=f"bundle/{row.id}",
        actor=principal.actor,
        seizure=row.seizure_id,
        number=row.number,
        redact=sorted(set(new.redact)),
    )
    return row


def _require_complaint(session: Session, authority_id: str, new: NewBundle) -> None:
    """Raise `NotFound` for a complaint that is none about this case. All of them go in anyway."""
    if new.complaint_id is None:
        return
    found = session.get(Complaint, (authority_id, new.complaint_id))
    if found is None or found.seizure_id != new.seizure_id:
        raise NotFound("There is no such complaint about this case.")


def _check(new: NewBundle) -> None:
    unknown = sorted(set(new.redact) - set(REDACTIONS))
    if unknown:
        listed = ", ".join(REDACTIONS)
        raise InvalidBody(errors={"redact": [f"Not one of {listed}: {', '.join(unknown)}."]})
    if new.missing not in {REFUSE, NAMED}:
        raise InvalidBody(errors={"missing": ["Write refuse or name."]})


def _submissions(session: Session, authority_id: str, seizure_id: str) -> int:
    query = select(func.max(Bundle.number)).where(
        Bundle.authority_id == authority_id, Bundle.seizure_id == seizure_id
    )
    return session.scalar(query) or 0


def _row(unit: Unit, principal: Principal, new: NewBundle, *, number: int) -> Bundle:
    return Bundle(
        authority_id=principal.authority_id,
        id=new.id,
        seizure_id=new.seizure_id,
        complaint_id=new.complaint_id,
        number=number,
        redact=json.dumps(sorted(set(new.redact))),
        names_missing=new.missing == NAMED,
        person_id=principal.person_id,
        actor=principal.actor,
        asked_at=unit.now,
        state="building",
        missing="[]",
        contents="{}",
    )


def building(house: House, draw: Draw) -> Job:
    """Return the job that makes bundles; `draw` makes their papers."""

    def run(subject: str) -> None:
        authority_id, _, bundle_id = subject.partition("/")
        try:
            build(house, authority_id, bundle_id, draw=draw)
        except (NotYet, StorageUnavailable, StorageDenied):
            raise
        except Exception as error:
            if not _is_last(house, subject):
                raise
            log.exception("bundle_failed", subject=subject)
            refused = Refused([{"what": f"bundle/{bundle_id}", "why": _why(error)}])
            house.database.transact(lambda unit: _end(unit, authority_id, bundle_id, refused))

    return Job(NAME, _asked, run, lot=1)


def _is_last(house: House, subject: str) -> bool:
    with house.database.read() as session:
        row = session.get(JobFailure, (NAME, subject))
    return row is not None and row.tries + 1 >= _TRIES


def _why(error: Exception) -> str:
    """Return why a bundle could not be made: the class alone, for a message may quote the data."""
    return f"it could not be made, {_TRIES} times over ({type(error).__qualname__})"


def _asked(session: Session) -> list[str]:
    """Return what is to be made: those first that failed least often, so that none holds up all."""
    subject = Bundle.authority_id + "/" + Bundle.id
    is_its = and_(JobFailure.job == NAME, JobFailure.subject == subject)
    query = (
        select(Bundle.authority_id, Bundle.id)
        .outerjoin(JobFailure, is_its)
        .where(Bundle.state == "building")
        .order_by(func.coalesce(JobFailure.tries, 0), Bundle.asked_at, Bundle.id)
        .limit(_AT_ONCE)
    )
    return [f"{authority_id}/{bundle_id}" for authority_id, bundle_id in session.execute(query)]


def build(house: House, authority_id: str, bundle_id: str, *, draw: Draw) -> None:
    """Make one bundle and note what came of it. Raises `NotYet` while photos are looked at."""
    with house.database.read() as session:
        row = session.get(Bundle, (authority_id, bundle_id))
    if row is None or row.state != "building":
        return
    wanted = Wanted(
        authority_id,
        row.seizure_id,
        redact=tuple(json.loads(row.redact)),
        names_missing=row.names_missing,
    )

    def progress(done: int, total: int) -> None:
        house.database.transact(lambda unit: _note(unit, row, done, total))

    made = _made(house, partial(making.make, house, wanted, draw=draw, progress=progress))
    house.database.transact(lambda unit: _end(unit, authority_id, bundle_id, made))


def _made(house: House, make: Callable[[], Made | Refused]) -> Made | Refused:
    """Make a bundle; each photo that turns out to be lost is noted, and is missing from then on."""
    while True:
        try:
            return make()
        except LostOriginal as lost:
            damage.note_damaged(house, lost.sha256, is_missing=lost.is_missing)


def _note(unit: Unit, row: Bundle, done: int, total: int) -> None:
    values = {"authority_id": row.authority_id, "id": row.id, "done": done, "total": total}
    insert = insert_into(unit.session, BundleWork).values(values)
    key = [BundleWork.authority_id, BundleWork.id]
    changed = {"done": done, "total": total}
    unit.session.execute(insert.on_conflict_do_update(index_elements=key, set_=changed))


def _end(unit: Unit, authority_id: str, bundle_id: str, made: Made | Refused) -> None:
    """Write down a bundle that is made, or the reason why there is none."""
    row = unit.session.get_one(Bundle, (authority_id, bundle_id))
    row.missing = json.dumps(made.missing)
    row.done_at = unit.now
    if isinstance(made, Refused):
        row.state = "failed"
        kind = "bundle.failed"
        said: dict[str, Detail] = {"missing": [one["what"] for one in made.missing]}
    else:
        row.state, row.cut, row.root = "ready", made.cut, made.root
        row.done_at = made.read_at or unit.now
        row.sha256, row.size = made.sha256, made.size
        row.contents = json.dumps(made.contents)
        kind = "bundle.built"
        said = {"sha256": made.sha256, "cut": made.cut, "root": made.root}
    subject = f"bundle/{row.id}"
    unit.enter(authority_id, kind, subject=subject, actor=row.actor, op=None, moves=False, **said)


def note_read(database: Database, principal: Principal, bundle_id: str) -> None:
    """Enter that somebody took a bundle out: whoever gives the file calls it first."""
    database.transact(
        lambda unit: unit.enter(
            principal.authority_id,
            "bundle.read",
            subject=f"bundle/{bundle_id}",
            actor=principal.actor,
        )
    )
