"""Reviews over REST: decide on a report, decide a field in which two values stand, list both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.preconditions import if_match
from fieldapi.api.schemas.common import list_of
from fieldapi.api.schemas.reviews import (
    DecisionSchema,
    NewReviewSchema,
    ReviewQuerySchema,
    ReviewSchema,
)
from fieldapi.api.strict import json_body
from fieldapi.api.turns import reading, turn_of
from fieldapi.queries import reviews as queries
from fieldapi.queries.cases import ReviewView
from fieldapi.queries.reviews import FIELD, REPORT, Item, Wanted
from fieldapi.services import conflicts, reviews
from fieldapi.services.conflicts import Decision
from fieldapi.services.ops.scene import scene_of
from fieldapi.services.reviews import NewReview
from fieldapi.unit import Unit

blp = blueprint("reviews", "/api/v1/reviews", "What reviewers decide, on reports and on fields")

Document = dict[str, Any]


@blp.post("")
@needs("seizure.review")
@blp.arguments(NewReviewSchema)
@blp.response(201, ReviewSchema)
@blp.alt_response(200, schema=ReviewSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> Response:
    """Decide on a report. With `If-Match`, only on the revision that was seen."""
    who = principal()
    new = NewReview(
        body["id"], body["seizure"], body["outcome"], reason=body["reason"], seen=if_match()
    )
    made, is_new = house().database.transact(lambda unit: reviews.review(unit, who, new))
    return make_response(_document(made), 201 if is_new else 200)


@blp.get("")
@needs("review.read")
@blp.arguments(ReviewQuerySchema, location="query")
@blp.response(200, list_of(ReviewSchema))
def index(query: Mapping[str, Any]) -> Document:
    """List the open conflicts of fields, then the decisions on reports."""
    turn, wanted = turn_of(query), Wanted(query["about"], query["seizure"])
    page = reading(lambda session, who: queries.page(session, who.authority_id, wanted, turn))
    return {"items": [_document(item) for item in page.items], "next": page.next}


@blp.get("/<review_id>")
@needs("review.read")
@blp.response(200, ReviewSchema)
def read(review_id: str) -> Document:
    """Give one decision on a report, or one conflict of a field."""
    return _document(
        reading(lambda session, who: queries.one(session, who.authority_id, review_id))
    )


@blp.post("/<review_id>/decision")
@needs("seizure.review")
@blp.arguments(DecisionSchema)
@blp.response(200, ReviewSchema)
def decide(body: Mapping[str, Any], review_id: str) -> Document:
    """Decide which value of a field stands."""
    who = principal()
    made = Decision(
        review=review_id,
        op=body["op"],
        reason=body["reason"],
        body=json_body().value,
        head=body["head"],
        value=body.get("value"),
        has_value="value" in body,
    )

    def work(unit: Unit) -> Document:
        scene = scene_of(unit, house().packs, who.authority_id)
        found, _ = conflicts.decide(unit, who, scene, made)
        return _document(found)

    return house().database.transact(work)


def _document(item: Item) -> Document:
    if isinstance(item, ReviewView):
        return {
            "id": item.id,
            "about": REPORT,
            "seizure": item.seizure_id,
            "outcome": item.outcome,
            "reason": item.reason,
            "by": item.person_id,
            "at": item.at,
        }
    return {
        "id": item.id,
        "about": FIELD,
        "seizure": item.seizure_id,
        "kind": item.kind,
        "record": item.record_id,
        "field": item.field,
        "state": "open" if item.is_open else "decided",
        "heads": [head.as_json() for head in item.heads],
        "decided": None if item.decided is None else item.decided.as_json(),
    }
