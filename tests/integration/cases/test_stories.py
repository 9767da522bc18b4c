"""The stories beside the statutes, played through HTTP with the test clock: the house says the
same as the law alone. Those marked `long` are played by `./dev soak stories`. Some of them are
played by the forms of the console, without a script: enough to do every act by its form.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest
from flask import Flask

from fieldapi.packs.cases.reader import read_stories
from fieldapi.packs.cases.story import Story
from fieldapi.services.acts.registry import ACTS
from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.story_forms import FormStoryHouse
from tests.support.story_house import StoryHouse, playable

# The acts that each of these is the one to do by its form.
BY_FORM = {
    "GJ-1 (nobody appears in time)": {"order_sale"},
    "GJ-DEFAULT": {"no_bid", "offer_to_pay"},
    "GJ-DEPOSIT": {
        "apply_deposit",
        "apply_proceeds",
        "demand_security",
        "deposit_under_protest",
        "hold_auction",
        "impound",
        "knock_down",
        "pay_balance",
        "re_seize",
        "refund_security",
    },
    "GJ-DEPOSIT (declared lawful before the four weeks)": {"deposit_security"},
    "GJ-FORFEIT": {"forfeit_security"},
    "GJ-ORDER": {"lift_stay", "recover_from_seizer", "release_by_order", "stay"},
    "KA-2": {"rescued"},
    "KL-1": {"died", "release", "remit"},
    "KL-2": {
        "account_to_owner",
        "appear",
        "claim_surplus",
        "hold_surplus",
        "pay_surplus",
        "receive_payment",
        "record_refusal",
    },
    "KL-BALANCE": {"credit_surplus_to_fund"},
    "KL-DAYS (claimed on the last day of the notice, never paid)": {
        "claim",
        "identify",
        "post_notice",
        "record_owner_default",
        "record_proclamation",
        "report_unclaimed",
    },
    "KL-DAYS (otherwise than by auction, by order)": {"other_disposal"},
    "KL-DEPOSIT (given back by order)": {"refund_deposit"},
}
# What no short story does: `tests/integration/console/test_every_act.py`; those that need a long
# one: `./dev soak stories --by-form`.
LONG = frozenset({"judge_proof", "return_payment"})
ELSEWHERE = frozenset(
    {
        "add_receipt_line",
        "assess",
        "born",
        "close",
        "correct_custody",
        "dispatch_to_pound",
        "escaped",
        "forfeit_cattle",
        "recognise",
        "release_at_spot",
        "reopen",
        "transfer",
    }
)


def stories() -> Iterator[Story]:
    for file in sorted((files("fieldapi") / "statutes").iterdir(), key=lambda one: one.name):
        if file.name.endswith(".cases.toml"):
            yield from read_stories(tomllib.loads(file.read_text(encoding="utf-8")))


SHORT = [story for story in playable(stories()) if not story.is_long]


@pytest.mark.parametrize("story", SHORT, ids=lambda one: one.id)
def test_story_follows_over_http(
    story: Story, app: Flask, database: Database, clock: StoppedClock
) -> None:
    if story.id not in BY_FORM:
        assert StoryHouse(app, database, clock, story).play() == []
        return
    by_form = FormStoryHouse(app, database, clock, story)
    assert by_form.play() == []
    assert by_form.seen >= BY_FORM[story.id]


def test_every_act_is_done_by_its_form_somewhere() -> None:
    done = ELSEWHERE.union(LONG, *BY_FORM.values())

    assert done == ACTS.keys()
    assert BY_FORM.keys() <= {story.id for story in SHORT}
