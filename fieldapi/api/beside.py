"""The routes of what stands beside a case and has acts of its own: an offence, a removal order.

Both are made once, listed, read, and acted upon with the same body and modes as a case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import marshmallow as ma
from flask import Response, make_response
from sqlalchemy.orm import Session

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import Blueprint, blueprint
from fieldapi.api.house import house
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.cases import NewOfficialActSchema, OfficialActSchema
from fieldapi.api.schemas.common import PageSchema, list_of
from fieldapi.api.strict import json_body
from fieldapi.api.turns import reading, turn_of
from fieldapi.packs import Packs
from fieldapi.queries.beside import View
from fieldapi.queries.pages import Page, Turn
from fieldapi.services.acts.beside import Answered
from fieldapi.services.authorise import Principal
from fieldapi.unit import Unit
from sync.wire import JSON

New = TypeVar("New")


@dataclass(frozen=True, slots=True)
class Noun(Generic[New]):
    """A noun with its address, `/api/v1/{plural}`. `make`, `read`: the rights that it needs;
    `taken`, `told`: the schemas of its body and of its answer; `new`: the value of a body; `key`:
    what its id is called in the address.
    """

    name: str
    plural: str
    description: str
    make: str
    read: str
    taken: type[ma.Schema]
    told: type[ma.Schema]
    new: Callable[[Mapping[str, Any]], New]
    add: Callable[[Unit, Principal, Packs, New], object]
    show: Callable[[Session, str, str], View]
    list_all: Callable[[Session, str, Turn], Page[View]]
    act: Callable[[Unit, Principal, Packs, str, Mapping[str, JSON]], Answered]
    key: str


def routes_of(noun: Noun[New]) -> Blueprint:
    """Return the blueprint of a noun."""
    blp = blueprint(noun.plural, f"/api/v1/{noun.plural}", noun.description)
    _making(blp, noun)
    _reading(blp, noun)
    return blp


def _making(blp: Blueprint, noun: Noun[New]) -> None:
    """Add the routes that write: one is made, and acted upon."""

    @blp.post("")
    @needs(noun.make)
    @blp.arguments(noun.taken)
    @blp.response(201, noun.told)
    @blp.alt_response(200, schema=noun.told, description="An identical resend.")
    def create(body: Mapping[str, Any]) -> tuple[Any, int]:
        """Note one; what follows is said by its acts."""
        new = noun.new(body)
        return create_once(
            Creation(
                noun.name,
                noun.told,
                add=lambda unit, who: noun.add(unit, who, house().packs, new),
                show=lambda session, who: noun.show(session, who.authority_id, body["id"]),
            )
        )

    @blp.post(f"/<{noun.key}>/acts")
    @needs(noun.make)
    @blp.arguments(NewOfficialActSchema)
    @blp.response(201, OfficialActSchema)
    @blp.alt_response(200, schema=OfficialActSchema, description="An identical resend, or a check.")
    def act(_body: Mapping[str, Any], **path: str) -> Response:
        """Do or record what the Act lets follow: same body and modes as in a case."""
        (one,) = path.values()
        who, body = principal(), json_body().value
        found = house().database.transact(
            lambda unit: noun.act(unit, who, house().packs, one, body)
        )
        return make_response(found.answer, 201 if found.act is not None else 200)


def _reading(blp: Blueprint, noun: Noun[New]) -> None:
    """Add the routes that read: all of them, and one."""

    @blp.get("")
    @needs(noun.read)
    @blp.arguments(PageSchema, location="query")
    @blp.response(200, list_of(noun.told))
    def index(query: Mapping[str, Any]) -> Page[View]:
        """List them."""
        turn = turn_of(query)
        return reading(lambda session, who: noun.list_all(session, who.authority_id, turn))

    @blp.get(f"/<{noun.key}>")
    @needs(noun.read)
    @blp.response(200, noun.told)
    def read(**path: str) -> View:
        """Give one."""
        (one,) = path.values()
        return reading(lambda session, who: noun.show(session, who.authority_id, one))
