"""What acts, papers and complaints said, as files of a bundle beside their hashes in the ledger;
and which of them stay outside. Called by the maker of bundles.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fieldapi.domain.redactions import takes_reasons
from fieldapi.domain.shapes import ListOf, Shape
from fieldapi.domain.values import Text, ValueType
from fieldapi.queries.evidence import Evidence
from fieldapi.services.acts.kinds import PARTICULARS, Several
from sync.wire import JSON

ACTS, PAPERS, COMPLAINTS = "acts", "papers", "complaints"
FOLDERS = (ACTS, PAPERS, COMPLAINTS)
_KINDS: Mapping[str, str] = {
    "act.performed": ACTS,
    "act.recorded": ACTS,
    "document.issued": PAPERS,
    "complaint.received": COMPLAINTS,
}
# Why something of a folder stays outside, in English: by choice, or for an erasure.
OUTSIDE: Mapping[str, str] = {
    ACTS: "what the act was told is left out",
    PAPERS: "the paper is left out",
    COMPLAINTS: "what was said in the complaint is left out",
}
_ERASED = "person.erased"
# A day, a number of a letter: in a line of text, and yet no name.
_FIGURES = re.compile(r"[\d\s/:.,+-]*")


@dataclass(frozen=True, slots=True)
class Told:
    """Something that was said beside ops. `name`: `folder/id`; `seq`: of its entry."""

    name: str
    seq: int
    salt: str
    data: str

    @property
    def is_salted(self) -> bool:
        """Say whether its hash in the ledger cannot be guessed."""
        return bool(self.salt)


def told_of(evidence: Evidence) -> list[Told]:
    """Return what the ledger has the hash of, in the order in which it was entered."""
    salts = {act.id: act.salt for act in evidence.acts}
    kept: dict[str, tuple[str, str]] = {
        **{f"{ACTS}/{one.id}": (one.salt, one.data) for one in evidence.acts},
        **{f"{PAPERS}/{one.id}": (salts.get(one.act_id, ""), one.data) for one in evidence.papers},
        **{f"{COMPLAINTS}/{one.id}": (one.salt, one.data) for one in evidence.complaints},
    }
    return [Told(name, seq, *kept[name]) for name, seq in _entered(evidence.texts) if name in kept]


def _entered(texts: Iterable[tuple[int, str]]) -> Iterator[tuple[str, int]]:
    """Yield name and `seq` of everything that entries have the hash of."""
    for seq, text in texts:
        # Few of many entries: only those are read.
        if '"data":' not in text:
            continue
        said = json.loads(text)
        folder = _KINDS.get(said["kind"])
        if folder is not None:
            own = said["id"] if folder == ACTS else said["subject"].partition("/")[2]
            yield f"{folder}/{own}", seq


def left_out(
    evidence: Evidence, told: Sequence[Told], redact: Sequence[str]
) -> dict[str, list[str]]:
    """Return by folder the ids of what stays outside: by choice all of it, and what is older than
    an erasure in the case and may name who was erased.
    """
    by_choice, erased = takes_reasons(redact), last_erasure(evidence.texts)
    gone = [one for one in told if by_choice or (one.seq < erased and _may_name(one))]
    return {
        folder: sorted(
            one.name.partition("/")[2] for one in gone if one.name.startswith(f"{folder}/")
        )
        for folder in FOLDERS
    }


def last_erasure(texts: Iterable[tuple[int, str]]) -> int:
    """Return the entry of the last erasure in a case, 0 if there was none."""
    found = (seq for seq, text in texts if _ERASED in text and json.loads(text)["kind"] == _ERASED)
    return max(found, default=0)


def _may_name(one: Told) -> bool:
    """Say whether it may name a person: papers and complaints do, acts that are told words."""
    if not one.name.startswith(f"{ACTS}/"):
        return True
    said: dict[str, JSON] = json.loads(one.data)
    return any(_is_words(PARTICULARS.get(name), value) for name, value in said.items())


def _is_words(kind: ValueType | None, value: JSON) -> bool:
    if isinstance(value, str):
        is_told = kind is None or isinstance(kind, Text)
        return is_told and _FIGURES.fullmatch(value) is None
    if isinstance(value, list):
        inner = kind.element if isinstance(kind, Several | ListOf) else None
        return any(_is_words(inner, one) for one in value)
    if isinstance(value, dict):
        parts = {**kind.needs, **kind.takes} if isinstance(kind, Shape) else {}
        return any(_is_words(parts.get(name), one) for name, one in value.items())
    return False
