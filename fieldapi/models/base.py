"""The declarative base, the column types that behave alike on SQLite and PostgreSQL, and the
naming convention that makes every constraint nameable in a migration.

Imports nothing of the project but `clock`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from sqlalchemy import Index, MetaData, Text
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, mapped_column
from sqlalchemy.types import TypeDecorator, TypeEngine

from fieldapi.clock import format_instant, parse_instant

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

# Byte order everywhere: stamps, ids and cursors are compared as bytes, never as words.
Bytewise = Text().with_variant(Text(collation="C"), "postgresql")


class Instant(TypeDecorator[datetime]):
    """An aware UTC instant of whole milliseconds.

    `timestamptz` on PostgreSQL; on SQLite the RFC 3339 text, which sorts as the instants do.
    """

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the column type of the database at hand."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(TIMESTAMP(timezone=True))
        return dialect.type_descriptor(Text())

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | str | None:
        """Write the instant; a naive one is a mistake of ours and raises `ValueError`."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime has no place in the database")
        return value if dialect.name == "postgresql" else format_instant(value)

    def process_result_value(
        self, value: datetime | str | None, dialect: Dialect
    ) -> datetime | None:
        """Read the instant back, aware and in UTC."""
        if value is None or isinstance(value, datetime):
            return value
        return parse_instant(value)


Id = Annotated[str, mapped_column(Bytewise)]
IdKey = Annotated[str, mapped_column(Bytewise, primary_key=True)]


class Base(DeclarativeBase):
    """Every table of the product. Rows are loaded whole; relations are written as queries."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {str: Text(), datetime: Instant()}  # noqa: RUF012 - SQLAlchemy's form


def index_where(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """Return an index over the rows that `where` (SQL) holds for, alike on both databases."""
    held = sql(where)
    return Index(name, *columns, unique=unique, sqlite_where=held, postgresql_where=held)


def one_of(column: str, values: tuple[str, ...]) -> str:
    """Return the CHECK text for an enumeration kept as text."""
    listed = ", ".join(f"'{value}'" for value in values)
    return f"{column} IN ({listed})"
