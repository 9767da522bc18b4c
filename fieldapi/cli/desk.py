"""What every command works with: the installation, opened when first needed, and how it answers.

Commands take it with `@click.pass_obj`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import click

from fieldapi import migrate
from fieldapi.clock import format_instant
from fieldapi.house import House, open_house, require_safe
from fieldapi.problems import Problem
from fieldapi.settings import Settings

F = TypeVar("F", bound=Any)
Row = Mapping[str, object]


class Desk:
    """The installation behind one command, and its answer: text for people, or JSON."""

    def __init__(self) -> None:
        self.is_json = False
        self._settings: Settings | None = None
        self._house: House | None = None

    @property
    def settings(self) -> Settings:
        """The settings from the environment. Raises `SettingsError`."""
        if self._settings is None:
            self._settings = Settings.from_env()
        return self._settings

    @property
    def house(self) -> House:
        """The installation, its embedded database brought to this program's schema."""
        if self._house is None:
            self._house = _open(self.settings)
        return self._house

    def close(self) -> None:
        """Let the database go."""
        if self._house is not None:
            self._house.database.close()

    def say(self, text: str, data: object) -> None:
        """Answer with `text`, or with `data` where JSON is wanted."""
        click.echo(_json(data) if self.is_json else text)

    def note(self, text: str) -> None:
        """Tell people on standard error what they may not expect; JSON goes without."""
        if not self.is_json:
            click.echo(f"note: {text}", err=True)

    def table(self, rows: Sequence[Row], columns: Sequence[str], *, empty: str) -> None:
        """Answer with rows: all members in JSON, `columns` only for people."""
        if self.is_json:
            click.echo(_json(rows))
        elif rows:
            cells = [[_cell(row[name]) for name in columns] for row in rows]
            click.echo(_aligned([columns, *cells]))
        else:
            click.echo(empty)

    def fail(self, message: str, *, hint: str = "", problem: Problem | None = None) -> int:
        """Say on standard error why it was not done; return the exit code."""
        if self.is_json:
            slug, errors = (problem.slug, problem.errors) if problem else ("not-done", {})
            document = {"error": slug, "detail": message, "hint": hint, "errors": errors}
            click.echo(_json(document), err=True)
        else:
            click.echo(click.style("error: ", fg="red") + message, err=True)
            if hint:
                click.echo(f"hint: {hint}", err=True)
        return 1


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, e.g. `1 entry`; `many` where an s is not enough."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def json_option(command: F) -> F:
    """Give a command `--json`."""

    def choose(ctx: click.Context, _param: click.Parameter, value: bool) -> None:  # noqa: FBT001
        desk = ctx.find_object(Desk)
        if desk is not None and value:
            desk.is_json = True

    return click.option(
        "--json",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=choose,
        help="Answer in JSON.",
    )(command)


def _open(settings: Settings) -> House:
    if settings.is_sqlite and migrate.current(settings.database_url) != migrate.newest():
        migrate.upgrade(settings.database_url)
    house = open_house(settings)
    require_safe(house)
    return house


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2, default=format_instant)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "-"
    return str(value)


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    head, *body = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return "\n".join([click.style(head, bold=True), *body])
