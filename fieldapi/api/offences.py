"""Offences over REST: note one, record what was made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fieldapi.api.beside import Noun, routes_of
from fieldapi.api.schemas.beside import NewOffenceSchema, OffenceSchema
from fieldapi.queries import beside as queries
from fieldapi.services import offences
from fieldapi.services.offences import NewOffence


def _new(body: Mapping[str, Any]) -> NewOffence:
    return NewOffence(
        id=body["id"],
        what=body["what"],
        committed_at=body["committed_at"],
        section=body["section"],
        seizure_id=body["case"],
        accused=body["accused"],
        text=body["text"],
    )


blp = routes_of(
    Noun(
        name="offence",
        plural="offences",
        key="offence_id",
        description="Offences that were seen",
        make="offence.report",
        read="offence.read",
        taken=NewOffenceSchema,
        told=OffenceSchema,
        new=_new,
        add=lambda unit, who, _packs, new: offences.add(unit, who, new),
        show=queries.offence,
        list_all=queries.offences,
        act=lambda unit, who, packs, one, body: offences.act(unit, who, packs, one, body=body),
    )
)
