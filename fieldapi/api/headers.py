"""The headers of every answer: nothing is cached, framed, sniffed or referred by default.

A view may set its own `Cache-Control` and policies; these only fill what is missing.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode

from flask import Flask, Response, g

from fieldapi.settings import Settings

POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_ALWAYS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_TWO_YEARS = "max-age=63072000; includeSubDomains"


def sheet_source(html: str) -> str:
    """Return what a policy calls the one style sheet inside a page, so that no other comes in."""
    sheet = html.partition("<style>")[2].partition("</style>")[0]
    return f"'sha256-{b64encode(hashlib.sha256(sheet.encode()).digest()).decode()}'"


def install(app: Flask, settings: Settings) -> None:
    """Put them on every answer of `app`."""
    wanted = dict(_ALWAYS)
    if settings.is_https:
        wanted["Strict-Transport-Security"] = _TWO_YEARS
    missing = [(name, text, name.lower()) for name, text in wanted.items()]

    def fill(response: Response) -> Response:
        # Asked of each by itself, werkzeug searches its list three times for every name.
        has = {name.lower() for name, _ in response.headers}
        response.headers.extend([(name, text) for name, text, key in missing if key not in has])
        response.headers["X-Request-Id"] = g.request_id
        return response

    app.after_request(fill)
