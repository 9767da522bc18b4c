"""Pages of HTML for people and printers: the templates of this room, and QR codes in them.

Called by the other modules of `documents`; the console asks for QR codes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from fieldapi.locale import translations

# Its own: on the ground of a page in the dark no camera reads it.
_GROUND = "#fff"


def render(
    template: str,
    *,
    language: str | None = None,
    **values: Any,  # noqa: ANN401 - whatever a template shows
) -> str:
    """Return a template of `documents/templates` filled in; a name that is missing raises.

    `language`: of a template that has sentences to translate.
    """
    return _environment(language).get_template(template).render(**values)


def qr_svg(text: str, *, error: str = "m", border: int = 2) -> Markup:
    """Return a text as a QR code to stand in a page. `error`: how much of it may be spoilt;
    `border`: the quiet zone, in modules.
    """
    drawn = segno.make(text, error=error, micro=False).svg_inline(
        border=border, omitsize=True, lineclass=None, svgclass="qr", light=_GROUND
    )
    return Markup(drawn)  # noqa: S704 - drawn here, from squares alone


def qr_uri(text: str, *, scale: int = 4) -> str:
    """Return a text as a QR code for the address of a picture. `scale`: pixels a module."""
    code = segno.make(text, error="m", micro=False)
    return code.svg_data_uri(scale=scale, border=2, light=_GROUND)


@cache
def _environment(language: str | None) -> Environment:
    made = Environment(
        loader=PackageLoader("fieldapi.documents"),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    if language is not None:
        made.install_gettext_translations(  # type: ignore[attr-defined]
            translations(language), newstyle=True
        )
    return made
