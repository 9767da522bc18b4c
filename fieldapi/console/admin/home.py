"""The admin's first page, and the health of ledger, photo store and pending work."""

from __future__ import annotations

from flask import Response

from fieldapi.access import session
from fieldapi.clock import INDIA
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader
from fieldapi.queries import health as queries
from fieldapi.queries.authorities import authority
from fieldapi.services.confirmations import open_keys
from fieldapi.storage.disk import free_bytes


@blp.get("/admin")
@session("person.read")
def admin() -> Response:
    """Show what there is to look after, with what waits."""
    who, parts = door.principal(), house()
    today = parts.database.clock().astimezone(INDIA).date()
    with parts.database.read() as database:
        here = authority(database, who.authority_id)
        version = parts.packs.profile(here.statute, on=today).version
        tally = queries.admin_tally(database, who.authority_id, version)
        head = reader(database, who)
    unverified = len(open_keys(parts.packs, version))
    return page("admin/home.html", reader=head, here=here, tally=tally, unverified=unverified)


@blp.get("/admin/health")
@session("health.read")
def health() -> Response:
    """Show how ledger, photo store and pending work stand."""
    who, parts = door.principal(), house()
    with parts.database.read() as database:
        ledger = queries.ledger_health(database, who.authority_id)
        photos = queries.photo_health(database, who.authority_id)
        failures = queries.failures(database)
        head = reader(database, who)
    free = free_bytes(parts.settings.data)
    return page(
        "admin/health.html",
        reader=head,
        ledger=ledger,
        photos=photos,
        failures=failures,
        free=free,
    )
