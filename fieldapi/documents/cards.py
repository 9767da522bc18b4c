"""The card by which a phone is enrolled: the code in large type, the same as a QR, three steps.

One HTML page without anything from elsewhere, to be printed on a quarter of a sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from babel.dates import format_datetime

from fieldapi.clock import INDIA
from fieldapi.documents.pages import qr_svg, render


@dataclass(frozen=True, slots=True)
class Card:
    """What a card says. `code`: in groups, as it is read aloud. `url`: what the QR opens."""

    authority: str
    person: str
    code: str
    url: str
    expires_at: datetime
    language: str


def card_html(card: Card) -> str:
    """Return the card as a page of HTML in its language."""
    return render(
        "enrolment_card.html",
        language=card.language,
        card=card,
        # Scaled by the page, with the quiet zone that cameras need.
        qr=qr_svg(card.url, border=4),
        expires=_expires(card),
    )


def _expires(card: Card) -> str:
    local = card.expires_at.astimezone(INDIA)
    return format_datetime(local, "d MMMM y, HH:mm", tzinfo=INDIA, locale=card.language)
