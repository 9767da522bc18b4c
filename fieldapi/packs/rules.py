"""Reads the rules of a statute file that are more than a term: clocks, gates, money, caps, values.

Called by `series.py`, one function for each list. Must never know which Act it reads.
"""

import re

from fieldapi.domain.flags import FLAGS
from fieldapi.domain.words import sentence
from fieldapi.law.provenance import Provenance
from fieldapi.law.rules import Cap, Charge, Clock, Deduction, Gate, Scalar, Value
from fieldapi.packs.table import PackTable

UNITS = ("hours", "days", "weeks", "months")
EVENTS = (
    "seized_at",
    "impounded_at",
    "notice_dated",
    "sold_at",
    "received_at",
    "delivered_at",
    "deposited_at",
)
FAVOURS = ("owner", "keeper", "complainant", "buyer", "fund")
CALENDARS = ("office", "pound")
SCALES = ("fee_schedule", "feeding_rates", "security_scale")
SENT = ("at_once", "by_keeper", "always")
AREAS = ("pound", "seizure", "village")
RESTS = ("surplus", "balance")
EXPENSES = "sale_expenses"

_RUPEES = re.compile(r"(\d+)\.(\d\d)", re.ASCII)


def read_clock(row: PackTable, why: Provenance) -> Clock:
    """Return a clock. Raises PackError."""
    if row.whole("amount") < 1:
        raise row.fault("amount", "must be at least 1")
    return Clock(
        rule=row.text("rule"),
        amount=row.whole("amount"),
        unit=row.choice("unit", UNITS),
        starts_at=row.choice("starts_at", EVENTS),
        then=row.text("then"),
        favours=row.choice("favours", FAVOURS),
        rolls=row.choice("rolls", CALENDARS) if row.has("rolls") else None,
        flag=row.choice("flag", FLAGS) if row.has("flag") else None,
        provenance=why,
        opens=row.text("opens") if row.has("opens") else None,
    )


def read_gate(row: PackTable, why: Provenance) -> Gate:
    """Return a condition of an act. Raises PackError."""
    return Gate(row.text("code"), row.text("rule"), sentence(row.text("reason")), why)


def read_charge(row: PackTable, why: Provenance) -> Charge:
    """Return what is charged and where it goes. Raises PackError."""
    return Charge(
        code=row.text("code"),
        rule=row.text("rule"),
        scale=row.choice("scale", SCALES),
        target=row.text("target"),
        sent=row.choice("sent", SENT),
        area=row.choice("area", AREAS),
        provenance=why,
    )


def read_deduction(row: PackTable, why: Provenance) -> Deduction:
    """Return what a sale pays for on one branch. Raises PackError."""
    return Deduction(row.text("code"), row.texts("lines"), row.choice("rest", RESTS), why)


def read_cap(row: PackTable, why: Provenance) -> Cap:
    """Return the bounds of a sum. Raises PackError."""
    least = read_rupees(row, "least") if row.has("least") else 0
    return Cap(row.text("code"), row.text("rule"), read_rupees(row, "most"), least, why)


def read_value(row: PackTable, why: Provenance) -> Value:
    """Return a number, a word or a truth, whichever is given. Raises PackError."""
    return Value(row.text("code"), _scalar(row), why)


def read_rupees(row: PackTable, key: str) -> int:
    """Return whole paise from rupees as text with two decimals. Raises PackError."""
    match = _RUPEES.fullmatch(row.text(key))
    if match is None:
        raise row.fault(key, "must be rupees with two decimals, such as 100.00")
    return int(match[1]) * 100 + int(match[2])


def _scalar(row: PackTable) -> Scalar:
    if row.has("number"):
        return row.whole("number")
    if row.has("is"):
        return row.truth("is")
    return row.text("word")
