"""Receiving cattle at the counter: the keeper counts each kind again; both counts are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flask import Response, redirect, request
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.clock import parse_instant
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.register import typed
from fieldapi.console.register.home import pound_of
from fieldapi.console.sign_in import FORM
from fieldapi.domain.access import Principal
from fieldapi.domain.words import sentence
from fieldapi.ids import is_id, new_id
from fieldapi.problems import BadRequest, IdReuse, InvalidBody, NotFound
from fieldapi.queries import counter
from fieldapi.queries.counter import Expected
from fieldapi.services import records
from fieldapi.services.acts import arrivals
from fieldapi.services.ops.scene import scene_of
from fieldapi.unit import Unit
from sync.wire import JSON

_NOBODY_COUNTED = sentence("Write how many heads came, kind by kind.")
_SENT = sentence("This form was sent before with other content. Start again.")
_TOO_EARLY = sentence("The cattle cannot have come before they were seized.")
_TOO_LATE = sentence("This has not happened yet.")
_MORE_KINDS = 2
_TEXTS = ("brought_by", "condition", "remarks")


@dataclass(slots=True)
class Count:
    """The count of an arrival as it is typed. `rows`: kind, label, what the report says, typed."""

    id: str
    rows: list[tuple[str, str, int, str]]
    more: list[tuple[str, str]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    received_at: str = ""
    faults: dict[str, str] = field(default_factory=dict)
    differs: list[str] = field(default_factory=list)


@blp.get("/pound/<pound_id>/receive")
@session("intake.report")
def receive(pound_id: str) -> Response:
    """List what is on the way, to be chosen. `q`: a reference."""
    who, text = door.principal(), request.args.get("q", "").strip()[:100]
    with house().database.read() as database:
        at = pound_of(database, who, pound_id)
        coming = counter.expected(database, who.authority_id, pound_id)
        head = reader(database, who)
    shown = [one for one in coming if text.lower() in one.reference.lower()]
    return page("register/receive.html", reader=head, pound=at, coming=shown, q=text)


@blp.get("/pound/<pound_id>/receive/<seizure_id>")
@session("intake.report")
def count(pound_id: str, seizure_id: str) -> Response | Redirect:
    """Show the form in which the cattle of a report are counted in; the case, if they were."""
    return _counted_in(pound_id, seizure_id) or _page(pound_id, seizure_id)


@blp.post("/pound/<pound_id>/receive/<seizure_id>")
@session("intake.report")
@takes(FORM)
def count_in(pound_id: str, seizure_id: str) -> Response | Redirect:
    """Count the cattle in; where the count differs from the report, ask once more."""
    who, there = door.principal(), _counted_in(pound_id, seizure_id)
    if there is not None:
        return there
    with house().database.read() as database:
        pound_of(database, who, pound_id)
        report = _expected(database, who, pound_id, seizure_id)
    counted = _typed(report)
    body = _body(counted, pound_id, seizure_id)
    _require_after(counted, body, report)
    if counted.faults:
        return _page(pound_id, seizure_id, counted=counted, status=422)
    if counted.differs and request.form.get("step") != "both":
        return _page(pound_id, seizure_id, counted=counted, asks=True)
    try:
        _store(who, body)
    except InvalidBody as exc:
        counted.faults |= {
            path.split(".")[0]: " ".join(map(words().gettext, said))
            for path, said in exc.errors.items()
        }
        return _page(pound_id, seizure_id, counted=counted, status=422)
    except IdReuse:
        counted.faults["counts"] = words().gettext(_SENT)
        return _page(pound_id, seizure_id, counted=counted, status=409)
    door.keep_note("received")
    return redirect(f"/console/cases/{seizure_id}/acts", 303)


def _counted_in(pound_id: str, seizure_id: str) -> Redirect | None:
    """Return the way to the case if its cattle stand in this pound: a form was sent twice, or
    somebody else was quicker. Raises `NotFound` for a pound of others.
    """
    who = door.principal()
    with house().database.read() as database:
        pound_of(database, who, pound_id)
        is_there = counter.came_to(database, who.authority_id, pound_id, seizure_id)
    if not is_there:
        return None
    door.keep_note("in-already")
    return redirect(f"/console/cases/{seizure_id}/acts", 303)


def _store(who: Principal, body: Mapping[str, JSON]) -> None:
    """Store the arrival and take it into the register, as the API does."""
    packs = house().packs

    def work(unit: Unit) -> None:
        scene = scene_of(unit, packs, who.authority_id)
        made = records.create(unit, who, scene, "intake", body=body, prepare=lambda change: change)
        unit.session.flush()
        arrivals.take_in(unit, packs, who.authority_id, made.record_id)

    house().database.transact(work)


def _expected(database: Session, who: Principal, pound_id: str, seizure_id: str) -> Expected:
    coming = counter.expected(database, who.authority_id, pound_id, most=500)
    found = next((one for one in coming if one.id == seizure_id), None)
    if found is None:
        raise NotFound("No cattle of this report are on the way to this pound.")
    return found


def _page(
    pound_id: str,
    seizure_id: str,
    *,
    counted: Count | None = None,
    asks: bool = False,
    status: int = 200,
) -> Response:
    who = door.principal()
    with house().database.read() as database:
        at = pound_of(database, who, pound_id)
        report = _expected(database, who, pound_id, seizure_id)
        head = reader(database, who)
    speech = words()
    if counted is None:
        counted = Count(new_id(), _rows(report))
        counted.received_at = typed.as_local(house().database.clock())
    kinds = [(code, speech.kind(code, 2)) for code in house().packs.kinds]
    return page(
        "register/count.html",
        status=status,
        reader=head,
        pound=at,
        report=report,
        counted=counted,
        kinds=kinds,
        asks=asks,
        more=range(_MORE_KINDS),
    )


def _rows(report: Expected) -> list[tuple[str, str, int, str]]:
    return [(kind, words().kind(kind, 2), n, "") for kind, n in report.herd.items()]


def _typed(report: Expected) -> Count:
    form = request.form
    given = form.get("id")
    if not is_id(given):
        raise BadRequest("This form is not one of these pages.")
    rows = [
        (kind, label, said, form.get(f"count.{kind}", "").strip())
        for kind, label, said, _ in _rows(report)
    ]
    counted = Count(str(given), rows)
    counted.more = [
        (form.get(f"kind.{n}", ""), form.get(f"more.{n}", "").strip()) for n in range(_MORE_KINDS)
    ]
    counted.texts = {name: form.get(name, "").replace("\r\n", "\n").strip() for name in _TEXTS}
    counted.received_at = form.get("received_at", "").strip()
    return counted


def _body(counted: Count, pound_id: str, seizure_id: str) -> dict[str, JSON]:
    """Return the body of an arrival; what cannot be understood is noted in the count."""
    speech, found = words(), dict[str, int]()
    for kind, label, said, text in counted.rows:
        _add(counted, found, kind, text, name=f"count.{kind}")
        if found.get(kind, 0) != said:
            here, there = speech.number(found.get(kind, 0)), speech.number(said)
            told = speech.gettext(
                "{kind}: the report says {there}, you counted {here}.",
                kind=label.capitalize(),
                there=there,
                here=here,
            )
            counted.differs.append(told)
    for n, (kind, text) in enumerate(counted.more):
        if kind in house().packs.kinds and text:
            _add(counted, found, kind, text, name=f"more.{n}")
            counted.differs.append(
                speech.gettext("{kind}: not in the report.", kind=speech.kind(kind, 2).capitalize())
            )
    if not any(found.values()) and not counted.faults:
        counted.faults["counts"] = speech.gettext(_NOBODY_COUNTED)
    body: dict[str, JSON] = {
        "id": counted.id,
        "seizure_id": seizure_id,
        "pound_id": pound_id,
        "counts": [{"kind": kind, "count": n} for kind, n in found.items()],
        **{name: text for name, text in counted.texts.items() if text},
    }
    try:
        body["received_at"] = typed.moment(counted.received_at)
    except typed.Mistyped as exc:
        counted.faults["received_at"] = speech.gettext(str(exc))
    return body


def _require_after(counted: Count, body: Mapping[str, JSON], report: Expected) -> None:
    """Note a moment of arrival that cannot be."""
    if "received_at" not in body:
        return
    came = parse_instant(str(body["received_at"]))
    # The field shows minutes: what was seized in this very minute may have come in it.
    if came < report.seized_at.replace(second=0, microsecond=0):
        counted.faults["received_at"] = words().gettext(_TOO_EARLY)
    if came > house().database.clock():
        counted.faults["received_at"] = words().gettext(_TOO_LATE)


def _add(counted: Count, found: dict[str, int], kind: str, text: str, *, name: str) -> None:
    """Add a count that was typed; an empty one is none of this kind."""
    try:
        found[kind] = found.get(kind, 0) + (typed.whole(text) if text else 0)
    except typed.Mistyped as exc:
        counted.faults[name] = words().gettext(str(exc))
