"""Takes up the review of several reports at once: shown first, counted, and entered one by one.

Only this is done to many: whatever needs a reason needs somebody who looked at the one report.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.inbox import PAGE
from fieldapi.console.pages import page, reader, words
from fieldapi.console.sign_in import FORM
from fieldapi.domain.reviews import UNDER_REVIEW, may_follow, needs_reason
from fieldapi.ids import is_id, new_id
from fieldapi.models import RecordRow, Seizure
from fieldapi.problems import BadRequest, Problem
from fieldapi.queries import cases
from fieldapi.services import reviews
from fieldapi.services.reviews import NewReview


@dataclass(frozen=True, slots=True)
class Marked:
    """A report that somebody marked. `bar`: why it is left out: `state`, `author`, or nothing.

    `review`: id of the review to be, so that a form sent twice has one effect.
    """

    id: str
    reference: str
    state_said: str
    bar: str
    review: str


@blp.post("/bulk")
@session("seizure.review")
@takes(FORM)
def bulk() -> Response:
    """Show what would be done to the marked reports. Nothing is changed yet."""
    ids = list(dict.fromkeys(request.form.getlist("case")))
    if len(ids) > PAGE or not all(map(is_id, ids)):
        raise BadRequest(f"At most {PAGE} reports at once.")
    who = door.principal()
    with house().database.read() as database:
        marked = [_marked(cases.records(database, who.authority_id, one), one) for one in ids]
        head = reader(database, who)
    back = door.inside(request.form.get("back"))
    return page("bulk.html", reader=head, marked=marked, back=back)


def _marked(rows: list[RecordRow], seizure_id: str) -> Marked:
    seizure = next(row for row in rows if isinstance(row, Seizure))
    is_next = may_follow(seizure.state, UNDER_REVIEW)
    bar = "" if is_next and not needs_reason(seizure.state, UNDER_REVIEW) else "state"
    if not reviews.may_judge(door.principal(), rows):
        bar = "author"
    reference = seizure.reference or seizure.minted_reference or seizure_id
    return Marked(seizure_id, reference, words().state(seizure.state), bar, new_id())


@blp.post("/bulk/under-review")
@session("seizure.review", is_great=True)
@takes(FORM)
def take_up() -> Redirect:
    """Take up each report of the form, each by itself: one that changed stops no other."""
    pairs = [pair.partition("/") for pair in request.form.getlist("take")]
    if len(pairs) > PAGE or not all(is_id(one) and is_id(new) for one, _, new in pairs):
        raise BadRequest("This form is not one of these pages.")
    done = sum(_take(seizure_id, review_id) for seizure_id, _, review_id in pairs)
    door.keep_note(f"taken-up {done} {len(pairs)}")
    return redirect(door.inside(request.form.get("back")), 303)


def _take(seizure_id: str, review_id: str) -> bool:
    new, who = NewReview(review_id, seizure_id, UNDER_REVIEW), door.principal()
    try:
        house().database.transact(lambda unit: reviews.review(unit, who, new))
    except Problem:
        return False
    return True
