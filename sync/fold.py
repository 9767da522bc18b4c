"""The oracle: the state of a record as a pure function of the set of its ops.

`apply` must agree with it, op by op; the server comes here for the rare op that needs the whole
history, for what an erasure leaves, and to check what it kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sync.claim import Claim, Named
from sync.classes import register
from sync.draft import Draft, Index, named_by
from sync.kind import Field, Kind
from sync.op import WITHDRAWN, Op
from sync.state import Entry, State, source_of


def fold(kind: Kind, ops: Iterable[Op], *, author: str | None = None) -> State:  # noqa: ARG001
    """Return the state of a record: the same for every order of `ops`; an op told twice counts
    once. Heads do not depend on `author`: it is taken so that `fold`, `apply` and `view` read
    alike.
    """
    history = _History(kind, ops)
    cycles = [name for name in history.entries if not history.settle(kind.headed[name])]
    return history.draft.state(
        named=frozenset().union(*map(history.index.missing, history.ops)),
        cycles=frozenset(cycles),
        has_twins=history.index.has_twins(),
    )


def stood_beside(kind: Kind, ops: Iterable[Op], key: str, *, name: str) -> list[str]:
    """Return the ops (`actor/op`) that name the op `key` in a field and stand beside it, because
    they overrule several actors. Ask before a value is erased; the answer is their `Op.beside`.
    """
    history = _History(kind, ops)
    field = kind.headed.get(name)
    if field is None or field.klass != register.NAME:
        return []
    claims = history.claims(name)
    beside = {at: register.stood_beside(history.named(field, at, claims)) for at in claims}
    return [
        claims[at].source.key
        for at, others in beside.items()
        if key in {one.source.key for one in others}
    ]


class _History:
    """Every op of a record in effective order, and the draft that they fill."""

    def __init__(self, kind: Kind, ops: Iterable[Op]) -> None:
        unique = {op.key: op for op in ops}
        self.ops = sorted(unique.values(), key=lambda op: (op.effective, op.stamp, op.id))
        self.draft = Draft.of(kind, State(sources=[source_of(op, ()) for op in self.ops]))
        self.index = Index(self.draft.sources)
        self.entries: dict[str, list[Entry]] = {}
        for at, op in enumerate(self.ops):
            self.draft.note(op, at)
            for name, value in op.values():
                if name in kind.headed:
                    self.entries.setdefault(name, []).append((at, value))
        retracts = {at for at, _ in self.entries.get(WITHDRAWN, ())}
        for at, op in enumerate(self.ops if retracts else ()):
            self.draft.sources[at] = source_of(op, self.index.seen(op, retracts - {at}))

    def claims(self, name: str) -> dict[int, Claim]:
        """Return everything that was said in a field, by place."""
        return self.draft.claims(name, self.entries.get(name, ()))

    def named(self, field: Field, at: int, claims: Mapping[int, Claim]) -> Named:
        """Return which claims of a field the op at a place names."""
        return named_by(self.ops[at], claims[at], field, claims=claims, index=self.index)

    def settle(self, field: Field) -> bool:
        """Find the heads of a field; False if its ops all replace each other: then all are."""
        entries, claims = self.entries[field.name], self.claims(field.name)
        gone: set[int] = set()
        for at in claims:
            gone |= field.replaced(self.named(field, at, claims))
        heads = [entry for entry in entries if entry[0] not in gone]
        past = [entry for entry in entries if entry[0] in gone] if heads else []
        self.draft.settle(field, heads or entries, past)
        return bool(heads)
