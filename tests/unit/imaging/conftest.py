"""Analysis without the child process: what the file says is the same, and a test costs less."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fieldapi.imaging.analyse import analyse
from fieldapi.imaging.decode import set_up
from fieldapi.imaging.facts import Analysis

NOW = datetime(2026, 12, 1, tzinfo=UTC)
Look = Callable[..., Analysis]


@pytest.fixture
def look(tmp_path: Path) -> Look:
    """Return a function that analyses bytes, claimed to be `claimed`."""
    set_up()
    photo = tmp_path / "photo"

    def look_at(data: bytes, claimed: str | None = None) -> Analysis:
        photo.write_bytes(data)
        return analyse(photo, claimed_type=claimed, out_dir=tmp_path, now=NOW)

    return look_at
