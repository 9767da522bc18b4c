"""Complaints of illegal seizure over REST: take one in, read it beside the record, act on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.documents import page_of, pdf_of
from fieldapi.api.house import house
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.cases import NewOfficialActSchema, OfficialActSchema
from fieldapi.api.schemas.common import list_of
from fieldapi.api.schemas.complaints import (
    ComplaintInShortSchema,
    ComplaintQuerySchema,
    ComplaintSchema,
    EvidenceListSchema,
    NewComplaintSchema,
)
from fieldapi.api.strict import json_body
from fieldapi.api.turns import reading, turn_of
from fieldapi.documents.sheets import Sheet
from fieldapi.queries import complaint_receipts
from fieldapi.queries import complaints as queries
from fieldapi.queries.complaints import View
from fieldapi.queries.pages import Page
from fieldapi.services import complaints, record_views
from fieldapi.services.complaints import NewComplaint

blp = blueprint("complaints", "/api/v1/complaints", "Complaints of illegal seizure or detention")


def _new(body: Mapping[str, Any]) -> NewComplaint:
    same = ("id", "by", "agent", "is_acquainted", "is_verbal", "taken_down_by", "made_at", "text")
    return NewComplaint(
        seizure_id=body["case"],
        heads=body["heads"],
        against=[(one["party"], one["part"]) for one in body["against"]],
        allegations=[(one["allegation"], one["text"]) for one in body["allegations"]],
        **{name: body[name] for name in same},
    )


@blp.post("")
@needs("complaint.take")
@blp.arguments(NewComplaintSchema)
@blp.response(201, ComplaintSchema)
@blp.alt_response(200, schema=ComplaintSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[View, int]:
    """Take a complaint in, a late one too; what follows is said by its acts."""
    new, packs, at = _new(body), house().packs, house().database.clock()
    return create_once(
        Creation(
            "complaint",
            ComplaintSchema,
            add=lambda unit, who: complaints.add(unit, who, packs, new),
            show=lambda session, who: queries.one(session, packs, who.authority_id, new.id, at=at),
        )
    )


@blp.get("")
@needs("complaint.read")
@blp.arguments(ComplaintQuerySchema, location="query")
@blp.response(200, list_of(ComplaintInShortSchema))
def index(query: Mapping[str, Any]) -> Page[View]:
    """List complaints in short."""
    turn, case = turn_of(query), query["case"]
    return reading(lambda session, who: queries.page_of(session, who.authority_id, turn, case=case))


@blp.get("/<complaint_id>")
@needs("complaint.read")
@blp.response(200, ComplaintSchema)
def read(complaint_id: str) -> View:
    """Give a complaint whole: each allegation beside what the record shows."""
    packs, at = house().packs, house().database.clock()
    found = reading(
        lambda session, who: queries.one(session, packs, who.authority_id, complaint_id, at=at)
    )
    record_views.note_view(house().database, principal(), f"complaint/{complaint_id}")
    return found


@blp.get("/<complaint_id>/evidence")
@needs("complaint.read")
@blp.response(200, EvidenceListSchema)
def evidence(complaint_id: str) -> View:
    """List what of the case can be picked as evidence: photos, fixes, arrivals, acts, entries."""
    packs = house().packs
    found = reading(
        lambda session, who: queries.evidence(session, packs, who.authority_id, complaint_id)
    )
    return {"items": found, "next": None}


@blp.get("/<complaint_id>/receipt.html")
@needs("complaint.take")
@blp.response(200)
def receipt_page(complaint_id: str) -> Response:
    """Give the receipt that the complainant takes home, as a page to print."""
    return page_of(_receipt(complaint_id))


@blp.get("/<complaint_id>/receipt.pdf")
@needs("complaint.take")
@blp.response(200)
def receipt_pdf(complaint_id: str) -> Response:
    """Give the receipt of a complaint as PDF."""
    return pdf_of(_receipt(complaint_id), size="a4", name=f"complaint-{complaint_id}")


def _receipt(complaint_id: str) -> Sheet:
    parts = house()
    return reading(
        lambda session, who: complaint_receipts.receipt(
            session,
            parts.packs,
            who,
            complaint_id,
            public_url=parts.settings.public_url,
        )
    )


@blp.post("/<complaint_id>/acts")
@needs("complaint.take")
@blp.arguments(NewOfficialActSchema)
@blp.response(201, OfficialActSchema)
@blp.alt_response(200, schema=OfficialActSchema, description="An identical resend, or a check.")
def act(_body: Mapping[str, Any], complaint_id: str) -> Response:
    """Do or record what the Act lets follow: same body and modes as in a case."""
    who, body, packs = principal(), json_body().value, house().packs
    found = house().database.transact(
        lambda unit: complaints.act(unit, who, packs, complaint_id, body=body)
    )
    return make_response(found.answer, 201 if found.act is not None else 200)
