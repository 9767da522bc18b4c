"""People of the authority: added, given roles, invited to the console, given a card for a phone."""

from __future__ import annotations

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.clock import INDIA
from fieldapi.console import door
from fieldapi.console.admin.forms import Faults, faults_of, form_id, once, text
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.sign_in import FORM
from fieldapi.domain.labels import ROLES
from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.locale import LANGUAGE_NAMES
from fieldapi.problems import Conflict, InvalidBody
from fieldapi.queries import devices
from fieldapi.queries import people as queries
from fieldapi.queries.authorities import all_pounds, authority
from fieldapi.services import invitations, people, sign_ins
from fieldapi.services.people import Grant, NewPerson

_NO_ROLE = sentence("Choose at least one role.")
_NAME_TAKEN = sentence("This sign-in name belongs to somebody else.")
_BAD_NAME = sentence("A sign-in name has 3 to 64 small letters, digits, dots or hyphens.")


@blp.get("/admin/people")
@session("person.read")
def people_list() -> Response:
    """List everybody with their roles."""
    return _list_page({})


@blp.post("/admin/people")
@session("person.add", is_great=True)
@takes(FORM)
def add_person() -> Response | Redirect:
    """Add a person with their roles."""
    key, who = form_id(), door.principal()
    roles = [one for one in request.form.getlist("role") if one in ROLES]
    if not roles:
        return _list_page({"role": words().gettext(_NO_ROLE)}, status=422)
    pound = text("pound_id") or None
    grants = [Grant(role, pound if role == "pound_keeper" else None) for role in roles]
    new = NewPerson(
        text("name"),
        grants,
        text("capacity") or None,
        text("mobile") or None,
        text("language") or None,
        key,
    )
    faults = once("person", key, lambda unit: people.add(unit, who, new))
    if faults:
        return _list_page(faults, status=422)
    door.keep_note("admin-kept")
    return redirect(f"/console/admin/people/{key}", 303)


@blp.get("/admin/people/<person_id>")
@session("person.read")
def one_person(person_id: str) -> Response:
    """Show one person: roles, sign-in, phones."""
    return _person_page(person_id)


@blp.post("/admin/people/<person_id>/roles")
@session("person.add", is_great=True)
@takes(FORM)
def grant_role(person_id: str) -> Response | Redirect:
    """Give a person one more role."""
    key, who, role = form_id(), door.principal(), text("role")
    pound = text("pound_id") or None if role == "pound_keeper" else None
    new = Grant(role, pound, id=key)
    faults = once("membership", key, lambda unit: people.grant(unit, who, new, person_id=person_id))
    if faults:
        return _person_page(person_id, faults=faults, status=422)
    door.keep_note("admin-kept")
    return redirect(f"/console/admin/people/{person_id}", 303)


@blp.post("/admin/people/<person_id>/roles/<role_id>/end")
@session("person.add", is_great=True)
@takes(FORM)
def end_role(person_id: str, role_id: str) -> Response | Redirect:
    """End a role now."""
    who, log = door.principal(), house().settings.outside_log
    try:
        house().database.transact(lambda unit: people.end(unit, who, role_id, log=log))
    except InvalidBody as exc:
        return _person_page(person_id, faults=faults_of(exc.errors, exc.detail), status=422)
    door.keep_note("admin-kept")
    return redirect(f"/console/admin/people/{person_id}", 303)


@blp.post("/admin/people/<person_id>/invite")
@session("person.add", is_great=True)
@takes(FORM)
def invite(person_id: str) -> Response:
    """Make a link by which the person chooses a password; it is shown on this page alone."""
    who, name = door.principal(), text("sign_in")
    try:
        secret = house().database.transact(
            lambda unit: invitations.invite(unit, who, person_id, name=name)
        )
    except InvalidBody:
        return _person_page(person_id, faults={"sign_in": words().gettext(_BAD_NAME)}, status=422)
    except Conflict:
        return _person_page(person_id, faults={"sign_in": words().gettext(_NAME_TAKEN)}, status=409)
    return _person_page(person_id, link=f"{house().settings.public_url}/console/welcome/{secret}")


@blp.post("/admin/people/<person_id>/reset")
@session("person.add", is_great=True)
@takes(FORM)
def reset(person_id: str) -> Response:
    """End password, second step and sessions, and make a link for a new password."""
    who, log = door.principal(), house().settings.outside_log
    secret = house().database.transact(
        lambda unit: invitations.reset(unit, who, person_id, log=log)
    )
    return _person_page(person_id, link=f"{house().settings.public_url}/console/welcome/{secret}")


def _list_page(faults: Faults, *, status: int = 200) -> Response:
    who = door.principal()
    with house().database.read() as database:
        listed = queries.all_people(database, who.authority_id)
        context = {
            "people": listed,
            "pounds": all_pounds(database, who.authority_id),
            "statute": authority(database, who.authority_id).statute,
        }
        head = reader(database, who)
    now = house().database.clock()
    profile = house().packs.profile(str(context["statute"]), on=now.astimezone(INDIA).date())
    capacities = [(one.code, words().gettext(one.label)) for one in profile.capacities]
    return page(
        "admin/people.html",
        status=status,
        reader=head,
        shown=context,
        roles=ROLES,
        capacities=capacities,
        tongues=LANGUAGE_NAMES,
        faults=faults,
        typed=request.form,
        form_id=new_id(),
        now=now,
    )


def _person_page(
    person_id: str, *, faults: Faults | None = None, link: str = "", status: int = 200
) -> Response:
    who = door.principal()
    with house().database.read() as database:
        person = queries.person(database, who.authority_id, person_id)
        pounds = all_pounds(database, who.authority_id)
        phones = [
            one
            for one in devices.all_devices(database, who.authority_id)
            if one.person_id == person_id
        ]
        sign_in = sign_ins.of_person(database, who.authority_id, person_id)
        head = reader(database, who)
    return page(
        "admin/person.html",
        status=status,
        reader=head,
        person=person,
        pounds={one.id: one.name for one in pounds},
        phones=phones,
        sign_in=sign_in.name if sign_in else "",
        roles=ROLES,
        tongues=LANGUAGE_NAMES,
        faults=faults or {},
        link=link,
        new_id=new_id,
        now=house().database.clock(),
    )
