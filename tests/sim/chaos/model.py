"""R28: moves by chance through the API, each answer held against a model of it: who wrote what, how
it reads now, and who may see it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fieldapi.app import app_of
from fieldapi.house import House
from fieldapi.ids import new_id
from tests.sim.chaos import small
from tests.sim.chaos.scenario import Found, Ground
from tests.support.deliveries import pen_of
from tests.support.house import Answer, client_with
from tests.support.personas import Village
from tests.support.reports import push_body, seizure_body

_WRITERS = ("asha", "ravi", "kanta", "chetan")
_DESK, _STRANGER = ("bina", "admin"), "chetan"
_URL = "/api/v1/seizures"
_STEPS, _FULL_STEPS = 60, 5000  # of each time; 100,000 at full size, which is 2,000 x 50
_HISTORY = 500  # reports, then a new installation: lists are read whole


@dataclass(slots=True)
class Report:
    """A report as it should read. `body`: as it was posted, None if it was pushed."""

    by: str
    body: dict[str, Any] | None
    survey_no: str | None


@dataclass(slots=True)
class Model:
    """What was written so far, and the clients of everybody."""

    house: House
    village: Village
    rng: random.Random
    reports: dict[str, Report] = field(default_factory=dict)
    clients: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        app = app_of(self.house)
        self.clients = {each.name: client_with(app, each.token) for each in self.village}

    def sight(self, reader: str, seizure: str) -> str:
        """Return how much a person sees of it: all as its author or at the desk, in short as a
        colleague in the field, nothing as a keeper of no pound of it, or from elsewhere.
        """
        by = self.reports[seizure].by
        if reader == by:
            return "whole"
        if _STRANGER in {reader, by} or reader not in {*_WRITERS, *_DESK}:
            return "hidden"
        return "whole" if reader in _DESK else "short"

    def any(self) -> tuple[str, Report]:
        """Return one of the reports."""
        seizure = self.rng.choice(list(self.reports))
        return seizure, self.reports[seizure]

    def posted(self) -> tuple[str, dict[str, Any]]:
        """Return the author and the body of a report that was posted."""
        told = [(one.by, one.body) for one in self.reports.values() if one.body is not None]
        return self.rng.choice(told)


Step = Callable[[Model], Iterator[str]]  # yields what is wrong


def model(ground: Ground) -> Found:
    """R28: what the API shows is what a model of it says, for each role and authority."""
    rng = random.Random(ground.seed)
    steps: Counter[str] = Counter()
    wrong: list[str] = []
    reports = 0
    left = _STEPS if ground.times == 1 else _FULL_STEPS * ground.times
    while left > 0:
        with small.house_of(ground, "sqlite") as (house, village):
            made = Model(house, village, rng)
            wrong += _create(made)
            while left > 0 and len(made.reports) < _HISTORY:
                step = rng.choice(_ALL)
                steps[step.__name__.strip("_")] += 1
                wrong += step(made)
                left -= 1
            reports += len(made.reports)
    return Found({"steps": dict(steps), "reports": reports, "people": len(made.clients)}, wrong)


def _create(made: Model) -> Iterator[str]:
    by, number = made.rng.choice(_WRITERS), str(made.rng.randint(1, 99))
    body = seizure_body(photos=[], survey_no=number)
    answer = made.clients[by].post(_URL, json=body)
    made.reports[body["id"]] = Report(by, body, number)
    if answer.status_code != 201:
        yield f"a new report is answered {answer.status_code}"


def _resend(made: Model) -> Iterator[str]:
    by, body = made.posted()
    answer = made.clients[by].post(_URL, json=body)
    if answer.status_code != 200:
        yield f"an identical resend is answered {answer.status_code}"


def _other_content(made: Model) -> Iterator[str]:
    by, body = made.posted()
    answer = made.clients[by].post(_URL, json={**body, "survey_no": "x"})
    if answer.status_code != 409:
        yield f"other content under a known id is answered {answer.status_code}"


def _push(made: Model) -> Iterator[str]:
    """A push k times is a push once."""
    who = made.village[made.rng.choice(("asha", "ravi"))]
    pen = pen_of(who)
    pen.now_ms += made.rng.randint(0, 10**9)
    op = pen.seizure(new_id())
    told = [
        made.clients[who.name].post("/api/v1/sync", json=push_body([op])).json["results"][0]
        for _ in range(made.rng.randint(2, 4))
    ]
    made.reports[str(op["id"])] = Report(who.name, None, None)
    seen = {(one["status"], one.get("seq")) for one in told}
    if len(seen) != 1:
        yield f"resends of one op were answered {seen}"


def _correct(made: Model) -> Iterator[str]:
    """An author changes what was seen last, and nobody what was seen before that."""
    seizure, report = made.any()
    client, url = made.clients[report.by], f"{_URL}/{seizure}"
    seen, number = client.get(url).headers["ETag"], str(made.rng.randint(100, 199))
    statuses = [
        client.patch(
            url, json={"op": new_id(), "survey_no": each}, headers={"If-Match": seen}
        ).status_code
        for each in (number, "late")
    ]
    report.survey_no = number
    if statuses != [200, 412]:
        yield f"a correction and a late one are answered {statuses}"


def _read(made: Model) -> Iterator[str]:
    """Whoever may see it reads what it says now; for anybody else it is not there."""
    seizure, report = made.any()
    reader = made.rng.choice(list(made.clients))
    answer: Answer = made.clients[reader].get(f"{_URL}/{seizure}")
    sight, told = made.sight(reader, seizure), answer.json
    read = (answer.status_code, "rev" in told, told.get("survey_no"))
    if (
        read
        != {
            "whole": (200, True, report.survey_no),
            "short": (200, False, None),
            "hidden": (404, False, None),
        }[sight]
    ):
        yield f"{reader} sees a report by {report.by} as {read}, and should see it {sight}"


def _list(made: Model) -> Iterator[str]:
    """A list is all that its reader may see, and nothing else."""
    reader = made.rng.choice((*_WRITERS, *_DESK))
    shown: list[str] = []
    after = ""
    while True:
        page = made.clients[reader].get(f"{_URL}?limit=100{after}").json
        shown += [one["id"] for one in page["items"]]
        if not page["next"]:
            break
        after = f"&after={page['next']}"
    wanted = sorted(one for one in made.reports if made.sight(reader, one) != "hidden")
    if sorted(shown) != wanted:
        yield f"{reader} is listed {len(shown)} reports of {len(wanted)}"


_ALL: tuple[Step, ...] = (
    *(_create, _resend, _other_content, _push),
    *(_correct, _correct, _read, _read, _read, _list),
)
