"""The OpenAPI document: problem documents for every failure, one way to sign in.

Made once per app from what the blueprints declare.
"""

from __future__ import annotations

import http
from typing import Any

import flask_smorest
from flask import Flask

import fieldapi
from fieldapi.api.errors import MEDIA
from fieldapi.api.schemas.common import ProblemSchema

_DESCRIPTION = (
    "Reports of trespassing cattle from phones that are often offline, with their photos as "
    "evidence. Failures are problem documents (RFC 9457): branch on `type`, never on text. What "
    "they say to people is English, or in the language (gu, hi, kn, ml) that `Accept-Language` "
    "asks for first; `Content-Language` tells which."
)


class Api(flask_smorest.Api):
    """Registers blueprints with their documentation; leaves failures to `errors`."""

    ERROR_SCHEMA = ProblemSchema

    def _register_error_handlers(self) -> None:
        """Leave them out: `errors.install` answers for the whole app."""

    def _register_responses(self) -> None:
        for status in http.HTTPStatus:
            self.spec.components.response(status.name, _failure(status.phrase), lazy=True)
        self.spec.components.response("DEFAULT_ERROR", _failure("A problem"), lazy=True)


def document(app: Flask) -> Api:
    """Return the API of `app`, ready for its blueprints."""
    app.config.update(
        API_TITLE="fieldapi",
        API_VERSION=fieldapi.__version__,
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS={"info": {"description": _DESCRIPTION}},
    )
    api = Api(app)
    api.spec.components.security_scheme("bearer", {"type": "http", "scheme": "bearer"})
    return api


def _failure(phrase: str) -> dict[str, Any]:
    return {"description": phrase, "content": {MEDIA: {"schema": ProblemSchema}}}
