"""What phones sent and nobody merged yet: held for a person's word, or not to be read. A reviewer
lets it in or turns it down, with a reason that reaches the phone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from flask import Response, redirect, request
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.sign_in import FORM
from fieldapi.console.values import Values
from fieldapi.domain.access import may
from fieldapi.domain.waiting_labels import ELSE, STANDINGS, WHY
from fieldapi.limits import PAGE_DEFAULT
from fieldapi.problems import BadRequest, Conflict, NotAllowed, NotFound, ReasonNeeded
from fieldapi.queries import cases, seizures, waiting
from fieldapi.queries.authorities import all_pounds
from fieldapi.queries.pages import Page, Turn
from fieldapi.queries.waiting import WaitingOp
from fieldapi.services.ops.release import REJECTED, RELEASED, judge_op
from fieldapi.services.ops.scene import scene_at
from fieldapi.unit import Unit

HERE = "/console/waiting"
_VERDICTS = {"release": RELEASED, "reject": REJECTED}
_MOST_REASON = 2000
_CASE_FIELD = "seizure_id"
# Ids say nothing to people: the report is linked by its reference instead.
_OF_RECORDS = frozenset({_CASE_FIELD, "aid_id", "intake_id"})


@dataclass(frozen=True, slots=True)
class Waiting:
    """An op in words. `says`: field and value; `parts`: fields that wait alone, each with why.

    `turn`: where it stands among what came with it: a report first, what made a record before what
    was added. `case`: the report that it is about, if it says. `may_release`: False where nobody
    can read it.
    """

    actor: str
    op: str
    turn: tuple[bool, bool, int]
    what: str
    who: str
    when: str
    why: str
    says: list[tuple[str, str]]
    parts: list[tuple[str, str]]
    case: str | None
    outcome: str
    reason: str
    is_whole: bool
    is_mine: bool
    may_release: bool

    @property
    def key(self) -> str:
        """Return its name in a form."""
        return f"{self.actor}/{self.op}"


@dataclass(frozen=True, slots=True)
class Delivery:
    """What somebody sent of one report and for one reason waits, as one thing to decide on."""

    ops: list[Waiting]

    @property
    def first(self) -> Waiting:
        """Return the op that has what all of them have in common."""
        return self.ops[0]

    @property
    def what(self) -> str:
        """Return what it is about, e.g. `Report, Lot of animals`."""
        return ", ".join(dict.fromkeys(one.what for one in self.ops))


@blp.get("/waiting")
@session("op.read")
def waiting_ops() -> Response:
    """List what waits, the oldest first. `status`: of which standing."""
    return _shown()


@blp.post("/waiting/<actor>/<op_id>/<verdict>")
@session("op.judge", is_great=True)
@takes(FORM)
def judge(actor: str, op_id: str, verdict: str) -> Response | Redirect:
    """Let an op in, or turn it down, and those with it that the form names. Raises `NotFound`."""
    if verdict not in _VERDICTS:
        raise NotFound
    who, reason = door.principal(), request.form.get("reason", "").strip()[:_MOST_REASON]
    keys, said = [(actor, op_id), *_more()], _VERDICTS[verdict]

    def judge_all(unit: Unit) -> None:
        for key in dict.fromkeys(keys):
            judge_op(unit, who, key, said, reason=reason)

    try:
        house().database.transact(judge_all)
    except ReasonNeeded:
        return _shown(fault="reason", at=op_id, status=422)
    except NotAllowed as exc:
        if exc.extensions.get("reason") != "author":
            raise
        return _shown(fault="author", at=op_id, status=403)
    except Conflict:
        return _shown(fault="stale", at=op_id, status=409)
    door.keep_note(f"op-{said}")
    return redirect(HERE, 303)


def _more() -> list[tuple[str, str]]:
    """Return the other ops that a form decides on; as many as a page lists, and no more."""
    named = [one.partition("/") for one in request.form.getlist("more")]
    if len(named) > PAGE_DEFAULT:
        raise BadRequest("This form is not one of these pages.")
    return [(actor, op) for actor, _, op in named]


def _shown(*, fault: str = "", at: str = "", status: int = 200) -> Response:
    wanted = request.args.get("status", "held")
    standing = wanted if wanted in STANDINGS else "held"
    who = door.principal()
    with house().database.read() as database:
        found = _page(database, standing)
        names = cases.names(database, who.authority_id, {one.by for one in found.items})
        values = _values(database)
        ops = [_op(one, names, values) for one in found.items]
        cases_named = [one.case for one in ops if one.case]
        # What was not let in yet may be of a report that is not there: nothing to open.
        references = seizures.references(database, who.authority_id, cases_named)
        head = reader(database, who)
    return page(
        "waiting.html",
        status=status,
        reader=head,
        deliveries=_deliveries(ops),
        references=references,
        next=found.next,
        standing=standing,
        standings=STANDINGS,
        fault=fault,
        at=at,
        typed=request.form.get("reason", ""),
    )


def _page(database: Session, standing: str) -> Page[WaitingOp]:
    who, keys = door.principal(), house().keys
    turn = Turn(keys, who.actor, after=request.args.get("after"))
    try:
        return waiting.page(database, who.authority_id, turn, status=standing)
    except BadRequest:
        return waiting.page(database, who.authority_id, Turn(keys, who.actor), status=standing)


def _values(database: Session) -> Values:
    at, day = door.principal().authority_id, house().database.clock().date()
    profile = scene_at(database, house().packs, at, day).profile
    return Values(words(), profile, {one.id: one.name for one in all_pounds(database, at)})


def _op(one: WaitingOp, names: dict[str, str], values: Values) -> Waiting:
    speech, given = words(), _set(one)
    is_open = one.resolved is None
    return Waiting(
        actor=one.actor,
        op=one.op,
        turn=_turn(one),
        what=speech.record(one.kind) if one.kind else speech.gettext("Something unreadable"),
        who=names.get(one.by) or speech.gettext("Somebody"),
        when=speech.moment(one.received_at),
        why=speech.gettext(WHY.get(one.code, ELSE)),
        says=[
            (speech.field(name), values.say(name, value))
            for name, value in given.items()
            if name not in _OF_RECORDS
        ],
        parts=[
            (speech.field(name), speech.gettext(WHY.get(code, ELSE)))
            for name, code in one.fields.items()
        ],
        case=one.record if one.kind == "seizure" else str(given.get(_CASE_FIELD) or "") or None,
        outcome=speech.gettext(STANDINGS.get(one.resolved or "", "")),
        reason=one.reason or "",
        is_whole=is_open and not one.fields and one.status in {"held", "quarantined"},
        is_mine=may(door.principal(), "op.judge") and one.by != door.principal().person_id,
        may_release=one.status == "held",
    )


def _deliveries(ops: Iterable[Waiting]) -> list[Delivery]:
    """Return ops put together by report, by who sent them and by why they wait."""
    found: dict[object, list[Waiting]] = {}
    for one in ops:
        is_apart = one.case is None or bool(one.parts) or not one.is_whole
        same = one.op if is_apart else (one.case, one.who, one.why, one.is_mine, one.may_release)
        found.setdefault(same, []).append(one)
    return [Delivery(sorted(some, key=lambda one: one.turn)) for some in found.values()]


def _turn(one: WaitingOp) -> tuple[bool, bool, int]:
    content = one.content if isinstance(one.content, dict) else {}
    n = content.get("n")
    is_later = content.get("new") is not True
    return one.kind != "seizure", is_later, n if isinstance(n, int) else 0


def _set(one: WaitingOp) -> dict[str, Any]:
    given = one.content.get("set") if isinstance(one.content, dict) else None
    return dict(given) if isinstance(given, dict) else {}
