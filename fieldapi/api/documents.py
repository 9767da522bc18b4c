"""Official papers over REST: as JSON, as PDF, as HTML; printed, voided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response
from sqlalchemy.orm import Session

from fieldapi.access import needs
from fieldapi.api.blueprint import blueprint
from fieldapi.api.changes import Changing, change_once
from fieldapi.api.house import house
from fieldapi.api.schemas.documents import (
    DocumentSchema,
    PrintedSchema,
    PrintQuerySchema,
    VoidSchema,
)
from fieldapi.api.turns import reading
from fieldapi.documents import drawing
from fieldapi.documents.papers import sheet_of
from fieldapi.documents.sheets import Sheet
from fieldapi.problems import Unavailable
from fieldapi.queries import papers as queries
from fieldapi.services import prints, serials
from fieldapi.services.authorise import Principal

blp = blueprint("documents", "/api/v1/documents", "Receipts, notices, copies: official papers")
_SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'"


@blp.get("/<document_id>")
@needs("document.read")
@blp.response(200, DocumentSchema)
def read(document_id: str) -> Mapping[str, Any]:
    """Give a paper as what it says."""
    return reading(lambda session, who: _view(session, who, document_id))


@blp.get("/<document_id>.pdf")
@needs("document.read")
@blp.arguments(PrintQuerySchema, location="query")
@blp.response(200)
def pdf(query: Mapping[str, Any], document_id: str) -> Response:
    """Give a paper as PDF. 503 with the missing package where its fonts are not installed."""
    return pdf_of(_sheet(document_id), size=query["size"], name=document_id)


@blp.get("/<document_id>.html")
@needs("document.read")
@blp.arguments(PrintQuerySchema, location="query")
@blp.response(200)
def html(query: Mapping[str, Any], document_id: str) -> Response:
    """Give a paper as a page to print."""
    return page_of(_sheet(document_id), size=query["size"])


@blp.post("/<document_id>/printed")
@needs("document.print")
@blp.arguments(PrintedSchema)
@blp.response(200, DocumentSchema)
def printed(_body: Mapping[str, Any], document_id: str) -> Mapping[str, Any]:
    """Say that it was printed: from now on it comes out as a duplicate."""
    return change_once(
        Changing(
            "document.printed",
            document_id,
            change=lambda unit, who: prints.printed(unit, who, document_id),
            show=lambda session, who: _view(session, who, document_id),
        )
    )


@blp.post("/<document_id>/void")
@needs("document.print")
@blp.arguments(VoidSchema)
@blp.response(200, DocumentSchema)
def void(body: Mapping[str, Any], document_id: str) -> Mapping[str, Any]:
    """Void a numbered paper that is wrong; nobody gets its number again."""
    return change_once(
        Changing(
            "document.void",
            document_id,
            change=lambda unit, who: serials.void(
                unit, who, document_id=document_id, reason=body["reason"]
            ),
            show=lambda session, who: _view(session, who, document_id),
        )
    )


def pdf_of(sheet: Sheet, *, size: str, name: str) -> Response:
    """Return the answer that is a sheet as PDF. Raises `Unavailable` naming what is missing."""
    try:
        drawn = drawing.pdf(sheet, size=size, fonts=house().settings.fonts)
    except drawing.FontsMissing as exc:
        raise Unavailable(
            f"{str(exc).capitalize()}. The same paper is there as .html.",
            package=exc.package,
            font=exc.font,
        ) from exc
    response = make_response(drawn)
    response.headers["Content-Type"] = "application/pdf"
    response.headers["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    response.headers["Content-Security-Policy"] = _SANDBOX
    return response


def page_of(sheet: Sheet, *, size: str = "a4") -> Response:
    """Return the answer that is a sheet as a page to print."""
    response = make_response(drawing.html(sheet, size=size))
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    response.headers["Content-Security-Policy"] = _SANDBOX
    return response


def _sheet(document_id: str) -> Sheet:
    parts = house()
    return reading(
        lambda session, who: sheet_of(
            queries.drawn(
                queries.paper(session, who, document_id),
                parts.packs,
                public_url=parts.settings.public_url,
            )
        )
    )


def _view(session: Session, who: Principal, document_id: str) -> Mapping[str, Any]:
    return queries.view(queries.paper(session, who, document_id))
