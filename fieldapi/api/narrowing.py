"""Reads off a query what reports are narrowed to: the list and the exports take the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fieldapi.api.house import house
from fieldapi.problems import BadRequest
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
        sort=query["sort"],
    )


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
