"""Backups of the embedded size: one folder with the database, the photos and the keys, made while
serving, verified before it gets its name; and restores, which begin a new epoch.

`manifest` what a backup says of itself · `making` · `proving` · `restoring` · `files` linking and
hashing. Beside services; the command line calls it.
"""

from fieldapi.backup.files import BackupError
from fieldapi.backup.making import Made, make_backup
from fieldapi.backup.manifest import Manifest, read_manifest
from fieldapi.backup.restoring import Restored, restore

__all__ = [
    "BackupError",
    "Made",
    "Manifest",
    "Restored",
    "make_backup",
    "read_manifest",
    "restore",
]
