"""What a court bundle would hold, part by part, and about how many pages that is on paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from fieldapi.domain.access import Principal
from fieldapi.locale import LANGUAGES
from fieldapi.queries import acts, complaints, seizures
from fieldapi.queries.authorities import authority
from fieldapi.queries.bundles import Preview

# Measured on books of invented cases: cover, certificate and hashes, and so many lines to a page.
_PAGES_ALWAYS = 5.5
_LINES_ON_A_PAGE = 30


@dataclass(frozen=True, slots=True)
class Scope:
    """The parts. `languages`: in which the book is written; `book`, `photos`: pages, about."""

    languages: Sequence[str]
    entries: int
    acts: int
    papers: int
    complaints: int
    photos: int
    bytes: int

    @property
    def book(self) -> int:
        """Return about how many pages the book of the case has, in all its languages."""
        lines = self.entries + self.acts
        return math.ceil(_PAGES_ALWAYS + lines / _LINES_ON_A_PAGE) * len(self.languages)

    @property
    def pages(self) -> int:
        """Return about how many pages there are to print."""
        return self.book + self.photos + self.papers


def scope(session: Session, who: Principal, seizure_id: str, preview: Preview) -> Scope:
    """Return what a bundle of the case would hold now. Raises `NotFound`."""
    at = who.authority_id
    spoken = authority(session, at).languages
    other = [one for one in spoken if one in LANGUAGES and one != "en"][:1]
    return Scope(
        languages=["en", *other],
        entries=len(seizures.history(session, who, seizure_id)),
        acts=acts.count(session, at, seizure_id),
        papers=acts.papers(session, at, seizure_id),
        complaints=len(complaints.of_case(session, who, seizure_id)),
        photos=preview.photos + len(preview.missing),
        bytes=preview.bytes,
    )
