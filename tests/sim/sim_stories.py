"""Plays every story beside the statutes through HTTP, those too that the suite plays in law alone.

./dev soak stories
./dev soak stories --named GJ- --json
./dev soak stories --by-form      each act by its form of the console, no script run
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections.abc import Iterator
from importlib.resources import files

from fieldapi.packs.cases.reader import read_stories
from fieldapi.packs.cases.story import Story
from tests.sim.pounds import empty_house, quiet
from tests.support.story_forms import FormStoryHouse
from tests.support.story_house import StoryHouse, playable


def main() -> int:
    """Play the stories that were asked for; return 1 if anything does not follow."""
    quiet()
    asked = _asked()
    began, faults, played = time.monotonic(), 0, 0
    for story in playable(_stories()):
        if asked.named in story.id:
            played += 1
            for fault in _play(story, by_form=asked.by_form):
                faults += 1
                print(f"{story.id}: {fault}", file=sys.stderr, flush=True)
    said = {"stories": played, "faults": faults, "seconds": round(time.monotonic() - began, 1)}
    print(json.dumps(said) if asked.json else "  ".join(f"{k} {v}" for k, v in said.items()))
    return 1 if faults or not played else 0


def _play(story: Story, *, by_form: bool) -> list[str]:
    house = FormStoryHouse if by_form else StoryHouse
    with empty_house(story.steps[0].at) as (app, database, clock):
        return house(app, database, clock, story).play()


def _stories() -> Iterator[Story]:
    for file in sorted((files("fieldapi") / "statutes").iterdir(), key=lambda one: one.name):
        if file.name.endswith(".cases.toml"):
            yield from read_stories(tomllib.loads(file.read_text(encoding="utf-8")))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev soak stories", description=__doc__)
    parser.add_argument("--named", default="", help="only stories with this in their names")
    parser.add_argument("--by-form", action="store_true", help="by the forms of the console")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
