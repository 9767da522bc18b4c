"""The console's style sheet, scripts and pictures, under names that carry their hash.

A name never changes its content, so browsers keep it for a year; a new release has new names. What
others wrote (htmx, Leaflet) is read from the wheel it came in, as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from flask import Response

from fieldapi.access import public
from fieldapi.console.blueprint import blp
from fieldapi.problems import NotFound

# In this order: the layers they fill are named in the first. Sheets of single pages follow, by
# their names; what is printed has the last word.
_FIRST = ("tokens", "base", "layout", "forms", "lists", "case", "review")
_LAST = "print"
_YEAR = "public, max-age=31536000, immutable"
_MEDIA = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_OF_WHEELS = {
    "htmx.js": ("js_lib_htmx", "static/htmx/htmx.min.js"),
    "leaflet.js": ("js_lib_leaflet", "static/js_lib_leaflet/leaflet.js"),
    "leaflet.css": ("js_lib_leaflet", "static/js_lib_leaflet/leaflet.css"),
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is served. `name`: with its hash."""

    name: str
    media: str
    content: bytes


@blp.get("/static/<name>")
@public
def asset(name: str) -> Response:
    """Give a style sheet, a script or a picture."""
    found = next((one for one in _assets().values() if one.name == name), None)
    if found is None:
        raise NotFound
    response = Response(found.content, content_type=found.media)
    response.headers["Cache-Control"] = _YEAR
    return response


def asset_url(name: str) -> str:
    """Return where the browser finds an asset, e.g. `console.css`.

    Written out: the page that refuses a foreign host has no routes to ask.
    """
    return f"{blp.url_prefix}/static/{_assets()[name].name}"


@cache
def _assets() -> Mapping[str, Asset]:
    folder = files("fieldapi.console") / "static"
    made = {
        "console.css": _together(_sheets(folder)),
        "console.js": _together(_named(folder, ".js")),
        "icon.svg": (folder / "icon.svg").read_bytes(),
    }
    made |= {name: (files(wheel) / path).read_bytes() for name, (wheel, path) in _OF_WHEELS.items()}
    return {name: _asset(name, content) for name, content in made.items()}


def _sheets(folder: Traversable) -> list[Traversable]:
    named = {one.name.removesuffix(".css"): one for one in _named(folder, ".css")}
    ends = [named.pop(_LAST)]
    return [*(named.pop(name) for name in _FIRST), *named.values(), *ends]


def _named(folder: Traversable, ending: str) -> list[Traversable]:
    found = [one for one in folder.iterdir() if one.name.endswith(ending)]
    return sorted(found, key=lambda one: one.name)


def _together(parts: Iterable[Traversable]) -> bytes:
    return b"\n".join(one.read_bytes() for one in parts)


def _asset(name: str, content: bytes) -> Asset:
    stem, _, ending = name.rpartition(".")
    digest = hashlib.sha256(content).hexdigest()[:12]
    return Asset(f"{stem}.{digest}.{ending}", _MEDIA[ending], content)
