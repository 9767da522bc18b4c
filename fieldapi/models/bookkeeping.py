"""Rows that say how work goes, not what happened: the ledger does not speak of them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, IdKey


class JobFailure(Base):
    """A piece of pending work that failed: when to try again, and the last reason."""

    __tablename__ = "job_failure"

    job: Mapped[str] = mapped_column(primary_key=True)
    subject: Mapped[IdKey]
    tries: Mapped[int]
    again_at: Mapped[datetime]
    reason: Mapped[str]


class Attempt(Base):
    """Failed tries (sign-in, enrolment) of one key in one window of time."""

    __tablename__ = "attempt"

    scope: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[IdKey]
    window_at: Mapped[datetime] = mapped_column(primary_key=True)
    tries: Mapped[int]


class Scan(Base):
    """How far a job has read an authority's feed. `seq`: all up to there is done."""

    __tablename__ = "scan"

    authority_id: Mapped[IdKey]
    name: Mapped[str] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger)
