"""What happened to a report, in sentences, from its ledger entries. Flask-free.

Entries of one delivery make one event. An entry that this page has no sentence for is shown by its
name: nothing is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from fieldapi.clock import parse_instant
from fieldapi.console.words import Words
from fieldapi.documents.papers import KINDS
from fieldapi.domain import act_labels, complaint_labels
from fieldapi.domain.words import sentence
from fieldapi.queries.cases import DeviceName, ReviewView
from fieldapi.queries.op_values import ERASED

Entry = Mapping[str, Any]

FACT, EDIT, PHOTO, DECISION, DOUBT = "fact", "edit", "photo", "decision", "doubt"
# What a reader may look for alone; the rest stands in the whole.
SHOWN: Mapping[str, str] = {
    FACT: sentence("Reports and notices"),
    EDIT: sentence("Changes"),
    PHOTO: sentence("Photos"),
    DECISION: sentence("Decisions and acts"),
    DOUBT: sentence("Doubts"),
}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. `seqs`: its entries in the ledger. `details`: further sentences.

    `reason`: a reviewer's words; `is_review`: it is a step of the review, not an official act.
    `photos`: ids of the photos that it is about.
    """

    at: datetime
    when: str
    kind: str
    says: str
    seqs: tuple[int, ...]
    details: list[str] = field(default_factory=list)
    reason: str = ""
    is_review: bool = False
    photos: tuple[str, ...] = ()

    @property
    def numbers(self) -> str:
        """Return the entries as `5` or `5–9`."""
        first, last = self.seqs[0], self.seqs[-1]
        return str(first) if first == last else f"{first}–{last}"


@dataclass(frozen=True)
class People:
    """Who is behind ids and actors. `names`: people by id; `actors`: person ids by actor."""

    words: Words
    names: Mapping[str, str]
    devices: Mapping[str, DeviceName]
    actors: Mapping[str, str]

    def named(self, person_id: str | None) -> str:
        """Return a person's name, or that it is not known any more."""
        return self.names.get(person_id or "") or self.words.gettext("Somebody")

    def of(self, entry: Entry) -> str:
        """Return who is behind an entry: the person who wrote, else whose device or browser."""
        if entry.get("by"):
            return self.named(str(entry["by"]))
        actor = str(entry["actor"])
        device = self.devices.get(actor)
        if device is not None:
            return self.named(device.person_id)
        person = self.actors.get(actor)
        return self.named(person) if person else self.words.gettext("The server")


@dataclass(frozen=True)
class Timeline:
    """Makes the events of one case. `subjects`: what each record is called, by `kind/id`.

    `ops`: what each op set, by its name; `say`: says the value of a field.
    """

    words: Words
    people: People
    reviews: Mapping[str, ReviewView]
    subjects: Mapping[str, str]
    ops: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    say: Callable[[str, Any], str] = field(default=lambda _, value: str(value))

    def events(self, entries: Iterable[Entry]) -> list[Event]:
        """Return what happened, newest first."""
        entries = list(entries)
        steps = self._steps(entries)
        born: set[str] = set()
        made = [
            event
            for _, group in groupby(entries, key=_delivery)
            for event in self._of_delivery(list(group), born, steps)
        ]
        return sorted(made, key=lambda event: event.seqs[-1], reverse=True)

    def _steps(self, entries: Iterable[Entry]) -> dict[str, list[str]]:
        """Return by op which values it replaced by which, in words."""
        shown: dict[tuple[str, str], object] = {}
        steps: dict[str, list[str]] = {}
        for one in entries:
            if one["kind"] not in _MERGED:
                continue
            subject, op = str(one["subject"]), str(one.get("op"))
            for name, value in self.ops.get(op, {}).items():
                before = shown.get((subject, name))
                shown[subject, name] = value
                if before != value:
                    steps.setdefault(op, []).append(self._step(name, before, value))
        return steps

    def _step(self, name: str, before: object, value: object) -> str:
        old, new = (self._value(name, one) for one in (before, value))
        return f"{self.words.field(name)}: {old} → {new}"

    def _value(self, name: str, value: object) -> str:
        return self.words.gettext("Erased") if value is ERASED else self.say(name, value)

    def _of_delivery(
        self, entries: Sequence[Entry], born: set[str], steps: Mapping[str, list[str]]
    ) -> Iterator[Event]:
        if entries[0]["kind"] != "op.applied":
            yield self._single(entries)
            return
        new = [one for one in entries if one["subject"] not in born]
        arrived = list(dict.fromkeys(str(one["subject"]) for one in new))
        born.update(arrived)
        changed = [one for one in entries if one["subject"] not in arrived]
        if arrived:
            told = [one for one in entries if one["subject"] in arrived]
            yield self._arrival(told, arrived)
        if changed:
            yield self._change(changed, steps)

    def _arrival(self, entries: Sequence[Entry], subjects: Sequence[str]) -> Event:
        who = self.people.of(entries[0])
        is_report = any(one.startswith("seizure/") for one in subjects)
        says = sentence("{who} reported this seizure.") if is_report else sentence("{who} added:")
        details = [self._called(one) for one in subjects if not one.startswith("seizure/")]
        return self._event(entries, FACT, self.words.gettext(says, who=who), details)

    def _change(self, entries: Sequence[Entry], steps: Mapping[str, list[str]]) -> Event:
        details = [
            f"{self._called(str(one['subject']))}: "
            + ("; ".join(steps.get(str(one.get("op")), ())) or self.words.fields(_named(one)))
            for one in entries
        ]
        says = self.words.gettext("{who} changed:", who=self.people.of(entries[0]))
        return self._event(entries, EDIT, says, details)

    def _single(self, entries: Sequence[Entry]) -> Event:
        """Return what entries of one kind say; about photos, the report's own adds nothing."""
        first = entries[0]
        if first["kind"] == "seizure.reviewed":
            return self._review(first)
        subjects = [str(one["subject"]) for one in entries]
        named = [one for one in subjects if not one.startswith("seizure/")] or subjects
        kind, says = _SENTENCES.get(str(first["kind"]), (FACT, sentence("Ledger entry {entry}.")))
        text = self.words.gettext(
            says,
            who=self.people.of(first),
            what=", ".join(dict.fromkeys(self._called(one) for one in named)),
            entry=str(first["kind"]),
            act=self._act(str(first.get("act") or "")),
            paper=self._papers(entries),
        )
        return self._event(entries, kind, text, [])

    def _review(self, entry: Entry) -> Event:
        review = self.reviews.get(str(entry.get("review")))
        says = _OUTCOMES.get(str(entry.get("outcome")), sentence("{who} decided."))
        text = self.words.gettext(says, who=self.people.named(review.person_id if review else None))
        made = self._event([entry], DECISION, text, [])
        return Event(
            made.at,
            made.when,
            made.kind,
            made.says,
            made.seqs,
            reason=review.reason if review else "",
            is_review=True,
        )

    def _act(self, slug: str) -> str:
        label = act_labels.ACTS.get(slug) or complaint_labels.ACTS.get(slug) or slug
        return self.words.gettext(label)

    def _papers(self, entries: Sequence[Entry]) -> str:
        named = dict.fromkeys(str(one["paper"]) for one in entries if "paper" in one)
        titles = (KINDS[one].title if one in KINDS else one for one in named)
        return ", ".join(self.words.gettext(one) for one in titles)

    def _called(self, subject: str) -> str:
        return self.subjects.get(subject) or self.words.record(subject.partition("/")[0])

    def _event(self, entries: Sequence[Entry], kind: str, says: str, details: list[str]) -> Event:
        at = parse_instant(str(entries[0]["at"]))
        seqs = tuple(int(one["seq"]) for one in entries)
        photos = tuple(dict.fromkeys(_photos(entries)))
        return Event(at, self.words.moment(at), kind, says, seqs, details, photos=photos)


def _named(entry: Entry) -> Iterable[str]:
    named: Iterable[str] = entry.get("fields", ())
    return named


def _photos(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the ids of the photos that entries are about."""
    for one in entries:
        kind, _, record = str(one["subject"]).partition("/")
        if kind == "photo":
            yield record


def _delivery(entry: Entry) -> tuple[object, ...]:
    """Return what entries of one delivery, or of one thing that happened, have in common."""
    return (entry["at"], entry["actor"], entry.get("by"), entry["kind"], entry.get("act"))


_MERGED = frozenset({"op.applied", "op.released"})
_OUTCOMES: Mapping[str, str] = {
    "under_review": sentence("{who} took up the review."),
    "accepted": sentence("{who} accepted the report."),
    "rejected": sentence("{who} rejected the report."),
    "correction_asked": sentence("{who} asked for a correction."),
}
_SENTENCES: Mapping[str, tuple[str, str]] = {
    "seizure.resubmitted": (EDIT, sentence("{who} handed the report in again.")),
    "op.held": (
        EDIT,
        sentence("A change by {who} was kept aside; a reviewer may let it in ({what})."),
    ),
    "op.quarantined": (
        EDIT,
        sentence("Something that {who} sent could not be read; it was kept as it came."),
    ),
    "op.released": (EDIT, sentence("{who} let in what had been kept aside ({what}).")),
    "op.rejected": (EDIT, sentence("{who} turned down what had been kept aside ({what}).")),
    "op.corrected": (EDIT, sentence("{who} corrected what could not be read ({what}).")),
    "op.deferred_applied": (EDIT, sentence("The server now understands a newer field ({what}).")),
    "photo.stored": (PHOTO, sentence("Arrived whole and stored: {what}.")),
    "photo.analysed": (PHOTO, sentence("Opened and examined: {what}.")),
    "photo.mismatched": (PHOTO, sentence("Other bytes than announced came for {what}; refused.")),
    "photo.damaged": (PHOTO, sentence("The stored file of {what} was found damaged or missing.")),
    "photo.restored": (PHOTO, sentence("The stored file of {what} is whole again.")),
    "bytes.set_aside": (PHOTO, sentence("Other bytes for {what} were put aside.")),
    "photo.viewed": (PHOTO, sentence("{who} looked at {what}.")),
    "person.erased": (DECISION, sentence("{who} erased what a person asked to have taken out.")),
    "record.viewed": (FACT, sentence("{who} looked at the personal details ({what}).")),
    "record.rebuilt": (FACT, sentence("The record was built anew from what was sent ({what}).")),
    "act.performed": (DECISION, sentence("{who}: {act}.")),
    "act.recorded": (DECISION, sentence("{who} noted what was done elsewhere: {act}.")),
    "complaint.received": (DECISION, sentence("{who} took a complaint in.")),
    "seizure.assigned": (FACT, sentence("{who} gave the report to a reviewer.")),
    "duplicate.found": (DOUBT, sentence("Another report may be of the same cattle.")),
    "duplicate.decided": (
        DECISION,
        sentence("{who} decided whether another report is of the same cattle."),
    ),
    "flag.dropped": (FACT, sentence("A flag on {what} was taken back.")),
    "comment.added": (FACT, sentence("{who} noted something for colleagues.")),
    "case.opened": (FACT, sentence("The case was opened.")),
    "case.closed": (DECISION, sentence("{who} closed the case.")),
    "case.reopened": (DECISION, sentence("{who} opened the case again.")),
    "case.moved": (FACT, sentence("Other people see the case from here on.")),
    "deadline.passed": (DOUBT, sentence("A deadline of the statute has passed.")),
    "document.issued": (FACT, sentence("{who} issued a paper: {paper}.")),
    "document.printed": (FACT, sentence("{who} printed a document.")),
    "serial.voided": (DECISION, sentence("{who} declared a numbered document void.")),
    "hold.set": (DECISION, sentence("{who} held the case back from deletion.")),
    "hold.ended": (DECISION, sentence("{who} no longer holds the case back from deletion.")),
    "flag.raised": (DOUBT, sentence("A flag was raised on {what}.")),
    "seizure.flagged": (DOUBT, sentence("A flag was raised on {what}.")),
}
