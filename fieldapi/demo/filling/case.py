"""One case of a filling: captured in the field with photos, counted in at a pound, acted upon.

Deeds that the law lets wait yield the moment from which they may be done: the player comes back
then. Called by the plots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256

from fieldapi.clock import INDIA, format_instant, parse_instant
from fieldapi.demo.filling.cast import Owner
from fieldapi.demo.filling.stage import Fields, Stage
from fieldapi.imaging.specimen import Specimen, draw
from sync.wire import JSON

Waits = Iterator[timedelta | datetime]
Herd = Mapping[str, int]
_COLOURS = ("black", "brown", "white", "red", "grey", "spotted")
_DESCRIBED = (
    ("left horn broken", "young", "female"),
    ("bell round the neck", "adult", "female"),
    ("lame in the right hind leg", "old", "male"),
    ("", "adult", "unknown"),
)


@dataclass(frozen=True, slots=True)
class Capture:
    """How a case is captured. `shots`: what each photo shows; `late`: how many of them have not
    come yet; `lie`: degrees by which the photos' own place is off; `is_mocked`: the phone says that
    its place is made up; `extra`: fields of the report.
    """

    herd: Herd
    part: str = "watch"
    ground: str = "straying"
    pound: int = 0
    shots: tuple[str, ...] = ("animals", "place")
    late: int = 0
    lie: float = 0.0
    is_mocked: bool = False
    extra: Mapping[str, JSON] = field(default_factory=dict)


@dataclass(slots=True)
class Case:
    """A case under way."""

    stage: Stage
    capture: Capture
    id: str = ""
    spot: tuple[float, float] = (0.0, 0.0)
    lots: dict[str, str] = field(default_factory=dict)

    # ---- in the field --------------------------------------------------------------------------

    def seize(self, *, delay: timedelta = timedelta(minutes=20)) -> None:
        """Capture the cattle now; the report comes after `delay`."""
        stage, seized_at = self.stage, self.stage.hand.now
        body = self._body(seized_at)
        stage.later(delay)
        body["sent_at"] = stage.moment()
        self.id = stage.report(self.capture.part, {**body, **self.capture.extra})
        sent = [photo for photo, (case, _) in stage.shots.items() if case == self.id]
        for photo in sent[: len(sent) - self.capture.late]:
            stage.send(self.capture.part, photo)

    def _body(self, at: datetime) -> Fields:
        stage, capture = self.stage, self.capture
        self.spot = self.spot if any(self.spot) else self._spot()
        village = stage.chance.choice(stage.cast.villages)
        fields: Fields = {
            "id": stage.new_id(),
            "seized_at": format_instant(at),
            "origin": "phone",
            "capacity": stage.cast.capacities[capture.part],
            "ground": capture.ground,
            "place_kind": stage.chance.choice(stage.cast.places[capture.part]),
            "place_text": f"Near {village.name}, by the pond",
            "survey_no": f"{stage.chance.randint(11, 240)}/{stage.chance.randint(1, 4)}",
            "location": self._fix(at),
            "pound_id": stage.pounds[capture.pound],
            "animals": [self._lot(kind, count) for kind, count in capture.herd.items()],
        }
        if capture.ground == "trespass_with_damage":
            fields |= {
                "damage_done": True,
                "place_kind": "private_field",
                "damage": {"crop": "cotton", "text": "Two rows eaten and trodden down"},
            }
        if "location_absent_reason" in capture.extra:
            fields.pop("location")
        fields["photos"] = [self._shot(fields, subject, at) for subject in capture.shots]
        return fields

    def _spot(self) -> tuple[float, float]:
        chance, (lat, lon) = self.stage.chance, self.stage.cast.centre
        return (
            round(lat + chance.uniform(-0.03, 0.03), 6),
            round(lon + chance.uniform(-0.03, 0.03), 6),
        )

    def _fix(self, at: datetime) -> JSON:
        lat, lon = self.spot
        accuracy = self.stage.chance.choice((5, 6, 8, 9, 12, 18, 35))
        moment = format_instant(at - timedelta(seconds=9))
        fix: Fields = {"lat": lat, "lon": lon, "accuracy_m": accuracy, "fixed_at": moment}
        return {**fix, "source": "gps", "mocked": self.capture.is_mocked}

    def _lot(self, kind: str, count: int) -> JSON:
        marks, age, sex = self.stage.chance.choice(_DESCRIBED)
        self.lots[kind] = self.stage.new_id()
        said: Fields = {"colour": self.stage.chance.choice(_COLOURS), "age_class": age, "sex": sex}
        if marks:
            said["marks"] = marks
        return {"id": self.lots[kind], "kind": kind, "count": count, **said}

    def _shot(self, report: Fields, subject: str, at: datetime) -> JSON:
        """Draw a photo and keep its bytes until they are sent; return its announcement."""
        stage, capture = self.stage, self.capture
        taken = at - timedelta(minutes=len(stage.shots) % 3 + 1)
        lat, lon = self.spot
        content = draw(
            Specimen(
                seed=stage.chance.getrandbits(32),
                taken_at=taken.astimezone(INDIA),
                lat=lat + capture.lie,
                lon=lon,
                cattle=capture.herd if subject == "animals" else {},
                size=stage.photo_size,
            )
        )
        photo = stage.new_id()
        stage.shots[photo] = (str(report["id"]), content)
        return {
            "id": photo,
            "sha256": sha256(content).hexdigest(),
            "size": len(content),
            "media_type": "image/jpeg",
            "subject": subject,
            "source": "camera",
            "taken_at": format_instant(taken),
            "location": report.get("location"),
        }

    # ---- at the pound --------------------------------------------------------------------------

    def arrive(self, herd: Herd | None = None) -> None:
        """Count the cattle in, all of them or as many as `herd` says."""
        stage, counted = self.stage, herd or self.capture.herd
        body: Fields = {
            "id": stage.new_id(),
            "seizure_id": self.id,
            "pound_id": stage.pounds[self.capture.pound],
            "received_at": stage.moment(),
            "counts": [{"kind": kind, "count": count} for kind, count in counted.items()],
        }
        stage.arrive(self._part("keeper"), body)

    def owner(self, who: Owner, *, part: str = "keeper") -> str:
        """Enter an owner and identify the cattle as theirs."""
        name, parent, residence = who
        party = self.stage.party(name, parent, residence)
        self.now("identify", by=part, party=party, **{"as": "owner"})
        return party

    def due(self) -> int:
        """Return what is due in the case now."""
        dues = self.stage.look(self.id)["dues"]
        found = (
            [one.get("total") for one in dues if isinstance(one, dict)]
            if isinstance(dues, list)
            else []
        )
        return sum(one for one in found if isinstance(one, int))

    def heads(self, state: str) -> list[str]:
        """Return the ids of the heads in a state."""
        custody = self.stage.look(self.id)["custody"]
        rows = custody if isinstance(custody, list) else []
        return [str(one["id"]) for one in rows if isinstance(one, dict) and one["state"] == state]

    def now(self, act: str, *, by: str = "keeper", **body: JSON) -> None:
        """Perform an act that is allowed at this moment."""
        self.stage.act(self.id, act, by=self._part(by), body=body)

    def due_to(self, act: str, *, by: str = "keeper", **body: JSON) -> Waits:
        """Perform an act as soon as the law allows it; where it knows none such, go on without."""
        while True:
            said = self.stage.check(self.id, act, by=self._part(by), body=body)
            later = said.get("not_before")
            if later is not None and parse_instant(str(later)) > self.stage.hand.now:
                yield parse_instant(str(later)) + timedelta(hours=4)
                continue
            if said["allowed"] != "no":
                self.now(act, by=by, **body)
            return

    def pays(self, party: str) -> None:
        """Pay what is due and take the cattle home."""
        self.now(
            "release",
            party=party,
            paid_paise=self.due(),
            declaration="signed",
            register_signature=True,
        )

    def recount(self, kind: str, count: int, *, by: str = "keeper") -> None:
        """Write another count into the report, not knowing the one that stands."""
        self.stage.correct(self._part(by), "animal", self.lots[kind], {"count": count})

    def _part(self, part: str) -> str:
        """Return who does this at the pound of the case."""
        return "second_keeper" if part == "keeper" and self.capture.pound else part
