"""Labels: every code that a closed list of the records takes has a name."""

from fieldapi.domain import labels
from fieldapi.domain.records import KINDS
from fieldapi.domain.values import Choice


def codes(kind: str, name: str) -> set[str]:
    of = KINDS[kind].fields[name].type
    assert isinstance(of, Choice)
    return set(of.codes)


def test_photo_subjects_and_grounds_of_aid_have_names() -> None:
    assert set(labels.PHOTO_SUBJECTS) == codes("photo", "subject")
    assert set(labels.AID_GROUNDS) == codes("aid", "ground")


def test_a_reason_is_a_sentence_and_a_state_is_a_word() -> None:
    assert all(one.endswith(".") for one in labels.PHOTO_REASONS.values())
    assert not any(one.endswith(".") for one in labels.REVIEW_STATES.values())
