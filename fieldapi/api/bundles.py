"""Court bundles over REST: ask for one, see how far it is, fetch it with its covering letter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, request

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.documents import page_of, pdf_of
from fieldapi.api.files import MADE_HERE, StoredFile, send
from fieldapi.api.house import house
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.bundles import (
    BundleListSchema,
    BundleQuerySchema,
    BundleSchema,
    NewBundleSchema,
)
from fieldapi.api.turns import reading, turn_of
from fieldapi.documents.sheets import Sheet
from fieldapi.queries import bundle_letters
from fieldapi.queries import bundles as queries
from fieldapi.queries.bundles import BundleView
from fieldapi.queries.pages import Page
from fieldapi.services import bundles
from fieldapi.services.bundles import NewBundle
from fieldapi.storage.keys import bundle_key

blp = blueprint("bundles", "/api/v1/bundles", "Court bundles: evidence that proves itself")
_ACCEPTED = 202
_GIVES = frozenset({200, 206})


@blp.post("")
@needs("bundle.make")
@blp.arguments(NewBundleSchema)
@blp.response(202, BundleSchema)
@blp.alt_response(200, schema=BundleSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[BundleView, int]:
    """Ask for the bundle of a case. It is made in the background: read it until it is `ready`.

    The same case at the same entry of the ledger gives the same file, however often it is asked
    for; each request is a submission of its own, with a number.
    """
    new = NewBundle(body["id"], body["seizure"], body["complaint"], body["redact"], body["missing"])
    creation = Creation(
        "bundle",
        BundleSchema,
        add=lambda unit, who: bundles.ask(unit, who, new),
        show=lambda session, who: queries.one(session, who.authority_id, new.id),
    )
    shown, status = create_once(creation)
    return shown, _ACCEPTED if status == 201 else status  # noqa: PLR2004 - created


@blp.get("")
@needs("bundle.read")
@blp.arguments(BundleQuerySchema, location="query")
@blp.response(200, BundleListSchema)
def index(query: Mapping[str, Any]) -> Page[BundleView]:
    """List bundles, of one case or of all."""
    turn = turn_of(query)
    return reading(
        lambda session, who: queries.listed(
            session, who.authority_id, turn, seizure=query["seizure"]
        )
    )


@blp.get("/<bundle_id>")
@needs("bundle.read")
@blp.response(200, BundleSchema)
def read(bundle_id: str) -> BundleView:
    """Give a bundle as it stands: `building` with its progress, `ready`, or `failed` with what is
    missing.
    """
    return reading(lambda session, who: queries.one(session, who.authority_id, bundle_id))


@blp.get("/<bundle_id>/download")
@needs("bundle.read")
@blp.response(200)
def download(bundle_id: str) -> Response:
    """Give the file. Who took it is entered in the ledger."""
    found = reading(lambda session, who: queries.file_of(session, who.authority_id, bundle_id))
    answer = send(
        StoredFile(
            key=bundle_key(found.sha256),
            size=found.size,
            media_type="application/zip",
            tag=found.sha256,
            caching=MADE_HERE,
            name=found.name,
        )
    )
    # Before a byte of it is given; who asks whether it has changed, or how large it is, takes none.
    if request.method == "GET" and answer.status_code in _GIVES:
        bundles.note_read(house().database, principal(), bundle_id)
    return answer


@blp.get("/<bundle_id>/letter.html")
@needs("bundle.read")
@blp.response(200)
def letter_page(bundle_id: str) -> Response:
    """Give the covering letter as a page to print: hash, submission number, head of the ledger."""
    return page_of(_letter(bundle_id))


@blp.get("/<bundle_id>/letter.pdf")
@needs("bundle.read")
@blp.response(200)
def letter_pdf(bundle_id: str) -> Response:
    """Give the covering letter as PDF."""
    return pdf_of(_letter(bundle_id), size="a4", name=f"letter-{bundle_id}")


def _letter(bundle_id: str) -> Sheet:
    parts = house()
    return reading(
        lambda session, who: bundle_letters.letter(
            session,
            who.authority_id,
            bundle_id,
            public_url=parts.settings.public_url,
            key=parts.keys.public_key,
        )
    )
