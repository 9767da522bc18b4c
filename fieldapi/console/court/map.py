"""A map of the case page as an SVG that stands by itself, for paper. Called by `sections`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from fieldapi.console.maps import Drawing, Mark

_COLOURS = {"seizure": "#b3261e", "pound": "#1d4ed8", "photo": "#15803d", "fix": "#666666"}
# So far apart names do not touch: a name is some ten letters of 6.
_WIDE, _HIGH = 50, 7
_FONT = 'font-family="Noto Sans" font-size="6"'


def svg_of(drawing: Drawing) -> str:
    """Return the drawing as SVG: outlines, circle of accuracy, marks with names, scale bar."""
    width, height = drawing.width, drawing.height
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        f'<rect width="{width}" height="{height}" fill="#fafaf7" stroke="#999"/>',
        *(
            f'<path d="{one}" fill="#eef2e6" stroke="#5b6b3a" stroke-width="0.7"/>'
            for one in drawing.outlines
        ),
        *_circle(drawing),
        *_marks(drawing.marks),
        _bar(drawing),
        "</svg>",
    ]
    return "".join(parts)


def _circle(drawing: Drawing) -> list[str]:
    seizure = next((one for one in drawing.marks if one.kind == "seizure"), None)
    if seizure is None or not drawing.circle:
        return []
    at = f'cx="{seizure.x}" cy="{seizure.y}" r="{drawing.circle}"'
    return [f'<circle {at} fill="#b3261e" fill-opacity="0.1" stroke="#b3261e" stroke-width="0.5"/>']


def _marks(marks: Sequence[Mark]) -> Iterator[str]:
    """Yield the marks with their names; of names that would lie on each other, the later below."""
    taken: list[tuple[float, float]] = []
    for mark in marks:
        yield f'<circle cx="{mark.x}" cy="{mark.y}" r="2.6" fill="{_COLOURS[mark.kind]}"/>'
        if mark.label:
            x, y = mark.x + 4, mark.y + 2
            while any(abs(x - left) < _WIDE and abs(y - low) < _HIGH for left, low in taken):
                y += _HIGH
            taken.append((x, y))
            yield f'<text x="{x}" y="{y}" {_FONT} fill="#222">{escape(mark.label)}</text>'


def _bar(drawing: Drawing) -> str:
    left, low = 8, drawing.height - 8
    said = f"{drawing.bar_m // 1000} km" if drawing.bar_m >= 1000 else f"{drawing.bar_m} m"  # noqa: PLR2004
    return (
        f'<path d="M{left} {low - 2}v2h{drawing.bar}v-2" fill="none" stroke="#222"/>'
        f'<text x="{left}" y="{low - 4}" {_FONT} fill="#222">{said}</text>'
        f'<text x="{drawing.width - 12}" y="10" {_FONT} fill="#222">N</text>'
        f'<path d="M{drawing.width - 10} 22v-9m-2 3l2-3l2 3" fill="none" stroke="#222"/>'
    )
