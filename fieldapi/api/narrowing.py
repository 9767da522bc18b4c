"""Reads off a query what reports are narrowed to: the list and the exports take the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fieldapi.api.auth import principal
from fieldapi.api.house import house
from fieldapi.domain.access import sees_all
from fieldapi.problems import BadRequest, NotAllowed
from fieldapi.queries.seizures import Box, Filters


def filters_of(query: Mapping[str, Any]) -> Filters:
    """Return the filters of a query. Raises `BadRequest`."""
    if query.get("kind", "") not in {"", *house().packs.kinds}:
        raise BadRequest(errors={"kind": ["No kind of animal has this code."]})
    return Filters(
        state=query.get("state"),
        kind=query.get("kind"),
        since=query.get("from_"),
        until=query.get("to"),
        flag=query.get("flag"),
        box=_box(query.get("bbox")),
        text=query.get("q"),
        reviewer=_reviewer(query),
        sort=query["sort"],
    )


def _reviewer(query: Mapping[str, Any]) -> str | None:
    """Return whose reports are wanted. Raises `NotAllowed` for who does not see all of them."""
    reviewer: str | None = query.get("reviewer")
    if reviewer is not None and not sees_all(principal()):
        raise NotAllowed("Whose a report is to review is for the desk.", reason="role")
    return reviewer


def _box(text: str | None) -> Box | None:
    if text is None:
        return None
    try:
        south, west, north, east = (float(part) for part in text.split(","))
    except ValueError as exc:
        raise BadRequest("bbox is south,west,north,east in degrees.") from exc
    box = Box(south, west, north, east)
    if not box.is_on_the_globe:
        raise BadRequest("bbox is south,west,north,east in degrees, the smaller ones first.")
    return box
