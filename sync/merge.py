"""The merge: the door to `fold`, `apply` and `view` for whoever keeps records made of ops.

`apply` is `fold` for one more op, without the history: it agrees with it or says that it cannot.
"""

from __future__ import annotations

from sync.draft import Draft, Index, named_by
from sync.fold import fold, stood_beside
from sync.kind import Field, Kind
from sync.op import WITHDRAWN, Op
from sync.reviews import HeadView, ReviewView, review_id
from sync.state import State, StateInvalid, source_of
from sync.strict import JSON
from sync.view import View, view

__all__ = [
    "WITHDRAWN",
    "Field",
    "HeadView",
    "Kind",
    "ReviewView",
    "State",
    "StateInvalid",
    "View",
    "apply",
    "fold",
    "review_id",
    "stood_beside",
    "view",
]


def apply(kind: Kind, state: State, op: Op, *, author: str | None = None) -> State | None:  # noqa: ARG001
    """Return the state with one more op in it; the same state if it is in it already.

    None: only the whole history can tell (`fold` it). That is rare: an earlier op names this one,
    another actor holds its id, a field runs in circles, an op without base was there first.
    Heads do not depend on `author`, as in `fold`.
    """
    index = Index(state.sources)
    if index.find(op.key):
        return state
    if index.find(op.id) or _needs_history(state, op):
        return None
    draft = Draft.of(kind, state)
    retracts = state.retracts()
    draft.sources.append(source_of(op, index.seen(op, retracts) if retracts else ()))
    draft.note(op, len(state.sources))
    for name, value in op.values():
        if name in kind.headed:
            _carry_on(draft, op, kind.headed[name], value=value, index=index)
    named = state.named
    missing = index.missing(op) - {op.id, op.key}
    if missing:
        named |= missing
    return draft.state(named=named, cycles=state.cycles, has_twins=False)


def _needs_history(state: State, op: Op) -> bool:
    if state.has_twins or op.id in state.named or op.key in state.named:
        return True
    if not state.cycles and not state.nobase:
        return False
    return any(_is_closed(state, op, name) for name, _ in op.values())


def _is_closed(state: State, op: Op, name: str) -> bool:
    return name in state.cycles or state.nobase.get(name, {}).get(op.actor, "") > op.stamp


def _carry_on(draft: Draft, op: Op, field: Field, *, value: JSON, index: Index) -> None:
    """Put one more value into a field. Nobody names the new op, so it is a head."""
    entry = (len(draft.sources) - 1, value)
    heads = draft.heads.get(field.name, ())
    if not heads:
        draft.heads[field.name] = (entry,)
        return
    past = draft.past.get(field.name, ())
    claims = draft.claims(field.name, (*heads, *past, entry))
    new = claims.pop(entry[0])
    gone = field.replaced(named_by(op, new, field, claims=claims, index=index))
    kept = [head for head in heads if head[0] not in gone]
    replaced = [head for head in heads if head[0] in gone]
    draft.settle(field, [*kept, entry], [*past, *replaced])
