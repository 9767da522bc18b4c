"""What the papers of a court bundle say of one case, read and put into the words of one language,
less what was chosen to stay outside. Flask-free; called by `drawing`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from fieldapi.clock import INDIA, parse_instant
from fieldapi.console import maps, reports
from fieldapi.console.disputes import Dispute, Disputes
from fieldapi.console.facts import Facts
from fieldapi.console.maps import Drawing
from fieldapi.console.reports import Doubt
from fieldapi.console.timeline import Event, People, Timeline
from fieldapi.console.values import Values
from fieldapi.console.words import Words
from fieldapi.domain.redactions import is_left_out
from fieldapi.law.profile import StatuteProfile
from fieldapi.queries import cases, conflicts, photos, seizures
from fieldapi.queries.evidence import Evidence
from fieldapi.services.authorise import operator
from fieldapi.services.bundles.content import Content, Desk
from fieldapi.services.ops.scene import scene_at

_CHILDREN = {"animals": "animal", "photos": "photo", "intakes": "intake"}


@dataclass(frozen=True)
class CourtCase:
    """One case in one language."""

    words: Words
    values: Values
    content: Content
    report: Mapping[str, Any]
    profile: StatuteProfile
    people: People
    events: Sequence[Event]
    disputes: Sequence[Dispute]
    doubts: Sequence[Doubt]
    drawings: Sequence[tuple[str, Drawing]]
    subjects: Mapping[str, str]

    @property
    def evidence(self) -> Evidence:
        """Return what was read."""
        return self.content.evidence

    @property
    def reference(self) -> str:
        """Return what the case is called."""
        return self.evidence.reference

    def reason(self, written: str, at: datetime | None = None) -> str:
        """Return a reason as the papers may show it. `at`: when it was written, if it is no op: one
        older than an erasure in the case may name who was erased.
        """
        return _reason(self.content, self.words, written, at)

    @property
    def facts(self) -> Facts:
        """Return the builder of facts."""
        return Facts(self.values)


def read(desk: Desk, content: Content, words: Words) -> CourtCase:
    """Return the case of a bundle in one language, as its snapshot has it."""
    session, found = desk.session, content.evidence
    at, redact = found.authority.id, content.wanted.redact
    report: dict[str, Any] = seizures.one(session, operator(at), found.seizure.id)
    report = _redacted(report, redact)
    seen = parse_instant(report.get("seized_at") or report["received_at"])
    scene = scene_at(session, desk.house.packs, at, seen.astimezone(INDIA).date())
    values = Values(words, scene.profile, {one.id: one.name for one in found.pounds.values()})
    subjects = reports.called(report, words)
    people = _people(desk, found, words)
    shown = {f"{row.KIND}/{row.id}": row.fields for row in found.rows}
    disputed = [
        one
        for one in conflicts.of_records(found.rows)
        if not is_left_out(redact, one.kind, one.field)
    ]
    steps = {
        one.id: replace(one, reason=_reason(content, words, one.reason, one.at))
        for one in found.reviews
    }
    entries = [json.loads(text) for _, text in found.texts]
    told = photos.findings(session, at, [one["id"] for one in report["photos"]])
    return CourtCase(
        words=words,
        values=values,
        content=content,
        report=report,
        profile=scene.profile,
        people=people,
        events=Timeline(words, people, steps, subjects).events(_of_case(entries))[::-1],
        disputes=Disputes(values, people.named, subjects, shown).of(disputed),
        doubts=reports.doubts(report, words, told),
        drawings=maps.of_report(report, scene.area, found.pounds.values(), words),
        subjects=subjects,
    )


def _reason(content: Content, words: Words, written: str, at: datetime | None) -> str:
    if written and content.reasons_out:
        return words.gettext("Left out by choice")
    if written and at is not None and at < (content.evidence.erased_at or at):
        return words.gettext("Erased")
    return written


def _of_case(entries: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the entries that the chronology tells; the devices have a table of their own."""
    return [
        one
        for one in entries
        if not str(one["kind"]).startswith(("device.", "ledger.")) and "subject" in one
    ]


def _redacted(report: dict[str, Any], redact: Sequence[str]) -> dict[str, Any]:
    """Return a report as the API answers it without what stays outside."""
    kept = {name: _kept("seizure", name, value, redact) for name, value in report.items()}
    for name, kind in _CHILDREN.items():
        kept[name] = [
            {field: _kept(kind, field, value, redact) for field, value in child.items()}
            for child in report[name]
        ]
    return kept


def _kept(kind: str, name: str, value: Any, redact: Sequence[str]) -> Any:  # noqa: ANN401 - any field
    if is_left_out(redact, kind, name):
        return None
    if isinstance(value, dict):
        return {
            member: None if is_left_out(redact, kind, f"{name}.{member}") else one
            for member, one in value.items()
        }
    return value


def _people(desk: Desk, found: Evidence, words: Words) -> People:
    devices = cases.devices(
        desk.session,
        found.authority.id,
        {str(json.loads(text)["actor"]) for _, text in found.texts},
    )
    doers = {one.id: one.person_id for one in found.acts}
    return People(words, found.names, devices, found.actors, doers)
