"""Court bundles in the console: what one would hold, asking for it, how far it is, the file."""

from __future__ import annotations

from typing import Any

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import bundle_scope, door, reports
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.register.papers import sheet_html
from fieldapi.console.sign_in import FORM
from fieldapi.documents.pages import qr_uri
from fieldapi.domain.redactions import REDACTIONS
from fieldapi.ids import is_id, new_id
from fieldapi.problems import BadRequest, NotFound
from fieldapi.queries import bundle_letters, bundles, complaints, seizures
from fieldapi.services import bundles as service
from fieldapi.services.bundles import NAMED, REFUSE, NewBundle
from fieldapi.storage import ObjectMissing, chunks
from fieldapi.storage.keys import bundle_key


@blp.get("/cases/<seizure_id>/bundle")
@session("bundle.read")
def case_bundle(seizure_id: str) -> Response:
    """Show what a bundle of the case would hold, and those that were made. Raises `NotFound`."""
    who = door.principal()
    with house().database.read() as database:
        report: dict[str, Any] = seizures.one(database, who, seizure_id)
        preview = bundles.preview(database, who, seizure_id)
        holds = bundle_scope.scope(database, who, seizure_id, preview)
        made = bundles.of_case(database, who.authority_id, seizure_id)
        about = complaints.of_case(database, who, seizure_id)
        head = reader(database, who)
    return page(
        "bundle_new.html",
        reader=head,
        report=report,
        preview=preview,
        holds=holds,
        pictures=reports.pictures(report, words()),
        made=made,
        complaints=about,
        redactions=REDACTIONS,
        id=new_id(),
    )


@blp.post("/cases/<seizure_id>/bundle")
@session("bundle.make", is_great=True)
@takes(FORM)
def ask_bundle(seizure_id: str) -> Redirect:
    """Ask for a bundle; it is made in the background. Raises `NotFound`."""
    form, who = request.form, door.principal()
    if not is_id(form.get("id")):
        raise BadRequest("This form is not one of these pages.")
    new = NewBundle(
        form["id"],
        seizure_id,
        form.get("complaint") or None,
        form.getlist("redact"),
        NAMED if "name_missing" in form else REFUSE,
    )
    with house().database.read() as database:
        is_known = any(
            one.id == new.id for one in bundles.of_case(database, who.authority_id, seizure_id)
        )
    if not is_known:
        house().database.transact(lambda unit: service.ask(unit, who, new))
    return redirect(f"/console/bundles/{new.id}", 303)


@blp.get("/bundles/<bundle_id>")
@session("bundle.read")
def bundle(bundle_id: str) -> Response:
    """Show a bundle as it stands. Raises `NotFound`."""
    who = door.principal()
    with house().database.read() as database:
        found = bundles.one(database, who.authority_id, bundle_id)
        reference = bundles.reference_of(database, who.authority_id, found.seizure)
        report: dict[str, Any] = seizures.one(database, who, found.seizure)
        head = reader(database, who)
    proof = f"{house().settings.public_url}/verify?hash={found.sha256}"
    picture = qr_uri(proof)
    return page(
        "bundle.html",
        reader=head,
        bundle=found,
        reference=reference,
        pictures=reports.pictures(report, words()),
        redactions=REDACTIONS,
        picture=picture,
    )


@blp.post("/bundles/<bundle_id>/file")
@session("bundle.read", is_great=True)
@takes(FORM)
def bundle_file(bundle_id: str) -> Response:
    """Give the file; the ledger notes who took it. Raises `NotFound` while it is being made."""
    who = door.principal()
    with house().database.read() as database:
        found = bundles.file_of(database, who.authority_id, bundle_id)
    service.note_read(house().database, who, bundle_id)
    try:
        stream = house().storage.open(bundle_key(found.sha256))
    except ObjectMissing as exc:
        raise NotFound from exc
    response = Response(chunks(stream), content_type="application/zip")
    response.call_on_close(stream.close)
    response.content_length = found.size
    response.headers["Content-Disposition"] = f'attachment; filename="{found.name}"'
    return response


@blp.get("/bundles/<bundle_id>/letter.html")
@session("bundle.read")
def bundle_letter(bundle_id: str) -> Response:
    """Give the covering letter as a page to print."""
    parts, who = house(), door.principal()
    with parts.database.read() as database:
        sheet = bundle_letters.letter(
            database,
            who.authority_id,
            bundle_id,
            public_url=parts.settings.public_url,
            key=parts.keys.public_key,
        )
    return sheet_html(sheet, size="a4")
