"""Removal orders over REST: draft one, act under it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.beside import NewOrderSchema, OrderSchema
from fieldapi.api.schemas.cases import NewOfficialActSchema, OfficialActSchema
from fieldapi.api.schemas.common import PageSchema, list_of
from fieldapi.api.strict import json_body
from fieldapi.api.turns import reading, turn_of
from fieldapi.queries import beside as queries
from fieldapi.queries.pages import Page
from fieldapi.services import removal_orders
from fieldapi.services.removal_orders import NewOrder

blp = blueprint("removal-orders", "/api/v1/removal-orders", "Orders that cattle leave an area")


@blp.post("")
@needs("removal_order.make")
@blp.arguments(NewOrderSchema)
@blp.response(201, OrderSchema)
@blp.alt_response(200, schema=OrderSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[Any, int]:
    """Draft an order; the act `issue_removal_order` makes it one."""
    new = NewOrder(**body)
    return create_once(
        Creation(
            "removal_order",
            OrderSchema,
            add=lambda unit, who: removal_orders.add(unit, who, house().packs, new),
            show=lambda session, who: queries.order(session, who.authority_id, body["id"]),
        )
    )


@blp.get("")
@needs("removal_order.read")
@blp.arguments(PageSchema, location="query")
@blp.response(200, list_of(OrderSchema))
def index(query: Mapping[str, Any]) -> Page[queries.View]:
    """List the orders."""
    turn = turn_of(query)
    return reading(lambda session, who: queries.orders(session, who.authority_id, turn))


@blp.get("/<order_id>")
@needs("removal_order.read")
@blp.response(200, OrderSchema)
def read(order_id: str) -> queries.View:
    """Give one order."""
    return reading(lambda session, who: queries.order(session, who.authority_id, order_id))


@blp.post("/<order_id>/acts")
@needs("removal_order.make")
@blp.arguments(NewOfficialActSchema)
@blp.response(201, OfficialActSchema)
@blp.alt_response(200, schema=OfficialActSchema, description="An identical resend, or a check.")
def act(_body: Mapping[str, Any], order_id: str) -> Response:
    """Issue it, serve it, or do what the Act lets follow: same body and modes as in a case."""
    who, body = principal(), json_body().value
    found = house().database.transact(
        lambda unit: removal_orders.act(unit, who, house().packs, order_id, body=body)
    )
    return make_response(found.answer, 201 if found.act is not None else 200)
