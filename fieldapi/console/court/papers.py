"""The official papers of a case as pages of a bundle: receipts, notices, orders, letters. Each is
drawn from what its act stored. Flask-free; called by `drawing`.
"""

from __future__ import annotations

from fieldapi.documents import drawing
from fieldapi.documents.papers import KINDS, sheet_of
from fieldapi.queries.papers import copy_of
from fieldapi.services.bundles.content import Content, Desk
from fieldapi.services.bundles.told import PAPERS


def draw_papers(desk: Desk, content: Content, *, as_html: bool) -> dict[str, bytes]:
    """Return each paper that goes into a bundle, by its name there. Raises `FontsMissing`."""
    inside = {one.name for one in content.told_in}
    drawn = {}
    for row in content.evidence.papers:
        name = f"{PAPERS}/{row.id}"
        if name not in inside or row.kind not in KINDS:
            continue
        sheet = sheet_of(copy_of(row, desk.house.packs))
        if as_html:
            drawn[f"{name}.html"] = drawing.html(sheet).encode()
        else:
            drawn[f"{name}.pdf"] = drawing.pdf(sheet, fonts=desk.house.settings.fonts)
    return drawn
