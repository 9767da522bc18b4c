"""The words for what stores and the spool cannot do, one class per thing a caller can do about it.
Services translate them into problems; nothing here is safe to show as it stands.
"""

from __future__ import annotations


class StorageError(Exception):
    """Something a store could not do."""


class StorageUnavailable(StorageError):
    """The store did not answer, or answered that it cannot now. Try again later."""


class StorageDenied(StorageError):
    """The store refuses these credentials. Retrying does not help; a person must look."""


class ObjectMissing(StorageError):
    """There is no object under this key."""


class ObjectDiffers(StorageError):
    """Other bytes are stored under this key, and they were left as they are."""


class SizeDiffers(StorageError):
    """The source holds more or fewer bytes than announced; nothing was stored."""


class KeyRefused(StorageError):
    """The key is not one of ours (see `keys.py`); the store was not asked."""


class IntegrityError(StorageError):
    """What the store gives back is not what was put there."""


class SpoolError(Exception):
    """Something the spool could not do."""


class UploadMissing(SpoolError):
    """No such upload: never created, finished, or expired."""


class UploadIdRefused(SpoolError):
    """The id is not 16 to 64 lower-case hex digits and hyphens."""


class OffsetMismatch(SpoolError):
    """The upload does not stand where the caller said; `actual` is where it stands."""

    def __init__(self, actual: int) -> None:
        super().__init__(f"the upload stands at {actual}")
        self.actual = actual


class LimitReached(SpoolError):
    """The stream held more than the upload may; `offset` is where the upload stands now."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"more bytes than announced, kept up to {offset}")
        self.offset = offset


class PieceTooLarge(SpoolError):
    """A piece with a checksum is larger than `CHECKED_LIMIT`; none of it was kept."""


class ChecksumDiffers(SpoolError):
    """The piece is not what its checksum says; none of it was kept."""


class SpoolFull(SpoolError):
    """The disk has no room above its reserve; what was written before stands."""


class Locked(SpoolError):
    """Another request holds this upload longer than we wait; try again shortly."""
