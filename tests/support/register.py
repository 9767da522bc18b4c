"""What tests put beside the cases: parties, fee scales, confirmations."""

from __future__ import annotations

from datetime import date

from fieldapi.packs import load_packs
from fieldapi.services.confirmations import open_keys


def open_key(statute: str) -> str:
    """Return the key of a value of this statute that nobody has confirmed yet."""
    packs = load_packs()
    version = packs.profile(statute, on=date(2026, 11, 30)).version
    return min(open_keys(packs, version))
