"""Stories of other people: TOML as the page shows it, and YAML in the blocks of a page."""

import json
import re
from pathlib import Path

import pytest

from fieldapi.packs import load_packs
from fieldapi.packs.cases.files import shipped, stories_in
from fieldapi.packs.cases.player import play
from fieldapi.packs.cases.story import Story, StoryError
from tests.support import tree

TOLD = """
Words around it.

```yaml
id: KL-T
profile: kerala-1961
facts:
  - {at: "2027-02-02 07:00", what: seizure, capacity: occupier, ground: trespass_with_damage,
     animals: {cow: 2, goat: 1}, owner: Devi}
  - {at: "2027-02-02 12:00", what: impounded}
  - {at: "2027-02-03 09:00", what: died, animal: goat}
  - {at: "2027-02-03 10:00", what: owner_appears, pays: "50.00"}
steps:
  - {at: "2027-02-03 10:20", act: quote, owner: Devi, lines: [
      {line: fine, amount: "220.00"}, {line: feeding, amount: "177.50"},
      {line: paid_on_account, amount: "-50.00"}], total: "347.50"}
  - {at: "2027-02-03 10:25", act: release, paid: "347.00", allowed: false, sec: "12(a)"}
  - {at: "2027-02-03 10:30", act: release, paid: "347.50", register_signature: yes, allowed: true}
  - {at: "2027-02-03 17:00", act: remit, lines: [{to: local_authority_fund, amount: "220.00"},
      {to: keeper retains, amount: "177.50"}]}
clocks:
  - {rule: UNCL-7, starts: "2027-02-02", last_day: "2027-02-09"}
variant_default:
  - {at: "2027-02-03 10:22", act: record_owner_default, owner: Devi, allowed: true}
  - {at: "2027-02-03 11:00", act: hold_auction, allowed: true, dues: [
      {line: fine, amount: "220.00"}, {line: feeding, amount: "177.50"},
      {line: sale_expenses, amount: "10.00"}, {line: paid_on_account, amount: "-50.00"}],
      outstanding: "357.50"}
  - {act: knock_down, lot: cow 1, price: "300.00", allowed: true, still_needed: "57.50"}
  - {act: knock_down, lot: cow 2, bidder: the keeper's cousin, price: "300.00", allowed: warn}
  - {at: "2027-02-03 12:00", act: apply_proceeds, lines: [
      {to: local_authority (fines), amount: "170.00"}, {to: keeper, amount: "177.50"},
      {to: sale_expenses, amount: "10.00"}], balance: "242.50"}
money:
  in: {Devi: "397.50"}
  out: {local_authority_fund: "220.00", keeper: "177.50"}
final: {case: CLOSED, animals: {cow: RELEASED_PAID, goat: DIED}}
silent: [nothing]
moon: full
```
"""


def played(story: Story) -> list[str]:
    return [str(one) for one in play(load_packs(), story)]


def test_a_page_with_yaml_is_played_and_what_is_not_understood_is_named() -> None:
    stories, left = stories_in("told.markdown", TOLD)
    assert [one.id for one in stories] == ["KL-T", "KL-T (variant_default 2027-02-03)"]
    assert left == ("KL-T: key moon",)
    assert [played(one) for one in stories] == [[], []]


def test_a_wrong_expectation_is_told_with_both_values() -> None:
    stories, _ = stories_in("told.markdown", TOLD.replace('total: "347.50"', 'total: "347.51"'))
    assert played(stories[0]) == ["KL-T [6] quote: total: expected 347.51, got 347.50"]


def test_the_same_story_may_be_json() -> None:
    story = {
        "id": "GJ-T",
        "profile": "gujarat-1993",
        "facts": [
            {"at": "2027-03-01 10:00", "what": "seizure", "animals": {"cow": 1}},
            {"at": "2027-03-01 11:00", "what": "impounded"},
        ],
        "steps": [{"at": "2027-03-08 10:00", "act": "order_sale", "allowed": False}],
    }
    stories, left = stories_in("told.json", json.dumps(story))
    assert (played(stories[0]), left) == ([], ())


def test_the_example_of_the_page_is_true() -> None:
    example = re.search(r"```toml\n(.*?)```", tree.text("docs/statutes.md"), re.DOTALL)
    assert example is not None
    stories, _ = stories_in("example.toml", example[1])
    assert [one.id for one in stories] == ["one cow", "one cow (nobody comes)"]
    assert [played(one) for one in stories] == [[], []]


@pytest.mark.parametrize(
    "name,text",
    [
        ("a.toml", "cases = ["),
        ("a.toml", "[[cases]]\nid = 'x'\nsteps = [{ act = 'seizure' }]\nversion = 'kerala-1961'"),
        ("a.toml", "[[cases]]\nid = 'x'\nsteps = []"),
        ("a.toml", "[[cases]]\nid = 'x'\nversion = 'kerala-1961'\nsteps = [{ at = 2027-01-01 }]"),
        ("a.toml", "[calendar]\noffice = ['blue moons']\n[[cases]]\nid = 'x'\nversion = 'k'"),
        ("a.yaml", "{"),
    ],
)
def test_a_file_that_cannot_be_read_says_so(name: str, text: str) -> None:
    with pytest.raises(StoryError):
        stories_in(name, text)


def test_an_unknown_expectation_is_an_error() -> None:
    text = (
        "[[cases]]\nid = 'x'\nversion = 'kerala-1961'\n"
        "steps = [{ at = 2027-01-01, act = 'seizure', animals = { cow = 1 } },"
        " { act = 'impound', expect = { alowed = 'yes' } }]"
    )
    with pytest.raises(StoryError, match="alowed"):
        played(stories_in("a.toml", text)[0][0])


def test_the_shipped_stories_are_found_by_the_program(tmp_path: Path) -> None:
    assert len(shipped()) > 20


def test_stories_of_many_shapes_are_played() -> None:
    stories, left = stories_in("told.markdown", tree.text("tests/support/told_stories.markdown"))
    assert {one.id: played(one) for one in stories if played(one)} == {}
    assert len(stories) == 5
    assert left == ("KA-U: act moonwalk", "KA-W: fact thunder")
