"""What a crowd of phones needs of its machine, and what it says of itself."""

from __future__ import annotations

import resource

import pytest

from fieldapi.crowd import Plan, Tally, gather

_FEW = 256


def test_more_phones_than_files_may_be_open_are_refused_before_they_live(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _what: (_FEW, _FEW))

    with pytest.raises(OSError, match="1000 phones need 6200 open files, allowed are 256"):
        gather(["http://127.0.0.1:9"], ["code"] * 1000, Plan())


def test_limit_is_raised_as_far_as_phones_need(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _what: (_FEW, 99_999))
    monkeypatch.setattr(resource, "setrlimit", lambda _what, limits: asked.append(limits))

    with pytest.raises(ZeroDivisionError):  # there is no server to begin with
        gather([], ["code"] * 1000, Plan())

    assert asked == [(6200, 99_999)]


def test_tally_names_whatever_should_not_be() -> None:
    tally = Tally()
    tally.add(photos=3, photos_stored=2, lost=1)
    tally.note("sync", 0.1, 500)
    tally.tell("phone 7 ended")

    assert not tally.is_whole
    assert tally.wrongs() == [
        "1 acknowledged ops are lost",
        "1 photos were not stored",
        "1 answers were 500",
        "phone 7 ended",
    ]
