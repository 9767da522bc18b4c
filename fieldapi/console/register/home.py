"""The register of a pound: who stands in it, what is due, who is on the way; and its books."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from flask import Response, redirect, request
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.register import typed
from fieldapi.console.register.rows import rows_of
from fieldapi.domain.access import Principal, keeps, sees_all
from fieldapi.domain.words import sentence
from fieldapi.problems import BadRequest, NotFound
from fieldapi.queries import counter
from fieldapi.queries.authorities import PoundView, all_pounds

MOST_TEXT = 100
_BACKWARDS = sentence("The first day is after the last one.")


@blp.get("/pound")
@session("register.read")
def pounds() -> Response | Redirect:
    """List the pounds that the reader works with; one alone is opened at once."""
    who, now = door.principal(), house().database.clock()
    with house().database.read() as database:
        listed = mine(database, who)
        if len(listed) == 1:
            return redirect(f"/console/pound/{listed[0].id}", 303)
        tallies = {one.id: counter.tally(database, who.authority_id, one.id, now) for one in listed}
        head = reader(database, who)
    return page("register/pounds.html", reader=head, pounds=listed, tallies=tallies)


@blp.get("/pound/<pound_id>")
@session("register.read")
def pound(pound_id: str) -> Response:
    """Show a pound: its numbers of today, what stands in it, what is on the way. `q`: find."""
    who, parts = door.principal(), house()
    text = request.args.get("q", "").strip()[:MOST_TEXT]
    now = parts.database.clock()
    with parts.database.read() as database:
        at = pound_of(database, who, pound_id)
        tally = counter.tally(database, who.authority_id, pound_id, now)
        stays = counter.stays(database, who.authority_id, pound_id, text=text)
        coming = counter.expected(database, who.authority_id, pound_id)
        head = reader(database, who)
    return page(
        "register/pound.html",
        reader=head,
        pound=at,
        tally=tally,
        rows=rows_of(stays, words(), now),
        coming=coming,
        q=text,
        now=now,
    )


def mine(database: Session, who: Principal) -> list[PoundView]:
    """Return the pounds that somebody may see."""
    listed = all_pounds(database, who.authority_id)
    return [one for one in listed if sees_all(who) or keeps(who, one.id)]


def pound_of(database: Session, who: Principal, pound_id: str) -> PoundView:
    """Return a pound that somebody may see. Raises `NotFound`."""
    found = next((one for one in mine(database, who) if one.id == pound_id), None)
    if found is None:
        raise NotFound
    return found


def span_of(args: Mapping[str, str], today: date) -> tuple[date, date]:
    """Return the first and last day that an address names, else today. Raises `BadRequest`, with
    `errors` by field, where one cannot be read or the first is after the last.
    """
    first, last = _day(args, "since", today), _day(args, "until", today)
    if first > last:
        raise BadRequest(_BACKWARDS, errors={"since": [_BACKWARDS]})
    return first, last


def _day(args: Mapping[str, str], name: str, today: date) -> date:
    text = args.get(name, "")
    try:
        return typed.day(text) if text else today
    except typed.Mistyped as exc:
        raise BadRequest(typed.NOT_A_DAY, errors={name: [typed.NOT_A_DAY]}) from exc
