"""What a verification finds: faults, counted all and kept in part, so that memory stays flat."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST_FAULTS = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that does not fit. `seq`: the entry it was found at, None where no single one
    can be named. `what`: a stable word; `detail`: for people.
    """

    seq: int | None
    what: str
    detail: str


@dataclass(slots=True)
class Findings:
    """Faults as they are found: the first ones, and how many there are."""

    faults: list[Fault] = field(default_factory=list)
    count: int = 0

    def add(self, seq: object, what: str, detail: str) -> None:
        """Note a fault at an entry, or at none."""
        self.count += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(Fault(seq if isinstance(seq, int) else None, what, detail))


@dataclass(frozen=True, slots=True)
class Verification:
    """What a ledger turned out to be. `size`, `root` and `epoch` were recomputed. `ops`: how many
    stored ops have their entry; `erased`: how many of these had values erased since. `faults`: the
    first ones; `fault_count`: all.
    """

    authority_id: str
    epoch: str
    size: int
    root: bytes
    ops: int
    erased: int
    faults: tuple[Fault, ...]
    fault_count: int

    @property
    def is_sound(self) -> bool:
        """Say whether everything fits."""
        return self.fault_count == 0

    @property
    def first_bad(self) -> int | None:
        """Return the first `seq` at which something does not fit, if one can be named."""
        return min((fault.seq for fault in self.faults if fault.seq is not None), default=None)
