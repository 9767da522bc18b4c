"""`/app/`: the page, the files of its build, the service worker with its fixed name."""

from __future__ import annotations

from flask import Response, current_app, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import public
from fieldapi.house import House
from fieldapi.phone import shelf as shelves
from fieldapi.phone.blueprint import blp
from fieldapi.phone.shelf import Stored
from fieldapi.problems import NotFound

_YEAR = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_ON, _OFF = b'data-worker="on"', b'data-worker="off"'


@blp.get("/app/")
@public
def page() -> Response:
    """Give the page of the build of today; with the worker switched off, one that says so."""
    shelf = shelves.shelf()
    found = shelf.files[shelves.PAGE]
    if not _is_on():
        plain = Stored(found.path, found.media, found.content.replace(_ON, _OFF))
        return _send(plain, _ASK_AGAIN)
    return _send(found, _ASK_AGAIN)


@blp.get("/app/shelf/<build>/<path:path>")
@public
def stored(build: str, path: str) -> Response:
    """Give a file of the build of today; other builds are not kept here."""
    shelf = shelves.shelf()
    found = shelf.files.get(path)
    if found is None or build != shelf.build:
        raise NotFound
    return _send(found, _YEAR)


@blp.get("/app/sw.js")
@public
def worker() -> Response:
    """Give the service worker, or the one that takes itself away where the switch is off."""
    shelf = shelves.shelf()
    content = shelf.worker("sw.js" if _is_on() else "off.js")
    return _send(Stored("sw.js", shelf.apart["sw.js"].media, content), _ASK_AGAIN)


@blp.get("/app/<any('app.webmanifest', 'icon-192.png', 'icon-512.png'):name>")
@public
def apart(name: str) -> Response:
    """Give what the install dialogue asks for."""
    return _send(shelves.shelf().apart[name], _ASK_AGAIN)


@blp.get("/app")
@public
def bare() -> Redirect:
    """Send whoever forgot the slash to the app: its worker's reach begins with it."""
    return redirect("/app/", 308)


def _is_on() -> bool:
    house: House = current_app.extensions["fieldapi"]
    return not house.settings.is_app_worker_off


def _send(found: Stored, how_long: str) -> Response:
    """Answer with a file, gzipped for whoever takes that."""
    is_packed = found.packed is not None and "gzip" in request.headers.get("Accept-Encoding", "")
    content = found.packed if is_packed and found.packed is not None else found.content
    response = Response(content, content_type=found.media)
    response.headers["Cache-Control"] = how_long
    response.headers["Vary"] = "Accept-Encoding"
    if is_packed:
        response.headers["Content-Encoding"] = "gzip"
    return response
