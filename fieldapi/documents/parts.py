"""What official papers have in common: the case, and people as they are named.

Called by `papers` and `letters`. Must never import services, queries or SQL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fieldapi.documents.sheets import Pair, Table, moment
from fieldapi.domain.words import sentence

Data = Mapping[str, Any]
Body = tuple[Sequence[Pair], Sequence[Table], Sequence[str]]


def case_of(data: Data) -> list[Pair]:
    """Return what every paper of a case begins with."""
    seizure = data.get("seizure") or {}
    pound = data.get("pound") or {}
    return [
        (sentence("Pound"), str(pound.get("name") or "")),
        (sentence("Report no."), str(seizure.get("reference") or "")),
        (sentence("Seized on"), moment(seizure.get("seized_at"))),
        (sentence("Place of seizure"), str(seizure.get("place") or seizure.get("survey_no") or "")),
    ]


def person(one: Data | None) -> str:
    """Return a person as a paper names them."""
    if not one:
        return ""
    parts = [one.get("name"), one.get("parent"), one.get("residence")]
    return ", ".join(str(part) for part in parts if part)


def party(data: Data, label: str) -> list[Pair]:
    """Return the party of the act under a label."""
    return [(label, person(data.get("party")))]
