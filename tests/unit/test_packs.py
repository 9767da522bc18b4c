"""Statute files: what is read, how an amendment is written, and how a slip is named."""

import json
from datetime import date
from pathlib import Path

import pytest

from fieldapi.packs import PackError, Packs, UnknownStatute, load_packs, read_packs, validate

KINDS = """
[[kinds]]
code = "cow"
order = 1
covers = ["cow"]
[kinds.labels]
en = { one = "cow", other = "cows", checked = true }
gu = { one = "ગાય", other = "ગાયો", checked = false }
hi = { one = "गाय", other = "गायें", checked = false }
kn = { one = "ಹಸು", other = "ಹಸುಗಳು", checked = false }
ml = { one = "പശു", other = "പശുക്കൾ", checked = false }
"""
STATUTE = """
series = "goa"
state = "Goa"
lgd_state = 30

[sources.text]
title = "The Act"
reading = "text"

[sources.recall]
title = "Recalled"
reading = "recall"

[[versions]]
id = "goa-1970"
name = "As enacted"
effective_from = 1970-01-01
section = "1"
source = "text"
verified = true

[[versions]]
id = "goa-1990"
name = "As amended"
effective_from = 1990-06-01
section = "1"
source = "text"
verified = true

[[languages]]
codes = ["en"]
section = "2"
source = "recall"
verified = false

[[cattle]]
kinds = ["cow"]
section = "2"
source = "text"
verified = true

[[capacities]]
code = "police"
label = "Police officer"
section = "3"
source = "text"
verified = true

[[grounds]]
code = "straying"
label = "Straying"
section = "3"
source = "text"
verified = true

[[place_kinds]]
code = "street"
label = "Street"
section = "3"
source = "text"
verified = true

[[seizure_rules]]
rule = "GA-SEIZE"
capacities = ["police"]
grounds = ["straying"]
place_kinds = ["street"]
damage_required = false
pound = "nearest"
section = "3"
source = "text"
verified = true

[[clocks]]
rule = "24H"
amount = 24
unit = "hours"
starts_at = "seized_at"
then = "Late."
favours = "owner"
effective_to = 1990-06-01
section = "4"
source = "text"
verified = true

[[clocks]]
rule = "24H"
amount = 12
unit = "hours"
starts_at = "seized_at"
then = "Late."
favours = "owner"
effective_from = 1990-06-01
section = "4"
source = "text"
verified = true
silent = ["starts_at"]
"""


def folder(path: Path, statute: str = STATUTE, kinds: str = KINDS) -> Path:
    (path / "kinds.toml").write_text(kinds, encoding="utf-8")
    (path / "goa.toml").write_text(statute, encoding="utf-8")
    (path / "goa.cases.toml").write_text("not read here", encoding="utf-8")
    return path


def read(path: Path, old: str = "", new: str = "") -> Packs:
    assert old in STATUTE
    return read_packs(folder(path, STATUTE.replace(old, new) if old else STATUTE))


def test_an_amendment_is_data_and_counts_from_its_day(tmp_path: Path) -> None:
    packs = read(tmp_path)
    before, after = (packs.profile("goa", on=day) for day in (date(1990, 5, 31), date(1990, 6, 1)))
    assert (before.version, before.transit_hours) == ("goa-1970", 24)
    assert (after.version, after.transit_hours) == ("goa-1990", 12)
    assert (before.effective_to, after.effective_to) == (date(1990, 6, 1), None)


def test_a_version_can_be_pinned_on_any_day(tmp_path: Path) -> None:
    assert read(tmp_path).profile("goa-1970", on=date(2026, 1, 1)).transit_hours == 24


def test_days_before_the_act_are_answered_by_its_first_version(tmp_path: Path) -> None:
    assert read(tmp_path).profile("goa", on=date(1900, 1, 1)).version == "goa-1970"


def test_an_unknown_statute_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownStatute, match="atlantis"):
        read(tmp_path).profile("atlantis", on=date(2026, 1, 1))


@pytest.mark.parametrize(
    "old,new,key,says",
    [
        ('state = "Goa"', "state = 5", "state", "must be a text"),
        ("[sources.text]", "[sources]\ntext = 5\n[sources.other]", "sources.text", "a table"),
        ('state = "Goa"', 'state = " "', "state", "empty"),
        ('state = "Goa"\n', "", "state", "missing"),
        ("lgd_state = 30", "lgd_state = true", "lgd_state", "whole number"),
        ("lgd_state = 30", "lgd_state = 30\nlgd_stat = 31", "lgd_stat", "not a known key"),
        ('reading = "recall"', 'reading = "hearsay"', "sources.recall.reading", "hearsay"),
        ('id = "goa-1970"', 'id = "goa"', "series", "taken"),
        ("= 1970-01-01", "= 1970-01-01T00:00:00", "versions[0].effective_from", "without time"),
        ("= 1970-01-01", "= 1995-01-01", "versions[1].effective_from", "order"),
        ('codes = ["en"]', 'codes = ["xx"]', "languages[0].codes", "xx"),
        ('codes = ["en"]', "codes = [5]", "languages[0].codes", "list of texts"),
        ('codes = ["en"]', 'codes = ["en", "en"]', "languages[0].codes", "twice"),
        ('kinds = ["cow"]', 'kinds = ["unicorn"]', "cattle[0].kinds", "kinds.toml"),
        ('kinds = ["cow"]', 'kindz = ["cow"]', "cattle[0].kinds", "missing"),
        ('code = "police"', 'code = "police"\nopne = true', "capacities[0].opne", "known key"),
        ('capacities = ["police"]', 'capacities = ["army"]', "seizure_rules", "army"),
        ('pound = "nearest"', 'pound = "far"', "seizure_rules[0].pound", "far"),
        ("amount = 24", "amount = 0", "clocks[0].amount", "at least 1"),
        ("amount = 24", 'amount = 24\nflag = "red"', "clocks[0].flag", "red"),
        ("effective_to = 1990-06-01\n", "", "clocks", "goa-1990: 24H counts twice"),
        ("_to = 1990-06-01", "_to = 1990-06-02", "clocks[0].effective_to", "first day"),
        ("_to = 1990-06-01", "_to = 1970-01-01", "clocks[0].effective_to", "not after"),
        ('source = "recall"\nverified = false', 'source = "recall"\nverified = true',
         "languages[0].verified", "nobody read"),
        ('source = "recall"\nverified = false', 'source = "gossip"\nverified = false',
         "languages[0].source", "gossip"),
    ],
)  # fmt: skip
def test_a_slip_is_named_by_file_and_key(
    tmp_path: Path, old: str, new: str, *, key: str, says: str
) -> None:
    with pytest.raises(PackError) as caught:
        read(tmp_path, old, new)
    assert (caught.value.file, caught.value.key) == ("goa.toml", key)
    assert says in caught.value.message


@pytest.mark.parametrize(
    "old,new,key",
    [
        ("order = 1", "order = 1.5", "kinds[0].order"),
        ("gu = {", "guj = {", "kinds[0].labels.gu"),
        ("checked = true", 'checked = "yes"', "kinds[0].labels.en.checked"),
        ("[[kinds]]", "[kinds]", "kinds"),
        ("order = 1", "order =", "-"),
    ],
)
def test_a_slip_in_the_kinds_is_named(tmp_path: Path, old: str, new: str, key: str) -> None:
    with pytest.raises(PackError) as caught:
        read_packs(folder(tmp_path, kinds=KINDS.replace(old, new)))
    assert (caught.value.file, caught.value.key) == ("kinds.toml", key)


@pytest.mark.parametrize("again", [KINDS, KINDS.replace('"cow"\norder', '"ox"\norder')])
def test_no_two_kinds_share_a_code_or_a_place(tmp_path: Path, again: str) -> None:
    with pytest.raises(PackError):
        read_packs(folder(tmp_path, kinds=KINDS + again))


def test_a_statute_without_a_version_is_refused(tmp_path: Path) -> None:
    bare = STATUTE[: STATUTE.index("[[versions]]")]
    with pytest.raises(PackError) as caught:
        read_packs(folder(tmp_path, bare))
    assert caught.value.key == "versions"


def test_a_list_of_entries_holds_tables(tmp_path: Path) -> None:
    with pytest.raises(PackError) as caught:
        read_packs(
            folder(tmp_path, "cattle = [5]\n" + STATUTE.replace("[[cattle]]", "[[capacities]]"))
        )
    assert caught.value.file == "goa.toml"


def test_a_missing_file_is_an_error_not_a_crash(tmp_path: Path) -> None:
    assert [one.level for one in validate(tmp_path)] == ["error"]


def test_validate_lists_what_is_unsure(tmp_path: Path) -> None:
    found = {(one.level, one.key) for one in validate(folder(tmp_path)) if one.file == "goa.toml"}
    assert found == {("unverified", "languages[0]"), ("silent", "clocks.24H.starts_at")}


def test_validate_puts_errors_first(tmp_path: Path) -> None:
    found = validate(folder(tmp_path, STATUTE.replace("amount = 12", "amount = -1")))
    assert (found[0].level, found[0].key) == ("error", "clocks[1].amount")
    assert found[1].level == "unchecked"


def test_the_digest_sees_law_and_not_labels(tmp_path: Path) -> None:
    def digest(old: str = "", new: str = "") -> str:
        return read(tmp_path, old, new).profile("goa-1990", on=date(2026, 1, 1)).digest

    assert len(digest()) == 64
    assert digest('label = "Street"', 'label = "Road"') == digest()
    assert digest("amount = 12", "amount = 13") != digest()
    assert digest("damage_required = false", "damage_required = true") != digest()


def test_a_later_amendment_leaves_the_digest_of_an_earlier_version(tmp_path: Path) -> None:
    alone, _, rest = STATUTE.partition('[[versions]]\nid = "goa-1990"')
    single = alone + rest[rest.index("[[languages]]") : rest.index("[[clocks]]")]
    single += "[[clocks]]" + rest.split("[[clocks]]")[1].replace("effective_to = 1990-06-01\n", "")
    both = read(tmp_path).profile("goa-1970", on=date(2026, 1, 1))
    only = read_packs(folder(tmp_path, single)).profile("goa", on=date(2026, 1, 1))
    assert only.digest == both.digest


def test_our_own_files_have_no_error() -> None:
    assert {one.level for one in validate()} == {"unverified", "silent", "unchecked"}
    assert load_packs() is load_packs()


def test_our_own_names() -> None:
    names = load_packs().names()
    assert names[:3] == ("gujarat", "karnataka", "kerala")
    assert set(names[3:]) == {"gujarat-1993", "karnataka-1966", "kerala-1961", "kerala-2000"}


@pytest.mark.parametrize("language", ["en", "gu", "hi", "kn", "ml", "fr"])
def test_a_profile_is_served_as_json_in_every_language(language: str) -> None:
    packs = load_packs()
    profile = packs.profile("kerala", on=date(2026, 12, 1))
    document = json.loads(json.dumps(packs.public(profile, language)))
    assert document["transit_hours"] == 24
    assert document["kinds"][0]["code"] == "cow"
    assert (
        document["kinds"][0]["label"]
        == profile.cattle[0].kind.labels.get(language, profile.cattle[0].kind.labels["en"]).one
    )
    assert len(packs.public_kinds(language)) == 16
