"""What a crowd counts, in many threads: sent, acknowledged, lost, and how long answers took."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

_TOLD = 20
_SHARES = (0.5, 0.95, 0.99)


@dataclass(slots=True)
class Tally:
    """`sent`: ops written; `acknowledged`: answered for good. `lost`: acknowledged, and unknown to
    the server when it was asked again; `unfinished`: not handed in when the time was up.
    `statuses`: how often each HTTP status came, 0 for no answer.
    """

    phones: int = 0
    reports: int = 0
    sent: int = 0
    acknowledged: int = 0
    lost: int = 0
    unfinished: int = 0
    quarantined: int = 0
    photos: int = 0
    photos_stored: int = 0
    photos_lost: int = 0
    broken: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    _seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, what: str, seconds: float, status: int) -> None:
        """Count one answer."""
        with self._lock:
            self.statuses[status] += 1
            self._seconds[what].append(seconds)

    def took(self, what: str, seconds: float) -> None:
        """Keep a duration that is not an answer's."""
        with self._lock:
            self._seconds[what].append(seconds)

    def add(self, **counts: int) -> None:
        """Count up."""
        with self._lock:
            for name, count in counts.items():
                setattr(self, name, getattr(self, name) + count)

    def tell(self, broken: str) -> None:
        """Note what should not happen at all."""
        with self._lock:
            self.broken.append(broken)

    def wrongs(self) -> list[str]:
        """Say what should not be: lost, not handed in, not stored, failed."""
        counted = {
            "acknowledged ops are lost": self.lost,
            "photos are lost": self.photos_lost,
            "photos were not stored": self.photos - self.photos_stored,
            "ops were not handed in": self.unfinished,
            "answers were 500": self.statuses[HTTPStatus.INTERNAL_SERVER_ERROR],
        }
        found = [f"{count} {what}" for what, count in counted.items() if count]
        return found + self.broken[:_TOLD]

    @property
    def is_whole(self) -> bool:
        """Say whether all that was sent is there, and nothing failed."""
        return not self.wrongs()

    def as_json(self, seconds: float) -> dict[str, object]:
        """Return all numbers. `seconds`: how long it took."""
        return {
            "phones": self.phones,
            "reports": self.reports,
            "sent": self.sent,
            "acknowledged": self.acknowledged,
            "lost": self.lost,
            "unfinished": self.unfinished,
            "quarantined": self.quarantined,
            "photos": self.photos,
            "photos_stored": self.photos_stored,
            "photos_lost": self.photos_lost,
            "broken": self.broken[:_TOLD],
            "statuses": {str(status): self.statuses[status] for status in sorted(self.statuses)},
            "latency_ms": {what: parts(all_) for what, all_ in sorted(self._seconds.items())},
            "seconds": round(seconds, 1),
            "is_whole": self.is_whole,
        }


def parts(seconds: Sequence[float]) -> dict[str, float]:
    """Return median, 95th and 99th of a hundred, and the slowest, in milliseconds."""
    found = sorted(seconds)
    parts = {f"p{part * 100:.0f}": found[int(part * (len(found) - 1))] for part in _SHARES}
    told = {**parts, "max": found[-1]}
    return {"n": len(found), **{name: round(each * 1000, 1) for name, each in told.items()}}
