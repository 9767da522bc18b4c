"""Changes something once under a client-made id that names no record of its own: a merge, an end.

Used by the nouns whose changes are verbs. A resend is answered with how the thing stands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from sqlalchemy.orm import Session

from fieldapi.api.auth import principal
from fieldapi.api.house import house
from fieldapi.api.strict import json_body
from fieldapi.services.authorise import Principal
from fieldapi.services.requests import RequestId, bind
from fieldapi.unit import Unit

View = TypeVar("View")


@dataclass(frozen=True, slots=True)
class Changing(Generic[View]):
    """How one thing changes and is shown. `scope`: `noun.verb`; `subject`: the id in the path.

    `show` raises `NotFound` for what the caller may not know of, before anything is bound.
    """

    scope: str
    subject: str
    change: Callable[[Unit, Principal], object]
    show: Callable[[Session, Principal], View]


def change_once(changing: Changing[View]) -> View:
    """Return the thing as it stands after the change, which a resend does not repeat."""
    who, value = principal(), json_body().value
    body = {"subject": changing.subject, **value}
    request = RequestId(changing.scope, str(value["id"]), body)

    def work(unit: Unit) -> View:
        changing.show(unit.session, who)
        if bind(unit, who, request, current=lambda: {"id": changing.subject}):
            changing.change(unit, who)
            unit.session.flush()
        return changing.show(unit.session, who)

    return house().database.transact(work)
