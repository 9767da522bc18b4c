"""The public page `/verify`, which says whether a file, a head or a paper is of here."""

from __future__ import annotations

import json

from flask import Response, make_response, request

from fieldapi import locale
from fieldapi.access import public
from fieldapi.api.blueprint import blueprint
from fieldapi.api.headers import sheet_source
from fieldapi.api.house import house
from fieldapi.clock import format_instant
from fieldapi.documents.papers import KINDS
from fieldapi.documents.sheets import moment, rupees
from fieldapi.documents.verify import FACTS, SAYS, Answer, verify_html
from fieldapi.domain.complaint_labels import STATES
from fieldapi.domain.words import sentence
from fieldapi.locale import gettext
from fieldapi.problems import NotFound
from fieldapi.queries import verifying
from fieldapi.queries.verifying import Finding

blp = blueprint("verify", "/verify", "Is this file, this head, this paper of here?")
_POLICY = (
    "default-src 'none'; style-src {sheet}; form-action 'self'; frame-ancestors 'none';"
    " base-uri 'none'"
)
_NAMES = ("q", "hash", "document")


@blp.get("")
@public
@blp.response(200)
def page() -> Response:
    """Say whether a hash, a head or the code of a paper is of here. Names nobody."""
    language = _language()
    asked, keys = _asked(), house().keys
    with house().database.read() as session:
        found = verifying.asked(session, asked, keys) if asked else []
        proof = verifying.proof(session, asked, keys) if asked else None
    answers = [_answer(one, language) for one in found]
    is_proven = proof is not None
    drawn = verify_html(
        language,
        asked[: verifying.MOST],
        answers,
        is_proven=is_proven,
        is_empty=not asked and "q" in request.args,
    )
    response = make_response(drawn)
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    response.headers["Content-Security-Policy"] = _POLICY.format(sheet=sheet_source(drawn))
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Language"] = language
    return response


@blp.get("/proof.json")
@public
@blp.response(200)
def proof() -> Response:
    """Give the proof that a head which somebody kept is continued: by the second head in the text,
    or by the present one. `verify.py --proof` reads it.
    """
    with house().database.read() as session:
        found = verifying.proof(session, _asked(), house().keys)
    if found is None:
        raise NotFound("There is no proof: this is no head of here, or the ledger does not fit it.")
    response = make_response(f"{json.dumps(found, indent=1)}\n")
    response.headers["Content-Type"] = "application/json"
    response.headers["Content-Disposition"] = 'attachment; filename="proof.json"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _language() -> str:
    """Return the language that was chosen on the page, else the one that the browser asks for."""
    chosen = request.args.get("lang", "")
    if chosen in locale.LANGUAGES:
        return chosen
    return locale.asked(request.accept_languages)


def _asked() -> str:
    return next((text for name in _NAMES if (text := request.args.get(name, "").strip())), "")


def _answer(found: Finding, language: str) -> Answer:
    facts = [
        (gettext(FACTS[name], language), _said(name, value, language))
        for name, value in found.facts
        if name in FACTS and value
    ]
    if found.authority:
        facts.insert(0, (gettext(sentence("Authority"), language), found.authority))
    if found.at is not None:
        at = moment(format_instant(found.at))
        facts.insert(1, (gettext(sentence("Since"), language), at))
    return Answer(found.fits, gettext(SAYS[found.what, found.fits], language), facts)


def _said(name: str, value: str, language: str) -> str:
    if name == "kind" and value in KINDS:
        return gettext(KINDS[value].title, language)
    if name == "state" and value in STATES:
        return gettext(STATES[value], language)
    return rupees(int(value)) if name == "total" else value
