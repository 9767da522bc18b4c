"""Labels: every code that a closed list of the records takes has a name."""

from fieldapi.domain import act_labels, complaint_labels, field_labels, labels
from fieldapi.domain.act_deeds import DEEDS
from fieldapi.domain.records import KINDS
from fieldapi.domain.values import Choice


def codes(kind: str, name: str) -> set[str]:
    of = KINDS[kind].fields[name].type
    assert isinstance(of, Choice)
    return set(of.codes)


def test_photo_subjects_and_grounds_of_aid_have_names() -> None:
    assert set(labels.PHOTO_SUBJECTS) == codes("photo", "subject")
    assert set(labels.AID_GROUNDS) == codes("aid", "ground")


def test_every_kind_and_every_field_has_a_name() -> None:
    fields = {name for kind in KINDS.values() for name in kind.fields}

    assert KINDS.keys() == field_labels.KINDS.keys()
    assert fields | {"withdrawn"} == field_labels.FIELDS.keys()


def test_every_act_is_told_of_whoever_did_it_once_it_is_done() -> None:
    assert DEEDS.keys() == act_labels.ACTS.keys() | complaint_labels.ACTS.keys()
    assert all(one.startswith("{who} ") and one.endswith(".") for one in DEEDS.values())


def test_a_reason_is_a_sentence_and_a_state_is_a_word() -> None:
    assert all(one.endswith(".") for one in labels.PHOTO_REASONS.values())
    assert not any(one.endswith(".") for one in labels.REVIEW_STATES.values())
