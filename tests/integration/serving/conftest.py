"""A real server that tests share: none of them ends it or needs records of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fieldapi.settings import Settings
from tests.support.server import Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on the embedded default."""
    environ = {
        "FIELDAPI_DATA": str(tmp_path_factory.mktemp("served")),
        "FIELDAPI_SECRET_KEY": "k" * 40,
        "FIELDAPI_TESTING": "1",
    }
    with serving(Settings.from_env(environ)) as running:
        yield running
