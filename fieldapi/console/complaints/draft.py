"""Drafts the text of an order, or of the letter that goes with a complaint, from what was found on
each allegation. A draft is typed over and never sent by itself. Flask-free.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fieldapi.console.complaints.told import Alleged, Telling
from fieldapi.domain.words import sentence

_HEAD = sentence("Order on the complaint of {who} about the seizure {reference}.")
_MADE = sentence("The complaint was made on {moment}. It says: {text}")
_FOUND = sentence("{number}. {allegation}. Found: {found}. Reason: {reason}")
_OPEN = sentence("{number}. {allegation}. Nothing was found on it yet.")
_ORDERED = sentence("For these reasons it is ordered:")
# Acts whose text is worth a draft.
DRAFTED = frozenset({"order", "record_order"})


def order_text(view: Mapping[str, Any], telling: Telling, allegations: Sequence[Alleged]) -> str:
    """Return the draft of an order, in the language of the page: said, found, ordered."""
    return "\n".join(_lines(view, telling, allegations))


def _lines(
    view: Mapping[str, Any], telling: Telling, allegations: Sequence[Alleged]
) -> Iterator[str]:
    words = telling.words
    yield words.gettext(_HEAD, who=telling.name(view["by"]), reference=view["reference"])
    yield words.gettext(_MADE, moment=words.moment_of(view["made_at"]), text=view["text"])
    for number, one in enumerate(allegations, 1):
        says = _FOUND if one.found else _OPEN
        said = words.gettext(
            says,
            number=number,
            allegation=one.label,
            found=one.found_said,
            reason=one.reason,
        )
        yield said.strip()
    yield words.gettext(_ORDERED)
    yield ""
