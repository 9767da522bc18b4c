"""Replays: every record made anew from its ops and the ledger, compared with its row, put right.

`told` what the ledger says of an op · `rebuilding` a record from its ops · `checking` the rows ·
`repairing` what differs.
"""

from fieldapi.services.replay.checking import Difference, Replay, check
from fieldapi.services.replay.repairing import repair

__all__ = ["Difference", "Replay", "check", "repair"]
