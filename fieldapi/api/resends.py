"""Creates what a client named by its own id, once: an identical resend gets the same answer, 200.

Used by the nouns whose records the server owns (people, pounds, enrolments …).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import marshmallow as ma
from sqlalchemy.orm import Session

from fieldapi.api.auth import principal
from fieldapi.api.house import house
from fieldapi.api.strict import json_body
from fieldapi.problems import IdReuse, NotFound
from fieldapi.services.authorise import Principal
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit

View = TypeVar("View")


@dataclass(frozen=True, slots=True)
class Creation(Generic[View]):
    """How one noun is created and shown. `show` raises `NotFound` while there is none.

    `schema`: of the answer, also for the `current` of an id that is taken.
    """

    scope: str
    schema: type[ma.Schema]
    add: Callable[[Unit, Principal], object]
    show: Callable[[Session, Principal], View]


def create_once(creation: Creation[View]) -> tuple[View, int]:
    """Return what was created and 201, or 200 for an identical resend. Raises `IdReuse`."""
    who, value = principal(), json_body().value
    request = RequestId(creation.scope, str(value["id"]), value)
    return house().database.transact(lambda unit: _create(unit, who, creation, request=request))


def _create(
    unit: Unit, who: Principal, creation: Creation[View], *, request: RequestId
) -> tuple[View, int]:
    def current() -> dict[str, Any]:
        shown: dict[str, Any] = creation.schema().dump(creation.show(unit.session, who))
        return shown

    if not bind(unit, who, request, current=current):
        return creation.show(unit.session, who), 200
    if _exists(unit.session, who, creation):
        raise IdReuse(current=current())
    creation.add(unit, who)
    unit.session.flush()
    return creation.show(unit.session, who), 201


def _exists(session: Session, who: Principal, creation: Creation[View]) -> bool:
    try:
        creation.show(session, who)
    except NotFound:
        return False
    return True
