"""Reads `limit` and `after` of a list request, and opens the database for one answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from sqlalchemy.orm import Session

from fieldapi.api.auth import principal
from fieldapi.api.house import house
from fieldapi.queries.pages import Turn
from fieldapi.services.authorise import Principal

T = TypeVar("T")


def turn_of(query: Mapping[str, Any]) -> Turn:
    """Return the page that the caller asks for."""
    return Turn(house().keys, principal().actor, query["limit"], query["after"])


def reading(read: Callable[[Session, Principal], T]) -> T:
    """Return what `read` finds for the caller in one snapshot."""
    with house().database.read() as session:
        return read(session, principal())
