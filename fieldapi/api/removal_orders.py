"""Removal orders over REST: draft one, act under it; the act `issue_removal_order` makes it one."""

from __future__ import annotations

from fieldapi.api.beside import Noun, routes_of
from fieldapi.api.schemas.beside import NewOrderSchema, OrderSchema
from fieldapi.queries import beside as queries
from fieldapi.services import removal_orders
from fieldapi.services.removal_orders import NewOrder

blp = routes_of(
    Noun(
        name="removal_order",
        plural="removal-orders",
        key="order_id",
        description="Orders that cattle leave an area",
        make="removal_order.make",
        read="removal_order.read",
        taken=NewOrderSchema,
        told=OrderSchema,
        new=lambda body: NewOrder(**body),
        add=removal_orders.add,
        show=queries.order,
        list_all=queries.orders,
        act=lambda unit, who, packs, one, body: removal_orders.act(
            unit, who, packs, one, body=body
        ),
    )
)
