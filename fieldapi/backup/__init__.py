"""Backups of every size: one folder with the database, the photos or their list, and the keys, made
while serving, verified before it gets its name; and restores, which begin a new epoch.

`manifest` what a backup says of itself · `making` · `carrying` rows between databases · `photos` ·
`proving` · `restoring` · `sealing` encryption · `files` linking and hashing. Beside services; the
command line calls it.
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
