"""What the account of a case says of each kind of ledger entry, and under which heading it is
found alone. Official acts have words of their own (`domain.act_deeds`).

Called by `timeline`. Must never import anything but words.
"""

from __future__ import annotations

from collections.abc import Mapping

from fieldapi.domain.words import sentence

FACT, EDIT, PHOTO, DECISION, DOUBT = "fact", "edit", "photo", "decision", "doubt"
LOOK = "look"
# What a reader may look for alone; the rest stands in the whole.
SHOWN: Mapping[str, str] = {
    FACT: sentence("Reports and notices"),
    EDIT: sentence("Changes"),
    PHOTO: sentence("Photos"),
    DECISION: sentence("Decisions and acts"),
    DOUBT: sentence("Doubts"),
    LOOK: sentence("Who looked"),
}

OTHER_ACT = sentence("{who} did an official act ({act}).")
OUTCOMES: Mapping[str, str] = {
    "under_review": sentence("{who} took up the review."),
    "accepted": sentence("{who} accepted the report."),
    "rejected": sentence("{who} rejected the report."),
    "correction_asked": sentence("{who} asked for a correction."),
}
SENTENCES: Mapping[str, tuple[str, str]] = {
    "seizure.resubmitted": (EDIT, sentence("{who} handed the report in again.")),
    "op.held": (
        EDIT,
        sentence("A change by {who} was kept aside; a reviewer may let it in ({what})."),
    ),
    "op.quarantined": (
        EDIT,
        sentence("Something that {who} sent could not be read; it was kept as it came."),
    ),
    "op.released": (EDIT, sentence("{who} let in what had been kept aside ({what}).")),
    "op.rejected": (EDIT, sentence("{who} turned down what had been kept aside ({what}).")),
    "op.corrected": (EDIT, sentence("{who} corrected what could not be read ({what}).")),
    "op.deferred_applied": (EDIT, sentence("The server now understands a newer field ({what}).")),
    "photo.stored": (PHOTO, sentence("Arrived whole and stored: {what}.")),
    "photo.analysed": (PHOTO, sentence("Opened and examined: {what}.")),
    "photo.mismatched": (PHOTO, sentence("Other bytes than announced came for {what}; refused.")),
    "photo.damaged": (PHOTO, sentence("The stored file of {what} was found damaged or missing.")),
    "photo.restored": (PHOTO, sentence("The stored file of {what} is whole again.")),
    "bytes.set_aside": (PHOTO, sentence("Other bytes for {what} were put aside.")),
    "photo.viewed": (LOOK, sentence("{who} looked at {what}.")),
    "person.erased": (DECISION, sentence("{who} erased what a person asked to have taken out.")),
    "record.viewed": (LOOK, sentence("{who} looked at the personal details ({what}).")),
    "record.rebuilt": (FACT, sentence("The record was built anew from what was sent ({what}).")),
    "complaint.received": (DECISION, sentence("{who} took a complaint in.")),
    "seizure.assigned": (FACT, sentence("{who} gave the report to a reviewer.")),
    "duplicate.found": (DOUBT, sentence("Another report may be of the same cattle.")),
    "duplicate.decided": (
        DECISION,
        sentence("{who} decided whether another report is of the same cattle."),
    ),
    "flag.dropped": (FACT, sentence("A flag on {what} was taken back.")),
    "comment.added": (FACT, sentence("{who} noted something for colleagues.")),
    "case.opened": (FACT, sentence("The case was opened.")),
    "case.closed": (DECISION, sentence("{who} closed the case.")),
    "case.reopened": (DECISION, sentence("{who} opened the case again.")),
    "case.moved": (FACT, sentence("Other people see the case from here on.")),
    "deadline.passed": (DOUBT, sentence("A deadline of the statute has passed.")),
    "document.issued": (FACT, sentence("{who} issued a paper: {paper}.")),
    "document.printed": (FACT, sentence("{who} printed a document.")),
    "serial.voided": (DECISION, sentence("{who} declared a numbered document void.")),
    "hold.set": (DECISION, sentence("{who} held the case back from deletion.")),
    "hold.ended": (DECISION, sentence("{who} no longer holds the case back from deletion.")),
    "flag.raised": (DOUBT, sentence("A flag was raised on {what}.")),
    "seizure.flagged": (DOUBT, sentence("A flag was raised on {what}.")),
}
