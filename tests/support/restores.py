"""What tests of restores share: the environment of a new host, and whether all is sound there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from fieldapi import ledger
from fieldapi.clock import format_instant
from fieldapi.house import House, open_house
from fieldapi.services import replay
from fieldapi.services.photos import audit as photo_audit
from fieldapi.services.photos.audit import Share
from fieldapi.settings import Settings
from tests.support.clock import MONDAY_MORNING


def environ_of(folder: Path) -> Mapping[str, str]:
    """Return the environment of a host with the secret of the tests and a clock that stands."""
    clock = folder / "clock"
    clock.write_text(format_instant(MONDAY_MORNING.replace(hour=9)))
    return {
        "FIELDAPI_SECRET_KEY": "a secret of the tests, long enough to be one",
        "FIELDAPI_TESTING": "1",
        "FIELDAPI_CLOCK_FILE": str(clock),
    }


@contextmanager
def opened(data: Path, environ: Mapping[str, str]) -> Iterator[House]:
    """Give the installation in a data folder."""
    house = open_house(Settings.from_env({**environ, "FIELDAPI_DATA": str(data)}))
    try:
        yield house
    finally:
        house.database.close()


def assert_sound(house: House, *authorities: str) -> None:
    """Assert that ledgers verify, records replay without a difference, and photos are there."""
    with house.database.read() as session:
        for one in authorities:
            assert ledger.verify(session, one, house.keys).faults == ()
            assert replay.check(session, one).differences == ()
    assert photo_audit.audit(house, Share()).is_sound
