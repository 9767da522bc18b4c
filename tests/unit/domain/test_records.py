"""The table of records: what it must say, and that its readers agree with it."""

import json

import pytest

from fieldapi.domain import records
from fieldapi.domain.records import KINDS, fields_of, is_personal, merge_kind, missing
from sync.strict import JSON

PERSONAL = {
    "seizure": {
        "seizer", "place_text", "damage.text", "owner.known", "owner.name", "owner.parent",
        "owner.residence", "owner.mobile", "remarks", "witnesses",
        "statements",
    },
    "animal": set(),
    "photo": {"caption"},
    "aid": {
        "refusal_reason", "requested_by", "officer.name", "officer.rank", "officer.number",
        "officer.station", "narrative", "persons", "statements",
    },
    "intake": {"brought_by", "condition", "remarks", "statements"},
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_personal_fields_are_exactly_those_of_the_protocol(kind: str) -> None:
    assert set(fields_of(kind, personal=True)) == PERSONAL[kind]
    assert set(fields_of(kind, personal=False)) == set(KINDS[kind].fields) - PERSONAL[kind]


def test_only_count_and_kind_of_animals_compete() -> None:
    rows = [
        (kind.name, row.name)
        for kind in KINDS.values()
        for row in kind.fields.values()
        if row.competes
    ]
    assert rows == [("animal", "kind"), ("animal", "count")]


def test_every_set_field_but_ear_tags_has_a_key() -> None:
    sets = {
        row.name: row.key
        for kind in KINDS.values()
        for row in kind.fields.values()
        if row.klass == "set"
    }
    assert sets == {
        "ear_tags": None,
        "fixes": "fixed_at",
        "individuals": "number",
        "persons": "id",
        "statements": "id",
        "witnesses": "id",
    }


def test_parents_are_record_kinds() -> None:
    assert KINDS["photo"].parents == {
        "seizure_id": "seizure",
        "aid_id": "aid",
        "intake_id": "intake",
    }
    assert {to for kind in KINDS.values() for to in kind.parents.values()} <= set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_merge_sees_every_field_and_the_servers_own(kind: str) -> None:
    table, merged = KINDS[kind], merge_kind(kind)
    assert set(merged.fields) == {*table.fields, *table.server}
    assert all(merged.fields[name].klass == row.klass for name, row in table.fields.items())
    assert all(merged.fields[name].klass == "server" for name in table.server)


def test_rights_name_fields_that_exist() -> None:
    for kind in KINDS.values():
        for right in kind.rights:
            assert right.fields is None or right.fields <= set(kind.fields)


def test_an_op_with_one_personal_or_unknown_field_is_personal() -> None:
    assert not is_personal("animal", ["kind", "count"])
    assert is_personal("seizure", ["ground", "remarks"])
    assert is_personal("seizure", ["ground", "invented"])
    assert is_personal("invented", ["ground"])


def test_a_report_is_incomplete_until_the_required_fields_have_values() -> None:
    shown: dict[str, JSON] = {"seized_at": "2026-11-30T09:12:00Z", "capacity": None}
    assert (
        missing("seizure", shown)
        == ("seized_at", "capacity", "ground", "place_kind", "location")[1:]
    )


def test_one_of_several_parents_is_enough() -> None:
    shown: dict[str, JSON] = {"sha256": "a", "size": 1, "media_type": "image/jpeg"}
    assert missing("photo", shown) == ("seizure_id",)
    assert missing("photo", {**shown, "intake_id": "x"}) == ()


def test_the_schema_document_is_json_and_whole() -> None:
    document = json.loads(json.dumps(records.schema_document()))
    assert document["schema"] == 1
    assert set(document["kinds"]) == set(KINDS)
    animal = document["kinds"]["animal"]
    assert animal["fields"]["count"] == {
        "class": "register",
        "type": {"type": "integer", "minimum": 1, "maximum": 500},
        "personal": False,
        "required": True,
        "competes": True,
    }
    assert animal["may_write"][1]["fields"] == [
        *("count", "ear_tags", "individuals", "kind", "marks")
    ]
    assert document["kinds"]["aid"]["may_write"][0]["capacities"] == ["police", "police_officer"]
