"""The OpenAPI document against the app that wrote it: schemathesis, with every check that applies.

A few examples for each of four people here; `./dev soak contract` takes hundreds.
"""

from __future__ import annotations

import pytest
from flask import Flask

from tests.support.personas import Village
from tests.support.walls import walk


@pytest.mark.database
def test_no_operation_fails_or_answers_what_is_not_written(app: Flask, village: Village) -> None:
    found = walk(app, village, examples=1)

    assert found.failures == {}
    assert len(found.asked) > 60
