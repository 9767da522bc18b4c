"""Serves the phone app: `/app/`, its service worker, and the page that an enrolment's QR opens.

The app itself is `fieldapi/webapp`, plain files; what is known of them is in `shelf`. Called by
`app`. Everything here is public: whose phone it is, the API asks.
"""

from __future__ import annotations

from flask import Flask, Response, request

from fieldapi.phone import landing, views
from fieldapi.phone.blueprint import blp
from fieldapi.phone.failure import error_page

__all__ = ["error_page", "install"]

VIEWS = (landing, views)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
_DEVICES = "camera=(self), geolocation=(self), microphone=(), payment=(), usb=()"


def install(app: Flask) -> None:
    """Open the phone app in `app`."""
    app.register_blueprint(blp)
    app.after_request(_guard)


def _guard(response: Response) -> Response:
    """Put the policies of the phone app on its pages and on its worker."""
    if request.blueprint == blp.name:
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["Permissions-Policy"] = _DEVICES
    return response
