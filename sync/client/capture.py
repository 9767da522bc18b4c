"""From what a person did on a screen to the ops that say it.

Pure: ids, stamps and salts are arguments. `device` calls it inside the transaction that saves the
ops; the bytes made here are the bytes that are sent, once and again.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from sync import wire
from sync.client.base import base_of, everything
from sync.client.record import Ground
from sync.client.schema import KindSchema
from sync.op import EVERYTHING, WITHDRAWN, Op, Strike, build_op, parse_op
from sync.wire import JSON


@dataclass(frozen=True)
class Edit:
    """What a person did to one record. `retract`: the reason, or False to undo a retract.

    `fixes`: the quarantined op that this corrects.
    """

    set: Mapping[str, JSON] = field(default_factory=dict)
    add: Mapping[str, Sequence[JSON]] = field(default_factory=dict)
    strike: Mapping[str, Sequence[Strike]] = field(default_factory=dict)
    retract: str | Literal[False] | None = None
    is_new: bool = False
    fixes: str | None = None

    def has_values(self) -> bool:
        """Say whether any field is written."""
        return bool(self.set or self.add or self.strike)


@dataclass(frozen=True)
class Part:
    """One op's worth of an edit: facts, or what an erasure may have to reach."""

    edit: Edit
    is_personal: bool


@dataclass(frozen=True)
class Ticket:
    """What the moment of capture gives an op. `at`: raw wall clock, ms. `salt`: 16 bytes."""

    op: str
    by: str
    stamp: str
    at: int
    n: int
    salt: bytes
    head: Mapping[str, JSON] | None = None

    @property
    def actor(self) -> str:
        """Return the device that captures: a stamp ends with it."""
        return self.stamp.rpartition("-")[2]


def parts(edit: Edit, schema: KindSchema) -> tuple[Part, ...]:
    """Split an edit into facts and personal, in this order; an empty part is left out.

    A retract stands alone, and counts as personal because its reason is free text.
    """
    if edit.retract is not None:
        return (Part(edit, is_personal=True),)
    facts = Part(_only(edit, lambda name: not schema.is_personal(name)), is_personal=False)
    personal = Part(_only(edit, schema.is_personal), is_personal=True)
    said = [part for part in (facts, personal) if part.edit.has_values()]
    if not edit.is_new:
        return tuple(said)
    first = said[0] if said else facts
    return (replace(first, edit=replace(first.edit, is_new=True)), *said[1:])


def draft(part: Part, kind: str, record: str, *, ground: Ground, ticket: Ticket) -> Op:
    """Return the op that says this part. Its base is fixed here, for good."""
    edit = part.edit
    retract = edit.retract if edit.retract is None or edit.retract is False else None
    return Op(
        id=ticket.op,
        actor=ticket.actor,
        kind=kind,
        record=record,
        by=ticket.by,
        stamp=ticket.stamp,
        at=ticket.at,
        n=ticket.n,
        set=edit.set,
        base=_bases(edit, ground, ticket.actor),
        add={name: tuple(added) for name, added in edit.add.items()},
        strike={name: tuple(struck) for name, struck in edit.strike.items()},
        retract={"reason": edit.retract} if isinstance(edit.retract, str) else retract,
        is_new=edit.is_new,
        fixes=edit.fixes,
        salt=urlsafe_b64encode(ticket.salt).rstrip(b"=").decode() if part.is_personal else None,
        head=ticket.head,
    )


def seal(op: Op) -> bytes:
    """Return the op as the bytes that are sent.

    Raises WireError or OpInvalid now for what a server could only set aside later.
    """
    text = json.dumps(build_op(op), ensure_ascii=False, separators=(",", ":"))
    parse_op(wire.loads(text))
    return text.encode()


def _bases(edit: Edit, ground: Ground, actor: str) -> dict[str, tuple[str, ...]]:
    bases = {name: base_of(name, ground, actor=actor) for name in edit.set}
    if edit.retract is not None or ground.is_withdrawn():
        bases[WITHDRAWN] = base_of(WITHDRAWN, ground, actor=actor)
    if isinstance(edit.retract, str):
        bases[EVERYTHING] = everything(ground)
    return bases


def _only(edit: Edit, keep: Callable[[str], bool]) -> Edit:
    return Edit(
        set={name: value for name, value in edit.set.items() if keep(name)},
        add={name: added for name, added in edit.add.items() if keep(name)},
        strike={name: struck for name, struck in edit.strike.items() if keep(name)},
        fixes=edit.fixes,
    )
