"""The listener that the whole suite runs under hears what it is there for."""

from __future__ import annotations

import logging

from fieldapi import logs
from tests.support.canaries import Listener


def test_planted_word_in_the_log_would_be_heard(log_listener: Listener) -> None:
    logs.configure("info")
    logging.getLogger("a.library").warning("the owner is Ramesh")

    assert len(log_listener.take()) == 1
