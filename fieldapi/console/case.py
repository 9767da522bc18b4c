"""Puts together what the page of one report shows. Flask-free; called by the views of a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.clock import parse_instant
from fieldapi.console import maps, reports
from fieldapi.console.disputes import Dispute, Disputes
from fieldapi.console.facts import Fact, Facts, Lot
from fieldapi.console.integrity import Integrity, Line
from fieldapi.console.maps import Drawing
from fieldapi.console.places import Places
from fieldapi.console.reports import Doubt, Picture, Report
from fieldapi.console.timeline import ACTS, Event, People, Timeline
from fieldapi.console.values import Values
from fieldapi.console.words import INDIA, Words
from fieldapi.domain import reviews as rules
from fieldapi.domain.access import Principal, may
from fieldapi.house import House
from fieldapi.models import RecordRow
from fieldapi.queries import cases, complaints, conflicts, op_values, photos, seizures
from fieldapi.queries.authorities import PoundView, all_places, all_pounds
from fieldapi.services.authorise import console_actor
from fieldapi.services.ops.scene import Scene, scene_at
from fieldapi.services.reviews import may_judge

Entries = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Judging:
    """What the reader may decide. `options`: outcomes. `bar`: `role` or `author`, if nothing."""

    revision: str
    options: tuple[str, ...]
    bar: str | None


@dataclass(frozen=True, slots=True)
class CasePage:
    """One report, said in one language. `whole`: None for a reader who sees it in short."""

    id: str
    reference: str
    state: str
    state_said: str
    herd: str
    place: str
    is_withdrawn: bool
    seizure: list[Fact]
    lots: list[Lot]
    whole: Whole | None = None


@dataclass(frozen=True, slots=True)
class Whole:
    """What only those see who see all of a report."""

    author: str
    received: str
    is_incomplete: bool
    stored: int
    announced: int
    pictures: list[Picture]
    captions: Mapping[str, list[Fact]]
    owner: list[Fact]
    seizer: list[Fact]
    intakes: list[list[Fact]]
    coordinates: str | None
    maps: list[tuple[str, Drawing]]
    doubts: list[Doubt]
    lines: list[Line]
    disputes: list[Dispute]
    events: list[Event]
    judging: Judging

    @property
    def verdict(self) -> Event | None:
        """Return the newest step of the review; official acts are none."""
        return next((event for event in self.events if event.is_review), None)


@dataclass(slots=True)
class Loaded:
    """What was read for one case."""

    report: dict[str, Any]
    scene: Scene
    pounds: list[PoundView]
    places: Places
    rows: list[RecordRow] = field(default_factory=list)
    conflicts: list[conflicts.Conflict] = field(default_factory=list)


def load(
    session: Session, house: House, who: Principal, seizure_id: str, *, words: Words
) -> CasePage:
    """Return the page of a report. Raises `NotFound`."""
    at = who.authority_id
    report: dict[str, Any] = seizures.one(session, who, seizure_id)
    day = parse_instant(report.get("seized_at") or report["received_at"]).astimezone(INDIA).date()
    loaded = Loaded(
        report,
        scene_at(session, house.packs, at, day),
        all_pounds(session, at),
        Places(all_places(session, at)),
    )
    if "photos" not in report:
        return _page(loaded, words, None)
    loaded.rows = cases.records(session, at, seizure_id)
    loaded.conflicts = conflicts.of_records(loaded.rows)
    return _page(loaded, words, _whole(session, who, loaded, words))


def _page(loaded: Loaded, words: Words, whole: Whole | None) -> CasePage:
    report = loaded.report
    facts = Facts(_values(loaded, words))
    disputed = {one.record_id for one in loaded.conflicts if one.is_open}
    return CasePage(
        id=report["id"],
        reference=report["reference"] or words.gettext("Without reference"),
        state=report["state"],
        state_said=words.state(report["state"]),
        herd=words.herd(reports.herd(report)) or words.gettext("No animals"),
        place=loaded.places.of(report, words),
        is_withdrawn=bool(report["withdrawn"]),
        seizure=facts.seizure(report),
        lots=facts.lots(report, disputed),
        whole=whole,
    )


def _whole(session: Session, who: Principal, loaded: Loaded, words: Words) -> Whole:
    report, values = loaded.report, _values(loaded, words)
    entries = _entries(session, who, report["id"])
    people = _people(session, who, loaded, entries, words=words)
    facts, subjects = Facts(values), reports.called(report, words)
    at, photo_ids = who.authority_id, [photo["id"] for photo in report["photos"]]
    author = people.named(report["by"])
    steps = {one.id: one for one in cases.reviews(session, who.authority_id, report["id"])}
    shown = {f"{row.KIND}/{row.id}": row.fields for row in loaded.rows}
    disputes = Disputes(values, people.named, subjects, shown)
    head = ledger.head(session, who.authority_id)
    seqs = [int(str(entry["seq"])) for entry in entries]
    return Whole(
        author=author,
        received=words.moment(parse_instant(report["received_at"])),
        is_incomplete=bool(report["is_incomplete"]),
        stored=report["photos_stored"],
        announced=report["photos_announced"],
        pictures=reports.pictures(report, words),
        captions={photo["id"]: _caption(photo, values) for photo in report["photos"]},
        owner=facts.owner(report),
        seizer=facts.seizer(report, author),
        intakes=facts.intakes(report),
        coordinates=values.place(report["location"]) if report.get("location") else None,
        maps=maps.of_report(loaded.report, loaded.scene.area, loaded.pounds, words),
        doubts=reports.doubts(report, words, photos.findings(session, at, photo_ids)),
        lines=Integrity(words, seqs, head, photos.aside(session, at, photo_ids)).lines(report),
        disputes=disputes.of(loaded.conflicts),
        events=Timeline(
            words, people, steps, subjects, _ops(session, at, loaded), values.say
        ).events(entries),
        judging=_judging(session, who, loaded),
    )


def _entries(session: Session, who: Principal, seizure_id: str) -> Entries:
    """Return the ledger's entries about a case and the complaints about it, in their order."""
    own = seizures.history(session, who, seizure_id)
    about = [f"complaint/{one['id']}" for one in complaints.of_case(session, who, seizure_id)]
    if not about:
        return own
    more = ledger.entries_about(session, who.authority_id, about)
    return sorted([*own, *more], key=lambda one: int(str(one["seq"])))


def _ops(session: Session, at: str, loaded: Loaded) -> dict[str, dict[str, object]]:
    return op_values.of_records(session, at, [(row.KIND, row.id) for row in loaded.rows])


def _values(loaded: Loaded, words: Words) -> Values:
    return Values(words, loaded.scene.profile, {one.id: one.name for one in loaded.pounds})


def _judging(session: Session, who: Principal, loaded: Loaded) -> Judging:
    revision = cases.revision(session, who.authority_id, loaded.rows)
    options = rules.NEXT[loaded.report["state"]]
    if not may(who, "seizure.review"):
        return Judging(revision, (), "role")
    if not may_judge(who, loaded.rows):
        return Judging(revision, (), "author")
    return Judging(revision, options, None)


def _people(
    session: Session, who: Principal, loaded: Loaded, entries: Entries, *, words: Words
) -> People:
    """Find the names of everybody whom the page speaks of."""
    at = who.authority_id
    devices = cases.devices(session, at, {str(entry["actor"]) for entry in entries})
    desk = cases.desk(session, at)
    steps = cases.reviews(session, at, loaded.report["id"])
    ids = {str(entry["by"]) for entry in entries if entry.get("by")}
    ids |= {one.person_id for one in devices.values()} | {*desk, loaded.report["by"]}
    ids |= {one.person_id for one in steps}
    ids |= {head.by for one in loaded.conflicts for head in one.heads}
    doers = cases.doers(session, at, [one["id"] for one in entries if one["kind"] in ACTS])
    names = cases.names(session, at, (ids | {*doers.values()}) - {None})
    return People(words, names, devices, {console_actor(at, one): one for one in desk}, doers)


def _caption(photo: Report, values: Values) -> list[Fact]:
    """Return what is known of a photo."""
    names = ("caption", "subject", "taken_at", "source", "size")
    words = values.words
    facts = [Fact(words.field(n), values.say(n, photo[n])) for n in names if photo.get(n)]
    if photo.get("location"):
        facts.append(Fact(words.field("location"), values.place(photo["location"])))
    return facts
