"""What happened to a report, in sentences, from its ledger entries. Flask-free.

Entries of one delivery make one event. An entry that this page has no sentence for is shown by its
name: nothing is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from fieldapi.clock import parse_instant
from fieldapi.console.told import DECISION, EDIT, FACT, OTHER_ACT, OUTCOMES, SENTENCES
from fieldapi.console.words import Words
from fieldapi.documents.papers import KINDS
from fieldapi.domain.act_deeds import DEEDS
from fieldapi.domain.words import sentence
from fieldapi.queries.cases import DeviceName, ReviewView
from fieldapi.queries.op_values import ERASED

Entry = Mapping[str, Any]


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
    """Who is behind ids and actors. `names`: people by id; `actors`: person ids by actor; `doers`:
    person ids by the ids of official acts. The server enters some of them when a phone has told.
    """

    words: Words
    names: Mapping[str, str]
    devices: Mapping[str, DeviceName]
    actors: Mapping[str, str]
    doers: Mapping[str, str] = field(default_factory=dict)

    def named(self, person_id: str | None) -> str:
        """Return a person's name, or that it is not known any more."""
        return self.names.get(person_id or "") or self.words.gettext("Somebody")

    def of(self, entry: Entry) -> str:
        """Return who is behind an entry: the person who acted or wrote, else whose device or
        browser.
        """
        if entry["kind"] in ACTS and str(entry.get("id")) in self.doers:
            return self.named(self.doers[str(entry["id"])])
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
        ordered = sorted(made, key=lambda event: event.seqs[-1])
        return [*_told_once(ordered)][::-1]

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
        if first["kind"] in ACTS:
            return self._act(entries)
        subjects = [str(one["subject"]) for one in entries]
        named = [one for one in subjects if not one.startswith("seizure/")] or subjects
        kind, says = SENTENCES.get(str(first["kind"]), (FACT, sentence("Ledger entry {entry}.")))
        text = self.words.gettext(
            says,
            who=self.people.of(first),
            what=", ".join(dict.fromkeys(self._called(one) for one in named)),
            entry=str(first["kind"]),
            paper=self._papers(entries),
        )
        return self._event(entries, kind, text, [])

    def _review(self, entry: Entry) -> Event:
        review = self.reviews.get(str(entry.get("review")))
        says = OUTCOMES.get(str(entry.get("outcome")), sentence("{who} decided."))
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

    def _act(self, entries: Sequence[Entry]) -> Event:
        first = entries[0]
        slug, who = str(first.get("act") or ""), self.people.of(first)
        says = DEEDS.get(slug, OTHER_ACT)
        text = self.words.gettext(says, who=who, act=slug)
        is_recorded = first["kind"] == "act.recorded"
        details = [self.words.gettext("noted afterwards")] if is_recorded else []
        return self._event(entries, DECISION, text, details)

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


def _told_once(events: Iterable[Event]) -> Iterator[Event]:
    """Yield events; those that follow one another and say the same of the same minute as one."""
    last: Event | None = None
    for one in events:
        if last is not None and _says_same(last, one):
            last = replace(last, seqs=(*last.seqs, *one.seqs))
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last


def _says_same(one: Event, other: Event) -> bool:
    is_next = other.seqs[0] == one.seqs[-1] + 1
    told = [(it.when, it.kind, it.says, it.details, it.reason, it.photos) for it in (one, other)]
    return is_next and told[0] == told[1]


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


ACTS = frozenset({"act.performed", "act.recorded"})
_MERGED = frozenset({"op.applied", "op.released"})
