"""Erasures over REST: take out of a record what a person may have taken out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fieldapi.access import needs
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.erasures import ErasureSchema, NewErasureSchema
from fieldapi.queries import erasures as queries
from fieldapi.queries.erasures import ErasureView
from fieldapi.services import erasures
from fieldapi.services.erasures import NewErasure

blp = blueprint("erasures", "/api/v1/erasures", "Values that are taken out")


@blp.post("")
@needs("erasure.make")
@blp.arguments(NewErasureSchema)
@blp.response(201, ErasureSchema)
@blp.alt_response(200, schema=ErasureSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[ErasureView, int]:
    """Erase values of a record: they are gone at once and for good, their structure stays.

    Everything still verifies, and says what is gone.
    """
    new = NewErasure(
        body["id"], body["record"], body["reason"], fields=body["fields"], ops=body["ops"]
    )
    log = house().settings.outside_log
    creation = Creation(
        "erasure",
        ErasureSchema,
        add=lambda unit, who: erasures.erase(unit, who, new, log=log),
        show=lambda session, who: queries.erasure(session, who.authority_id, new.id),
    )
    return create_once(creation)
