"""Cards that enrol a phone: the code as QR and text, how long it is good, and to print."""

from __future__ import annotations

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door
from fieldapi.console.admin.forms import form_id, once
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader
from fieldapi.console.register.papers import SANDBOX
from fieldapi.console.sign_in import FORM
from fieldapi.documents.cards import Card, card_html
from fieldapi.documents.pages import qr_svg
from fieldapi.problems import BadRequest
from fieldapi.queries import devices, people
from fieldapi.queries.authorities import authority
from fieldapi.queries.devices import EnrolmentView
from fieldapi.services import codes, enrolments


@blp.post("/admin/people/<person_id>/card")
@session("enrolment.issue", is_great=True)
@takes(FORM)
def make_card(person_id: str) -> Redirect:
    """Make a code for a phone of a person. Raises `BadRequest`."""
    key, who = form_id(), door.principal()
    is_confirmed = request.form.get("confirmed") == "1"
    faults = once(
        "enrolment",
        key,
        lambda unit: enrolments.issue(
            unit, who, person_id, enrolment_id=key, is_confirmed=is_confirmed
        ),
    )
    if faults:
        raise BadRequest("This form was sent before with other content.")
    return redirect(f"/console/admin/enrolments/{key}", 303)


@blp.get("/admin/enrolments/<enrolment_id>")
@session("enrolment.issue")
def card(enrolment_id: str) -> Response:
    """Show a card on the screen, with the time that is left; its code only if the password was
    given lately, for it lets whoever reads it in as somebody else.
    """
    made, view = _card(enrolment_id)
    is_shown = view.state == "open" and door.is_proved()
    now = house().database.clock()
    left = max(0, round((view.expires_at - now).total_seconds()))
    with house().database.read() as database:
        head = reader(database, door.principal())
    response = page(
        "admin/card.html",
        reader=head,
        card=made,
        enrolment=view,
        left=left,
        qr=qr_svg(made.url, border=4) if is_shown else "",
    )
    if is_shown:
        # Counts down without any script: the browser asks again each minute.
        response.headers["Refresh"] = "60"
    return response


@blp.post("/admin/enrolments/<enrolment_id>/show")
@session("enrolment.issue", is_great=True)
@takes(FORM)
def show_card(enrolment_id: str) -> Redirect:
    """Show an open card again, once the password was given. Raises `NotFound`."""
    _, view = _card(enrolment_id)
    return redirect(f"/console/admin/enrolments/{view.id}", 303)


@blp.get("/admin/enrolments/<enrolment_id>/card.html")
@session("enrolment.issue")
def card_to_print(enrolment_id: str) -> Response:
    """Give the card as a page to print, while it is good and its code may be shown."""
    made, view = _card(enrolment_id)
    if view.state != "open" or not door.is_proved():
        return Response(status=303, headers={"Location": f"/console/admin/enrolments/{view.id}"})
    response = Response(card_html(made), content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = SANDBOX
    return response


def _card(enrolment_id: str) -> tuple[Card, EnrolmentView]:
    who, parts = door.principal(), house()
    with parts.database.read() as database:
        view = devices.enrolment(
            database, who.authority_id, enrolment_id, now=parts.database.clock()
        )
        here = authority(database, who.authority_id)
        whom = people.person(database, who.authority_id, view.person_id)
    code = enrolments.code_of(parts.keys, who.authority_id, enrolment_id)
    made = Card(
        authority=here.name,
        person=whom.name,
        code=codes.printed(code) if view.state == "open" else "",
        url=enrolments.url_of(parts.settings.public_url, code),
        expires_at=view.expires_at,
        language=here.languages[0],
    )
    return made, view
