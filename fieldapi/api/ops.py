"""Ops that wait for a reviewer: list them, let one in, turn one down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.schemas.common import list_of
from fieldapi.api.schemas.ops import OpVerdictSchema, WaitingOpSchema, WaitingQuerySchema
from fieldapi.api.turns import reading, turn_of
from fieldapi.queries import waiting
from fieldapi.queries.pages import Page
from fieldapi.queries.waiting import WaitingOp
from fieldapi.services.ops.release import REJECTED, RELEASED, judge_op

blp = blueprint("ops", "/api/v1/ops", "Ops that wait for a reviewer")


@blp.get("")
@needs("op.read")
@blp.arguments(WaitingQuerySchema, location="query")
@blp.response(200, list_of(WaitingOpSchema))
def index(query: Mapping[str, Any]) -> Page[WaitingOp]:
    """List the ops that wait, oldest first; by `status` also those that were judged."""
    turn, status = turn_of(query), query["status"]
    return reading(
        lambda session, who: waiting.page(session, who.authority_id, turn, status=status)
    )


@blp.post("/<actor>/<op_id>/release")
@needs("op.judge")
@blp.arguments(OpVerdictSchema)
@blp.response(200, WaitingOpSchema)
def release(body: Mapping[str, Any], actor: str, op_id: str) -> WaitingOp:
    """Let a held op in; it counts as if it had come in order."""
    return _judge((actor, op_id), RELEASED, body)


@blp.post("/<actor>/<op_id>/reject")
@needs("op.judge")
@blp.arguments(OpVerdictSchema)
@blp.response(200, WaitingOpSchema)
def reject(body: Mapping[str, Any], actor: str, op_id: str) -> WaitingOp:
    """Turn an op down; it stays stored and listed, and its author hears the reason."""
    return _judge((actor, op_id), REJECTED, body)


def _judge(key: tuple[str, str], verdict: str, body: Mapping[str, Any]) -> WaitingOp:
    who = principal()
    house().database.transact(lambda unit: judge_op(unit, who, key, verdict, reason=body["reason"]))
    return reading(lambda session, who: waiting.one(session, who.authority_id, *key))
