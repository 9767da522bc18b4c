"""Where a value of a statute was found, and whether it may block an act.

Every value of `profile.py` and `rules.py` carries one. Imports nothing of the product.
"""

from dataclasses import dataclass

# What a source is worth. The first two may carry verified values, the others never.
READ_IN_TEXT, READ_IN_COPY = "text", "copy"
RECALLED, INFERRED = "recall", "inference"


@dataclass(frozen=True)
class Source:
    """Where a value was found. `reading`: the Act's `text`, a `copy`, `recall` or `inference`."""

    code: str
    title: str
    reading: str

    @property
    def was_read(self) -> bool:
        """Say whether somebody read the words, rather than remembered or inferred them."""
        return self.reading in (READ_IN_TEXT, READ_IN_COPY)


@dataclass(frozen=True)
class Provenance:
    """Why a value stands: section of the Act, source, and whether it may block an act.

    `silent`: members of the same entry on which the Act says nothing, so that they may only warn.
    `key`: where the entry stands in its file; an authority confirms a value under this name.
    """

    section: str
    source: Source
    is_verified: bool
    silent: frozenset[str] = frozenset()
    key: str = ""
