"""Serves the numbers of `fieldapi.limits`, so that no client has to guess."""

from __future__ import annotations

from collections.abc import Mapping

from fieldapi import limits
from fieldapi.access import public
from fieldapi.api.blueprint import blueprint
from fieldapi.api.schemas.limits import LimitsSchema

blp = blueprint("limits", "/api/v1/limits", "What one request may bring and take")


@blp.get("")
@public
@blp.response(200, LimitsSchema)
def read() -> Mapping[str, object]:
    """Give every limit; sizes in bytes."""
    return limits.as_json()
