"""Binds a client-made id to one content, so that a resend is known and has no second effect.

Called by every service or handler that creates or changes something over HTTP, inside its unit
and before any other rule: a rollback unbinds the id, so only a stored success binds one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.orm import Session

from fieldapi.keyring import Keyring
from fieldapi.models import RequestKey
from fieldapi.models.insert import insert_once
from fieldapi.problems import IdReuse
from fieldapi.services.authorise import Principal
from fieldapi.unit import Unit
from sync.wire import JSON, canonical


@dataclass(frozen=True, slots=True)
class RequestId:
    """A client-made id `key` in its `scope` (the noun it creates, or `noun.verb`), and the parsed
    body it came with, exactly as sent: defaults and minted values take no part.
    """

    scope: str
    key: str
    body: JSON


def bind(
    unit: Unit, principal: Principal, request: RequestId, *, current: Callable[[], JSON]
) -> bool:
    """Return True if the id is new and now bound, False if this is an identical resend.

    Of parallel requests with one id exactly one sees True; the others wait for its commit.
    Raises `IdReuse` with `current()` if the id is bound to other content.
    """
    digest = body_digest(unit.keys, request.body)
    values = {
        "authority_id": principal.authority_id,
        "actor": principal.actor,
        "scope": request.scope,
        "key": request.key,
        "digest": digest,
        "at": unit.now,
    }
    if insert_once(unit.session, RequestKey, values):
        return True
    if bound_digest(unit.session, principal, request) == digest:
        return False
    raise IdReuse(current=current())


def bound_digest(session: Session, principal: Principal, request: RequestId) -> bytes | None:
    """Return the digest an id is bound to, or None while it is free."""
    key = (principal.authority_id, principal.actor, request.scope, request.key)
    row = session.get(RequestKey, key)
    return None if row is None else row.digest


def body_digest(keys: Keyring, body: JSON) -> bytes:
    """Return the HMAC of parsed JSON: members in any order, 9 as 9.0, are the same body."""
    return keys.digest(b"request body\n" + canonical(body))
