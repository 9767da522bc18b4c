"""Prints what merging costs: microseconds per op for loading a record's state, applying one op,
saving it and computing what it shows.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

from sync.merge import Field, Kind, State, apply, fold, view
from sync.op import Op

ROUNDS = 20_000
KIND = Kind(
    "report",
    {
        **{f"evidence.{n}": Field(f"evidence.{n}", "evidence") for n in range(3)},
        **{f"register.{n}": Field(f"register.{n}", "register") for n in range(4)},
        **{f"latest.{n}": Field(f"latest.{n}", "latest") for n in range(3)},
        "tags": Field("tags", "set"),
    },
)
FIELDS = [name for name in KIND.fields if name != "tags"]
RECORD = "00000000-0000-7000-8000-000000000001"
PERSON = "00000000-0000-7000-9000-000000000001"
NO_BASE: Sequence[str] = ()


def make(n: int, names: Sequence[str], base: Sequence[str] = NO_BASE, actor: str = "a" * 16) -> Op:
    """Return an op that sets each name to a text of its own."""
    at = 1_764_493_920_000 + n * 1000
    return Op(
        id=f"00000000-0000-7000-8000-{n:012x}",
        actor=actor,
        kind="report",
        record=RECORD,
        by=PERSON,
        stamp=f"{at:012x}-0000-{actor}",
        at=at,
        set=dict.fromkeys(names, f"value {n}"),
        base=dict.fromkeys(names, tuple(base)),
        effective=at,
        received=at + 5000,
    )


def microseconds(step: Callable[[], object]) -> float:
    """Return the least time of five runs, in microseconds per call."""
    best = float("inf")
    for _ in range(5):
        begin = time.process_time()
        for _ in range(ROUNDS // 5):
            step()
        best = min(best, time.process_time() - begin)
    return best / (ROUNDS // 5) * 1e6


def push(text: str, op: Op) -> tuple[str, object]:
    """Do what a server does for one op of a push."""
    state = apply(KIND, State.loads(text), op, author=PERSON)
    if state is None:
        raise SystemExit("this op needs the history: no case for this bench")
    return state.dumps(), view(KIND, state, author=PERSON)


def report(name: str, before: Sequence[Op], op: Op) -> None:
    """Print one line: the whole, then its parts."""
    start = fold(KIND, before, author=PERSON)
    text = start.dumps()
    after = apply(KIND, start, op, author=PERSON) or start
    parts = {
        "all": lambda: push(text, op),
        "loads": lambda: State.loads(text),
        "apply": lambda: apply(KIND, start, op, author=PERSON),
        "dumps": after.dumps,
        "view": lambda: view(KIND, after, author=PERSON),
    }
    took = "  ".join(f"{part} {microseconds(step):6.1f}" for part, step in parts.items())
    print(f"{name:44}{took}  bytes {len(after.dumps()):5}")


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    first = make(1, FIELDS)
    few = make(1, FIELDS[:4])
    two = make(2, FIELDS[4:6], base=[first.id])
    print("microseconds per op")
    report("new record, 4 fields", [], few)
    report("new record, 10 fields", [], first)
    report("edit of 1 field of 4, base is the head", [few], make(2, FIELDS[3:4], base=[few.id]))
    report("edit of 2 fields of 10, base is the head", [first], two)
    third = make(3, FIELDS[4:6], base=[first.id, two.id])
    report("third edit of the same 2 fields", [first, two], third)
    rival = make(4, FIELDS[4:6], base=[first.id], actor="b" * 16)
    report("concurrent edit: a review opens", [first, two], rival)
    chain = [make(n, FIELDS[:4], base=[few.id] if n > 1 else []) for n in range(1, 51)]
    report("after 50 ops with 49 heads a field", chain, make(51, FIELDS[3:4], base=[chain[-1].id]))


if __name__ == "__main__":
    main()
