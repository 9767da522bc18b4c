"""Each decision that may follow each state of a report, and which of them need a reason."""

from __future__ import annotations

import pytest

from fieldapi.domain.reviews import OUTCOMES, may_follow, needs_reason

_FOLLOWS = {
    "received": "under_review accepted rejected correction_asked",
    "resubmitted": "under_review accepted rejected correction_asked",
    "under_review": "accepted rejected correction_asked",
    "correction_asked": "under_review accepted rejected",
    "accepted": "under_review",
    "rejected": "under_review",
    "withdrawn": "",
}


@pytest.mark.parametrize("state", _FOLLOWS)
def test_only_these_decisions_follow(state: str) -> None:
    assert {one for one in OUTCOMES if may_follow(state, one)} == {*_FOLLOWS[state].split()}


@pytest.mark.parametrize("state", _FOLLOWS)
def test_only_taking_up_what_is_undecided_needs_no_reason(state: str) -> None:
    silent = {one for one in OUTCOMES if not needs_reason(state, one)}

    assert silent == (set() if state in {"accepted", "rejected"} else {"under_review"})
