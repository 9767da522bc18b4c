"""When two reports may be about one seizure: near in time and place, and sharing what one seizure
shows. A hint for a reviewer; nothing is merged by it.

Called by the pending work that compares reports. Must never import SQL.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from fieldapi.domain.geo import Point, distance_m

NEAR_M = 200.0
NEAR = timedelta(hours=2)


@dataclass(frozen=True)
class Sighting:
    """A report as it is compared. `place`: None where the phone had no fix. `alike`: the photos
    of other reports that are this one's pictures again, or nearly.
    """

    id: str
    author: str | None
    at: datetime
    place: Point | None
    kinds: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    photos: frozenset[str] = frozenset()
    alike: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Grounds:
    """What two reports share. `apart_m`: None where one of them has no place."""

    apart_m: int | None
    apart_minutes: int
    kinds: tuple[str, ...]
    tags: tuple[str, ...]
    photos: tuple[str, ...]


def grounds(one: Sighting, other: Sighting) -> Grounds | None:
    """Return why two reports may be one seizure, or None if they are not to be held together.

    Within two hours and two hundred metres, with a kind of cattle in common, an ear tag, or a like
    photo. Kinds alone say nothing about two reports of one person, who knows that it was twice;
    tags and photos speak also where a place is missing.
    """
    apart = abs(one.at - other.at)
    metres = _apart_m(one.place, other.place)
    if apart > NEAR or (metres is not None and metres > NEAR_M):
        return None
    tags = one.tags & other.tags
    photos = (one.alike & other.photos) | (other.alike & one.photos)
    kinds = one.kinds & other.kinds
    is_two = one.author is not None and one.author != other.author
    if not (tags or photos or (kinds and is_two and metres is not None)):
        return None
    return Grounds(
        None if metres is None else round(metres),
        round(apart / timedelta(minutes=1)),
        tuple(sorted(kinds)),
        tuple(sorted(tags)),
        tuple(sorted(photos)),
    )


def _apart_m(one: Point | None, other: Point | None) -> float | None:
    return None if one is None or other is None else distance_m(one, other)
