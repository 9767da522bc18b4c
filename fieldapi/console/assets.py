"""The console's own style sheet and pictures, under names that carry their hash.

A name never changes its content, so browsers keep it for a year; a new release has new names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from flask import Response, url_for

from fieldapi.access import public
from fieldapi.console.blueprint import blp
from fieldapi.problems import NotFound

# In this order: the layers they fill are named in the first.
_SHEETS = ("tokens", "base", "layout", "forms", "lists", "case", "review", "print")
_YEAR = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is served. `name`: with its hash."""

    name: str
    media: str
    content: bytes


@blp.get("/static/<name>")
@public
def asset(name: str) -> Response:
    """Give a style sheet or a picture."""
    found = next((one for one in _assets().values() if one.name == name), None)
    if found is None:
        raise NotFound
    response = Response(found.content, content_type=found.media)
    response.headers["Cache-Control"] = _YEAR
    return response


def asset_url(name: str) -> str:
    """Return where the browser finds an asset, e.g. `console.css`."""
    return url_for("console.asset", name=_assets()[name].name)


@cache
def _assets() -> Mapping[str, Asset]:
    folder = files("fieldapi.console") / "static"
    sheets = [(folder / f"{name}.css").read_bytes() for name in _SHEETS]
    return {
        "console.css": _asset("console", "css", "text/css; charset=utf-8", b"\n".join(sheets)),
        "icon.svg": _asset("icon", "svg", "image/svg+xml", (folder / "icon.svg").read_bytes()),
    }


def _asset(stem: str, ending: str, media: str, content: bytes) -> Asset:
    digest = hashlib.sha256(content).hexdigest()[:12]
    return Asset(f"{stem}.{digest}.{ending}", media, content)
