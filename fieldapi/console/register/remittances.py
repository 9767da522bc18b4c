"""What a pound has collected for others and not yet handed on, over all its cases; handed on for
many cases at once, each in its own entry of the ledger.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.register.home import pound_of
from fieldapi.console.sign_in import FORM
from fieldapi.domain import act_labels
from fieldapi.ids import is_id, new_id
from fieldapi.problems import BadRequest, Problem
from fieldapi.queries import counter
from fieldapi.services.acts import performing
from fieldapi.services.acts.performing import Turn
from fieldapi.unit import Unit
from sync.wire import JSON

MOST = 50


@dataclass(frozen=True, slots=True)
class ToRemit:
    """What one case has for others. `act`: id of the act to be, so that a form sent twice pays
    once; `parts`: to whom and how much, in words.
    """

    case: str
    act: str
    reference: str
    parts: list[tuple[str, str]]


@blp.get("/pound/<pound_id>/remittances")
@session("register.read")
def remittances(pound_id: str) -> Response:
    """Show what is to be handed on, by whom it goes to and by case. Raises `NotFound`."""
    who, speech = door.principal(), words()
    with house().database.read() as database:
        at = pound_of(database, who, pound_id)
        due = counter.to_remit(database, who.authority_id, pound_id)
        head = reader(database, who)
    totals: Counter[str] = Counter()
    cases: dict[str, ToRemit] = {}
    for one in due:
        totals[one.to] += one.paise
        row = cases.setdefault(one.case, ToRemit(one.case, new_id(), one.reference, []))
        row.parts.append((_called(one.to), speech.rupees(one.paise)))
    return page(
        "register/remittances.html",
        reader=head,
        pound=at,
        totals=[(to, _called(to), speech.rupees(paise)) for to, paise in totals.items()],
        cases=[*cases.values()][:MOST],
        more=max(0, len(cases) - MOST),
    )


@blp.post("/pound/<pound_id>/remittances")
@session("act.perform", is_great=True)
@takes(FORM)
def remit_all(pound_id: str) -> Redirect:
    """Hand on what the marked cases have, each by an act of its own. Raises `NotFound`."""
    with house().database.read() as database:
        pound_of(database, door.principal(), pound_id)
    pairs = [one.partition("/")[::2] for one in request.form.getlist("remit")]
    if len(pairs) > MOST or not all(is_id(case) and is_id(act) for case, act in pairs):
        raise BadRequest("This form is not one of these pages.")
    done = sum(_remit(case, act, request.form.get("to", "")) for case, act in pairs)
    door.keep_note(f"remitted {done} {len(pairs)}")
    return redirect(f"/console/pound/{pound_id}/remittances", 303)


def _remit(case: str, act_id: str, to: str) -> bool:
    who, packs = door.principal(), house().packs
    body: dict[str, JSON] = {"id": act_id, "act": "remit"}
    if to:
        body["to"] = to

    def work(unit: Unit) -> None:
        performing.act(Turn(unit, who, packs, case), body)

    try:
        house().database.transact(work)
    except Problem:
        return False
    return True


def _called(to: str) -> str:
    return words().gettext(act_labels.ACCOUNTS.get(to, to))
