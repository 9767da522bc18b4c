"""Many rows in one statement, alike on both databases. PostgreSQL takes the columns as arrays
(`unnest`): one bind a column, one statement whatever the number of rows, so that neither the
driver nor the server spends its time on placeholders. SQLite is quickest row by row.

Called by the write path and by loads of pages.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import cast

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Executable,
    Table,
    TableValuedAlias,
    bindparam,
    func,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Session, class_mapper

from fieldapi.models.record import RecordRow

Model = type[DeclarativeBase | RecordRow]
Row = Mapping[str, object]
Column = InstrumentedAttribute[str] | InstrumentedAttribute[str | None]
# Of a statement whose rows are counted by whoever reads them, who then notes the write.
COUNTED = "is_counted"
# So many values SQLite is told one by one.
_SPELT_OUT = 50


def insert_many(session: Session, model: Model, rows: Sequence[Row]) -> int:
    """Insert the rows whose key is free and leave the others alone; return how many were new.

    All rows have one shape.
    """
    if not rows:
        return 0
    names = tuple(rows[0])
    connection = session.connection()
    if is_postgresql(session):
        done = connection.execute(_unnested(_table(model), names, ()), _columns(rows, names))
    else:
        done = connection.execute(_insert_one(_table(model), ()), [dict(row) for row in rows])
    return done.rowcount


def insert_new(
    session: Session, model: Model, rows: Sequence[Row], *, key: tuple[str, ...]
) -> set[tuple[str, ...]]:
    """Insert as `insert_many` and return the `key` columns of the rows that were new."""
    if not rows:
        return set()
    names = tuple(rows[0])
    connection = session.connection()
    if is_postgresql(session):
        found = connection.execute(_unnested(_table(model), names, key), _columns(rows, names))
    else:
        statement = _insert_one(_table(model), key).execution_options(**{COUNTED: True})
        found = connection.execute(statement, [dict(row) for row in rows])
    new = {tuple(row) for row in found}
    if new:
        note_write(connection, model)
    return new


def note_write(connection: Connection, model: Model) -> None:
    """Tell the unit of a connection that rows of a `COUNTED` statement were written."""
    if "unit" in connection.info:
        connection.info["unit"].note_write(_table(model).name)


def update_many(
    session: Session, model: Model, rows: Sequence[Row], *, key: tuple[str, ...]
) -> None:
    """Set the columns that are not `key` in the row that `key` names, for every row given."""
    if not rows:
        return
    names = tuple(rows[0])
    connection = session.connection()
    if is_postgresql(session):
        connection.execute(_unnested_update(_table(model), names, key), _columns(rows, names))
        return
    # A bound name must not be a column's: SQLAlchemy would take it for a value to set.
    bound = [{f"v_{name}": row[name] for name in names} for row in rows]
    connection.execute(_update_one(_table(model), names, key), bound)


def among(
    session: Session,
    column: Column,
    values: Collection[str],
) -> ColumnElement[bool]:
    """Return the condition that a text column holds one of `values`. Many are one bind: a
    statement for each count of them would be kept by every connection, spelt out.
    """
    listed = sorted(values)
    if is_postgresql(session):
        return column == func.any(bindparam(None, listed, type_=ARRAY(column.type), unique=True))
    if len(listed) <= _SPELT_OUT:
        return column.in_(listed)
    return column.in_(select(func.json_each(json.dumps(listed)).table_valued("value").c.value))


def is_postgresql(session: Session) -> bool:
    """Say which of the two databases a session speaks to."""
    return session.get_bind().dialect.name == "postgresql"


def _table(model: Model) -> Table:
    return cast("Table", class_mapper(model).local_table)


def _columns(rows: Sequence[Row], names: tuple[str, ...]) -> dict[str, list[object]]:
    return {f"v_{name}": [row[name] for row in rows] for name in names}


def _source(table: Table, names: tuple[str, ...]) -> TableValuedAlias:
    """Return the rows as PostgreSQL sees them: a table made of one array a column."""
    arrays = [bindparam(f"v_{name}", type_=ARRAY(table.c[name].type)) for name in names]
    return func.unnest(*arrays).table_valued(*names, name="given").render_derived()


@lru_cache(maxsize=256)
def _insert_one(table: Table, key: tuple[str, ...]) -> Executable:
    statement = sqlite.insert(table).on_conflict_do_nothing()
    return statement.returning(*(table.c[name] for name in key)) if key else statement


@lru_cache(maxsize=256)
def _unnested(table: Table, names: tuple[str, ...], key: tuple[str, ...]) -> Executable:
    given = _source(table, names)
    rows = select(*(given.c[name] for name in names))
    statement = postgresql.insert(table).from_select(names, rows).on_conflict_do_nothing()
    return statement.returning(*(table.c[name] for name in key)) if key else statement


@lru_cache(maxsize=256)
def _unnested_update(table: Table, names: tuple[str, ...], key: tuple[str, ...]) -> Executable:
    given = _source(table, names)
    values = {name: given.c[name] for name in names if name not in key}
    return update(table).where(*(table.c[name] == given.c[name] for name in key)).values(values)


@lru_cache(maxsize=256)
def _update_one(table: Table, names: tuple[str, ...], key: tuple[str, ...]) -> Executable:
    values: dict[str, BindParameter[object]] = {
        name: bindparam(f"v_{name}") for name in names if name not in key
    }
    return (
        update(table)
        .where(*(table.c[name] == bindparam(f"v_{name}") for name in key))
        .values(values)
    )
