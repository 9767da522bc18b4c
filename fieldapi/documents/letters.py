"""Letters about a complaint: the summons, what goes to whoever decides, the order that was made.

Called by `papers`. Each is drawn from the data that its act stored.
"""

from __future__ import annotations

from collections.abc import Iterator

from fieldapi.documents.parts import Body, Data, case_of, party, person
from fieldapi.documents.sheets import Pair, Table, Tongue, moment, rupees
from fieldapi.domain.complaint_labels import ALLEGATIONS, FINDINGS, OUTCOMES, PARTS
from fieldapi.domain.words import sentence


def summons(data: Data, tongue: Tongue) -> Body:
    """Return what a summons says: to whom, when to appear, and what is complained of."""
    said = data["act"]["data"]
    facts = [
        *party(data, sentence("To")),
        (sentence("To appear on"), str(said.get("appear_on") or "")),
        (sentence("Number of the letter"), str(said.get("letter_no") or "")),
        *_complaint(data, tongue),
        *case_of(data),
    ]
    note = sentence("You are summoned to answer the complaint that is set out here.")
    return facts, _alleged(data, tongue, with_findings=False), (note,)


def forwarding(data: Data, tongue: Tongue) -> Body:
    """Return the letter with which a complaint goes to whoever decides on it."""
    said = data["act"]["data"]
    facts = [
        (sentence("To"), str(said.get("to") or "")),
        (sentence("Number of the letter"), str(said.get("letter_no") or "")),
        *_complaint(data, tongue),
        *case_of(data),
    ]
    note = sentence("The complaint is sent for decision, with what was found in the record.")
    return facts, _alleged(data, tongue, with_findings=True), (note,)


def decision(data: Data, tongue: Tongue) -> Body:
    """Return an order that was made here: the outcome, its reasons, who pays what."""
    order = data["complaint"].get("order") or {}
    outcome = str(order.get("outcome") or "")
    facts = [
        (sentence("Number of the order"), str(order.get("order_no") or "")),
        (sentence("Outcome"), tongue.both(OUTCOMES[outcome]) if outcome in OUTCOMES else ""),
        (sentence("In words"), str(order.get("text") or "")),
        *_complaint(data, tongue),
        *case_of(data),
    ]
    notes = []
    if upheld := data["complaint"].get("upheld"):
        notes.append(sentence("It is upheld for {number} head alone.", number=upheld))
    if order.get("release") is True:
        notes.append(sentence("What is still held is to be released"))
    if data["complaint"].get("owed"):
        notes.append(sentence("The persons named here pay; the pound gives nothing back."))
    return facts, [*_alleged(data, tongue, with_findings=True), *_owed(data, tongue)], notes


def _complaint(data: Data, tongue: Tongue) -> Iterator[Pair]:
    told = data["complaint"]
    yield sentence("Complainant"), person(told["by"])
    yield sentence("Through"), person(told.get("agent"))
    yield sentence("Complaint made on"), moment(told["made_at"])
    yield sentence("Complaint"), str(told["text"])
    yield (
        sentence("Against"),
        "; ".join(f"{person(one)} ({tongue.both(PARTS[one['part']])})" for one in told["against"]),
    )


def _alleged(data: Data, tongue: Tongue, *, with_findings: bool) -> list[Table]:
    rows = data["complaint"]["allegations"]
    if not rows:
        return []
    heads = [sentence("Allegation"), sentence("In words")]
    heads += [sentence("Finding")] if with_findings else []
    said = []
    for one in rows:
        row = [tongue.both(ALLEGATIONS[one["allegation"]]), str(one["text"])]
        if with_findings:
            found = tongue.both(FINDINGS[one["found"]]) if one.get("found") else ""
            row.append(" – ".join(part for part in (found, str(one.get("reason") or "")) if part))
        said.append(row)
    return [Table([tongue.both(head) for head in heads], said)]


def _owed(data: Data, tongue: Tongue) -> list[Table]:
    owed = data["complaint"].get("owed") or []
    if not owed:
        return []
    heads = [tongue.both(one) for one in (sentence("Paid by"), sentence("For"), sentence("Amount"))]
    names = {"compensation": _COMPENSATION, "reimbursement": _FEES, "expenses": _EXPENSES}
    rows = [
        [person(one["party"]), tongue.both(names[one["line"]]), rupees(one["paise"])]
        for one in owed
    ]
    return [Table(heads, rows, numeric=(2,))]


_COMPENSATION = sentence("Compensation")
_FEES = sentence("Fees paid back")
_EXPENSES = sentence("Expenses of the complainant")
