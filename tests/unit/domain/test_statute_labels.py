"""What nobody has verified of a statute is shown in words to whoever compares it with a print."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass

import pytest

from fieldapi.console.admin.statute import _IN_WORDS
from fieldapi.domain.statute_labels import CODES, MEMBERS, ROLLS, RULES, VALUES
from fieldapi.law.rules import Cap, Charge, Clock, Deduction, Value
from fieldapi.packs import load_packs
from fieldapi.packs.entries import Entry
from fieldapi.services import confirmations

PACKS = load_packs()
_CODE = re.compile(r"[a-z]+(_[a-z]+)*")


def _codes(value: object) -> set[str]:
    said = value if isinstance(value, tuple) else str(value).split()
    is_word = isinstance(value, (str, tuple)) and all(isinstance(one, str) for one in said)
    return {one for one in said if _CODE.fullmatch(one)} if is_word else set()


def _said(entry: Entry[object], keys: list[str]) -> set[str]:
    """Return what of an entry has no word: members, codes, and the code of a plain value."""
    names = {one for one in entry.provenance.silent if f"{entry.key}.{one}" in keys}
    held = entry.value
    if isinstance(held, Value):
        return {held.code} - VALUES.keys() | _codes(held.value) - CODES.keys()
    if entry.key in keys and is_dataclass(held):
        plain = {one.name: getattr(held, one.name) for one in fields(held)}
        names |= {
            name
            for name, one in plain.items()
            if isinstance(one, (str, int, tuple)) and one != () and name not in _IN_WORDS
        }
        names -= {"unit", "amount"} if isinstance(held, Clock) else set()
    values = [getattr(held, name, None) for name in names]
    bare = {one for value in values for one in _codes(value)} - CODES.keys() - ROLLS.keys()
    if isinstance(held, (Cap, Charge, Deduction)):
        bare |= {held.code} - RULES.keys()
    return {name for name in names if getattr(held, name, None) is not None} - MEMBERS.keys() | bare


@pytest.mark.parametrize("series", [*PACKS.series])
def test_value_that_nobody_verified_has_words(series: str) -> None:
    entries = PACKS.series[series].entries
    versions = [one.key.partition(".")[2] for one in entries if one.key.startswith("versions.")]
    bare: set[str] = set()
    for version in versions:
        keys = confirmations.open_keys(PACKS, version)
        touched = [one for one in entries if any(key.partition(".")[0] in one.key for key in keys)]
        shown = [one for one in touched if any(key.startswith(one.key) for key in keys)]
        bare = bare.union(*(_said(one, [*keys]) for one in shown))

    assert bare == set()
