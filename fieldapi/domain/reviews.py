"""How a report moves through its review: which decision may follow which, and which need a reason.

    received → under_review → accepted | rejected | correction_asked → resubmitted

Called by the service that decides and by the pages that offer the decisions. Imports nothing but
`values.py`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from fieldapi.domain.values import Text

RECEIVED, RESUBMITTED = "received", "resubmitted"
UNDER_REVIEW, ACCEPTED = "under_review", "accepted"
REJECTED, CORRECTION_ASKED = "rejected", "correction_asked"

OUTCOMES = (UNDER_REVIEW, ACCEPTED, REJECTED, CORRECTION_ASKED)
REASON = Text(2000, shortest=1, is_long=True)

_VERDICTS = (ACCEPTED, CORRECTION_ASKED, REJECTED)
# What was decided is not overwritten: it is taken up again first, and that says why.
NEXT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        RECEIVED: (UNDER_REVIEW, *_VERDICTS),
        RESUBMITTED: (UNDER_REVIEW, *_VERDICTS),
        UNDER_REVIEW: _VERDICTS,
        CORRECTION_ASKED: (UNDER_REVIEW, ACCEPTED, REJECTED),
        ACCEPTED: (UNDER_REVIEW,),
        REJECTED: (UNDER_REVIEW,),
    }
)
_DECIDED = frozenset({ACCEPTED, REJECTED})


def may_follow(state: str, outcome: str) -> bool:
    """Say whether a report in `state` may be given `outcome`.

    >>> may_follow("received", "accepted"), may_follow("accepted", "rejected")
    (True, False)
    """
    return outcome in NEXT.get(state, ())


def needs_reason(state: str, outcome: str) -> bool:
    """Say whether `outcome` needs a written reason: all do, but taking up what is undecided.

    >>> needs_reason("received", "under_review"), needs_reason("accepted", "under_review")
    (False, True)
    """
    return outcome != UNDER_REVIEW or state in _DECIDED
