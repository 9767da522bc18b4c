"""The first page: the reports that the reader sees, narrowed, sorted, page by page.

As a table, on a map or as photos: one filter, one count.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Response, request
from sqlalchemy.orm import Session

from fieldapi.access import session
from fieldapi.console import door, maps, narrowing
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.maps import Drawing
from fieldapi.console.narrowing import Choices, Narrowing
from fieldapi.console.pages import page, reader, words
from fieldapi.console.places import Places
from fieldapi.console.rows import Listing
from fieldapi.domain.access import Principal
from fieldapi.domain.flags import FLAGS
from fieldapi.domain.geo import Point
from fieldapi.domain.labels import REVIEW_STATES
from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.problems import BadRequest
from fieldapi.queries import cases, desk_work, saved_views, seizures, urgencies
from fieldapi.queries.authorities import PlaceView, PoundView, all_places, all_pounds
from fieldapi.queries.seizures import Page
from fieldapi.services.ops.scene import scene_at

PAGE = 50
MOST_ON_MAP = 500
_NOTHING = Page([], None)
# What is looked for again and again, as links; any other address may be kept as a bookmark.
SAVED = {
    sentence("To be reviewed"): {"state": "received"},
    sentence("Mine"): {"mine": "1"},
    sentence("Deadline within a day, or over"): {"due": "1"},
    sentence("Two values"): {"conflict": "1"},
    sentence("No place on the map"): {"flag": "location_absent"},
    sentence("Handed in again"): {"state": "resubmitted"},
}


@blp.get("/")
@session("console.open")
def inbox() -> Response:
    """List the reports. Every filter stands in the address."""
    who, parts = door.principal(), house()
    with parts.database.read() as database:
        pounds, places = (
            all_pounds(database, who.authority_id),
            all_places(database, who.authority_id),
        )
        wanted = narrowing.read(request.args, choices(pounds, places))
        found, total = _found(database, who, wanted)
        listing = _listing(database, who, found, places)
        drawing = _map(database, who, wanted, pounds) if wanted.view == narrowing.MAP else None
        mine = saved_views.of_person(database, who.authority_id, who.person_id)
        head = reader(database, who)
    return page(
        "inbox.html",
        reader=head,
        rows=[listing.row(one) for one in found.items],
        wanted=wanted,
        total=total,
        next=found.next,
        is_first="after" not in request.args,
        drawing=drawing,
        most_on_map=MOST_ON_MAP,
        tiles=parts.settings.tiles_url,
        views_kept=mine,
        address=urlencode(wanted.query()),
        new_id=new_id,
        lists={"pounds": pounds, "places": [one for one in places if one.lat is not None]},
        offered=_offered(),
    )


def _offered() -> dict[str, object]:
    return {
        "sorts": narrowing.ORDERS,
        "views": narrowing.VIEWS,
        "saved": SAVED,
        "states": REVIEW_STATES,
        "kinds": list(house().packs.kinds),
        "flags": sorted(FLAGS.values(), key=lambda flag: words().gettext(flag.says)),
    }


def choices(pounds: list[PoundView], places: list[PlaceView]) -> Choices:
    """Return what the filters may name."""
    return Choices(
        set(house().packs.kinds),
        {one.id for one in pounds},
        {
            one.id: Point(one.lat, one.lon)
            for one in places
            if one.lat is not None and one.lon is not None
        },
        house().database.clock(),
        door.principal().person_id,
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


def _listing(database: Session, who: Principal, found: Page, places: list[PlaceView]) -> Listing:
    at = who.authority_id
    mine = desk_work.assigned(database, at, [str(one["id"]) for one in found.items])
    people: set[Any] = {one.get("by") for one in found.items} | {*mine.values()}
    names = cases.names(database, at, people - {None})
    return Listing(
        words(),
        Places(places),
        names,
        urgencies.of(database, at, [str(one["id"]) for one in found.items]),
        house().database.clock(),
        {case: names[one] for case, one in mine.items() if one in names},
    )


def _map(
    database: Session, who: Principal, wanted: Narrowing, pounds: list[PoundView]
) -> Drawing | None:
    if wanted.faults:
        return None
    day = house().database.clock().date()
    area = scene_at(database, house().packs, who.authority_id, day).area
    rows = seizures.on_map(database, who, wanted.filters, limit=MOST_ON_MAP)
    return maps.of_list(area, maps.named(pounds), maps.placed(rows))
