"""Gives out the numbers of official papers, without a gap, and voids wrong ones.

Called by acts, inside their transaction: a number is taken only if the act stands. A series belongs
to a pound, a book, a financial year (by the Indian date of issue) and a letter of the ledger's
epoch; its row is the lock.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, update

from fieldapi import ledger
from fieldapi.clock import INDIA
from fieldapi.domain.words import sentence
from fieldapi.models import Act, Document, Serial, SerialSeries
from fieldapi.models.insert import insert_once
from fieldapi.problems import Conflict, NotFound
from fieldapi.services.authorise import Principal
from fieldapi.services.fields import refuse
from fieldapi.unit import Unit

# A paper that no pound issues, such as a removal order, is numbered by the office.
OFFICE = "office"
_APRIL = 4
_CODES = {
    "register": "REG",
    "receipt": "REC",
    "deposit": "DEP",
    "notice": "NOT",
    "account": "ACC",
    "sale": "SAL",
    "letter": "LET",
    "order": "ORD",
    "release": "REL",
}


@dataclass(frozen=True, slots=True)
class SerialKey:
    """One number of one series."""

    pound_id: str
    book: str
    year: int
    letter: str
    number: int

    @property
    def text(self) -> str:
        """Return the number as it is printed, e.g. `REC/2026-27/A/0042`."""
        years = f"{self.year}-{(self.year + 1) % 100:02d}"
        return f"{_CODES[self.book]}/{years}/{self.letter}/{self.number:04d}"


def financial_year(at: datetime) -> int:
    """Return the calendar year in which the financial year of an instant began (IST).

    >>> from datetime import UTC
    >>> financial_year(datetime(2027, 3, 31, 18, 29, tzinfo=UTC))
    2026
    >>> financial_year(datetime(2027, 3, 31, 18, 30, tzinfo=UTC))
    2027
    """
    local = at.astimezone(INDIA)
    return local.year if local.month >= _APRIL else local.year - 1


def mint(unit: Unit, act: Act, book: str) -> SerialKey:
    """Take the next number of a book for an act; its pound's, or the office's."""
    series = {
        "authority_id": act.authority_id,
        "pound_id": act.pound_id or OFFICE,
        "book": book,
        "year": financial_year(unit.now),
        "letter": ledger.head(unit.session, act.authority_id).epoch,
    }
    insert_once(unit.session, SerialSeries, {**series, "last": 0})
    number = unit.session.scalar(
        update(SerialSeries)
        .filter_by(**series)
        .values(last=SerialSeries.last + 1)
        .returning(SerialSeries.last)
        .execution_options(synchronize_session=False)
    )
    row = Serial(**series, number=number, act_id=act.id, issued_at=unit.now)
    unit.session.add(row)
    return SerialKey(row.pound_id, book, row.year, row.letter, row.number)


def void(unit: Unit, principal: Principal, *, document_id: str, reason: str) -> Document:
    """Void a paper with its number; nobody gets the number again. Raises `NotFound`,
    `InvalidBody` (no reason), `Conflict` (voided before).
    """
    if not reason.strip():
        raise refuse("reason", sentence("Say why this number is void."))
    paper = unit.session.get(Document, (principal.authority_id, document_id), with_for_update=True)
    if paper is None or paper.serial is None:
        raise NotFound(sentence("There is no such numbered paper."))
    if paper.voided_at is not None:
        raise Conflict(sentence("This paper is void already."))
    paper.voided_at = unit.now
    for row in unit.session.scalars(
        select(Serial).where(
            Serial.authority_id == paper.authority_id, Serial.act_id == paper.act_id
        )
    ):
        key = SerialKey(row.pound_id, row.book, row.year, row.letter, row.number)
        if key.text == paper.serial:
            row.voided_at, row.void_reason = unit.now, reason.strip()
    unit.enter(
        paper.authority_id,
        "serial.voided",
        subject=f"document/{paper.id}",
        actor=principal.actor,
        serial=paper.serial,
    )
    return paper
