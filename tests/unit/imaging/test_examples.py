"""Examples in docstrings are true."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from fieldapi.imaging import compare, dates, sniff, text
from fieldapi.storage import keys


@pytest.mark.parametrize("module", [compare, dates, sniff, text, keys])
def test_examples_are_true(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert (result.failed, result.attempted > 0) == (0, True)
