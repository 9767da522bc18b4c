"""Pages of a list in the order of ids: no page is skipped or repeated while rows are added.

Called by the queries of every server-owned noun.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sqlalchemy import Select
from sqlalchemy.orm import InstrumentedAttribute, Session

from fieldapi.keyring import Keyring
from fieldapi.limits import PAGE_DEFAULT
from fieldapi.queries.cursors import seal, unseal

Row = TypeVar("Row")
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Turn:
    """Which page is asked for, and by whom. `holder`: the actor; cursors serve nobody else."""

    keys: Keyring
    holder: str
    limit: int = PAGE_DEFAULT
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """One page. `next`: cursor of the page behind it, None at the end."""

    items: Sequence[Item]
    next: str | None

    def map(self, make: Callable[[Item], Row]) -> Page[Row]:
        """Return the same page of other things."""
        return Page([make(item) for item in self.items], self.next)


def page(
    session: Session,
    query: Select[Row],
    turn: Turn,
    *,
    by: InstrumentedAttribute[str],
) -> Page[Row]:
    """Return a page of `query` in the order of the id column `by`. Raises `BadRequest`."""
    holder = f"{turn.holder} {by.class_.__tablename__}"
    if turn.after is not None:
        query = query.where(by > str(unseal(turn.keys, holder, turn.after)["id"]))
    rows = list(session.scalars(query.order_by(by).limit(turn.limit + 1)))
    if len(rows) <= turn.limit:
        return Page(rows, None)
    rows = rows[: turn.limit]
    return Page(rows, seal(turn.keys, holder, {"id": getattr(rows[-1], by.key)}))
