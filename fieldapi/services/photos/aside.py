"""Keeps bytes that are not what they should be, where nobody takes them for evidence of ours.

Called by `receiving` and `uploads`. What was set aside is shown to reviewers, never as the photo.
"""

from __future__ import annotations

from fieldapi.house import House
from fieldapi.models import AsideBytes
from fieldapi.models.insert import insert_once
from fieldapi.services.photos.files import File, Sender
from fieldapi.storage import ObjectDiffers, put_verified, replace_damaged
from fieldapi.storage.keys import aside_key, hash_of
from fieldapi.unit import Unit

MISMATCHED, SET_ASIDE = "photo.mismatched", "bytes.set_aside"


def enter_remains(unit: Unit, sender: Sender, file: File, remains: str) -> None:
    """Say that damaged bytes lay where the original belongs, and where they are now."""
    unit.enter(
        sender.authority_id,
        SET_ASIDE,
        subject=f"original/{file.sha256}",
        actor=sender.actor,
        announced=file.sha256,
        sha256=hash_of(remains),
        via=sender.via,
    )


def set_aside(
    house: House, sender: Sender, photo_id: str, file: File, *, said: tuple[str, str]
) -> None:
    """Keep bytes that are not the announced ones, where nobody takes them for the photo.

    `said`: the kind of ledger entry, and the hash that was announced. The same bytes again change
    nothing. Raises what the store raises.
    """
    key = aside_key(file.sha256)
    try:
        put_verified(house.storage, key, file.path, sha256=file.sha256)
    except ObjectDiffers:  # it had rotted there
        replace_damaged(house.storage, key, file.path, sha256=file.sha256)
    house.database.transact(lambda unit: _record_aside(unit, sender, photo_id, file, said=said))


def _record_aside(
    unit: Unit, sender: Sender, photo_id: str, file: File, *, said: tuple[str, str]
) -> None:
    kind, announced = said
    at = sender.authority_id
    row_id = unit.keys.op_id(f"aside/{at}/{photo_id}/{file.sha256}")
    if unit.session.get(AsideBytes, (at, row_id)) is not None:
        return
    row = {
        "authority_id": at,
        "id": row_id,
        "photo_id": photo_id,
        "announced": announced,
        "sha256": file.sha256,
        "size": file.size,
        "via": sender.via,
        "at": unit.now,
    }
    if insert_once(unit.session, AsideBytes, row):
        unit.enter(
            at,
            kind,
            subject=f"photo/{photo_id}",
            actor=sender.actor,
            announced=announced,
            sha256=file.sha256,
            size=file.size,
            via=sender.via,
        )
