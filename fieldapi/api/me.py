"""What the holder of a token is: person, roles, pounds, places, statute; and a fresh token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fieldapi.access import signed_in
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.schemas.me import MeQuerySchema, MeSchema, TokenSchema
from fieldapi.api.turns import reading
from fieldapi.clock import INDIA
from fieldapi.queries import me as queries
from fieldapi.queries.me import Asked, Me
from fieldapi.services import devices

blp = blueprint("me", "/api/v1/me", "What a device needs to know of itself")


@blp.get("")
@signed_in
@blp.arguments(MeQuerySchema, location="query")
@blp.response(200, MeSchema)
def read(query: Mapping[str, Any]) -> Me:
    """Give everything a phone keeps of itself, its person, its authority and its statute."""
    parts = house()
    now = parts.database.clock()
    asked = Asked(now, now.astimezone(INDIA).date(), query["language"])
    return reading(lambda session, who: queries.me(session, who, parts.packs, asked=asked))


@blp.post("/token")
@signed_in
@blp.response(200, TokenSchema)
def rotate() -> dict[str, object]:
    """Give a second token. The first works until the second is used, so none is ever lost."""
    who, database = principal(), house().database
    token = database.transact(lambda unit: devices.rotate(unit, who))
    return {"token": token, "server_now": database.clock()}
