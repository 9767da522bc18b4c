"""Ops as they arrived. What an op came to is in the ledger; `parked_op` lists only those that
wait for a person. Triggers refuse UPDATE, DELETE and TRUNCATE on `op`; the payload of a personal
op stands apart in `op_payload`, where an erasure can reach it.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, one_of

PARKED = ("held", "quarantined", "partial", "deferred")


class OpRow(Base):
    """One op. Identity is (actor, op); an op that cannot be read has the SHA-256 of its bytes
    as `op`. `payload`: the bytes as sent, null for a personal op. `digest`: HMAC of the parsed
    content (of a signed op, of its payload), so that a resend is known without the content.
    `filled`: the base that the server filled in for a client that tells none, as JSON.
    `signature`: the JWS that brought it, without its payload (`header..signature`), null for a
    personal op; `is_signed`: it was checked by the device's key. `effective`:
    docs/protocol/sync.md section 2.
    """

    __tablename__ = "op"
    __table_args__ = (Index(None, "authority_id", "kind", "record_id"),)

    authority_id: Mapped[IdKey]
    actor: Mapped[IdKey]
    op: Mapped[IdKey]
    kind: Mapped[str]
    record_id: Mapped[Id]
    by: Mapped[str]
    via: Mapped[str]
    stamp: Mapped[Id]
    at: Mapped[int | None] = mapped_column(BigInteger)
    n: Mapped[int | None] = mapped_column(BigInteger)
    effective: Mapped[int] = mapped_column(BigInteger)
    received_at: Mapped[datetime]
    schema: Mapped[int]
    nobase: Mapped[bool]
    filled: Mapped[str | None]
    is_decision: Mapped[bool]
    is_personal: Mapped[bool]
    is_signed: Mapped[bool]
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    signature: Mapped[str | None]
    payload: Mapped[bytes | None] = mapped_column(LargeBinary)


class OpPayload(Base):
    """The bytes of a personal op, its signature, and the salt that its ledger hash covers. After
    an erasure `payload` holds the structure alone, salt and signature (by which values could be
    guessed back) are gone, and `erased` names the fields whose values are.
    """

    __tablename__ = "op_payload"

    authority_id: Mapped[IdKey]
    actor: Mapped[IdKey]
    op: Mapped[IdKey]
    salt: Mapped[bytes] = mapped_column(LargeBinary)
    signature: Mapped[str | None]
    payload: Mapped[bytes] = mapped_column(LargeBinary)
    erased: Mapped[str | None]


class ParkedOp(Base):
    """An op, or some fields of one, that was stored but not merged. `faults`: JSON of field →
    code. `resolved`: what became of it (`released`, `rejected`, `corrected`, `merged`), if anything
    did.
    """

    __tablename__ = "parked_op"
    __table_args__ = (
        CheckConstraint(one_of("status", PARKED), name="status"),
        Index(None, "authority_id", "status", "resolved"),
        Index(None, "authority_id", "kind", "record_id"),
    )

    authority_id: Mapped[IdKey]
    actor: Mapped[IdKey]
    op: Mapped[IdKey]
    kind: Mapped[str]
    record_id: Mapped[Id]
    by: Mapped[str]
    status: Mapped[str]
    code: Mapped[str]
    faults: Mapped[str]
    received_at: Mapped[datetime]
    resolved: Mapped[str | None]
    resolved_at: Mapped[datetime | None]
    reason: Mapped[str | None]


class RequestKey(Base):
    """A client-made id that a stored success has bound to one content, as an HMAC of it."""

    __tablename__ = "request_key"

    authority_id: Mapped[IdKey]
    actor: Mapped[IdKey]
    scope: Mapped[IdKey]
    key: Mapped[IdKey]
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    at: Mapped[datetime]
