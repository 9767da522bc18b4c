"""Alive, ready, and how it fares."""

from __future__ import annotations

import shutil

import pytest
from sqlalchemy.exc import OperationalError

from fieldapi import migrate
from fieldapi.house import House
from fieldapi.settings import Settings
from fieldapi.storage import StorageDenied, StorageUnavailable
from tests.support.house import Answer, Client


@pytest.mark.database
def test_installation_that_works_is_ready(client: Client) -> None:
    answer = client.get("/readyz")

    assert answer.status_code == 200
    assert set(answer.json["parts"].values()) == {"ok"}


def _broken(answer: Answer) -> list[str]:
    return [name for name, state in answer.json["parts"].items() if state != "ok"]


def test_store_that_is_down_is_named(
    client: Client, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down() -> None:
        raise StorageUnavailable("no answer")

    monkeypatch.setattr(type(house.storage), "probe", lambda _self: down())
    answer = client.get("/readyz")

    assert (answer.status_code, _broken(answer)) == (503, ["storage"])
    assert client.get("/healthz").status_code == 200


def test_store_that_refuses_us_and_a_database_that_is_away_are_told_apart(
    client: Client, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: object) -> None:
        raise StorageDenied("403")

    def away(_self: object) -> None:
        raise OperationalError("SELECT 1", {}, OSError("gone"))

    monkeypatch.setattr(type(house.storage), "probe", refuse)
    denied = client.get("/readyz")
    monkeypatch.undo()
    monkeypatch.setattr(type(house.database), "read", away)
    gone = client.get("/readyz")

    assert (denied.status_code, denied.json["parts"]["storage"]) == (503, "denied")
    assert (gone.status_code, gone.json["parts"]["database"]) == (503, "failed")
    assert client.get("/healthz").status_code == 200


def test_spool_that_cannot_be_written_is_named(client: Client, settings: Settings) -> None:
    if settings.spool.exists():
        shutil.rmtree(settings.spool)
    settings.spool.write_text("not a folder")

    assert _broken(client.get("/readyz")) == ["spool"]


def test_older_schema_is_named(client: Client, settings: Settings) -> None:
    migrate.downgrade(settings.owner_database_url, "base")

    assert _broken(client.get("/readyz")) == ["schema"]


def test_schema_of_a_newer_program_is_served(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "newest", lambda: "99991231_later")
    monkeypatch.setattr(migrate, "_revisions", lambda: frozenset({"99991231_later"}))

    assert client.get("/readyz").status_code == 200


def test_numbers_count_by_rule_and_never_by_path(client: Client) -> None:
    client.get("/docs/secret-code-7")
    numbers = client.get("/metrics").text

    assert 'route="/docs/<name>",status="404"} 1.0' in numbers
    assert "secret-code-7" not in numbers


@pytest.mark.parametrize(
    "peer,headers",
    [
        ("203.0.113.9", {}),
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}),
        ("127.0.0.1", {"Via": "1.1 proxy"}),
    ],
)
def test_numbers_are_for_the_own_host_only(
    client: Client, peer: str, headers: dict[str, str]
) -> None:
    answer = client.get("/metrics", headers=headers, environ_base={"REMOTE_ADDR": peer})

    assert answer.status_code == 404
