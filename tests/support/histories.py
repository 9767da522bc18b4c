"""Random lives of a village: phones write and deliver late, twice, out of order and for each other,
reviewers decide, held ops are let in or turned down. Seeded, so that a failure can be lived again.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from sqlalchemy import select

from fieldapi.domain.access import Principal
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.models import Device, DevicePerson, ParkedOp
from fieldapi.services import devices
from fieldapi.services.authorise import operator
from fieldapi.services.ops import release
from fieldapi.unit import Unit
from sync.merge import review_id
from sync.wire import JSON
from tests.support.deliveries import deliver, pen_of
from tests.support.personas import Persona, Village, add_persona
from tests.support.reports import FIELD, SEIZED_AT, Pen

WRITERS = ("asha", "ravi", "kanta", "mohan", "bina", "nila")
_VALUES: dict[str, dict[str, list[JSON]]] = {
    "seizure": {
        "ground": ["trespass", "straying", "nonsense", None],
        "capacity": ["watch_and_ward", "police"],
        "remarks": ["near the well", "by the road", None],
        "owner.name": ["Ramesh", None],
        "seized_at": [SEIZED_AT, "2026-11-30T05:20:00.000Z", "9999-01-01T00:00:00.000Z"],
        "location": [{**FIELD, "lat": 22.3 + n / 1000} for n in range(3)],
    },
    "animal": {
        "count": [2, 5, 9, -1],
        "kind": ["cow", "buffalo", "dragon"],
        "colour": ["red", "black", None],
        "marks": ["notch in left ear"],
    },
}
_CREATES: dict[str, dict[str, JSON]] = {
    "seizure": {
        "seized_at": SEIZED_AT,
        "capacity": "watch_and_ward",
        "ground": "trespass",
        "place_kind": "private_land",
        "location": dict(FIELD),
    },
    "animal": {"kind": "cow", "count": 3},
}


@dataclass(slots=True)
class Life:
    """One village, living by chance. `outbox`: written and not yet delivered, by writer."""

    house: House
    village: Village
    rng: random.Random
    people: dict[str, Persona] = field(default_factory=dict)
    pens: dict[str, Pen] = field(default_factory=dict)
    records: list[tuple[str, str]] = field(default_factory=list)
    written: dict[tuple[str, str], list[dict[str, JSON]]] = field(default_factory=dict)
    outbox: dict[str, list[JSON | bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.people = {**self.village.people, "nila": self._newcomer()}
        self._share_phone("asha", "ravi")
        self.pens = {name: pen_of(self.people[name]) for name in WRITERS}
        self.outbox = {name: [] for name in WRITERS}
        self.records = [("seizure", new_id()) for _ in range(3)]
        self.records += [("animal", new_id()) for _ in range(2)]

    def live(self, steps: int) -> None:
        """Let some steps pass, then deliver all that is left."""
        for _ in range(steps):
            step = self.rng.choice((self.write, self.write, self.write, self.send, self.judge))
            step()
            if self.rng.random() < 0.02:
                self.confirm()
        for name in WRITERS:
            self.send(name, everything=True)

    def write(self) -> None:
        """Somebody writes an op on some record and keeps it in the outbox."""
        name = self.rng.choice(WRITERS)
        key = self.rng.choice(self.records)
        op = self._op(name, key)
        self.written.setdefault(key, []).append(op)
        self.outbox[name].append(op)
        if self.rng.random() < 0.05:
            self.outbox[name].append(b'{"op": 1e999}')
        if self.rng.random() < 0.05:
            self.outbox[name].append({**op, "at": int(str(op["at"])) + 1})

    def send(self, name: str | None = None, *, everything: bool = False) -> None:
        """A phone delivers part of what it holds, in any order, some of it again later."""
        name = name or self.rng.choice(WRITERS)
        held = self.outbox[name]
        self.rng.shuffle(held)
        count = len(held) if everything else self.rng.randint(0, len(held))
        sent, self.outbox[name] = held[:count], held[count:]
        if not sent:
            return
        bearer = name if self.rng.random() < 0.9 else self.rng.choice(WRITERS)
        deliver(self.house, self.people[bearer], *sent)
        self.outbox[name] += [one for one in sent if self.rng.random() < 0.1 and not everything]

    def judge(self) -> None:
        """A reviewer lets a held op in, or turns it down."""
        with self.house.database.read() as session:
            query = select(ParkedOp.actor, ParkedOp.op).where(
                ParkedOp.authority_id == self.village.rjk,
                ParkedOp.status == "held",
                ParkedOp.resolved.is_(None),
                ParkedOp.by != self.people["bina"].person_id,  # nobody judges what they wrote
            )
            waiting = sorted((actor, op) for actor, op in session.execute(query))
        if not waiting:
            return
        key, verdict = self.rng.choice(waiting), self.rng.choice(("released", "rejected"))
        bina = self._principal("bina")
        self.house.database.transact(
            lambda unit: release.judge_op(unit, bina, key, verdict, reason="seen")
        )

    def _principal(self, name: str) -> Principal:
        return self.people[name].principal(self.house.database)

    def confirm(self) -> None:
        """The newcomer's phone is confirmed; what it handed in is let go."""
        boss, device = operator(self.village.rjk), self.people["nila"].device_id
        with self.house.database.read() as session:
            row = session.get_one(Device, (self.village.rjk, device))
        if row.standing == "pending":
            self.house.database.transact(
                lambda unit: devices.judge(unit, boss, device, verdict="confirm", reason="")
            )

    def _newcomer(self) -> Persona:
        return add_persona(
            self.house.database,
            self.village.rjk,
            "nila",
            role="reporter",
            capacity="cultivator",
            is_confirmed=False,
        )

    def _share_phone(self, owner: str, guest: str) -> None:
        """Let a second person report from somebody's phone."""
        lent, person = self.people[owner], self.people[guest].person_id

        def share(unit: Unit) -> None:
            at = {"authority_id": lent.authority_id, "device_id": lent.device_id}
            unit.session.add(DevicePerson(**at, person_id=person, since=unit.now))
            subject = f"device/{lent.device_id}"
            unit.enter(lent.authority_id, "device.seen", subject=subject, actor=lent.actor)

        self.house.database.transact(share)

    def _op(self, name: str, key: tuple[str, str]) -> dict[str, JSON]:
        kind, record = key
        pen, chance = self.pens[name], self.rng.random()
        if name == "ravi" and self.rng.random() < 0.3:
            pen = replace(self.pens["asha"], by=pen.by)
        if chance < 0.3:
            parts: dict[str, JSON] = {"set": self._create(kind), "new": True}
        elif chance < 0.4:
            parts = self._retract(key)
        elif chance < 0.5 and kind == "animal":
            parts = self._tags(key)
        else:
            parts = self._edit(key)
        if name == "bina" and "set" in parts:
            parts = self._decision(key)
        return pen.op(kind, record, **parts)

    def _create(self, kind: str) -> dict[str, JSON]:
        seizure = next(record for one, record in self.records if one == "seizure")
        return {**_CREATES[kind], **({"seizure_id": seizure} if kind == "animal" else {})}

    def _edit(self, key: tuple[str, str]) -> dict[str, JSON]:
        values = _VALUES[key[0]]
        names = self.rng.sample(sorted(values), self.rng.randint(1, 2))
        base: dict[str, JSON] = {name: self._named(key) for name in names}
        parts: dict[str, JSON] = {"set": {name: self.rng.choice(values[name]) for name in names}}
        return parts if self.rng.random() < 0.15 else {**parts, "base": base}

    def _named(self, key: tuple[str, str]) -> list[JSON]:
        known = [one["op"] for one in self.written.get(key, [])] + [new_id()]
        return self.rng.sample(known, min(len(known) - 1, self.rng.randint(0, 2)))

    def _retract(self, key: tuple[str, str]) -> dict[str, JSON]:
        said: JSON = False if self.rng.random() < 0.3 else {"reason": "sent twice"}
        return {"retract": said, "base": {"withdrawn": self._named(key), "*": self._named(key)}}

    def _tags(self, key: tuple[str, str]) -> dict[str, JSON]:
        tag: JSON = f"34012345678{self.rng.randint(0, 3)}"
        if self.rng.random() < 0.4:
            struck: JSON = [{"key": tag, "ops": self._named(key), "reason": "misread"}]
            return {"strike": {"ear_tags": struck}, "base": {}}
        return {"add": {"ear_tags": [tag]}, "base": {}}

    def _decision(self, key: tuple[str, str]) -> dict[str, JSON]:
        kind, record = key
        values = _VALUES[kind]
        name = self.rng.choice(sorted(values))
        review = review_id(self.village.rjk, kind, record, name)
        return {
            "set": {name: self.rng.choice(values[name])},
            "base": {name: self._named(key)},
            "decision": {"review": review, "reason": "as photographed"},
        }
