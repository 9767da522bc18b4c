"""Where a pull stands, as its cursor says it: how far in the ledger, and with which view.

Called by `changes` and `rxdb`. Another view starts over, and remembers the earlier one until the
puller was told what that no longer shows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fieldapi.domain.access import Principal
from fieldapi.ledger import TreeHead
from fieldapi.problems import BadRequest, EpochChanged
from fieldapi.queries.cursors import Position
from sync.wire import JSON


@dataclass(frozen=True, slots=True)
class Place:
    """Where a pull stands. `earlier`: views that the puller had before this one, while the pull
    that tells what they no longer show has not come to its end.
    """

    after: int
    earlier: tuple[Principal, ...] = ()


def position_of(principal: Principal, place: Place, head: TreeHead) -> dict[str, JSON]:
    """Return a place as a cursor says it."""
    position: dict[str, JSON] = {
        "e": head.epoch,
        "s": place.after,
        "v": view_of(principal),
        "w": _view(principal),
    }
    views: list[JSON] = [_view(one) for one in place.earlier]
    return {**position, "p": views} if views else position


def place_of(principal: Principal, position: Position, head: TreeHead) -> Place:
    """Return the place that a cursor says. Raises `EpochChanged`, `BadRequest`."""
    if position.get("e") != head.epoch:
        raise EpochChanged(epoch=head.epoch)
    after = position.get("s")
    if not isinstance(after, int):
        raise BadRequest("This cursor is not one of a pull.")
    views = position.get("p")
    earlier = [*views] if isinstance(views, list) else []
    if position.get("v") == view_of(principal):
        return Place(after, tuple(_seen_as(principal, earlier)))
    # Another view starts over, and lets go of what only an earlier one showed.
    return Place(0, tuple(_seen_as(principal, [*earlier, position.get("w")])))


def view_of(principal: Principal) -> str:
    """Return a hash of what decides a principal's view: another view starts from the beginning."""
    text = json.dumps(_view(principal))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _view(principal: Principal) -> list[JSON]:
    pounds: JSON = None if principal.pounds is None else [*sorted(principal.pounds)]
    return [[*sorted(principal.roles)], pounds, principal.is_confirmed]


def _seen_as(principal: Principal, views: Iterable[JSON]) -> Iterator[Principal]:
    """Yield the principal with each of these views that is not the present one, once."""
    told = [_view(principal)]
    for view in views:
        if view in told or not isinstance(view, list):
            continue
        told.append(view)
        roles, pounds, is_confirmed = view
        yield replace(
            principal,
            roles=frozenset(map(str, roles if isinstance(roles, list) else ())),
            pounds=frozenset(map(str, pounds)) if isinstance(pounds, list) else None,
            is_confirmed=is_confirmed is True,
        )
