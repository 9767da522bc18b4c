"""The chapters of the book of a case: report, chronology, map, register, decisions, what is not
here, phones, hashes, and the draft of the certificate. Flask-free; called by `drawing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fieldapi.clock import format_instant, parse_instant
from fieldapi.console.court import certificate
from fieldapi.console.court.absent import absent
from fieldapi.console.court.case import CourtCase
from fieldapi.console.court.map import svg_of
from fieldapi.console.court.register import decisions, register
from fieldapi.console.court.values import several
from fieldapi.documents.casebook import Block, Casebook, Row, Section, grouped
from fieldapi.domain.records import merge_kind
from fieldapi.domain.redactions import is_left_out
from fieldapi.domain.words import sentence
from fieldapi.queries.evidence_records import extension_of
from sync.merge import State, view

_DRAFT = sentence("DRAFT")
_NOTES = (
    sentence(
        "These pages and the files beside them are those that the server received, and nothing of"
        " them was changed since: VERIFY.txt says how to check that without us."
    ),
    sentence(
        "It does not prove that what a person wrote is true, that a phone's clock or place was"
        " right, or that a photo shows what its caption says."
    ),
)


def book_of(case: CourtCase) -> Casebook:
    """Return the book of a case in one language."""
    gettext = case.words.gettext
    return Casebook(
        language=case.words.language,
        title=gettext("Case {reference}", reference=case.reference),
        authority=case.evidence.authority.name,
        under=case.profile.name,
        facts=[*_cover(case)],
        notes=[gettext(one) for one in _NOTES],
        contents=gettext("Contents"),
        draft=" / ".join(dict.fromkeys((_DRAFT, gettext(_DRAFT)))),
        sections=[
            Section(gettext("The report"), _report(case)),
            Section(gettext("What happened, in its order"), [_chronology(case)]),
            Section(gettext("The place"), _map(case)),
            Section(gettext("From the pound register"), register(case)),
            Section(gettext("Decisions"), decisions(case)),
            Section(gettext("What is not here, and why"), absent(case)),
            Section(gettext("Phones and hashes"), [_phones(case), _hashes(case)]),
            *certificate.sections(case),
        ],
        foot=foot_of(case),
    )


def foot_of(case: CourtCase) -> str:
    """Return what stands at the foot of every page."""
    head = case.evidence.head
    return f"{case.reference} · {head.epoch}.{head.size} · {head.root.hex()[:16]}…"


def _cover(case: CourtCase) -> Iterator[Row]:
    gettext, found = case.words.gettext, case.evidence
    yield gettext("Report no."), case.reference
    if case.report.get("seized_at"):
        yield case.words.field("seized_at"), case.values.say("seized_at", case.report["seized_at"])
    yield gettext("Received"), case.values.say("received_at", case.report["received_at"])
    yield gettext("Animals"), "; ".join(one.title for one in case.facts.lots(case.report, ()))
    yield gettext("Photos"), case.words.number(len(found.photos))
    at = case.words.moment(parse_instant(format_instant(found.head.at)))
    cut = gettext("entry {size} of epoch {epoch}", size=found.head.size, epoch=found.head.epoch)
    yield gettext("The ledger up to"), f"{cut}, {at}"
    yield gettext("Head of the ledger"), grouped(found.head.root.hex())


def _report(case: CourtCase) -> list[Block]:
    gettext, facts, report = case.words.gettext, case.facts, case.report
    disputed = {one.about for one in case.disputes if one.is_open}
    lots = [
        (
            f"{one.title} ({gettext('Withdrawn')})" if one.is_withdrawn else one.title,
            one.details or "–",
            " ".join(one.tags) or "–",
        )
        for one in facts.lots(report, disputed)
    ]
    said: list[Row] = [
        (one.label, one.value)
        for one in (
            *facts.seizure(report),
            *facts.owner(report),
            *facts.seizer(report, case.people.named(report["by"])),
        )
    ]
    if report.get("location"):
        said.append((case.words.field("location"), case.values.place(report["location"])))
    gone = [*_gone(case)]
    labels = {label for label, _ in gone}
    said = [*(row for row in said if row[0] not in labels), *gone]
    blocks = [
        Block("facts", rows=said),
        _table(
            gettext("Animals"),
            [gettext("Kind and number"), gettext("Described as"), case.words.field("ear_tags")],
            lots,
            widths=(3, 4, 4),
        ),
    ]
    for intake in facts.intakes(report):
        rows = [(one.label, one.value) for one in intake]
        blocks.append(Block("facts", case.words.record("intake"), rows=rows))
    return [*blocks, *_several(case), *_doubts(case)]


def _several(case: CourtCase) -> Iterator[Block]:
    """Yield every field of which more than one value was said: all that was said."""
    rows = several(case)
    if rows:
        gettext = case.words.gettext
        columns = [gettext("Field"), gettext("Said"), gettext("By"), gettext("Received")]
        columns.append(gettext("How it stands"))
        title = gettext("Where more than one value was said")
        yield _table(title, columns, rows, widths=(3, 2, 2, 3, 3))


def _gone(case: CourtCase) -> Iterator[Row]:
    """Yield the fields of the report that say nothing here, and why."""
    redact, gettext = case.content.wanted.redact, case.words.gettext
    row = case.evidence.seizure
    seen = view(merge_kind(row.KIND), State.loads(row.heads), author=row.author_id)
    for name in sorted(seen.erased):
        yield case.words.field(name), gettext("Erased")
    for name in sorted(row.fields):
        if is_left_out(redact, row.KIND, name) and name not in seen.erased:
            yield case.words.field(name), gettext("Left out by choice")


def _doubts(case: CourtCase) -> Iterator[Block]:
    rows = [
        (one.about, "\n".join(filter(None, (one.says, one.measured))), one.does_not_prove)
        for one in case.doubts
    ]
    if rows:
        gettext = case.words.gettext
        columns = [gettext("About"), gettext("Doubt"), gettext("What it does not prove")]
        yield _table(gettext("Doubts"), columns, rows, widths=(2, 4, 4))


def _chronology(case: CourtCase) -> Block:
    """Return everything that happened, one line for each, with the entries that prove it."""
    gettext = case.words.gettext
    rows = [
        (one.when, "\n".join([one.says, *one.details, *filter(None, [one.reason])]), one.numbers)
        for one in case.events
    ]
    columns = [gettext("When"), gettext("What"), gettext("Entries")]
    return _table("", columns, rows, widths=(6, 15, 6))


def _map(case: CourtCase) -> list[Block]:
    if not case.drawings:
        absent_reason = case.report.get("location_absent_reason")
        said = case.words.gettext("The report has no place on the map.")
        why = case.values.say("location_absent_reason", absent_reason) if absent_reason else ""
        return [Block("notes", rows=[(said,), *([(why,)] if why else [])])]
    blocks = []
    for title, drawing in case.drawings:
        blocks.append(Block("drawing", title, svg=svg_of(drawing)))
    legend = case.words.gettext(
        "Red: the place of the report with the circle of its accuracy. Blue: pounds. Green: photos."
        " Grey: later fixes. North is up."
    )
    return [
        *blocks,
        Block("notes", rows=[(case.values.place(case.report["location"]),), (legend,)]),
    ]


def _phones(case: CourtCase) -> Block:
    gettext = case.words.gettext
    rows = [
        (
            str(one.number),
            case.people.named(one.person_id),
            " ".join(filter(None, (one.make, one.model, one.colour))) or "–",
            one.os or "–",
            one.id,
        )
        for one in case.evidence.devices
    ]
    columns = [gettext("No."), gettext("Of"), gettext("Make, model, colour"), gettext("System")]
    columns.append(gettext("Device id"))
    return _table(gettext("Phones"), columns, rows, widths=(1, 3, 3, 3, 4), mono=(4,))


def _hashes(case: CourtCase) -> Block:
    """Return the hash report: every original in the bundle."""
    gettext, found = case.words.gettext, case.evidence
    numbers = {row.sha256: n for n, row in reversed([*enumerate(found.photos, 1)])}
    rows = [
        (
            gettext("Photo {number}", number=numbers.get(one, 0)),
            f"{one[:32]}\n{one[32:]}",
            case.words.size(found.originals[one].size),
            extension_of(found.originals[one].media_type),
        )
        for one in sorted(case.content.originals, key=lambda one: numbers.get(one, 0))
    ]
    columns = [gettext("File"), "SHA-256", gettext("Size"), gettext("Type")]
    return _table(gettext("Hash report"), columns, rows, widths=(2, 6, 2, 1), mono=(1,))


def _table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Row],
    *,
    widths: Sequence[int],
    mono: Sequence[int] = (),
) -> Block:
    return Block("table", title, columns, rows, widths, mono)
