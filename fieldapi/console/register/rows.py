"""The rows of a pound's page, in words. Flask-free."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from fieldapi.clock import INDIA
from fieldapi.console.words import Words
from fieldapi.queries.counter import Stay


@dataclass(frozen=True, slots=True)
class StayRow:
    """A case in the pound. `day`: of its stay; `until`, `then`: what is due next."""

    id: str
    reference: str
    herd: str
    since: str
    day: int
    owners: str
    photo_ids: list[str]
    until: str
    then: str
    is_due: bool
    is_over: bool
    is_gone: bool


def rows_of(stays: list[Stay], words: Words, now: datetime) -> list[StayRow]:
    """Return the rows of what stands, or stood, in a pound."""
    return [_row(one, words, now) for one in stays]


def _row(one: Stay, words: Words, now: datetime) -> StayRow:
    today = now.astimezone(INDIA).date()
    last, then = one.next or (None, "")
    return StayRow(
        id=one.id,
        reference=one.reference,
        herd=words.herd(one.herd),
        since=words.moment(one.since),
        day=(today - one.since.astimezone(INDIA).date()).days + 1,
        owners=", ".join(one.owners),
        photo_ids=one.photo_ids[:2],
        until=words.moment(last) if last else "",
        then=words.gettext(then) if then else "",
        is_due=last is not None and last.astimezone(INDIA).date() == today,
        is_over=last is not None and last < now,
        is_gone=not one.herd,
    )
