"""Statements made once: spelling one out costs SQLAlchemy as much as running it, and those of the
write path run with every report.

    @made_once
    def _known(session: Session) -> Select[str]:
        return select(OpRow.op).where(among_named(session, OpRow.op, "ops"))

    session.scalars(_known(session), {"ops": ["…"]})
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, bindparam, func
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session

from fieldapi.models.bulk import Column, is_postgresql

Made = TypeVar("Made")


def made_once(make: Callable[[Session], Made]) -> Callable[[Session], Made]:
    """Keep the statement that `make` returns, one for each kind of database."""
    kept: dict[bool, Made] = {}

    @wraps(make)
    def once(session: Session) -> Made:
        kind = is_postgresql(session)
        if kind not in kept:
            kept[kind] = make(session)
        return kept[kind]

    return once


def among_named(
    session: Session, column: Column | ColumnElement[Any], name: str
) -> ColumnElement[bool]:
    """Return the condition that a text column holds one of the list bound to `name`."""
    if is_postgresql(session):
        return column == func.any(bindparam(name, type_=ARRAY(column.type)))
    return column.in_(bindparam(name, expanding=True))
