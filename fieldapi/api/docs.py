"""Serves the OpenAPI document, and Swagger UI over it from files of an installed wheel.

No other host is asked for anything; the page runs no script that stands inside it.
"""

from __future__ import annotations

import json
from importlib.resources import files
from importlib.resources.abc import Traversable

from flask import Response, current_app

from fieldapi.access import public
from fieldapi.api.blueprint import blueprint
from fieldapi.problems import NotFound

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'"
)
SPEC = "fieldapi-openapi"
_MEDIA = {"css": "text/css", "js": "text/javascript", "png": "image/png"}
_OF_WHEEL = ("favicon-32x32.png", "swagger-ui.css", "swagger-ui-bundle.js")
_OWN = ("docs.js",)

blp = blueprint("docs", "", "This documentation")


@blp.get("/openapi.json")
@public
@blp.response(200, content_type="application/json")
def openapi() -> Response:
    """Give this document: OpenAPI 3.1."""
    spec = current_app.extensions[SPEC].spec.to_dict()
    return Response(json.dumps(spec, indent=1), content_type="application/json")


@blp.get("/docs")
@public
@blp.response(200, content_type="text/html")
def page() -> Response:
    """Show this documentation to people."""
    return _answer(_own("docs.html"), "text/html; charset=utf-8")


@blp.get("/docs/<name>")
@public
@blp.response(200, content_type="text/css")
def asset(name: str) -> Response:
    """Give a file of the page."""
    if name in _OF_WHEEL:
        file = files("flask_swagger_ui") / "dist" / name
    elif name in _OWN:
        file = _own(name)
    else:
        raise NotFound
    return _answer(file, _MEDIA[name.rpartition(".")[2]])


def _own(name: str) -> Traversable:
    return files("fieldapi.api") / "assets" / name


def _answer(file: Traversable, media: str) -> Response:
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "public, max-age=3600"}
    return Response(file.read_bytes(), headers=headers, content_type=media)
