"""References: minted anywhere, never mistaken, and honest about what the letter misses."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldapi.domain.references import (
    LETTERS,
    REFERENCE,
    Reference,
    check_letter,
    is_reference,
    mint,
    parse,
)

REFERENCES = st.builds(
    mint,
    st.text(string.ascii_uppercase, min_size=3, max_size=5),
    st.integers(0, 9999),
    year=st.integers(0, 99),
    month=st.integers(1, 12),
    counter=st.integers(0, 999_999),
)


class Words:
    known_kinds = frozenset[str]()


BLIND = {frozenset("AX"), frozenset("BY"), frozenset("CZ")}


def test_the_example_of_the_protocol() -> None:
    assert mint("RJK", 7, year=2026, month=11, counter=42) == "RJK-07-2611-0042-G"


def test_letters_are_23_and_none_is_read_as_a_digit() -> None:
    assert len(set(LETTERS)) == 23
    assert not set(LETTERS) & set("IOQ")


@given(REFERENCES)
def test_what_is_minted_is_parsed_back(text: str) -> None:
    one = parse(text)
    assert (
        mint(one.authority, one.device, year=one.year, month=one.month, counter=one.counter) == text
    )


@given(REFERENCES, st.data())
def test_a_wrong_character_is_caught_but_for_three_pairs_of_letters(
    text: str, data: st.DataObject
) -> None:
    place = data.draw(st.sampled_from([i for i, one in enumerate(text) if one != "-"]))
    alphabet = string.digits if text[place].isdigit() else string.ascii_uppercase
    wrong = data.draw(st.sampled_from(alphabet.replace(text[place], "")))
    is_blind = place < text.index("-") and frozenset((text[place], wrong)) in BLIND
    assert is_reference(text[:place] + wrong + text[place + 1 :]) is is_blind


@given(REFERENCES, st.data())
def test_swapped_neighbouring_digits_are_caught(text: str, data: st.DataObject) -> None:
    pairs = [
        i for i in range(len(text) - 1) if text[i : i + 2].isdigit() and text[i] != text[i + 1]
    ]
    if pairs:
        place = data.draw(st.sampled_from(pairs))
        swapped = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
        assert not is_reference(swapped)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "rjk-07-2611-0042-g",
        "RJK-07-2611-0042",
        "RJK-07-2613-0042-G",
        "RJK-7-2611-0042-G",
        "RJ-07-2611-0042-G",
        "RJK-07-2611-0042-G\n",
        "RJK-٠٧-2611-0042-G",
    ],
)
def test_other_forms_are_no_references(text: str) -> None:
    assert not is_reference(text)


@pytest.mark.parametrize(
    "authority,device,month,counter",
    [
        ("rjk", 7, 11, 1),
        ("RJ", 7, 11, 1),
        ("RJK", 10_000, 11, 1),
        ("RJK", 7, 13, 1),
        ("RJK", 7, 11, 10**6),
    ],
)
def test_parts_that_do_not_fit_make_no_reference(
    authority: str, device: int, month: int, counter: int
) -> None:
    with pytest.raises(ValueError, match="no reference"):
        mint(authority, device, year=2026, month=month, counter=counter)


def test_the_type_of_the_field_takes_references_only() -> None:
    assert REFERENCE.schema()["format"] == "reference"
    assert list(REFERENCE.faults("RJK-07-2611-0042-G", Words())) == []
    assert len(list(REFERENCE.faults(42, Words()))) == 1


def test_parts_are_numbers() -> None:
    assert parse("RJK-07-2611-0042-G") == Reference("RJK", 7, 26, 11, 42)
    assert check_letter("RJK0726110042") == "G"
