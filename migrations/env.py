"""Runs migrations for `fieldapi.migrate` (which hands over a connection) and for the alembic
command (which reads the settings of the environment).
"""

from __future__ import annotations

from typing import Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection, Text
from sqlalchemy.types import TypeEngine

from fieldapi.engine import open_engine
from fieldapi.models import Base
from fieldapi.models.base import Instant
from fieldapi.settings import Settings


def render(kind: str, item: object, _context: AutogenContext) -> str | Literal[False]:
    """Write our two column types by the names that `script.py.mako` defines."""
    if kind != "type" or not isinstance(item, TypeEngine):
        return False
    if isinstance(item, Instant):
        return "INSTANT"
    if isinstance(item, Text) and getattr(item, "_variant_mapping", None):
        return "BYTEWISE"
    return False


def run(connection: Connection) -> None:
    """Run the asked-for revisions in one transaction."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        compare_type=True,
        compare_server_default=True,
        render_item=render,
        # SQLite alters a table by making it anew; batch mode writes that for us.
        render_as_batch=connection.dialect.name == "sqlite",
    )
    with context.begin_transaction():
        context.run_migrations()


def main() -> None:
    """Take the connection that was handed over, or open one by the settings."""
    given = context.config.attributes.get("connection")
    if given is not None:
        run(given)
        return
    engine = open_engine(Settings.from_env().owner_database_url)
    with engine.connect().execution_options(writes=True) as connection:
        run(connection)
        connection.commit()


main()
