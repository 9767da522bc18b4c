"""Every number that a client can run into, in one place; served at `/api/v1/limits`.

Read by the API, the services and the storage of uploads. Imports nothing of the project.
"""

from __future__ import annotations

KIB = 1024
MIB = 1024 * KIB

# Bodies of ordinary JSON requests, and of a push: as sent, and once inflated.
JSON_BYTES = 1 * MIB
SYNC_OPS = 500
SYNC_WIRE_BYTES = 1 * MIB
SYNC_INFLATED_BYTES = 8 * MIB

# Photos. A PATCH with `Upload-Checksum` is kept only whole, so it has to fit into memory.
PHOTO_BYTES = 64 * MIB
CHECKED_CHUNK_BYTES = 4 * MIB
PREVIEW_BYTES = 64 * KIB
# What one device may bring in a day (IST): far more than anybody takes, far less than a disk.
PHOTO_DAY_COUNT = 2000
PHOTO_DAY_BYTES = 8 * 1024 * MIB

# The zip of a phone's outbox. Read from disk; only its ops come into memory.
IMPORT_BYTES = 512 * MIB
IMPORT_ENTRIES = 4000
IMPORT_OPS = 20_000
IMPORT_OPS_BYTES = 32 * MIB

# Lists and pulls: what comes without asking, and the most that comes at once.
PAGE_DEFAULT = 100
PAGE_MAX = 500
PULL_BYTES = 1 * MIB

# Console forms: fields, parts and bytes of one form.
FORM_BYTES = 256 * KIB
FORM_PARTS = 200


def as_json() -> dict[str, dict[str, int]]:
    """Return the numbers as clients read them; sizes in bytes."""
    return {
        "json": {"bytes": JSON_BYTES},
        "sync": {
            "ops": SYNC_OPS,
            "wire_bytes": SYNC_WIRE_BYTES,
            "inflated_bytes": SYNC_INFLATED_BYTES,
            "pull_records": PAGE_MAX,
            "pull_bytes": PULL_BYTES,
        },
        "photos": {
            "bytes": PHOTO_BYTES,
            "checked_chunk_bytes": CHECKED_CHUNK_BYTES,
            "preview_bytes": PREVIEW_BYTES,
            "day_count": PHOTO_DAY_COUNT,
            "day_bytes": PHOTO_DAY_BYTES,
        },
        "imports": {"bytes": IMPORT_BYTES, "ops": IMPORT_OPS, "entries": IMPORT_ENTRIES},
        "lists": {"default": PAGE_DEFAULT, "max": PAGE_MAX},
    }
