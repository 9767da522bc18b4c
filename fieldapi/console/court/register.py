"""What the pound register holds of a case, and what was decided in it. Flask-free; called by
`sections`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from fieldapi.clock import format_instant, parse_instant
from fieldapi.console.court.case import CourtCase
from fieldapi.console.court.complaints import complaints
from fieldapi.console.court.names import act_name, line_name
from fieldapi.documents.arithmetic import arithmetic
from fieldapi.documents.casebook import Block
from fieldapi.documents.papers import KINDS
from fieldapi.domain import labels
from fieldapi.models import Act, Document


def register(case: CourtCase) -> list[Block]:
    """Return the acts in their order, each with its money and its papers."""
    found = case.evidence
    if not found.acts:
        said = case.words.gettext("Nothing stands in the pound register about this case.")
        return [Block("notes", rows=[(said,)])]
    gettext = case.words.gettext
    columns = [gettext("When"), gettext("Act"), gettext("By"), gettext("Rule"), gettext("Numbers")]
    rows = [
        (
            _moment(case, act.happened_at),
            act_name(case, act.act),
            case.people.named(act.person_id),
            act.rule or "–",
            _serials(case, act),
        )
        for act in found.acts
        if act.subject_kind == "case"
    ]
    blocks = [Block("table", "", columns, rows, (3, 3, 3, 3, 3))]
    return [*blocks, *_papers(case)]


def _papers(case: CourtCase) -> Iterator[Block]:
    """Yield the entries of the register with their heads, and receipts; no owner is named."""
    gettext = case.words.gettext
    for paper in case.evidence.papers:
        if paper.kind not in {"register_entry", "money_receipt", "deposit_receipt"}:
            continue
        data: dict[str, Any] = json.loads(paper.data)
        title = gettext(KINDS[paper.kind].title) if paper.kind in KINDS else paper.kind
        mark = f" · {gettext('VOID')}" if paper.voided_at else ""
        rows = [
            (str(n), case.words.kind(head["kind"]), _described(case, head))
            for n, head in enumerate(data.get("heads") or [], 1)
        ]
        heading = f"{title}: {paper.serial or '–'}, {_moment(case, paper.issued_at)}{mark}"
        if rows:
            columns = [gettext("No."), gettext("Kind"), gettext("Marks")]
            yield Block("table", heading, columns, rows, (1, 3, 8))
        if data.get("lines"):
            yield _money(case, data, "" if rows else heading)


def _described(case: CourtCase, head: dict[str, Any]) -> str:
    names = ["colour", "sex", "age_class", "horns"]
    if "texts" not in case.content.wanted.redact:
        names += ["marks", "condition"]
    said = [str(head[name]) for name in names if head.get(name)]
    return ", ".join([*said, *map(str, head.get("ear_tags") or [])]) or "–"


def _money(case: CourtCase, data: dict[str, Any], title: str) -> Block:
    gettext = case.words.gettext
    rows = [
        (
            line_name(case, str(one["line"])),
            arithmetic(str(one["line"]), str(one["how"]), case.words.language),
            case.words.rupees(one["paise"]),
        )
        for one in data["lines"]
    ]
    columns = [gettext("For"), gettext("How"), gettext("Amount")]
    return Block("table", title, columns, rows, (3, 6, 3))


def decisions(case: CourtCase) -> list[Block]:
    """Return the steps of the review, and of every field on which somebody decided."""
    gettext = case.words.gettext
    steps = [
        (
            _moment(case, one.at),
            gettext(labels.REVIEW_STATES.get(one.outcome, one.outcome)),
            case.people.named(one.person_id),
            case.reason(one.reason, one.at) or "–",
        )
        for one in case.evidence.reviews
    ]
    fields = [
        (
            value.when,
            f"{one.about}: {one.field} → {value.value}",
            value.who,
            case.reason(one.reason) or "–",
        )
        for one in case.disputes
        for value in one.values
        if value.is_decision
    ]
    columns = [gettext("When"), gettext("Decided"), gettext("By"), gettext("Reason")]
    blocks = [
        Block("table", title, columns, rows, (3, 3, 3, 5))
        for title, rows in (
            (gettext("On the report"), steps),
            (gettext("On single fields"), fields),
        )
        if rows
    ]
    blocks += complaints(case)
    return blocks or [Block("notes", rows=[(gettext("Nothing was decided yet."),)])]


def _serials(case: CourtCase, act: Act) -> str:
    papers: list[Document] = [one for one in case.evidence.papers if one.act_id == act.id]
    return ", ".join(dict.fromkeys(one.serial for one in papers if one.serial)) or "–"


def _moment(case: CourtCase, at: datetime) -> str:
    return case.words.moment(parse_instant(format_instant(at)))
