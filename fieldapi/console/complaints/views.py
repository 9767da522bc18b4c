"""The pages of complaints: the list, taking one in, one complaint beside the record, its acts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Response, redirect, request
from sqlalchemy import select
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.complaints import typed
from fieldapi.console.complaints.draft import DRAFTED, order_text
from fieldapi.console.complaints.told import Telling
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.register.acts import done_of
from fieldapi.console.register.papers import sheet_html
from fieldapi.console.sign_in import FORM
from fieldapi.console.standing import standing
from fieldapi.console.values import Values
from fieldapi.domain import complaint_labels as labels
from fieldapi.ids import is_id, new_id
from fieldapi.models import Party
from fieldapi.problems import (
    ActNeedsReason,
    ActNotAllowed,
    BadRequest,
    Conflict,
    IdReuse,
    InvalidBody,
    NotAllowed,
    NotFound,
)
from fieldapi.queries import case_views, cases, complaint_receipts, complaints, seizures
from fieldapi.queries.pages import Turn
from fieldapi.services import complaints as service
from fieldapi.services import parties
from fieldapi.services.complaints import NewComplaint
from fieldapi.services.ops.scene import scene_at
from fieldapi.services.parties import NewParty
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit

LIST = "/console/complaints"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a form came back. `kind`: `invalid`, `no`, `reason`, `part`, `second`, `stale`; `says`:
    a sentence of the law; `names`: fields.
    """

    kind: str
    at: str = ""
    says: str = ""
    names: tuple[str, ...] = ()


@blp.get("/complaints")
@session("complaint.read")
def complaints_list() -> Response:
    """List the complaints, the newest last."""
    who, keys = door.principal(), house().keys
    with house().database.read() as database:
        turn = Turn(keys, who.actor, after=request.args.get("after"))
        try:
            found = complaints.page_of(database, who.authority_id, turn)
        except BadRequest:
            found = complaints.page_of(database, who.authority_id, Turn(keys, who.actor))
        names = _names(database, {one["by"] for one in found.items})
        references = _references(database, [one["case"] for one in found.items])
        head = reader(database, who)
    return page(
        "complaints.html",
        reader=head,
        complaints=found.items,
        next=found.next,
        names=names,
        references=references,
        labels=labels,
    )


@blp.get("/cases/<seizure_id>/complaint")
@session("complaint.take")
def new_complaint(seizure_id: str) -> Response:
    """Show the form of a complaint about one seizure. Raises `NotFound`."""
    return _new(seizure_id, typed.intake({}))


@blp.post("/cases/<seizure_id>/complaint")
@session("complaint.take")
@takes(FORM)
def take_complaint(seizure_id: str) -> Response | Redirect:
    """Take a complaint in; whoever complains is entered in the register if new."""
    given, made = typed.intake(request.form), request.form.get("id", "")
    if not is_id(made):
        raise BadRequest("This form is not one of these pages.")
    fault = _fault_of(given)
    if fault is not None:
        return _new(seizure_id, given, fault=fault)
    who, packs = door.principal(), house().packs

    sent = RequestId("complaint", made, {"id": made, "case": seizure_id, **given.sent()})

    def work(unit: Unit) -> None:
        # A form that is sent twice, by a second click or a page that is loaded again, counts once.
        if bind(unit, who, sent, current=lambda: made):
            service.add(unit, who, packs, _complaint(unit, seizure_id, made, given))

    try:
        house().database.transact(work)
    except InvalidBody as exc:
        names = tuple("made_on" if one == "made_at" else one for one in exc.errors)
        return _new(seizure_id, given, fault=Fault("invalid", names=names))
    door.keep_note("complaint-taken")
    return redirect(f"{LIST}/{made}", 303)


def _complaint(unit: Unit, seizure_id: str, made: str, given: typed.Intake) -> NewComplaint:
    """Return the complaint that was typed; who is not known yet is entered in the register."""
    known = partial(_somebody, unit)
    return NewComplaint(
        made,
        seizure_id,
        given.party or known(given.name, given.residence),
        given.text,
        agent=known(given.agent) if given.agent else None,
        is_acquainted=given.is_acquainted,
        is_verbal=given.is_verbal,
        taken_down_by=given.taken_down_by or None,
        made_at=typed.start_of(given.made_on),
        against=[(known(given.against), given.part)] if given.against else [],
        allegations=given.allegations,
    )


def _somebody(unit: Unit, name: str, residence: str = "") -> str:
    new = NewParty(name, residence=residence or None)
    return parties.add(unit, door.principal(), new).id


def _fault_of(given: typed.Intake) -> Fault | None:
    needed = (("name", given.party or given.name), ("text", given.text))
    missing = [name for name, said in needed if not said]
    if given.is_verbal and not given.taken_down_by:
        missing.append("taken_down_by")
    if not typed.is_day(given.made_on):
        missing.append("made_on")
    return Fault("invalid", names=tuple(missing)) if missing else None


def _new(seizure_id: str, given: typed.Intake, *, fault: Fault | None = None) -> Response:
    who = door.principal()
    with house().database.read() as database:
        report: dict[str, Any] = seizures.one(database, who, seizure_id)
        known = _named(database, _case(database, seizure_id))
        head = reader(database, who)
    return page(
        "complaint_new.html",
        status=422 if fault else 200,
        reader=head,
        report=report,
        parties=known,
        given=given,
        said=dict(given.allegations),
        fault=fault,
        labels=labels,
        id=new_id(),
    )


@blp.get("/complaints/<complaint_id>")
@session("complaint.read")
def complaint(complaint_id: str) -> Response:
    """Show one complaint beside the record. Raises `NotFound`."""
    return _shown(complaint_id)


@blp.get("/complaints/<complaint_id>/receipt.html")
@session("complaint.take")
def complaint_receipt(complaint_id: str) -> Response:
    """Give the receipt that the complainant takes home, as a page to print."""
    parts, who = house(), door.principal()
    with parts.database.read() as database:
        sheet = complaint_receipts.receipt(
            database, parts.packs, who, complaint_id, public_url=parts.settings.public_url
        )
    return sheet_html(sheet, size="a4")


@blp.post("/complaints/<complaint_id>/acts/<act>")
@session("complaint.take", is_great=True)
@takes(FORM)
def complaint_act(complaint_id: str, act: str) -> Response | Redirect:
    """Do what a form of the page asks for. Raises `NotFound`."""
    if act not in service.ACTS:
        raise NotFound
    at = request.form.get("allegation", "") if act == "find" else act
    try:
        pieces, heads = request.form.getlist("evidence"), request.form.getlist("custody")
        body = typed.act(request.form, act, evidence=pieces, heads=heads)
    except ValueError:
        return _shown(complaint_id, fault=Fault("invalid", at, names=("paise",)), status=422)
    who, packs = door.principal(), house().packs
    try:
        house().database.transact(
            lambda unit: service.act(unit, who, packs, complaint_id, body=body)
        )
    except InvalidBody as exc:
        fault = Fault("invalid", at, names=tuple(exc.errors))
        return _shown(complaint_id, fault=fault, status=422)
    except (ActNotAllowed, ActNeedsReason) as exc:
        kind = "reason" if isinstance(exc, ActNeedsReason) else "no"
        says = str(exc.extensions.get("reason") or "")
        return _shown(complaint_id, fault=Fault(kind, at, says), status=409)
    except NotAllowed as exc:
        kinds = {"author": "part", "second-person": "second"}
        kind = kinds.get(str(exc.extensions.get("reason")), "")
        if not kind:
            raise
        return _shown(complaint_id, fault=Fault(kind, at), status=403)
    except (Conflict, IdReuse):
        return _shown(complaint_id, fault=Fault("stale", at), status=409)
    door.keep_note("complaint-act")
    return redirect(f"{LIST}/{complaint_id}#{at}", 303)


def _shown(complaint_id: str, *, fault: Fault | None = None, status: int = 200) -> Response:
    who, parts, now = door.principal(), house(), house().database.clock()
    with parts.database.read() as database:
        at = who.authority_id
        view = complaints.one(database, parts.packs, at, complaint_id, at=now)
        pieces = complaints.evidence(database, parts.packs, at, complaint_id)
        case = _case(database, view["case"])
        known = _named(database, case)
        ids = {view["by"], view["agent"], *(one["party"] for one in view["against"])}
        ids |= {one["party"] for one in view["money"]["owed"]} | set(known)
        names = _names(database, ids - {None})
        people = cases.names(database, at, {view["taken_by"], *_deciders(view), *_doers(view)})
        profile = scene_at(database, parts.packs, at, now.date()).profile
        head = reader(database, who)
    telling = Telling(Values(words(), profile, {}), {**names, **people})
    statute = {**view["statute"], "pinned": False}
    allegations = telling.allegations(view)
    law = standing({"clocks": view["clocks"], "statute": statute}, now, words())
    return page(
        "complaint.html",
        status=status,
        reader=head,
        view=view,
        telling=telling,
        allegations=allegations,
        draft=order_text(view, telling, allegations),
        drafted=DRAFTED,
        done=[done_of(one, words(), telling.name, people) for one in view["history"]][::-1],
        acts=telling.acts(view),
        pieces=telling.pieces(pieces),
        law=law,
        parties={one: names[one] for one in ids if one in names},
        heads=_heads(view, case, names),
        labels=labels,
        fault=fault,
        typed=request.form,
        new_id=new_id,
        takes={slug: kind.takes for slug, kind in service.ACTS.items()},
    )


def _deciders(view: dict[str, Any]) -> set[str]:
    return {order["by"] for order in (view["order"], view["draft"]) if order}


def _doers(view: dict[str, Any]) -> set[str]:
    return {str(one["by"]) for one in view["history"] if one["by"]}


def _case(database: Session, seizure_id: str) -> Mapping[str, Any]:
    """Return the case of a seizure; one without heads and acts if it has none yet."""
    who, packs = door.principal(), house().packs
    try:
        return case_views.case(database, who, packs, seizure_id, at=house().database.clock())
    except (Conflict, NotFound):
        return {"custody": [], "history": []}


def _named(database: Session, case: Mapping[str, Any]) -> dict[str, str]:
    """Return the people of the register whom a case names so far."""
    named = {one[part] for one in case["custody"] for part in ("owner", "kept_by", "liable")}
    named |= {one["party"] for one in case["history"]}
    return _names(database, named - {None})


def _heads(
    view: Mapping[str, Any], case: Mapping[str, Any], names: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return the heads of cattle that a complaint is about, to be chosen from."""
    speech, about = words(), set(view["heads"])
    shown = [one for one in case["custody"] if not about or one["id"] in about]
    nobody = speech.gettext("Not known")
    return [
        (one["id"], f"{n}. {speech.kind(one['kind'])} · {names.get(one['liable'], nobody)}")
        for n, one in enumerate(shown, 1)
    ]


def _names(database: Session, ids: set[str]) -> dict[str, str]:
    at = door.principal().authority_id
    query = select(Party.id, Party.name).where(Party.authority_id == at, Party.id.in_(sorted(ids)))
    return {row.id: row.name for row in database.execute(query)}


def _references(database: Session, ids: list[str]) -> dict[str, str]:
    return seizures.references(database, door.principal().authority_id, ids)
