"""Enrolment codes: how they are made, typed and found wrong."""

from __future__ import annotations

import secrets

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldapi.services.codes import ALPHABET, is_well_typed, make, normalise, printed


def fresh() -> str:
    while True:
        code = make(secrets.token_bytes(8))
        if code is not None:
            return code


@given(st.binary(min_size=7, max_size=32))
def test_code_is_eleven_plain_characters_that_check(random: bytes) -> None:
    code = make(random)
    assert code is None or (len(code) == 11 and set(code) <= set(ALPHABET) and is_well_typed(code))


@pytest.mark.parametrize("index", range(11))
def test_any_one_wrong_character_is_found(index: int) -> None:
    code = fresh()
    wrong = [code[:index] + other + code[index + 1 :] for other in ALPHABET if other != code[index]]
    assert not any(is_well_typed(one) for one in wrong)


@pytest.mark.parametrize("index", range(9))
def test_swapped_neighbours_are_found(index: int) -> None:
    code = fresh()
    one, other = code[index], code[index + 1]
    swapped = code[:index] + other + one + code[index + 2 :]
    assert one == other or not is_well_typed(swapped)


@pytest.mark.parametrize("length", [0, 1, 10, 12, 300])
def test_wrong_length_is_found(length: int) -> None:
    assert not is_well_typed("0" * length)


def test_typed_forms_are_read_as_printed() -> None:
    code = fresh()
    typed = printed(code).lower().replace("0", "o").replace("1", "l")
    assert normalise(f" {typed} ") == code


def test_letters_outside_the_alphabet_stay_wrong() -> None:
    assert not is_well_typed(normalise("ગUUU-UUUU-UUU"))
