"""What a bundle does not hold, each thing with its reason: erased, left out by choice, missing, set
aside, never let in. Flask-free; called by `sections`.
"""

from __future__ import annotations

from collections.abc import Iterator

from fieldapi.console.court.case import CourtCase
from fieldapi.documents.casebook import Block, grouped
from fieldapi.domain.redactions import REDACTIONS
from fieldapi.domain.words import sentence

_PARKED = {
    "held": sentence("Waits for a reviewer"),
    "quarantined": sentence("Could not be taken in"),
    "partial": sentence("Could not be taken in, in part"),
    "deferred": sentence("Waits for a newer program"),
    "released": sentence("Was let in later"),
    "rejected": sentence("Was turned down"),
    "corrected": sentence("Was corrected"),
    "merged": sentence("Was let in later"),
}
_MISSING = {
    "announced by the phone, and its bytes never arrived": sentence(
        "Missing: the phone announced it, its bytes never arrived."
    ),
    "stored once, and found damaged or missing since": sentence(
        "Missing: it was stored once and was found damaged since."
    ),
}


def absent(case: CourtCase) -> list[Block]:
    """Return a block for each sort of what is not here; a note where there is nothing of it."""
    blocks = [*_left_out(case), *_erased(case), *_missing(case), *_set_aside(case), *_parked(case)]
    blocks += _told(case)
    if blocks:
        return blocks
    said = case.words.gettext("Nothing was left out, erased, missing or set aside.")
    return [Block("notes", rows=[(said,)])]


def _left_out(case: CourtCase) -> Iterator[Block]:
    gettext, content = case.words.gettext, case.content
    if not content.wanted.redact:
        return
    rows = [(f"– {gettext(REDACTIONS[one].says)}",) for one in content.wanted.redact]
    counted = gettext(
        "With it, {words} of what phones sent is left out whole, and {photos} photos; their"
        " entries in the ledger are here, with their hashes.",
        words=len(content.ops_out),
        photos=len(content.originals_out),
    )
    yield Block("notes", gettext("Left out of this bundle by choice"), rows=[*rows, (counted,)])


def _erased(case: CourtCase) -> Iterator[Block]:
    gettext = case.words.gettext
    if not case.content.erased:
        return
    rows = [
        (case.words.fields(fields) or "–", name) for name, fields in case.content.erased.items()
    ]
    columns = [gettext("Field"), gettext("Sent as")]
    title = gettext("Erased at the request of a person, as the ledger tells")
    yield Block("table", title, columns, rows, (5, 7), (1,))


def _missing(case: CourtCase) -> Iterator[Block]:
    gettext = case.words.gettext
    if not case.content.missing:
        return
    rows = [
        (
            case.subjects.get(one["what"], one["what"]),
            gettext(_MISSING.get(one["why"], one["why"])),
            grouped(one["sha256"]),
        )
        for one in case.content.missing
    ]
    columns = [gettext("File"), gettext("Why"), "SHA-256"]
    yield Block("table", gettext("Missing"), columns, rows, (2, 4, 6), (2,))


def _told(case: CourtCase) -> Iterator[Block]:
    """Yield how many acts, papers and complaints stay outside, and for which reason."""
    gettext, out = case.words.gettext, case.content.told_out
    if not any(out.values()):
        return
    counted = {folder: len(listed) for folder, listed in out.items()}
    said = gettext(
        "What {acts} acts were told, {papers} papers and what {complaints} complaints say are left"
        " out; their entries in the ledger are here, with their hashes.",
        **counted,
    )
    why = gettext("By choice: they name people.")
    if not case.content.reasons_out:
        why = gettext("They are older than an erasure in this case, and may name who was erased.")
    yield Block("notes", gettext("Acts, papers, complaints"), rows=[(said,), (why,)])


def _set_aside(case: CourtCase) -> Iterator[Block]:
    gettext = case.words.gettext
    rows = [
        (
            case.subjects.get(f"photo/{one.photo_id}", "–"),
            case.words.moment(one.at),
            grouped(one.sha256),
        )
        for one in case.evidence.aside
    ]
    if rows:
        columns = [gettext("Came for"), gettext("When"), "SHA-256"]
        title = gettext("Other bytes that came for a photo; they replaced nothing")
        yield Block("table", title, columns, rows, (2, 4, 6), (2,))


def _parked(case: CourtCase) -> Iterator[Block]:
    gettext = case.words.gettext
    rows = [
        (
            case.words.record(one.kind) if one.kind else "–",
            case.people.named(one.by),
            gettext(_PARKED.get(one.parked, one.parked)),
            one.code or "–",
            one.name,
        )
        for one in case.evidence.words
        if one.parked
    ]
    if rows:
        columns = [gettext("About"), gettext("By"), gettext("What became of it")]
        columns += [gettext("Why"), gettext("Sent as")]
        title = gettext("Sent by a phone and kept aside; the bytes are in ops/")
        yield Block("table", title, columns, rows, (4, 5, 5, 5, 8), (4,))
