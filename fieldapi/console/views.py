"""One's own views of the inbox: a filter is kept under a name, and removed. Nobody needs one: every
filter stands in the address.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from flask import redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door, narrowing
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.sign_in import FORM
from fieldapi.ids import is_id
from fieldapi.problems import BadRequest, InvalidBody
from fieldapi.services import saved_views
from fieldapi.services.saved_views import NewView

_KEPT = frozenset({*narrowing.NAMES, "sort", "view"})
_LONGEST = 100


@blp.post("/views")
@session("console.open")
@takes(FORM)
def keep_view() -> Redirect:
    """Keep the filter of the form under a name; nothing is kept of what is no filter."""
    form, who = request.form, door.principal()
    if not is_id(form.get("id")):
        raise BadRequest("This form is not one of these pages.")
    query = plain(form.get("query", ""))
    new = NewView(form["id"], form.get("name", ""), query)
    try:
        house().database.transact(lambda unit: saved_views.keep(unit, who, new))
    except InvalidBody:
        door.keep_note("view-not-kept")
    else:
        door.keep_note("view-kept")
    return redirect(f"{door.HOME}?{query}" if query else door.HOME, 303)


@blp.post("/views/<view_id>/remove")
@session("console.open")
@takes(FORM)
def remove_view(view_id: str) -> Redirect:
    """Remove a view of one's own. Raises `NotFound`."""
    who = door.principal()
    house().database.transact(lambda unit: saved_views.remove(unit, who, view_id))
    door.keep_note("view-removed")
    return redirect(door.HOME, 303)


def plain(query: str) -> str:
    """Return the filters that stand in a query, in their order, and nothing else of it.

    >>> plain("state=received&after=x&q=a%26b&next=//evil")
    'state=received&q=a%26b'
    """
    pairs = [(name, text[:_LONGEST]) for name, text in parse_qsl(query) if name in _KEPT]
    return urlencode(dict(pairs))
