"""What goes into one bundle: the evidence of a case less what stays outside, and the papers drawn
of it. Shared by the maker of the file and by whoever draws the papers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.orm import Session

from fieldapi.domain.redactions import takes_reasons
from fieldapi.house import House
from fieldapi.queries.evidence import Evidence
from fieldapi.services.bundles.told import Told

Progress = Callable[[int, int], None]  # done, of
Pieces = Callable[[], Iterable[bytes]]
Missing = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be made; two equal ones give the same bundle."""

    authority_id: str
    seizure_id: str
    redact: tuple[str, ...] = ()
    names_missing: bool = False


@dataclass(slots=True)
class Content:
    """What goes into one bundle. `ops_out`: payloads that stay outside, with the choices that say
    so; `originals_out`: the same for photos; `told`: what acts, papers and complaints said, with
    ids by folder of those of them that stay outside in `told_out`; `erased`: ops of which values
    are gone.
    """

    evidence: Evidence
    wanted: Wanted
    missing: Sequence[Missing]
    ops_out: Mapping[str, Sequence[str]]
    originals_out: frozenset[str]
    told: Sequence[Told]
    told_out: Mapping[str, Sequence[str]]
    erased: Mapping[str, Sequence[str]]
    members: dict[str, Pieces] = field(default_factory=dict)

    @property
    def reasons_out(self) -> bool:
        """Say whether every reason stays outside by choice: it may name people."""
        return takes_reasons(self.wanted.redact)

    @property
    def told_in(self) -> list[Told]:
        """Return what acts, papers and complaints said and goes in."""
        out = {f"{folder}/{one}" for folder, listed in self.told_out.items() for one in listed}
        return [one for one in self.told if one.name not in out]

    @property
    def is_guessable(self) -> bool:
        """Say whether something stays outside of which the ledger has a hash without a salt."""
        inside = {one.name for one in self.told_in}
        return any(not one.is_salted and one.name not in inside for one in self.told)

    @property
    def originals(self) -> list[str]:
        """Return the hashes of the photos that go in."""
        found = self.evidence.originals.values()
        return sorted(
            one.sha256
            for one in found
            if one.damaged_at is None and one.sha256 not in self.originals_out
        )


@dataclass(frozen=True, slots=True)
class Papers:
    """The papers of a bundle: name in it → file. `drawn_as`: `pdf`, or `html` with the reason `why`
    there is no PDF. `pages`: at least so many. `previews`: the hash of the picture that is shown of
    a photo, by that of the photo.
    """

    files: Mapping[str, Path]
    previews: Mapping[str, str]
    pages: int
    drawn_as: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """Where papers are drawn: the snapshot, the installation, and a folder for their files."""

    session: Session
    house: House
    folder: Path


Draw = Callable[[Desk, Content, Progress], Papers]
