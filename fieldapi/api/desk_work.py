"""The desk among itself over REST: whose a report is to review, and comments beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response
from sqlalchemy.orm import Session

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.schemas.desk_work import (
    AssignmentSchema,
    CommentListSchema,
    CommentSchema,
    NewAssignmentSchema,
    NewCommentSchema,
)
from fieldapi.api.turns import reading
from fieldapi.queries import cases
from fieldapi.queries import desk_work as queries
from fieldapi.services import desk_work
from fieldapi.services.authorise import Principal
from fieldapi.services.desk_work import NewAssignment, NewComment

blp = blueprint("desk", "/api/v1/seizures", "Whose a report is to review, and comments")

Document = dict[str, Any]


@blp.get("/<seizure_id>/assignment")
@needs("review.read")
@blp.response(200, AssignmentSchema)
def assignment(seizure_id: str) -> Document:
    """Say whose a report is."""

    def read(session: Session, who: Principal) -> Document:
        cases.records(session, who.authority_id, seizure_id)
        return queries.assignment(session, who.authority_id, seizure_id)

    return reading(read)


@blp.post("/<seizure_id>/assignment")
@needs("seizure.assign")
@blp.arguments(NewAssignmentSchema)
@blp.response(201, AssignmentSchema)
@blp.alt_response(200, schema=AssignmentSchema, description="An identical resend.")
def assign(body: Mapping[str, Any], seizure_id: str) -> Response:
    """Give a report to a reviewer, or to nobody."""
    who, new = principal(), NewAssignment(body["id"], seizure_id, body["to"])
    found, is_new = house().database.transact(lambda unit: desk_work.assign(unit, who, new))
    return make_response(found, 201 if is_new else 200)


@blp.get("/<seizure_id>/comments")
@needs("review.read")
@blp.response(200, CommentListSchema)
def comments(seizure_id: str) -> Document:
    """List what the desk noted beside a report."""

    def read(session: Session, who: Principal) -> list[Document]:
        cases.records(session, who.authority_id, seizure_id)
        return queries.comments(session, who.authority_id, seizure_id)

    return {"items": reading(read), "next": None}


@blp.post("/<seizure_id>/comments")
@needs("comment.add")
@blp.arguments(NewCommentSchema)
@blp.response(201, CommentSchema)
@blp.alt_response(200, schema=CommentSchema, description="An identical resend.")
def note(body: Mapping[str, Any], seizure_id: str) -> Response:
    """Write a comment beside a report; it is never changed, and reaches no phone."""
    who, new = principal(), NewComment(body["id"], seizure_id, body["text"])
    found, is_new = house().database.transact(lambda unit: desk_work.note(unit, who, new))
    return make_response(found, 201 if is_new else 200)
