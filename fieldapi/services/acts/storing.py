"""Writes what an act changed: its row, its money, the heads, the deadlines of the case.

Called by `performing`, once the law has spoken. Whatever is written here follows from the facts
and the judgement alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select, update

from fieldapi import law
from fieldapi.clock import format_instant
from fieldapi.models import Act, CaseFile, Custody, Deadline, Disposition, MoneyLine, Notification
from fieldapi.models.bulk import insert_many
from fieldapi.queries.dispositions import standing
from fieldapi.services.acts.hashes import hash_of, new_salt
from fieldapi.services.acts.kinds import ActBody, Scene
from fieldapi.services.authorise import Principal
from fieldapi.services.ops.store import rank_again
from fieldapi.unit import Unit
from sync.wire import JSON

_SCHEDULES = ("fee_schedule", "feeding_rates", "security_scale", "double_fine_area")


@dataclass(frozen=True, slots=True)
class Subject:
    """What an act is on: a `case`, a `removal_order`, an `offence`. `name`: in the ledger."""

    kind: str
    id: str
    authority_id: str
    pound_id: str | None = None

    @property
    def name(self) -> str:
        """Return the subject of its ledger entries; a case goes by its seizure."""
        return f"{'seizure' if self.kind == 'case' else self.kind}/{self.id}"


def subject_of(file: CaseFile) -> Subject:
    """Return a case as the subject of acts."""
    return Subject("case", file.id, file.authority_id, file.pound_id)


def store_act(  # noqa: PLR0913 - all that a row of the register says
    unit: Unit,
    principal: Principal,
    subject: Subject,
    body: ActBody,
    *,
    judged: law.Judgement,
    n: int,
) -> Act:
    """Write the row of an act and of its money, and enter it in the ledger. `n`: its turn."""
    row = _act_row(unit, principal, subject, body, judged=judged, n=n)
    unit.session.add(row)
    unit.session.flush()
    _store_money(unit, row, judged.moves)
    unit.enter(
        subject.authority_id,
        "act.recorded" if row.mode == "record" else "act.performed",
        subject=subject.name,
        actor=principal.actor,
        act=row.act,
        id=row.id,
        allowed=row.allowed,
        rule=row.rule,
        data=hash_of(row.salt, row.data),
        heads=list(judged.done.heads),
    )
    return row


def _act_row(  # noqa: PLR0913 - all that a row of the register says
    unit: Unit,
    principal: Principal,
    subject: Subject,
    body: ActBody,
    *,
    judged: law.Judgement,
    n: int,
) -> Act:
    done = judged.done
    return Act(
        authority_id=subject.authority_id,
        id=body.id,
        subject_kind=subject.kind,
        subject_id=subject.id,
        n=n,
        act=done.act,
        mode=done.mode,
        happened_at=done.at,
        performed_at=unit.now,
        actor=principal.actor,
        person_id=principal.person_id,
        pound_id=subject.pound_id,
        party_id=done.party,
        intake_id=body.intake_id,
        heads=json.dumps(list(done.heads)),
        data=json.dumps(dict(done.data), sort_keys=True, ensure_ascii=False),
        salt=new_salt(),
        allowed=judged.verdict.allowed,
        rule=judged.verdict.rule,
        source=judged.verdict.source,
        reason=body.reason,
        answer=json.dumps(answer_of(judged), ensure_ascii=False),
        flags=json.dumps(list(judged.flags)),
    )


def answer_of(judged: law.Judgement) -> dict[str, JSON]:
    """Return what a judgement says to whoever asked, as JSON."""
    verdict = judged.verdict
    return {
        "allowed": verdict.allowed,
        "rule": verdict.rule or None,
        "code": verdict.code or None,
        "reason": verdict.reason or None,
        "section": verdict.section or None,
        "source": verdict.source or None,
        "not_before": format_instant(verdict.not_before) if verdict.not_before else None,
        "lines": [line_of(one) for one in judged.lines],
        "total": judged.total_paise,
        "balance": judged.rest_paise,
        "deficit": judged.deficit_paise,
        "moves": [move_of(one) for one in judged.moves],
        "flags": list(judged.flags),
        "notes": list(judged.notes),
    }


def move_of(one: law.Move) -> dict[str, JSON]:
    """Return money that moved as JSON."""
    return {
        "line": one.line,
        "paise": one.paise,
        "from": one.source,
        "to": one.target,
        "party": one.party,
    }


def line_of(one: law.Line) -> dict[str, JSON]:
    """Return a line of a quote as JSON."""
    return {
        "line": one.line,
        "paise": one.paise,
        "how": one.how,
        "section": one.section,
        "rule": one.rule,
        "source": one.source,
        "verified": one.is_verified,
        "note": one.note,
    }


def _store_money(unit: Unit, act: Act, moves: Sequence[law.Move]) -> None:
    if not moves:
        return
    for n, move in enumerate(moves, 1):
        unit.session.add(
            MoneyLine(
                authority_id=act.authority_id,
                act_id=act.id,
                n=n,
                subject_id=act.subject_id,
                pound_id=act.pound_id,
                party_id=move.party,
                from_account=move.source,
                to_account=move.target,
                line=move.line,
                paise=move.paise,
                how=move.how,
                source=move.section,
                at=unit.now,
            )
        )
    unit.session.execute(
        update(Notification)
        .where(
            Notification.authority_id == act.authority_id,
            Notification.kind.in_(_SCHEDULES),
            Notification.used_at.is_(None),
            Notification.effective_from <= unit.now.date(),
        )
        .values(used_at=unit.now)
        .execution_options(synchronize_session=False)
    )


def store_heads(scene: Scene, act: Act, after: law.CaseState) -> None:
    """Bring the rows of heads up to the state after an act. The index refuses a second end."""
    session = scene.unit.session
    session.add_all(scene.added)
    session.flush()
    ended = {row.custody_id: row for row in _standing(scene.unit, scene.file, scene.custody)}
    pounds = set()
    for head_id, row in scene.custody.items():
        head = after.heads.get(head_id)
        if head is None:
            continue
        _follow(row, head)
        pounds.add(head.pound)
        if head.became is None and head_id in ended:
            ended[head_id].undone_by = act.id
        if head.became is not None and head_id not in ended:
            session.add(
                Disposition(
                    authority_id=row.authority_id,
                    custody_id=row.id,
                    act_id=act.id,
                    became=head.became,
                    at=head.left_at or act.happened_at,
                    undone_by=None,
                )
            )
    if len(pounds) == 1 and None not in pounds:
        scene.file.pound_id = act.pound_id = pounds.pop()
    session.flush()


def _follow(row: Custody, head: law.HeadState) -> None:
    new = (head.owner, head.keeper, head.pound, head.impounded_at)
    if (row.owner_id, row.kept_by_id, row.pound_id, row.impounded_at) != new:
        row.owner_id, row.kept_by_id, row.pound_id, row.impounded_at = new


def _standing(unit: Unit, file: CaseFile, heads: Iterable[str]) -> Iterable[Disposition]:
    query = standing(file.authority_id).where(Custody.seizure_id == file.id)
    wanted = set(heads)
    return [row for row in unit.session.scalars(query) if row.custody_id in wanted]


def store_deadlines(unit: Unit, file: CaseFile, clocks: Sequence[law.ClockState]) -> None:
    """Replace the deadlines of a case; what the ledger was told of one stays told."""
    where = (Deadline.authority_id == file.authority_id, Deadline.seizure_id == file.id)
    told = {
        (rule, starts_at, last_moment): told_at
        for rule, starts_at, last_moment, told_at in unit.session.execute(
            select(Deadline.rule, Deadline.starts_at, Deadline.last_moment, Deadline.told_at).where(
                *where
            )
        )
    }
    unit.session.execute(delete(Deadline).where(*where))
    rows = [
        {
            "authority_id": file.authority_id,
            "seizure_id": file.id,
            "n": n,
            "rule": one.rule,
            "starts_at": one.starts_at,
            "last_moment": one.last_moment,
            "opens_at": one.opens_at,
            "then": one.then,
            "favours": one.favours,
            "source": one.source,
            "is_verified": one.is_verified,
            "is_met": one.state in {"met", "late", "over"},
            "told_at": told.get((one.rule, one.starts_at, one.last_moment)),
        }
        for n, one in enumerate(clocks, 1)
    ]
    insert_many(unit.session, Deadline, rows)
    rank_again(unit.session, file.authority_id, [file.id])
