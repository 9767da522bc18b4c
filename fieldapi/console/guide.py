"""The page of help: what the inbox shows, and the keys that speed it up."""

from __future__ import annotations

from flask import Response

from fieldapi.access import session
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader


@blp.get("/help")
@session("console.open")
def guide() -> Response:
    """Show the help."""
    with house().database.read() as database:
        head = reader(database, door.principal())
    return page("guide.html", reader=head)
