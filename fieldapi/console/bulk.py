"""Takes up the review of several reports at once, or gives them to a reviewer: shown first,
counted, and entered one by one.

Only this is done to many: whatever needs a reason needs somebody who looked at the one report.
"""

from __future__ import annotations

from collections.abc import Callable
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
from fieldapi.queries import desk_work as desk_queries
from fieldapi.services import desk_work, reviews
from fieldapi.services.desk_work import NewAssignment
from fieldapi.services.reviews import NewReview
from fieldapi.unit import Unit

# What is done to one report, under an id of its own.
Work = Callable[[Unit, str, str], None]


@dataclass(frozen=True, slots=True)
class Marked:
    """A report that somebody marked. `bar`: why it is left out: `state`, `author`, or nothing.

    `review`: id of the review to be, and of the assignment: a form sent twice has one effect.
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
        marked = [*map(_marked, cases.records_of_many(database, who.authority_id, ids), ids)]
        judges = desk_queries.judges(database, who.authority_id, now=house().database.clock())
        head = reader(database, who)
    back = door.inside(request.form.get("back"))
    return page("bulk.html", reader=head, marked=marked, judges=judges, back=back)


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
    who = door.principal()

    def take(unit: Unit, seizure_id: str, new_id: str) -> None:
        reviews.review(unit, who, NewReview(new_id, seizure_id, UNDER_REVIEW))

    return _each("taken-up", _pairs("take"), take)


@blp.post("/bulk/assignment")
@session("seizure.assign", is_great=True)
@takes(FORM)
def give_out() -> Redirect:
    """Give each report of the form to a reviewer, or to nobody."""
    who, to = door.principal(), request.form.get("to") or None

    def give(unit: Unit, seizure_id: str, new_id: str) -> None:
        desk_work.assign(unit, who, NewAssignment(new_id, seizure_id, to))

    return _each("given-out", _pairs("give"), give)


def _pairs(name: str) -> list[tuple[str, str]]:
    """Return report and new id of each that the form names. Raises `BadRequest`."""
    pairs = [pair.partition("/")[::2] for pair in request.form.getlist(name)]
    if len(pairs) > PAGE or not all(is_id(one) and is_id(new) for one, new in pairs):
        raise BadRequest("This form is not one of these pages.")
    return pairs


def _each(note: str, pairs: list[tuple[str, str]], work: Work) -> Redirect:
    """Do it to each in a transaction of its own, say to how many, and go back."""
    done = sum(_did(work, *pair) for pair in pairs)
    door.keep_note(f"{note} {done} {len(pairs)}")
    return redirect(door.inside(request.form.get("back")), 303)


def _did(work: Work, seizure_id: str, new_id: str) -> bool:
    try:
        house().database.transact(lambda unit: work(unit, seizure_id, new_id))
    except Problem:
        return False
    return True
