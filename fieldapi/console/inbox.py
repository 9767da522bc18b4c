"""The first page: the reports that the reader sees, narrowed, sorted, page by page."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from sqlalchemy.orm import Session

from fieldapi.access import session
from fieldapi.console import door, narrowing
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.narrowing import Narrowing
from fieldapi.console.pages import page, reader, words
from fieldapi.console.places import Places
from fieldapi.console.rows import Listing
from fieldapi.domain.access import Principal
from fieldapi.domain.flags import FLAGS
from fieldapi.domain.labels import REVIEW_STATES
from fieldapi.problems import BadRequest
from fieldapi.queries import cases, seizures
from fieldapi.queries.authorities import all_places
from fieldapi.queries.seizures import Page

PAGE = 50
_NOTHING = Page([], None)


@blp.get("/")
@session("console.open")
def inbox() -> Response:
    """List the reports. Every filter stands in the address."""
    who = door.principal()
    kinds = house().packs.kinds
    wanted = narrowing.read(request.args, kinds)
    with house().database.read() as database:
        found, total = _found(database, who, wanted)
        listing = _listing(database, who, found)
        head = reader(database, who)
    return page(
        "inbox.html",
        reader=head,
        rows=[listing.row(one) for one in found.items],
        wanted=wanted,
        total=total,
        next=found.next,
        is_first="after" not in request.args,
        sorts=narrowing.ORDERS,
        states=REVIEW_STATES,
        kinds=list(kinds),
        flags=sorted(FLAGS.values(), key=lambda flag: words().gettext(flag.says)),
    )


def _found(database: Session, who: Principal, wanted: Narrowing) -> tuple[Page, int]:
    if wanted.faults:
        return _NOTHING, 0
    total = seizures.count(database, who, wanted.filters)
    after: str | None = request.args.get("after")
    try:
        return _search(database, who, wanted, after=after), total
    except BadRequest:
        # A link of somebody else, or from before the key changed: start with the first page.
        return _search(database, who, wanted, after=None), total


def _search(database: Session, who: Principal, wanted: Narrowing, *, after: str | None) -> Page:
    keys = house().keys
    return seizures.search(database, keys, who, wanted.filters, limit=PAGE, after=after)


def _listing(database: Session, who: Principal, found: Page) -> Listing:
    at = who.authority_id
    authors: set[Any] = {one.get("by") for one in found.items} - {None}
    names = cases.names(database, at, authors)
    return Listing(words(), Places(all_places(database, at)), names)
