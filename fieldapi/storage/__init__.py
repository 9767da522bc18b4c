"""Where photo bytes live: a port, its two stores (a folder, any S3) and the spool of partial
uploads. Services call it; it imports nothing of the project and knows nothing of photos.
"""

from fieldapi.storage.factory import open_storage
from fieldapi.storage.failures import (
    ChecksumDiffers,
    IntegrityError,
    KeyRefused,
    LimitReached,
    Locked,
    ObjectDiffers,
    ObjectMissing,
    OffsetMismatch,
    PieceTooLarge,
    SizeDiffers,
    SpoolError,
    SpoolFull,
    StorageDenied,
    StorageError,
    StorageUnavailable,
    UploadIdRefused,
    UploadMissing,
)
from fieldapi.storage.held import Held
from fieldapi.storage.port import Stat, Storage, chunks
from fieldapi.storage.spool import CHECKED_LIMIT, Received, Spool, SpoolFile
from fieldapi.storage.verify import put_verified, replace_damaged

__all__ = [
    "CHECKED_LIMIT",
    "ChecksumDiffers",
    "Held",
    "IntegrityError",
    "KeyRefused",
    "LimitReached",
    "Locked",
    "ObjectDiffers",
    "ObjectMissing",
    "OffsetMismatch",
    "PieceTooLarge",
    "Received",
    "SizeDiffers",
    "Spool",
    "SpoolError",
    "SpoolFile",
    "SpoolFull",
    "Stat",
    "Storage",
    "StorageDenied",
    "StorageError",
    "StorageUnavailable",
    "UploadIdRefused",
    "UploadMissing",
    "chunks",
    "open_storage",
    "put_verified",
    "replace_damaged",
]
