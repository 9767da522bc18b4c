"""The stories beside the Acts: every day and every paisa of them follows from `law`."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest

from fieldapi.packs import load_packs
from fieldapi.packs.cases.player import play
from fieldapi.packs.cases.reader import read_stories
from fieldapi.packs.cases.story import Story


def stories() -> Iterator[Story]:
    for file in sorted((files("fieldapi") / "statutes").iterdir(), key=lambda one: one.name):
        if file.name.endswith(".cases.toml"):
            yield from read_stories(tomllib.loads(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("story", list(stories()), ids=lambda one: one.id)
def test_what_the_story_says_follows_from_the_act(story: Story) -> None:
    assert [str(one) for one in play(load_packs(), story)] == []


def test_every_statute_has_stories() -> None:
    told = {one.version for one in stories()}
    assert told == {one.version for s in load_packs().series.values() for one in s.profiles}
