"""Takes in originals that lie in the store while no row names them and a photo announces them: a
database restored to an older point has lost the rows, phones have let the files go, and the bytes
are all there.

Called by `audit`. Must never take in what a row of anybody names: who knows a hash does not
get a photo by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from sqlalchemy import and_, select

from fieldapi import limits
from fieldapi.house import House
from fieldapi.models import Original, Photo
from fieldapi.services.photos import receiving
from fieldapi.services.photos.files import File, spool_of
from fieldapi.storage import ObjectMissing
from fieldapi.storage.keys import original_key

Owed = Mapping[str, tuple[str, ...]]  # hashes, and the authorities whose photos announce them


def owed(house: House) -> Owed:
    """Return the hashes of photos that were announced and whose bytes no row has."""
    same = and_(Original.authority_id == Photo.authority_id, Original.sha256 == Photo.sha256)
    query = select(Photo.sha256, Photo.authority_id).where(
        Photo.checked_at.is_(None),
        Photo.heads != "",
        Photo.sha256.is_not(None),
        ~select(Original.sha256).where(same).exists(),
    )
    found: dict[str, tuple[str, ...]] = {}
    with house.database.read() as session:
        for sha256, authority_id in session.execute(query.distinct()):
            found[str(sha256)] = (*found.get(str(sha256), ()), authority_id)
    return found


def adopt(house: House, sha256: str, authorities: tuple[str, ...]) -> bool:
    """Take an object in for those who announced it, if its bytes are what its name says."""
    if not authorities:
        return False
    try:
        stream = house.storage.open(original_key(sha256))
    except ObjectMissing:
        return False
    with stream, spool_of(house).take(stream, limit=limits.PHOTO_BYTES) as received:
        if received.sha256 != sha256:
            return False
        file = File(received.path, received.size, sha256)
        for authority_id in authorities:
            house.database.transact(partial(receiving.adopt, authority_id=authority_id, file=file))
    return True
