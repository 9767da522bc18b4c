"""Names of migrations: they have to fit where Alembic keeps them."""

from __future__ import annotations

from datetime import UTC, datetime

from tools.migration import revision_id

DAY = datetime(2026, 12, 1, tzinfo=UTC)


def test_name_begins_with_the_day_and_says_what_it_does() -> None:
    assert revision_id("Add the weather", DAY) == "20261201_add_the_weather"


def test_name_of_a_long_message_fits_the_column_of_alembic() -> None:
    name = revision_id("Add the weather of every seizure in the district", DAY)

    assert name == "20261201_add_the_weather_of"
    assert len(name) <= 32
