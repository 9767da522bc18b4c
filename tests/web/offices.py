"""One filled console for many tests: an authority with a case of each story, served on a free port,
and the pages of it, by who opens them. Signing in is done once for each person.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page
from sqlalchemy import func

from fieldapi.app import app_of
from fieldapi.demo.filling.fill import Filled, Wish, fill
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.keyring import open_keyring
from fieldapi.models import Act, Custody, Document, Duplicate, Person, Photo, Seizure
from fieldapi.packs import load_packs
from fieldapi.pending import jobs_of
from fieldapi.services import bundles, complaints, enrolments, parties
from fieldapi.services.authorise import operator
from fieldapi.services.bundles import NewBundle
from fieldapi.services.complaints import NewComplaint
from fieldapi.services.parties import NewParty
from fieldapi.settings import Settings
from fieldapi.storage import open_storage
from fieldapi.unit import Database
from tests.support.answering import answering
from tests.support.clock import StoppedClock

PASSWORD = "green-field-42-rain"
Pages = dict[str, dict[str, str]]


@dataclass(slots=True)
class Office:
    """A filled console at an address. `pages`: the path of every page by its name, by who opens it
    (`reviewer`, `keeper`, `admin`, `nobody`). `states`: the cookies of who has signed in.
    """

    address: str
    chromium: Browser
    sign_ins: Mapping[str, str]
    pages: Pages
    house: House
    app: Flask
    states: dict[str, Any] = field(default_factory=dict)

    def open(self, role: str = "reviewer", *, language: str = "en", **more: Any) -> Page:
        """Return a page of somebody's browser, signed in, speaking a language."""
        context = self.chromium.new_context(
            base_url=self.address, storage_state=self._state(role, language), **more
        )
        return context.new_page()

    def _state(self, role: str, language: str) -> Any:
        key = f"{role} {language}"
        if key not in self.states:
            context = self.chromium.new_context(base_url=self.address)
            self._enter(context, role, language)
            self.states[key] = context.storage_state()
            context.close()
        return self.states[key]

    def _enter(self, context: BrowserContext, role: str, language: str) -> None:
        page = context.new_page()
        page.goto("/console/")
        if role != "nobody":
            page.fill("#name", self.sign_ins[role])
            page.fill("#password", PASSWORD)
            with page.expect_navigation(wait_until="load"):
                page.click("main button[type=submit]")
        page.click("details.menu summary")
        with page.expect_navigation(wait_until="load"):
            page.click(f"button[value={language}]")


@contextmanager
def opened(chromium: Browser, folder: Path, database_url: str) -> Iterator[Office]:
    """Fill a console, serve it, and close everything of it in the end."""
    settings = Settings.from_env(
        {
            "FIELDAPI_DATA": str(folder),
            "FIELDAPI_DATABASE_URL": database_url,
            "FIELDAPI_TESTING": "1",
        }
    )
    keys = open_keyring(settings)
    database = Database(settings.database_url, keys=keys, clock=StoppedClock())
    storage = open_storage(settings.storage_url, settings.data)
    house = House(settings, database, keys, storage, load_packs())
    filled = fill(house, Wish("karnataka", PASSWORD, is_small=True))
    _work(house, "urgency", "reports side by side")
    pages, app = _pages(house, filled), app_of(house)
    _work(house, "bundles")
    with answering(app) as address:
        office = Office(address, chromium, filled.sign_ins, pages, house, app)
        yield office
        for context in [*chromium.contexts]:
            if any(page.url.startswith(address) for page in context.pages):
                context.close()
    database.close()


def _work(house: House, *names: str) -> None:
    """Do what is pending of these kinds."""
    for job in [one for one in jobs_of(house) if one.name in names]:
        with house.database.read() as session:
            subjects = job.pending(session)
        for subject in subjects:
            job.run(subject)


def _pages(house: House, filled: Filled) -> Pages:
    at, pound = filled.authority_id, filled.pounds[0]
    with house.database.read() as session:
        seizures = session.query(Seizure).filter_by(authority_id=at).order_by(Seizure.id).all()
        acts = session.query(Act).filter_by(authority_id=at, subject_kind="case")
        act = acts.order_by(Act.id).first() or Act()
        pair = session.query(Duplicate.id).filter_by(authority_id=at).first()
        owner = session.query(Custody.owner_id).filter(Custody.owner_id.is_not(None)).first()
        arrived = {row[0] for row in session.query(Custody.seizure_id).filter_by(authority_id=at)}
        paper = session.query(Document.id).filter_by(authority_id=at, pound_id=pound).first()
        person = session.query(Person.id).filter_by(authority_id=at).order_by(Person.id).first()
        shown = session.query(Photo.seizure_id).filter_by(authority_id=at)
        most = shown.group_by(Photo.seizure_id).order_by(func.count().desc()).first()
    torn = next((one.id for one in seizures if one.has_open_review), seizures[0].id)
    held = act.subject_id
    on_way = next(one.id for one in seizures if one.id not in arrived and one.pound_id == pound)
    counter = {
        "counter": f"/console/cases/{held}/acts",
        "release": f"/console/cases/{held}/acts/release",
        "notice": f"/console/cases/{held}/acts/post_notice",
        "act done": f"/console/cases/{held}/done/{act.id}",
        "pound": f"/console/pound/{pound}",
        "receive": f"/console/pound/{pound}/receive",
        "books": f"/console/pound/{pound}/books",
        "hand on": f"/console/pound/{pound}/remittances",
        "owed": f"/console/parties/{owner[0] if owner else ''}",
        "paper": f"/console/papers/{paper[0] if paper else ''}",
    }
    reviewer = {
        "table": "/console/",
        "map": "/console/?view=map",
        "photos": "/console/?view=photos",
        "nothing found": "/console/?q=nowhere",
        "fault": "/console/?from=x",
        "report": f"/console/cases/{torn}",
        "case": f"/console/cases/{held}",
        "pictures": f"/console/cases/{most[0] if most else torn}",
        "set aside": "/console/waiting",
        "complaints": "/console/complaints",
        "new complaint": f"/console/cases/{held}/complaint",
        "complaint": f"/console/complaints/{_complaint(house, at, held)}",
        "bundle": f"/console/cases/{held}/bundle",
        **{name: f"/console/{name}" for name in ("exports", "help", "account")},
        "not found": "/console/none",
        **({"pair": f"/console/duplicates/{pair[0]}"} if pair else {}),
    }
    reviewer["bundle made"] = f"/console/bundles/{_bundle(house, at, held)}"
    counter["count in"] = f"/console/pound/{pound}/receive/{on_way}"
    counter["slip"] = "/console/slips/new"
    return {"reviewer": reviewer, "keeper": counter, "admin": _of_admin(house, at, person[0])}


def _of_admin(house: House, authority_id: str, person_id: str) -> dict[str, str]:
    names = ("", "people", "register", "pounds", "places", "calendars", "statute", "health")
    return {
        **{f"admin {name}": f"/console/admin/{name}".rstrip("/") for name in names},
        "phones": "/console/phones",
        "person": f"/console/admin/people/{person_id}",
        "card": f"/console/admin/enrolments/{_card(house, authority_id, person_id)}",
    }


def _card(house: House, authority_id: str, person_id: str) -> str:
    boss, key = operator(authority_id), new_id()
    house.database.transact(
        lambda unit: enrolments.issue(unit, boss, person_id, enrolment_id=key, is_confirmed=True)
    )
    return key


def _bundle(house: House, authority_id: str, case: str) -> str:
    boss, new = replace(operator(authority_id), roles=frozenset({"admin"})), new_id()
    house.database.transact(lambda unit: bundles.ask(unit, boss, NewBundle(new, case)))
    return new


def _complaint(house: House, authority_id: str, case: str) -> str:
    boss = replace(operator(authority_id), roles=frozenset({"reviewer", "admin"}))

    def take(unit: Any) -> str:
        by = parties.add(unit, boss, NewParty("Ramesh Parmar")).id
        said = [("place", "It was the road."), ("count", "It was one.")]
        new = NewComplaint(new_id(), case, by, "They were on the road.", allegations=said)
        return complaints.add(unit, boss, house.packs, new).id

    return house.database.transact(take)
