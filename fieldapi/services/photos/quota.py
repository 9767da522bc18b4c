"""How much one device may bring in a day: a stolen phone must not fill the store.

Called before bytes are taken. It reads what the rows of uploads already say, also those of photos
that were handed in at once; what was set aside counts, too.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from sqlalchemy import BindParameter, bindparam, func, select, union_all
from sqlalchemy.orm import Session

from fieldapi import limits
from fieldapi.clock import INDIA
from fieldapi.models import AsideBytes, Upload
from fieldapi.problems import QuotaReached
from fieldapi.services.photos.files import Sender

_SINCE = bindparam("since", type_=Upload.created_at.type)
_AT: BindParameter[str] = bindparam("authority")
_BROUGHT = union_all(
    select(func.count(), func.coalesce(func.sum(Upload.size), 0)).where(
        Upload.authority_id == _AT,
        Upload.device_id == bindparam("device"),
        Upload.created_at >= _SINCE,
    ),
    select(func.count(), func.coalesce(func.sum(AsideBytes.size), 0)).where(
        AsideBytes.authority_id == _AT,
        AsideBytes.via == bindparam("via"),
        AsideBytes.at >= _SINCE,
    ),
)


def require_room(session: Session, sender: Sender, size: int, *, now: datetime) -> None:
    """Return if the device may bring `size` more bytes today (IST). Raises `QuotaReached`."""
    today = datetime.combine(now.astimezone(INDIA).date(), time(), INDIA)
    photos, taken = _brought(session, sender, today)
    if photos < limits.PHOTO_DAY_COUNT and taken + size <= limits.PHOTO_DAY_BYTES:
        return
    raise QuotaReached(
        "This device has brought as many photos as it may in a day; nothing is lost, keep them on"
        " the phone and send them after midnight.",
        photos=photos,
        bytes=taken,
        limits={"photos": limits.PHOTO_DAY_COUNT, "bytes": limits.PHOTO_DAY_BYTES},
        retry_after=int((today + timedelta(days=1) - now).total_seconds()) + 1,
    )


def _brought(session: Session, sender: Sender, since: datetime) -> tuple[int, int]:
    """Return how many photos and bytes came from the device."""
    asked = {
        "authority": sender.authority_id,
        "device": sender.device_id,
        "via": sender.via,
        "since": since,
    }
    pairs = session.connection().execute(_BROUGHT, asked).all()
    return sum(int(count) for count, _ in pairs), sum(int(size) for _, size in pairs)
