"""The migrations and the models say the same, in both directions and on both databases."""

from __future__ import annotations

import pytest

from fieldapi import migrate
from tests.support.databases import Addresses

pytestmark = pytest.mark.database


def test_migrations_from_empty_equal_the_models(empty_database: Addresses) -> None:
    migrate.upgrade(empty_database.owner, empty_database.app)

    assert migrate.differences(empty_database.owner) == []


def test_every_migration_can_be_undone(empty_database: Addresses) -> None:
    migrate.upgrade(empty_database.owner, empty_database.app)
    migrate.downgrade(empty_database.owner, "base")
    migrate.upgrade(empty_database.owner, empty_database.app)

    assert migrate.current(empty_database.owner) == migrate.newest()
