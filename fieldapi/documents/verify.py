"""The public page on which anybody asks whether something is of here. One page without script; what
it says, it says in one language, and it names nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fieldapi.documents.pages import render
from fieldapi.domain.words import sentence
from fieldapi.locale import LANGUAGE_NAMES

SAYS = {
    ("bundle", True): sentence("This server made an evidence bundle with this hash."),
    ("photo", True): sentence("A photo with this hash was received and stored here."),
    ("head", True): sentence("The ledger continues this head: nothing before it was changed."),
    ("head", False): sentence(
        "The ledger does not continue this head. Keep it, and tell the authority and the auditor."
    ),
    ("unsigned", False): sentence(
        "This is not shown to be a head of here: it has no signature, and the ledger does not"
        " continue it. Was all of it copied? Look for the signed one."
    ),
    ("forged", False): sentence(
        "This is no head of here: this server did not sign it in this form. Was all of it copied?"
    ),
    ("lost", False): sentence(
        "What this head tells of was lost in a restore, so that it cannot be compared. Keep it."
    ),
    ("paper", True): sentence("This paper was issued here."),
    ("paper", False): sentence("This paper was issued here, and is void."),
    ("complaint", True): sentence("This complaint was taken in here."),
    ("nothing", False): sentence(
        "This server knows no such hash, head or code. Was all of it copied?"
    ),
}
FACTS = {
    "size": sentence("Size in bytes"),
    "cut": sentence("The ledger in it ends at entry"),
    "head": sentence("Head of the ledger"),
    "kept": sentence("The head you kept"),
    "now": sentence("The head now"),
    "kind": sentence("Paper"),
    "serial": sentence("Number"),
    "total": sentence("Sum"),
    "state": sentence("How far it has gone"),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer on the page, said in words. `facts`: label and value."""

    fits: bool
    says: str
    facts: Sequence[tuple[str, str]]


def verify_html(
    language: str,
    asked: str,
    answers: Sequence[Answer],
    *,
    is_proven: bool = False,
    is_empty: bool = False,
) -> str:
    """Return the page; `asked`: what was typed. `is_proven`: there is a proof to be fetched;
    `is_empty`: to check nothing was asked for.
    """
    return render(
        "verify.html",
        language=language,
        lang=language,
        asked=asked,
        answers=answers,
        is_proven=is_proven,
        is_empty=is_empty,
        languages=LANGUAGE_NAMES,
    )
