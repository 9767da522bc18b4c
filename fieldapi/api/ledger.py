"""The ledger over REST: one entry with the proof that it is in, and the proof between two heads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from fieldapi.access import needs
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.schemas.ledger import ConsistencyQuerySchema, ConsistencySchema, EntrySchema
from fieldapi.api.turns import reading
from fieldapi.queries import proofs
from fieldapi.services.authorise import Principal

blp = blueprint("ledger", "/api/v1/ledger", "Entries of the ledger, each with its proof")


@blp.get("/entries/<seq>")
@needs("ledger.read")
@blp.response(200, EntrySchema)
def entry(seq: str) -> Mapping[str, Any]:
    """Give entry `seq` as it was hashed, with the proof that it is under the present head."""
    key = house().keys.public_key.hex()

    def read(session: Session, who: Principal) -> Mapping[str, Any]:
        return {**proofs.entry(session, who.authority_id, seq), "public_key": key}

    return reading(read)


@blp.get("/consistency")
@needs("ledger.read")
@blp.arguments(ConsistencyQuerySchema, location="query")
@blp.response(200, ConsistencySchema)
def consistency(query: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the proof that one size of the ledger continues another, for `verify.py --proof`."""
    keys = house().keys
    return reading(
        lambda session, who: proofs.consistency(
            session, who.authority_id, keys, older=query["from_"], newer=query["to"]
        )
    )
