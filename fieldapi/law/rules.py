"""The sorts of rules that a statute file may hold, as frozen values: clocks, gates, money, caps.

Made by `packs`; read by the rest of `law`. What a rule says is in the file, how it is applied in
the module of its noun. A new sort of rule is one class here. Must never import packs.
"""

from dataclasses import dataclass
from typing import TypeAlias

from fieldapi.law.provenance import Provenance

Scalar: TypeAlias = bool | int | str | None


@dataclass(frozen=True)
class Clock:
    """A period that the statute sets: `amount` of `unit` from the event `starts_at`.

    `unit`: `hours` (exact), `days`, `weeks`, `months`. `favours`: who gains by a day more. `rolls`:
    the last day moves past a day on which the `office` or the `pound` is closed. `flag`: raised on
    the case when it has run out. `opens`: the act that waits for the end, if one does.
    """

    rule: str
    amount: int
    unit: str
    starts_at: str
    then: str
    favours: str
    rolls: str | None
    flag: str | None
    provenance: Provenance
    opens: str | None = None


@dataclass(frozen=True)
class Gate:
    """A condition of an act. Where it is not met: `rule` and `reason`; verified it refuses, else
    it warns. An Act without the gate does not ask.
    """

    code: str
    rule: str
    reason: str
    provenance: Provenance


@dataclass(frozen=True)
class Charge:
    """What is charged under `code`: by which sort of schedule, and to whom the money goes.

    `sent`: `at_once`; `by_keeper`: handed over what he received, while a sale officer sends it
    himself; `always`: handed over in any case. `area`: whose scale counts: that of the `pound`, of
    the place of `seizure`, or of the `village` where the report names it, else of the pound.
    """

    code: str
    rule: str
    scale: str
    target: str
    sent: str
    area: str
    provenance: Provenance


@dataclass(frozen=True)
class Deduction:
    """What the proceeds of a sale on the branch `code` pay for, in this order, and where the rest
    is held: as `surplus` for whoever proves ownership, or as `balance` for the known owner.
    """

    code: str
    lines: tuple[str, ...]
    rest: str
    provenance: Provenance


@dataclass(frozen=True)
class Cap:
    """The most, and the least, that may be imposed or awarded: whole paise."""

    code: str
    rule: str
    most_paise: int
    least_paise: int
    provenance: Provenance


@dataclass(frozen=True)
class Value:
    """Any other value: a number, a word, or yes and no."""

    code: str
    value: Scalar
    provenance: Provenance
