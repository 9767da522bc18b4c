"""The stories beside the statutes, played through HTTP with the test clock: the house says the
same as the law alone. Those marked `long` are played by `./dev soak stories`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest
from flask import Flask

from fieldapi.packs.cases.reader import read_stories
from fieldapi.packs.cases.story import Story
from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.story_house import StoryHouse, playable


def stories() -> Iterator[Story]:
    for file in sorted((files("fieldapi") / "statutes").iterdir(), key=lambda one: one.name):
        if file.name.endswith(".cases.toml"):
            yield from read_stories(tomllib.loads(file.read_text(encoding="utf-8")))


SHORT = [story for story in playable(stories()) if not story.is_long]


@pytest.mark.parametrize("story", SHORT, ids=lambda one: one.id)
def test_story_follows_over_http(
    story: Story, app: Flask, database: Database, clock: StoppedClock
) -> None:
    assert StoryHouse(app, database, clock, story).play() == []
