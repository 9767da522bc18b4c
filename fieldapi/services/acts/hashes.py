"""The hashes by which the ledger knows what an act, a paper and a complaint say: salted, since few
words can be guessed from their plain hash by whoever is handed it alone (docs/adr/0006).

Called by whoever stores them. A paper has the salt of its act.
"""

from __future__ import annotations

import hashlib
import secrets

from fieldapi.models import Act, Document
from fieldapi.unit import Unit

_SALT_BYTES = 16


def new_salt() -> str:
    """Return a salt that nobody can guess, in hex."""
    return secrets.token_hex(_SALT_BYTES)


def hash_of(salt: str, data: str) -> str:
    """Return the hash that goes into the ledger.

    >>> hash_of("", "{}")[:8], hash_of("00", "{}")[:8]
    ('44136fa3', 'b3d54fb1')
    """
    return hashlib.sha256(bytes.fromhex(salt) + data.encode()).hexdigest()


def enter_paper(unit: Unit, paper: Document, act: Act) -> None:
    """Enter that a paper was issued, with the hash of all it says."""
    unit.enter(
        paper.authority_id,
        "document.issued",
        subject=f"document/{paper.id}",
        actor=act.actor,
        act=act.id,
        paper=paper.kind,
        serial=paper.serial or "",
        data=hash_of(act.salt, paper.data),
    )
