"""Turns requests of programs away that had waited so long for a thread that their phones may have
given up: a server busy with answers that nobody waits for would never catch up.

Called before every request, before anything is read or asked of the database. People at the console
and whoever asks whether the server lives are never turned away.
"""

from __future__ import annotations

from flask import request

from fieldapi.problems import Unavailable

LATE_S = 10.0  # a third of what phones bear of silence
_PROGRAMS = "/api/"


def require_room() -> None:
    """Raise `Unavailable` for a late request; its `Retry-After` spreads phones over a minute."""
    if request.path.startswith(_PROGRAMS) and _waited_s() > LATE_S:
        raise Unavailable


def _waited_s() -> float:
    """Return how long `pacing` says that it waited; under another server it says nothing."""
    waited: float = getattr(request.environ.get("gunicorn.socket"), "waited_s", 0.0)
    return waited
