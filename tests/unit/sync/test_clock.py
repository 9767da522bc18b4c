"""Stamps only grow; the effective time keeps a wrong clock from beating an honest later edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sync.clock import (
    MAX_COUNTER,
    MAX_MS,
    StampError,
    StampParts,
    effective_ms,
    next_stamp,
    parse_stamp,
    raise_last,
    rfc3339,
)
from tests.unit.sync.vectors import read

STAMPS, EFFECTIVE = read("clock.json"), read("effective.json")
ACTOR = "0123456789abcdef"
NOW = 1_700_000_000_000


@pytest.mark.parametrize("case", STAMPS["next"], ids=lambda case: case["name"])
def test_the_next_stamp_is_that_of_its_vector(case: dict[str, Any]) -> None:
    assert next_stamp(case["wall"], case["last"], case["actor"]) == case["stamp"]


@pytest.mark.parametrize("case", STAMPS["raise"], ids=lambda case: case["name"])
def test_a_server_raises_the_last_stamp_as_its_vector_says(case: dict[str, Any]) -> None:
    assert raise_last(case["last"], case["server_now"], case["actor"]) == case["stamp"]


@pytest.mark.parametrize("case", EFFECTIVE["cases"], ids=lambda case: case["name"])
def test_the_effective_time_is_that_of_its_vector(case: dict[str, Any]) -> None:
    effective = effective_ms(
        case["at"],
        device_now_ms=case["device_now"],
        received_ms=case["received"],
        issued_ms=case["issued"],
        stamp=case.get("stamp"),
    )
    assert effective.ms == case["ms"]
    assert effective.is_shifted is case["shifted"]
    assert effective.is_clamped is case["clamped"]
    assert effective.is_suspect is case["suspect"]


@given(st.lists(st.integers(-(2**50), 2**50), min_size=2))
def test_stamps_grow_whatever_the_wall_clock_does(walls: Sequence[int]) -> None:
    stamps: list[str] = []
    for wall in walls:
        stamps.append(next_stamp(wall, stamps[-1] if stamps else None, ACTOR))
    assert sorted(set(stamps)) == stamps


@given(st.integers(-(2**60), 2**60), st.integers(-(2**60), 2**60))
def test_no_clock_claims_a_time_before_enrolment_or_to_come(at: int, device_now: int) -> None:
    issued = NOW - 86_400_000
    effective = effective_ms(at, device_now_ms=device_now, received_ms=NOW, issued_ms=issued)
    assert issued <= effective.ms <= NOW + 60_000


def test_a_stamp_comes_apart_and_back_together() -> None:
    stamp = "018bcfe56800-00ff-0123456789abcdef"
    assert parse_stamp(stamp) == StampParts(NOW, 255, ACTOR)
    assert parse_stamp(stamp).text() == stamp


@pytest.mark.parametrize("text", ["", "x", "018BCFE56800-0000-0123456789abcdef", "0-0-0", "1" * 34])
def test_what_is_no_stamp_is_refused(text: str) -> None:
    with pytest.raises(StampError):
        parse_stamp(text)


def test_after_the_last_stamp_there_is_none() -> None:
    with pytest.raises(StampError):
        next_stamp(NOW, StampParts(MAX_MS, MAX_COUNTER, ACTOR).text(), ACTOR)


def test_an_actor_of_another_shape_makes_no_stamp() -> None:
    with pytest.raises(StampError):
        next_stamp(NOW, None, "somebody")


def test_a_moment_is_told_in_utc_with_milliseconds() -> None:
    assert rfc3339(0) == "1970-01-01T00:00:00.000Z"
    assert rfc3339(1_764_493_923_120) == "2025-11-30T09:12:03.120Z"
