"""Pages of a case at the counter: the list of acts, the form of each, its check, its result.

A check changes nothing but that somebody new is entered in the register of people. The act itself
is done by the form of the check, under the id that the first form made: sent twice, done once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, redirect, request
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.register import case as cases
from fieldapi.console.register.acts import done_of
from fieldapi.console.register.case import AtCounter, line_of
from fieldapi.console.register.forms import (
    NEW,
    OF_THE_LIABLE,
    Around,
    Form,
    blame,
    body_of,
    fill,
    form_of,
    happened_field,
)
from fieldapi.console.register.newcomers import enter_newcomer
from fieldapi.console.register.owed import elsewhere
from fieldapi.console.register.typed import as_typed
from fieldapi.console.sign_in import FORM
from fieldapi.domain import act_labels
from fieldapi.domain.access import Principal
from fieldapi.domain.words import sentence
from fieldapi.ids import is_id, new_id
from fieldapi.problems import (
    ActNeedsReason,
    ActNotAllowed,
    BadRequest,
    IdReuse,
    InvalidBody,
    NotFound,
)
from fieldapi.queries import acts as act_queries
from fieldapi.queries import counter, photos
from fieldapi.queries.lost import LostHead, lost_heads
from fieldapi.services.acts import performing
from fieldapi.services.acts.kinds import ActKind
from fieldapi.services.acts.performing import Outcome, Turn
from fieldapi.services.acts.registry import ACTS
from fieldapi.unit import Unit
from sync.wire import JSON

_OTHER = sentence("This form was sent before with other content. Start again.")
_NAMELESS = sentence("Write the name.")
_NEW_FIELDS = ("new.name", "new.parent", "new.residence", "new.mobile")
Body = Mapping[str, JSON]


@blp.get("/cases/<seizure_id>/acts")
@session("case.read")
def case_acts(seizure_id: str) -> Response:
    """Show a case at the counter: heads, fee table, clocks, acts to do, acts done."""
    who = door.principal()
    with house().database.read() as database:
        shown = cases.load(database, house(), who, seizure_id, words=words())
        head = reader(database, who)
    return page("register/case.html", reader=head, case=shown, groups=shown.groups(who.roles))


@blp.get("/cases/<seizure_id>/acts/<act>")
@session("act.perform")
def act_form(seizure_id: str, act: str) -> Response:
    """Show the form of an act. `party`: for whom."""
    return _form_page(seizure_id, _kind(act), act_id=new_id())


@blp.post("/cases/<seizure_id>/acts/<act>")
@session("act.perform")
@takes(FORM)
def check_act(seizure_id: str, act: str) -> Response:
    """Say what would become of an act, or find somebody for its form."""
    kind, who = _kind(act), door.principal()
    act_id = _id(request.form.get("id"))
    if request.form.get("step") in {"find", "change"}:
        return _form_page(seizure_id, kind, act_id=act_id)
    form = _typed(seizure_id, kind, act_id, newcomer_of=who)
    body = body_of(form, words())
    if form.is_faulty:
        return _form_page(seizure_id, kind, act_id=act_id, form=form, status=422)
    try:
        answer = _perform(seizure_id, {**body, "mode": "check"}).answer
    except InvalidBody as exc:
        blame(form, exc.errors, words())
        return _form_page(seizure_id, kind, act_id=act_id, form=form, status=422)
    return _check_page(seizure_id, kind, form, answer)


@blp.post("/cases/<seizure_id>/acts/<act>/done")
@session("act.perform", is_great=True)
@takes(FORM)
def do_act(seizure_id: str, act: str) -> Response | Redirect:
    """Perform an act, or record what was done elsewhere."""
    kind, act_id = _kind(act), _id(request.form.get("id"))
    form = _typed(seizure_id, kind, act_id)
    body = body_of(form, words())
    if form.is_faulty:
        return _form_page(seizure_id, kind, act_id=act_id, form=form, status=422)
    try:
        _perform(seizure_id, body)
    except InvalidBody as exc:
        blame(form, exc.errors, words())
        return _form_page(seizure_id, kind, act_id=act_id, form=form, status=422)
    except (ActNotAllowed, ActNeedsReason) as exc:
        answer = _perform(seizure_id, {**body, "mode": "check"}).answer
        is_reason = isinstance(exc, ActNeedsReason)
        return _check_page(seizure_id, kind, form, answer, needs_reason=is_reason, status=409)
    except IdReuse:
        form.faults.append(words().gettext(_OTHER))
        return _form_page(seizure_id, kind, act_id=new_id(), form=form, status=409)
    return redirect(f"/console/cases/{seizure_id}/done/{act_id}", 303)


@blp.get("/cases/<seizure_id>/done/<act_id>")
@session("case.read")
def act_done(seizure_id: str, act_id: str) -> Response:
    """Show an act that was done, with its numbers and papers."""
    who = door.principal()
    with house().database.read() as database:
        shown = cases.load(database, house(), who, seizure_id, words=words())
        found = act_queries.act(database, who.authority_id, act_id)
        if found.get("case") != seizure_id:
            raise NotFound
        head = reader(database, who)
    done = done_of(found, words(), shown.who, shown.people)
    lines = [line_of(one, words()) for one in found.get("lines") or []]
    return page("register/done.html", reader=head, case=shown, done=done, lines=lines, said=found)


def _kind(act: str) -> ActKind:
    kind = ACTS.get(act)
    if kind is None:
        raise NotFound
    return kind


def _id(given: str | None) -> str:
    if not is_id(given):
        raise BadRequest("This form is not one of these pages.")
    return str(given)


def _perform(seizure_id: str, body: Body) -> Outcome:
    who, packs = door.principal(), house().packs

    def work(unit: Unit) -> Outcome:
        return performing.act(Turn(unit, who, packs, seizure_id), body)

    return house().database.transact(work)


def _typed(
    seizure_id: str, kind: ActKind, act_id: str, *, newcomer_of: Principal | None = None
) -> Form:
    """Return the form of an act as it was sent. `newcomer_of`: who enters somebody new for it."""
    with house().database.read() as database:
        shown = cases.load(database, house(), door.principal(), seizure_id, words=words())
        form = form_of(kind, shown, _around(database, kind, shown), act_id=act_id)
    if request.form.get("mode") == "record" and form.happened is None:
        form.happened = happened_field(words())  # what was done is told later
    fill(form, request.form.to_dict(flat=False))
    if newcomer_of is not None:
        _newcomer(form, newcomer_of)
    return form


def _newcomer(form: Form, who: Principal) -> None:
    """Enter somebody new in the register of people, once, and let the form name them."""
    if form.party is None or form.party.value != NEW:
        return
    typed = {name.removeprefix("new."): request.form.get(name, "").strip() for name in _NEW_FIELDS}
    if not typed["name"]:
        form.party.faults.append(words().gettext(_NAMELESS))
        return
    party_id = _id(request.form.get("new.id"))
    try:
        enter_newcomer(house().database, who, party_id, typed)
    except InvalidBody as exc:
        form.party.faults += [
            words().gettext(one) for texts in exc.errors.values() for one in texts
        ]
        return
    form.party.values = [party_id]
    form.party.choices.append((party_id, typed["name"]))


def _around(database: Session, kind: ActKind, shown: AtCounter) -> Around:
    """Read what a form offers beside the case: kinds, officers, people that were looked for."""
    at, text = door.principal().authority_id, request.form.get("q", "").strip()
    found = counter.find_parties(database, at, text) if text else []
    listed = [
        (one.id, ", ".join(filter(None, (one.name, one.parent, one.residence)))) for one in found
    ]
    return Around(
        list(house().packs.kinds),
        photos=_photos(database, shown) if "photo" in kind.takes else [],
        officers=counter.appointed(database, at, kind.appointed) if kind.appointed else [],
        found=listed,
        elsewhere=_elsewhere(database, shown.id) if kind.spans else [],
        lost=_lost(database, shown) if "previous" in kind.takes else [],
    )


def _photos(database: Session, shown: AtCounter) -> list[tuple[str, str]]:
    """Return the photos of the report, by the numbers that they have on its page."""
    known = photos.of_report(database, door.principal().authority_id, shown.id)
    return [(one, words().gettext("Photo {number}", number=n)) for n, one in enumerate(known, 1)]


def _lost(database: Session, shown: AtCounter) -> list[tuple[str, str]]:
    """Return the heads of the kinds of this case that were lost to others, to choose from."""
    kinds = {one["kind"] for one in shown.view["custody"]}
    lost = lost_heads(database, door.principal().authority_id, but=shown.id, kinds=kinds)
    return [(one.id, f"{one.case}: {_ended(one)}") for one in lost]


def _ended(head: LostHead) -> str:
    how = words().gettext(act_labels.HEADS[head.became])
    return f"{words().kind(head.kind)} · {how} · {words().moment(head.at)}"


def _elsewhere(database: Session, seizure_id: str) -> list[tuple[str, str]]:
    """Return the heads that the person of the form has in other open cases, to choose from."""
    party = request.values.get("party", "")
    if not is_id(party):
        return []
    try:
        held, names, _ = elsewhere(database, door.principal(), party, but=seizure_id)
    except NotFound:
        return []
    return [(one.id, f"{names.get(one.case, '')}: {words().kind(one.kind)}") for one in held]


def _form_page(
    seizure_id: str, kind: ActKind, *, act_id: str, form: Form | None = None, status: int = 200
) -> Response:
    who = door.principal()
    with house().database.read() as database:
        shown = cases.load(database, house(), who, seizure_id, words=words())
        if form is None:
            form = form_of(kind, shown, _around(database, kind, shown), act_id=act_id)
            _prefill(form, shown)
            if kind.spans and "all" in request.args:
                _choose_all(database, form, shown)
        _name_chosen(database, form)
        head = reader(database, who)
    kept = {name: request.form.get(name, "") for name in _NEW_FIELDS}
    return page(
        "register/form.html",
        status=status,
        reader=head,
        case=shown,
        form=form,
        new={**kept, "new.id": request.form.get("new.id") or new_id()},
        q=request.form.get("q", ""),
        is_ownerless=form.act in OF_THE_LIABLE and not shown.has_owner,
    )


def _name_chosen(database: Session, form: Form) -> None:
    """Let a form name whom it chose, also somebody who was entered or found just before."""
    one = form.party
    if one is None or not is_id(one.value) or one.value in dict(one.choices):
        return
    known = counter.party_names(database, door.principal().authority_id, {one.value})
    one.choices += [(key, cases.called(found)) for key, found in known.items()]


def _prefill(form: Form, shown: AtCounter) -> None:
    """Put in what was typed before, else who and how much the case suggests."""
    if request.method == "POST":
        fill(form, request.form.to_dict(flat=False))
        return
    if form.party is not None and request.args.get("party"):
        form.party.values = [request.args["party"]]
    paid = form.find("paid_paise")
    if paid is not None and form.act in {"release", "deposit_under_protest"}:
        paid.values = shown.suggested(form.party.value if form.party else "")


def _choose_all(database: Session, form: Form, shown: AtCounter) -> None:
    """Choose every head of the person, also those of other cases, and what is owed for them."""
    party = form.party.value if form.party else ""
    held, _, owed = elsewhere(database, door.principal(), party, but=shown.id)
    own = [
        one["id"]
        for one in shown.view["custody"]
        if one["became"] is None and one["liable"] == party
    ]
    form.chosen = [*own, *(one.id for one in held)]
    here = [one["total"] for one in shown.view["dues"] if one["party"] == party]
    paid = form.find("paid_paise")
    if paid is not None and owed is not None and None not in here:
        paid.values = [as_typed(sum(here) + owed)]


def _check_page(  # noqa: PLR0913 - all that the page shows
    seizure_id: str,
    kind: ActKind,
    form: Form,
    answer: Mapping[str, Any],
    *,
    needs_reason: bool = False,
    status: int = 200,
) -> Response:
    who = door.principal()
    with house().database.read() as database:
        shown = cases.load(database, house(), who, seizure_id, words=words())
        _name_chosen(database, form)
        head = reader(database, who)
    lines = [line_of(one, words()) for one in answer.get("lines") or []]
    own = _OWN if kind.is_fact else _OWN | {"happened_at"}
    return page(
        "register/check.html",
        status=status,
        reader=head,
        case=shown,
        form=form,
        answer=answer,
        lines=lines,
        kept=[(name, text) for name, text in request.form.items(multi=True) if name not in own]
        + _named(form),
        told=form.told(words()),
        needs_reason=needs_reason,
        is_noting=form.mode == "record",
        asks_when=not kind.is_fact,
        noted_at=request.form.get("happened_at", ""),
    )


_OWN = frozenset(
    {"buyer", "csrf_token", "custody", "id", "mode", "party", "proof_came_from", "proof_password"}
    | {"q", "reason", "step"}
)


def _named(form: Form) -> list[tuple[str, str]]:
    """Return whom and which heads the form names now, for the form of the check."""
    party = [(form.party.name, form.party.value)] if form.party and form.party.value else []
    return [*party, *(("custody", head) for head in form.chosen)]
