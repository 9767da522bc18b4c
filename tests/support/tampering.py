"""Ways to tamper with evidence by SQL, as somebody with every right on the database could.

`tampering(engine)` opens a transaction without triggers, and undoes all of it at the end.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Boolean, Column, Connection, Engine, LargeBinary, Table, text
from sqlalchemy.types import Integer

from fieldapi.clock import parse_instant
from fieldapi.keyring import Keyring
from fieldapi.ledger import head_message
from fieldapi.models import Base
from sync.tree import Frontier, leaf_hash

TABLES = ("ledger", "ledger_head", "op", "op_payload")

Row = Mapping[str, Any]
Change = Callable[[random.Random, Connection, str], str]


@contextmanager
def tampering(engine: Engine) -> Iterator[Connection]:
    """Give a connection that may change anything; nothing of it stays."""
    with engine.connect().execution_options(writes=True) as connection:
        disarm(connection)
        yield connection
        connection.rollback()


def disarm(connection: Connection) -> None:
    """Take the guards of the append-only tables away."""
    for statement in _disarming(connection):
        connection.execute(text(statement))


def _disarming(connection: Connection) -> list[str]:
    if connection.dialect.name == "postgresql":
        return [f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in ("ledger", "op")]
    listed = text("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    return [f"DROP TRIGGER {name}" for name in connection.scalars(listed)]


def edit(rng: random.Random, connection: Connection, authority_id: str) -> str:
    """Change one byte (or one step) of one value of one row."""
    table = rng.choice(TABLES)
    row = rng.choice(rows(connection, table, authority_id))
    column = rng.choice([one for one in _table(table).columns if one.name != "authority_id"])
    value = _other(rng, column, row[column.name])
    put(connection, table, row, {column.name: value})
    return f"{table}.{column.name}: {row[column.name]!r} became {value!r} in {_key(table, row)}"


def remove(rng: random.Random, connection: Connection, authority_id: str) -> str:
    """Delete one row."""
    table = rng.choice(TABLES)
    row = rng.choice(rows(connection, table, authority_id))
    connection.execute(text(f"DELETE FROM {table} WHERE {_where(table)}"), _key(table, row))
    return f"{_key(table, row)} is gone from {table}"


def slip_in(rng: random.Random, connection: Connection, authority_id: str) -> str:
    """Insert a copy of a row under a key of its own."""
    table = rng.choice(("ledger", "op", "op_payload"))
    row = dict(rng.choice(rows(connection, table, authority_id)))
    if table == "ledger":
        row["seq"] = rng.choice((0, len(rows(connection, table, authority_id)) + 1))
    else:
        row["op"] = str(row["op"])[:-1] + "x"
    add(connection, table, row)
    return f"{_key(table, row)} slipped into {table}"


def swap(rng: random.Random, connection: Connection, authority_id: str) -> str:
    """Let two entries change places."""
    one, other = rng.sample(rows(connection, "ledger", authority_id), 2)
    moved = [name for name in one if name not in {"authority_id", "seq"}]
    put(connection, "ledger", one, {name: other[name] for name in moved})
    put(connection, "ledger", other, {name: one[name] for name in moved})
    return f"entries {one['seq']} and {other['seq']} changed places"


def cut_tail(rng: random.Random, connection: Connection, authority_id: str) -> str:
    """Delete the last entries, and the ops they speak of, and leave the head alone."""
    size = len(rows(connection, "ledger", authority_id))
    kept = rng.randrange(1, size)
    connection.execute(
        text("DELETE FROM ledger WHERE authority_id = :a AND seq > :s"),
        {"a": authority_id, "s": kept},
    )
    return f"all after entry {kept} is gone"


CHANGES: tuple[Change, ...] = (edit, edit, edit, remove, slip_in, swap, cut_tail)


def rows(connection: Connection, table: str, authority_id: str) -> list[Row]:
    """Return the rows of an authority as the driver gives them, in the order of their keys."""
    key = ", ".join(_key_columns(table))
    query = text(f"SELECT * FROM {table} WHERE authority_id = :a ORDER BY {key}")
    return [dict(row) for row in connection.execute(query, {"a": authority_id}).mappings()]


def add(connection: Connection, table: str, row: Row) -> None:
    """Insert a row as it is."""
    values = ", ".join(f":{name}" for name in row)
    connection.execute(text(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({values})"), row)


def put(connection: Connection, table: str, row: Row, changed: Row) -> None:
    """Write changed values into a row; bytes into a text column of SQLite stay what they are."""
    is_sqlite = connection.dialect.name == "sqlite"
    sets, values = [], {}
    for name, value in changed.items():
        is_raw = is_sqlite and isinstance(value, bytes) and not _is_bytes(table, name)
        sets.append(f"{name} = CAST(:v_{name} AS TEXT)" if is_raw else f"{name} = :v_{name}")
        values[f"v_{name}"] = value
    statement = f"UPDATE {table} SET {', '.join(sets)} WHERE {_where(table)}"
    connection.execute(text(statement), {**values, **_key(table, row)})


def _other(rng: random.Random, column: Column[Any], value: Any) -> Any:
    if value is None:
        return b"x" if isinstance(column.type, LargeBinary) else _nothing(column)
    if isinstance(value, datetime):
        return value + timedelta(milliseconds=1)
    if isinstance(column.type, Boolean):
        return not value if isinstance(value, bool) else 1 - value
    if isinstance(value, int):
        return value + (1000 if column.primary_key else rng.choice((-1, 1, 1000)))
    return _with_other_byte(rng, value)


def _nothing(column: Column[Any]) -> int | str:
    return 1 if isinstance(column.type, Integer) else "[]"


def _with_other_byte(rng: random.Random, value: str | bytes) -> str | bytes:
    if not value:
        return b"x" if isinstance(value, bytes) else "x"
    at = rng.randrange(len(value))
    if isinstance(value, bytes):
        return value[:at] + bytes([value[at] ^ (1 << rng.randrange(8))]) + value[at + 1 :]
    return value[:at] + ("0" if value[at] != "0" else "1") + value[at + 1 :]


def _table(name: str) -> Table:
    return Base.metadata.tables[name]


def _is_bytes(table: str, column: str) -> bool:
    return isinstance(_table(table).columns[column].type, LargeBinary)


def _key_columns(table: str) -> list[str]:
    return [column.name for column in _table(table).primary_key]


def _key(table: str, row: Row) -> dict[str, Any]:
    return {f"k_{name}": row[name] for name in _key_columns(table)}


def _where(table: str) -> str:
    return " AND ".join(f"{name} = :k_{name}" for name in _key_columns(table))


def rebuild(connection: Connection, authority_id: str, entries: list[str], keys: Keyring) -> None:
    """Put other entries into the ledger and make everything fit them, signed with `keys`."""
    frontier = Frontier()
    for row, entry in zip(rows(connection, "ledger", authority_id), entries, strict=False):
        leaf = leaf_hash(entry.encode())
        frontier, completed = frontier.append(leaf)
        made = {"entry": entry, "leaf_hash": leaf, "subtrees": b"".join(completed)}
        put(connection, "ledger", row, made)
    connection.execute(
        text("DELETE FROM ledger WHERE authority_id = :a AND seq > :s"),
        {"a": authority_id, "s": frontier.size},
    )
    sign(connection, authority_id, frontier, keys)


def sign(connection: Connection, authority_id: str, frontier: Frontier, keys: Keyring) -> None:
    """Make the head fit this tree and the last entry, signed with `keys`."""
    head = rows(connection, "ledger_head", authority_id)[0]
    at = rows(connection, "ledger", authority_id)[-1]["at"]
    instant = parse_instant(at) if isinstance(at, str) else at
    root = frontier.root()
    message = head_message(authority_id, head["epoch"], frontier.size, root=root, at=instant)
    made = {"size": frontier.size, "root": root, "peaks": b"".join(frontier.peaks), "at": at}
    put(connection, "ledger_head", head, {**made, "signature": keys.sign(message)})
