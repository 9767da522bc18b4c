"""The card by which a phone is enrolled: the code in large type, the same as a QR, three steps.

One HTML page without anything from elsewhere, to be printed on a quarter of a sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import segno
from babel.dates import format_datetime
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from fieldapi.clock import INDIA
from fieldapi.locale import translations


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
    environment = Environment(
        loader=PackageLoader("fieldapi.documents"),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.install_gettext_translations(  # type: ignore[attr-defined]
        translations(card.language), newstyle=True
    )
    template = environment.get_template("enrolment_card.html")
    return template.render(card=card, qr=_qr(card.url), expires=_expires(card))


def _qr(url: str) -> Markup:
    """Return the QR as an SVG: scaled by the page, with the quiet zone that cameras need."""
    code = segno.make(url, error="m", micro=False)
    svg = code.svg_inline(border=4, omitsize=True, lineclass=None, svgclass="qr")
    return Markup(svg)  # noqa: S704 - drawn here, from squares alone


def _expires(card: Card) -> str:
    local = card.expires_at.astimezone(INDIA)
    return format_datetime(local, "d MMMM y, HH:mm", tzinfo=INDIA, locale=card.language)
