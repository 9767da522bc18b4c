"""Photos: the announcement a phone makes, the bytes that follow, and what the bytes turned out
to be. One original may be announced by several photos; it is stored once.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, ClassVar

from sqlalchemy import BigInteger, CheckConstraint, Date, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, index_where, one_of
from fieldapi.models.record import RecordRow, Shown, instant, number, text

VERDICTS = ("accept", "accept_flagged", "reject")


class Photo(RecordRow, Base):
    """The announcement of one photo: what it belongs to and the SHA-256 it must have.

    `checked_at`: when its claims were held against the bytes; the server's own, no op sets it.
    """

    KIND: ClassVar[str] = "photo"
    __tablename__ = "photo"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        Index(None, "authority_id", "seizure_id"),
        Index(None, "authority_id", "aid_id"),
        Index(None, "authority_id", "intake_id"),
        Index(None, "authority_id", "sha256"),
        index_where("ix_photo_unchecked", "authority_id", "sha256", where="checked_at IS NULL"),
    )

    seizure_id: Mapped[Id | None]
    aid_id: Mapped[Id | None]
    intake_id: Mapped[Id | None]
    sha256: Mapped[Id | None]
    size: Mapped[int | None] = mapped_column(BigInteger)
    media_type: Mapped[str | None]
    taken_at: Mapped[datetime | None]
    checked_at: Mapped[datetime | None]

    @classmethod
    def typed(cls, shown: Shown) -> dict[str, Any]:
        """Return the values of the typed columns that follow from `shown`."""
        size = number(shown, "size")
        return {
            "seizure_id": text(shown, "seizure_id"),
            "aid_id": text(shown, "aid_id"),
            "intake_id": text(shown, "intake_id"),
            "sha256": text(shown, "sha256"),
            "size": int(size) if size is not None else None,
            "media_type": text(shown, "media_type"),
            "taken_at": instant(shown, "taken_at"),
        }


class Original(Base):
    """The bytes of a photo, in storage under their SHA-256, and what was found in them.

    `media_type`: what the bytes say they are, never what a phone said; null for no photo of ours.
    `analysed_at` null: the child process has yet to look. `exif`: the parsed facts as JSON;
    `raw_exif`: every tag as text. `flags`: JSON list. `dhash`, `phash`: 16 hex digits.
    `preview_sha256`: of the picture of 1280 px; null for what was looked into before it was kept.
    `damaged_at`: when the store was found to have lost or changed the bytes; null: they are there.
    """

    __tablename__ = "original"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        CheckConstraint(f"verdict IS NULL OR {one_of('verdict', VERDICTS)}", name="verdict"),
        Index(None, "analysed_at"),
        Index(None, "authority_id", "stored_at"),
        index_where("ix_original_damaged", "sha256", where="damaged_at IS NOT NULL"),
    )

    authority_id: Mapped[IdKey]
    sha256: Mapped[IdKey]
    size: Mapped[int] = mapped_column(BigInteger)
    media_type: Mapped[str | None]
    stored_at: Mapped[datetime]
    analysed_at: Mapped[datetime | None]
    verdict: Mapped[str | None]
    reason: Mapped[str | None]
    flags: Mapped[str] = mapped_column(default="[]")
    format: Mapped[str | None]
    width: Mapped[int | None]
    height: Mapped[int | None]
    exif: Mapped[str | None]
    raw_exif: Mapped[str | None]
    dhash: Mapped[str | None]
    phash: Mapped[str | None]
    has_derivatives: Mapped[bool] = mapped_column(default=False)
    preview_sha256: Mapped[str | None]
    damaged_at: Mapped[datetime | None]


class Upload(Base):
    """A resumable upload. `id` derives from (device, sha256); the spool file's size is the
    offset, so no offset stands here.
    """

    __tablename__ = "upload"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "device_id"], ["device.authority_id", "device.id"]),
        Index(None, "expires_at"),
        Index(None, "authority_id", "sha256"),
        Index(None, "authority_id", "device_id", "created_at"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    device_id: Mapped[Id]
    photo_id: Mapped[Id]
    sha256: Mapped[str]
    size: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]


class AsideBytes(Base):
    """Bytes that came for a photo but are not the ones it announced: kept, never served as it."""

    __tablename__ = "aside_bytes"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        Index(None, "authority_id", "photo_id"),
        Index(None, "authority_id", "via", "at"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    photo_id: Mapped[Id]
    announced: Mapped[str]
    sha256: Mapped[str]
    size: Mapped[int] = mapped_column(BigInteger)
    via: Mapped[str]
    at: Mapped[datetime]


class PhotoView(Base):
    """That somebody saw a photo on a day: the ledger has one entry per row here."""

    __tablename__ = "photo_view"
    __table_args__ = (ForeignKeyConstraint(["authority_id"], ["authority.id"]),)

    authority_id: Mapped[IdKey]
    actor: Mapped[IdKey]
    photo_id: Mapped[IdKey]
    day: Mapped[date] = mapped_column(Date, primary_key=True)
