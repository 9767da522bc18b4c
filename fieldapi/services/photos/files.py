"""What bytes on our disk are, and whose: values that photos, uploads and `aside` share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from pathlib import Path

from fieldapi.domain.access import Principal
from fieldapi.house import House
from fieldapi.ids import server_actor
from fieldapi.imaging.sniff import HEAD, MEDIA_TYPES, sniff
from fieldapi.keyring import Keyring
from fieldapi.models import Photo
from fieldapi.storage import Spool

# How long an upload is kept after its last byte.
LIFETIME = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Sender:
    """Whose bytes these are: the device that brought them, and the person it belongs to; no device
    if they were in the store already.
    """

    authority_id: str
    person_id: str
    device_id: str
    actor: str
    is_confirmed: bool

    @property
    def via(self) -> str:
        """Return who delivered, as the ledger names it."""
        return f"device/{self.device_id}" if self.device_id else "store"

    def announced(self, photo: Photo | None) -> bool:
        """Say whether this photo is the sender's own. To others it is as good as unknown."""
        if photo is None or not photo.heads:
            return False
        return self.is_author(photo.author_id, photo.author_actor)

    def is_author(self, person_id: str | None, actor: str | None) -> bool:
        """Say whether what this person and actor made is the sender's own."""
        if not self.is_confirmed:
            return False
        return person_id == self.person_id or actor in {self.actor, server_actor(self.actor)}


@dataclass(frozen=True, slots=True)
class File:
    """Bytes on our disk: `size` of them, with this SHA-256 (hex). `is_read`: that was read off the
    disk, from a file locked since, and not on the way to it.
    """

    path: Path
    size: int
    sha256: str
    is_read: bool = False


def upload_id(keys: Keyring, sender: Sender, sha256: str) -> str:
    """Return the id of an upload: the same for a device and a hash, a secret to all others."""
    name = f"upload\n{sender.authority_id}\n{sender.device_id}\n{sha256}"
    return keys.digest(name.encode())[:16].hex()


def sender_of(principal: Principal) -> Sender:
    """Return the sender behind a request."""
    return Sender(
        principal.authority_id,
        principal.person_id,
        principal.device_id or "",
        principal.actor,
        principal.is_confirmed,
    )


def spool_of(house: House) -> Spool:
    """Return where bytes wait until they are whole."""
    return _spool(house.settings.spool)


@lru_cache(maxsize=64)
def _spool(root: Path) -> Spool:
    return Spool(root)


def media_type_of(path: Path) -> str | None:
    """Return the type that the first bytes of a file say; None for no photo that is taken here."""
    with path.open("rb") as file:
        return MEDIA_TYPES.get(sniff(file.read(HEAD)) or "")
