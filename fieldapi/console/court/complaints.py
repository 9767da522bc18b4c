"""The complaints in the book of a case: who complains of what, what was found on it, what was done
and ordered. Flask-free; called by `register`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from fieldapi.clock import format_instant, parse_instant
from fieldapi.console.court.case import CourtCase
from fieldapi.console.court.names import act_name
from fieldapi.documents.casebook import Block, Row
from fieldapi.domain.complaint_labels import ALLEGATIONS, FINDINGS, OUTCOMES, PARTS, STATES
from fieldapi.models import Act, Complaint
from fieldapi.services.bundles.told import ACTS, COMPLAINTS


def complaints(case: CourtCase) -> Iterator[Block]:
    """Yield each complaint: its words where they may be shown, then its acts in their order."""
    inside = {one.name for one in case.content.told_in}
    for row in case.evidence.complaints:
        done = [act for act in case.evidence.acts if act.subject_id == row.id]
        told = [act for act in done if f"{ACTS}/{act.id}" in inside]
        title = _title(case, row)
        if f"{COMPLAINTS}/{row.id}" in inside:
            said: Mapping[str, Any] = json.loads(row.data)
            yield Block("facts", title, rows=[*_said(case, said), *_ordered(case, told)])
            yield from _alleged(case, said, told)
            title = ""
        yield _acts(case, done, title)


def _title(case: CourtCase, row: Complaint) -> str:
    labels = OUTCOMES if row.outcome else STATES
    outcome = case.words.gettext(labels[row.outcome or row.state])
    return case.words.gettext(
        "Complaint of {when}: {outcome}", when=_moment(case, row.made_at), outcome=outcome
    )


def _said(case: CourtCase, said: Mapping[str, Any]) -> Iterator[Row]:
    gettext = case.words.gettext
    yield gettext("Complainant"), _person(said["by"])
    if said["agent"]:
        yield gettext("Through"), _person(said["agent"])
    yield gettext("Complaint"), said["text"]
    if said["is_verbal"]:
        yield gettext("If it was said: who wrote it down"), said["taken_down_by"] or "–"
    against = [
        f"{_person(one)} ({gettext(PARTS[one['part']])})"
        for one in said["against"]
        if "name" in one
    ]
    if against:
        yield gettext("Against"), "; ".join(against)


def _person(one: Mapping[str, Any]) -> str:
    return ", ".join(filter(None, (one["name"], one.get("residence"))))


def _ordered(case: CourtCase, told: list[Act]) -> Iterator[Row]:
    """Yield the last order with what it says."""
    orders = [json.loads(act.data) for act in told if act.act in {"order", "record_order"}]
    if not orders:
        return
    gettext, order = case.words.gettext, orders[-1]
    yield gettext("Order"), gettext(OUTCOMES[order["outcome"]])
    for label, name in (
        (gettext("Number of the order"), "order_no"),
        (gettext("By whom"), "by"),
        (gettext("In words"), "text"),
    ):
        if order.get(name):
            yield label, str(order[name])
    total = sum(one["paise"] for one in order.get("compensation") or [])
    if total:
        yield gettext("Compensation"), case.words.rupees(total)


def _alleged(case: CourtCase, said: Mapping[str, Any], told: list[Act]) -> Iterator[Block]:
    """Yield a line for each allegation, with the finding on it that was made last."""
    gettext = case.words.gettext
    alleged = {one["allegation"]: one["text"] for one in said["allegations"]}
    found: dict[str, str] = {}
    for act in told:
        data = json.loads(act.data)
        if act.act == "add_allegation":
            alleged[data["allegation"]] = data.get("text") or ""
        elif act.act == "find":
            parts = (gettext(FINDINGS[data["found"]]), data.get("text") or "")
            found[data["allegation"]] = ": ".join(filter(None, parts))
    rows = [
        (gettext(ALLEGATIONS[what]), text or "–", found.get(what, "–"))
        for what, text in alleged.items()
    ]
    if rows:
        columns = [gettext("Allegation"), gettext("In words"), gettext("Finding")]
        yield Block("table", "", columns, rows, (3, 4, 5))


def _acts(case: CourtCase, done: list[Act], title: str) -> Block:
    gettext = case.words.gettext
    rows = [
        (
            _moment(case, act.happened_at),
            act_name(case, act.act),
            case.people.named(act.person_id),
            case.reason(act.reason or "", act.happened_at) or "–",
        )
        for act in done
    ]
    columns = [gettext("When"), gettext("Act"), gettext("By"), gettext("Reason")]
    return Block("table", title, columns, rows, (3, 4, 3, 4))


def _moment(case: CourtCase, at: datetime) -> str:
    return case.words.moment(parse_instant(format_instant(at)))
