"""Fields in which two values stand, as the case page shows them. Flask-free."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from fieldapi.clock import from_ms
from fieldapi.console.values import Values
from fieldapi.queries.conflicts import Conflict
from sync.merge import WITHDRAWN, HeadView

Named = Callable[[str | None], str]

# Choices that no op made: it is not withdrawn after all; another number than those that stand.
STAYS, OTHER = "stays", "other"
_COUNT = "count"


@dataclass(frozen=True, slots=True)
class Stated:
    """One value to choose. `op`: what names it, or `STAYS`. `is_shown`: it is shown meanwhile."""

    op: str
    value: str
    who: str
    when: str
    is_shown: bool
    is_decision: bool


@dataclass(frozen=True, slots=True)
class Dispute:
    """One field with several values. `takes_number`: another number may be given."""

    id: str
    field: str
    about: str
    is_open: bool
    values: list[Stated]
    seen: str
    reason: str
    takes_number: bool


@dataclass(frozen=True)
class Disputes:
    """What the values need to be said. `subjects`: what each record is called, by `kind/id`.

    `shown`: field values of each record, by `kind/id`.
    """

    values: Values
    named: Named
    subjects: Mapping[str, str]
    shown: Mapping[str, Mapping[str, object]]

    def of(self, conflicts: Iterable[Conflict]) -> list[Dispute]:
        """Return the conflicts, open ones first."""
        made = [self._dispute(one) for one in conflicts if one.is_open or one.decided]
        return sorted(made, key=lambda one: not one.is_open)

    def _dispute(self, one: Conflict) -> Dispute:
        subject = f"{one.kind}/{one.record_id}"
        shown = self.shown.get(subject, {}).get(one.field)
        reason = (one.decided.decision or {}).get("reason") if one.decided else None
        return Dispute(
            id=one.id,
            field=self.values.words.field(one.field),
            about=self.subjects.get(subject, ""),
            is_open=one.is_open,
            values=[*self._values(one, shown)],
            seen=" ".join(sorted(head.op for head in one.heads)),
            reason=str(reason or ""),
            takes_number=one.field == _COUNT,
        )

    def _values(self, one: Conflict, shown: object) -> Iterator[Stated]:
        yield from (self._stated(one.field, head, shown) for head in one.heads)
        if one.field == WITHDRAWN and all(head.v is not False for head in one.heads):
            said = self.values.words.gettext("Not withdrawn")
            yield Stated(STAYS, said, "", "", is_shown=False, is_decision=False)

    def _stated(self, name: str, head: HeadView, shown: object) -> Stated:
        words = self.values.words
        value = words.gettext("Erased") if head.is_erased else self._value(name, head)
        received = head.received if head.received is not None else head.e
        is_shown = shown == (head.v is not False) if name == WITHDRAWN else shown == head.v
        return Stated(
            op=head.op,
            value=value,
            who=self.named(head.by),
            when=words.moment(from_ms(received)),
            is_shown=is_shown,
            is_decision=head.decision is not None,
        )

    def _value(self, name: str, head: HeadView) -> str:
        if name == WITHDRAWN and head.v is False:
            return self.values.words.gettext("Not withdrawn")
        return self.values.say(name, head.v)
