"""Court bundles: `asking` for one and what becomes of it · `making` the file · `content` what goes
into it · `told` what acts, papers and complaints said · `withdrawals` of what was erased since.
"""

from fieldapi.services.bundles.asking import (
    NAMED,
    REFUSE,
    NewBundle,
    ask,
    build,
    building,
    note_read,
)

__all__ = ["NAMED", "REFUSE", "NewBundle", "ask", "build", "building", "note_read"]
