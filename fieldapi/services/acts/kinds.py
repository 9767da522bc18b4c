"""What an act is to this program: who may do it, what it is told, what it prints.

The files of the acts fill it in; `performing` reads it. Whether the law allows the act is no
business of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from fieldapi import law
from fieldapi.domain import act_labels
from fieldapi.domain.shapes import COUNTS, Shape
from fieldapi.domain.values import (
    CODE,
    FREE,
    HOLDING,
    INSTANT,
    LINE,
    PAISE,
    TRUTH,
    UUID,
    Choice,
    Fault,
    Text,
    ValueType,
    Vocabulary,
    Whole,
)
from fieldapi.domain.words import sentence
from fieldapi.models import CaseFile, Custody
from fieldapi.problems import ActNotAllowed, NotAllowed
from fieldapi.services.authorise import Principal
from fieldapi.unit import Unit
from sync.wire import JSON


@dataclass(frozen=True)
class Several:
    """A list of at most `most` values of one type."""

    element: ValueType
    most: int

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield the faults of every element under its place."""
        if not isinstance(value, list) or len(value) > self.most:
            yield Fault(sentence("This has to be a list."))
            return
        for index, element in enumerate(value):
            yield from (fault.under(str(index)) for fault in self.element.faults(element, words))

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema of the list."""
        return {"type": "array", "items": self.element.schema(), "maxItems": self.most}


@dataclass(frozen=True)
class Counts:
    """Numbers of heads by what the Act asks of them, such as `dry_or_useless` and `other`."""

    def faults(self, value: JSON, words: Vocabulary) -> Iterator[Fault]:
        """Yield the faults of every number under its name."""
        if not isinstance(value, dict):
            yield Fault(sentence("This must be an object."))
            return
        for name, one in value.items():
            yield from (fault.under(name) for fault in Whole(0, _MOST_OWNED).faults(one, words))

    def schema(self) -> dict[str, JSON]:
        """Return the JSON Schema of the object."""
        return {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}


# Who does what, unless an appointment in the register says more.
FIELD = frozenset({"reporter", "pound_keeper", "reviewer", "decider"})
KEEPER = frozenset({"pound_keeper", "decider"})
OFFICE = frozenset({"decider", "admin"})
COUNTER = KEEPER | OFFICE
_MOST_OWNED = 100_000
DISQUALIFIED = ("police", "officer", "member", "servant", "keeper")

PARTICULARS: Mapping[str, ValueType] = {
    "accepted_at": INSTANT,
    "allegation": Choice(law.complaints.ALLEGATIONS),
    "animals": Counts(),
    "appear_on": LINE,
    "appeared": TRUTH,
    "application": TRUTH,
    "as": Choice(("owner", "keeper")),
    "bid_paise": PAISE,
    "bids": Several(LINE, 100),
    "buyer": UUID,
    "buyer_is": Several(Choice(DISQUALIFIED), 5),
    "by": LINE,
    "cause": LINE,
    "compensation": Several(Shape(needs={"party": UUID, "paise": PAISE}), 20),
    "complaint": UUID,
    "conditions": FREE,
    "contents": FREE,
    "counts": COUNTS,
    "dated": LINE,
    "declaration": Text(300),
    "established": TRUTH,
    "evidence": Several(LINE, 50),
    "expenses_paise": PAISE,
    "fees_from": Choice(("seizer", "nobody", "owner")),
    "finding": FREE,
    "fir_no": LINE,
    "found": Choice(law.complaints.FINDINGS),
    "ground": CODE,
    "head": Whole(1, _MOST_OWNED),
    "imprisonment_days": Whole(0, 400),
    "is_direct": TRUTH,
    "is_illegal_claimed": TRUTH,
    "is_in_order": TRUTH,
    "is_related": TRUTH,
    "is_resident": TRUTH,
    "kind": Choice(("special", "general")),
    "legality": CODE,
    "letter_no": LINE,
    "line": CODE,
    "lot": LINE,
    "manner": CODE,
    "mother": UUID,
    "officer": LINE,
    "officer_rank": CODE,
    "on": LINE,
    "order_no": LINE,
    "outcome": Choice(law.complaints.OUTCOMES),
    "owns_head": Whole(0, _MOST_OWNED),
    "paid_by": UUID,
    "paid_by_is": Several(Choice(DISQUALIFIED), 5),
    "paid_paise": PAISE,
    "paise": PAISE,
    "paper_serial": LINE,
    "part": Choice((law.complaints.SEIZER, law.complaints.DETAINER)),
    "particulars": Several(CODE, 20),
    "pay_by": LINE,
    "period_until": LINE,
    "photo": UUID,
    "place": LINE,
    "place_in_state": TRUTH,
    "pound": UUID,
    "previous": Several(UUID, 100),
    "price_paise": PAISE,
    "proclamation": Several(LINE, 20),
    "proof": Shape(needs={"officer": LINE}, takes={"accepted_at": INSTANT}),
    "receipt_signed": TRUTH,
    "refuses": TRUTH,
    "reimbursed_by": UUID,
    "release": TRUTH,
    "register_signature": TRUTH,
    "remove": Several(UUID, 500),
    "restore": Several(UUID, 500),
    "result": Choice(("accepted", "rejected")),
    "security": Several(HOLDING, 50),
    "special_reasons": FREE,
    "surplus": Several(HOLDING, 50),
    "text": FREE,
    "times": Choice(("first", "later")),
    "to": LINE,
    "used_force": TRUTH,
    "vet_note": FREE,
    "well_founded": TRUTH,
    "witness": LINE,
}


@dataclass(slots=True)
class Scene:
    """Where an act plays while it is done: the open file, its facts, who acts.

    `added`: heads that this act brings into the case.
    """

    unit: Unit
    principal: Principal
    file: CaseFile
    case: law.Case
    custody: dict[str, Custody]
    added: list[Custody] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ActBody:
    """An act as it came in. `custody`: ids of heads; `pick`: so many of a kind instead.

    `happened_at`: None stands for this moment. `intake_id`: the arrival that an impounding takes
    in.
    """

    id: str
    act: str
    mode: str = "perform"
    happened_at: datetime | None = None
    party: str | None = None
    custody: tuple[str, ...] = ()
    pick: tuple[tuple[str, int], ...] = ()
    reason: str = ""
    data: Mapping[str, JSON] = field(default_factory=dict)
    intake_id: str | None = None


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper that an act mints. `book`: of its serial; None: it carries no number of its own."""

    kind: str
    book: str | None = None


Prepare = Callable[[Scene, ActBody], ActBody]
Pickable = Callable[[law.HeadState], bool]


def refused(reason: str) -> ActNotAllowed:
    """Return the refusal that no Act knows: there is no head with which this can be done."""
    return ActNotAllowed(
        reason, rule="CUSTODY", code="head.none", reason=reason, source=None, not_before=None
    )


def in_custody(head: law.HeadState) -> bool:
    """Say whether the law holds this head."""
    return head.is_in_custody


@dataclass(frozen=True, slots=True)
class ActKind:
    """One act. `takes`: names of `PARTICULARS`. `is_fact`: may have happened earlier than now.

    `prepare`: adds heads and what follows from identity before the law judges. `is_judged`: False
    for what the law takes note of and never allows or forbids. `appointed`: kind of the register
    whose people may act beside `roles`. `spans`: may name heads of other cases of one person.
    `is_pick_new`: `pick` says which heads are to be added.
    """

    slug: str
    roles: frozenset[str]
    takes: Sequence[str] = ()
    is_fact: bool = False
    is_judged: bool = True
    spans: bool = False
    papers: Sequence[Paper] = ()
    prepare: Prepare | None = None
    pickable: Pickable = in_custody
    appointed: str | None = None
    is_pick_new: bool = False


def of_others(kind: ActKind) -> NotAllowed:
    """Return the refusal of somebody with none of the `roles` that do this act."""
    name = act_labels.ACTS.get(kind.slug, kind.slug)
    said = sentence("“{act}” is for others to do: your roles do not allow it.", act=name)
    return NotAllowed(said, reason="role", roles=sorted(kind.roles))
