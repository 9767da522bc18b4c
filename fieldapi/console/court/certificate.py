"""The draft of the certificate under section 63(4) of the Bharatiya Sakshya Adhiniyam, 2023, in
the order of its Schedule, whose words stay in English; a machine fills in only what it knows.
Called by `sections`.
"""

from __future__ import annotations

from collections.abc import Iterator

from fieldapi.console.court.case import CourtCase
from fieldapi.documents.casebook import Block, Section
from fieldapi.domain.words import sentence

_LINE = "_" * 34
_SHORT = "_" * 14
_OPENING = (
    f"I, {_LINE} (Name), son/daughter/spouse of {_LINE}",
    f"residing/employed at {_LINE}{_LINE}",
    "do hereby solemnly affirm and sincerely state and submit as follows:—",
)
_SOURCE = (
    "electronic record/output of the digital record taken from the following device/digital record"
    " source (tick mark):—"
)
_TICKS = (
    "☐ Computer / Storage Media    ☐ DVR    ☐ Mobile    ☐ Flash Drive\n"
    f"☐ CD/DVD    ☐ Server    ☐ Cloud    ☐ Other:  {_LINE}"
)
_CONTROL = (
    "The digital device or the digital record source was under the lawful control for regularly"
    " creating, storing or processing information for the purposes of carrying out regular"
    " activities and during this period, the computer or the communication device was working"
    " properly and the relevant information was regularly fed into the computer during the ordinary"
    " course of business. If the computer/digital device at any point of time was not working"
    " properly or out of operation, then it has not affected the electronic/digital record or its"
    " accuracy. The digital device or the source of the digital record is:—\n"
    "☐ Owned    ☐ Maintained    ☐ Managed    ☐ Operated    by me (select as applicable)."
)
_STATED = "I state that the HASH value/s of the electronic/digital record/s is"
_BY = "obtained through the following algorithm:—"
_ENCLOSED = "(Hash report to be enclosed with the certificate)"
_STANDARD = f"☐ Other {_SHORT} (Legally acceptable standard)"
_NOTES = (
    sentence(
        "This is a draft. A machine filled in the phones of the register, the hashes and the"
        " algorithm; everything else is for the people who sign, and for them alone."
    ),
    sentence("One certificate goes with each submission: the covering letter counts them."),
)
_BLANK_DEVICE = f"Make & Model: {_SHORT}    Color: {_SHORT}    Serial Number: {_SHORT}"
_IDS = f"IMEI/UIN/UID/MAC/Cloud ID {_LINE} (as applicable)"
_OTHER = (
    "and any other relevant information, if any, about the device/digital record "
    f"{_SHORT} (specify)."
)


def sections(case: CourtCase) -> list[Section]:
    """Return Part A with what a machine knows, and Part B blank; both stamped as drafts."""
    gettext = case.words.gettext
    notes = Block("notes", rows=[(gettext(one),) for one in _NOTES])
    return [
        Section(
            gettext("Draft certificate, section 63(4): Part A"),
            [notes, *_part_a(case)],
            is_draft=True,
        ),
        Section(gettext("Draft certificate, section 63(4): Part B"), [*_part_b()], is_draft=True),
    ]


def _part_a(case: CourtCase) -> Iterator[Block]:
    yield Block("form", "CERTIFICATE [See section 63(4)(c)]  PART A (To be filled by the Party)")
    yield Block("form", rows=[*((one,) for one in _OPENING), (f"I have produced {_SOURCE}",)])
    yield Block("form", rows=[(_TICKS,)])
    yield _devices(case)
    yield Block("form", rows=[(_OTHER,), (_CONTROL,)])
    count = len(case.content.originals)
    listed = (
        f"as listed in the hash report of this bundle ({count} originals, one value each; that of"
        " every other file is in MANIFEST.sha256)"
    )
    ticks = f"☐ SHA1:    ☒ SHA256: as listed    ☐ MD5:    {_STANDARD}"
    yield Block("form", rows=[(f"{_STATED}: {listed}, {_BY}",), (ticks,), (_ENCLOSED,)])
    yield _end("(Name and signature)")


def _devices(case: CourtCase) -> Block:
    """Return the phones as their rows of the register say; nothing is guessed."""
    rows = [
        (
            " ".join(filter(None, (one.make, one.model))) or _SHORT,
            one.colour or _SHORT,
            _SHORT,
            one.id,
            f"No. {one.number}, {one.os or '–'}",
        )
        for one in case.evidence.devices
    ]
    columns = ["Make & Model", "Color", "Serial Number", "IMEI/UIN/UID/MAC/Cloud ID", "Other"]
    return Block("table", "", columns, rows, (3, 2, 3, 4, 3), (3,))


def _part_b() -> Iterator[Block]:
    yield Block("form", "CERTIFICATE [See section 63(4)(c)]  PART B (To be filled by the Expert)")
    produced = f"The produced {_SOURCE}"
    yield Block("form", rows=[*((one,) for one in _OPENING), (produced,), (_TICKS,)])
    yield Block("form", rows=[(_BLANK_DEVICE,), (_IDS,), (_OTHER,)])
    ticks = f"☐ SHA1:    ☐ SHA256:    ☐ MD5:    {_STANDARD}"
    yield Block("form", rows=[(f"{_STATED} {_LINE}, {_BY}",), (ticks,), (_ENCLOSED,)])
    yield _end("(Name, designation and signature)")


def _end(signed: str) -> Block:
    return Block(
        "form",
        rows=[
            ("",),
            (f"{_LINE}\n{signed}",),
            (f"Date (DD/MM/YYYY): {_SHORT}",),
            (f"Time (IST): {_SHORT} hours (In 24 hours format)",),
            (f"Place: {_SHORT}",),
        ],
    )
