"""The unit of work: one transaction with its ledger entries. The only place that commits.

`services` write through a `Unit`; `queries` read through a session that cannot write.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, RowMapping, Select, event
from sqlalchemy.engine import ExecutionContext
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.clock import Clock, system_clock
from fieldapi.engine import open_engine
from fieldapi.failpoints import failpoint
from fieldapi.keyring import Keyring
from fieldapi.ledger import Detail, PendingEntry
from fieldapi.models.bulk import COUNTED
from fieldapi.turn import Turn

T = TypeVar("T")

# Rows that say how work goes rather than what happened; and the ledger's own tables.
SILENT_TABLES = frozenset(
    {
        "attempt",
        "bundle_work",
        "console_session",
        "device_use",
        "job_failure",
        "ledger",
        "ledger_head",
        "recovery_code",
        "request_key",
        "saved_view",
        "scan",
        "sign_in_link",
        "upload",
        "urgency",
        "writer_key",
    }
)
_RETRIES = 5
_RETRYABLE = frozenset({"40001", "40P01"})
_WRITE = re.compile(
    r"(?<!FOR )(?<!DO )\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|UPDATE|DELETE\s+FROM"
    r"|TRUNCATE(?:\s+TABLE)?)"
    r'\s+"?(\w+)"?',
    re.IGNORECASE,
)


class SilentWrite(RuntimeError):
    """Something was written without a ledger entry to say so; nothing was committed."""


class Unit:
    """One transaction. `now` is the instant of everything it writes."""

    def __init__(self, session: Session, now: datetime, keys: Keyring) -> None:
        """Made by `Database.unit` only."""
        self.session = session
        self.now = now
        self.keys = keys
        self.is_dirty = False
        self._pending: list[PendingEntry] = []

    def enter(  # noqa: PLR0913 - the columns of an entry, all named at the call
        self,
        authority_id: str,
        kind: str,
        *,
        subject: str,
        actor: str,
        op: str | None = None,
        moves: bool = False,
        **details: Detail,
    ) -> PendingEntry:
        """Queue a ledger entry for the commit. `subject`: `noun/id`. `moves`: whether a phone
        that pulls may see something new. Raises `LedgerError` for a kind nobody declared.
        """
        entry = PendingEntry(authority_id, kind, subject, actor, op, moves, details)
        ledger.check_entry(entry)
        self._pending.append(entry)
        return entry

    def note_write(self, table: str) -> None:
        """Expect an entry for a write to `table`, unless it is a silent one."""
        self.is_dirty = self.is_dirty or table not in SILENT_TABLES

    def has_entered(self, subject: str) -> bool:
        """Say whether this unit has anything to say of `subject` so far."""
        return any(entry.subject == subject for entry in self._pending)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo what the block wrote and entered, and nothing else, if it raises."""
        entered, was_dirty = len(self._pending), self.is_dirty
        try:
            with self.session.begin_nested():
                yield
        except BaseException:
            del self._pending[entered:]
            self.is_dirty = was_dirty
            raise

    def open_ledger(self, authority_id: str) -> None:
        """Give a new authority its ledger; the caller enters `ledger.opened`."""
        ledger.open_ledger(self.session, authority_id, self.now, self.keys)

    def finish(self) -> None:
        """Append what was entered. Raises `SilentWrite` if something written was not entered."""
        self.session.flush()
        failpoint("unit.flushed")
        if self.is_dirty and not self._pending:
            raise SilentWrite("rows were written and nothing was entered in the ledger")
        if self._pending:
            ledger.append(self.session, self._pending, self.now, self.keys)


class Database:
    """The two doors: `unit()` writes, `read()` reads."""

    def __init__(self, url: str, *, keys: Keyring, clock: Clock = system_clock) -> None:
        """Open the database at `url`; no connection is made yet."""
        self.engine = open_engine(url)
        self.keys = keys
        self.clock = clock
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self._turn = _turn_of(self.engine) if self.is_sqlite else None
        event.listen(self.engine, "before_cursor_execute", _refuse_stray)
        event.listen(self.engine, "after_cursor_execute", _mark_write)

    @contextmanager
    def unit(self, *, is_lasting: bool = True) -> Iterator[Unit]:
        """Give a writing unit; commit when the block ends, roll back when it raises.

        One that is not lasting is committed for all to see and does not wait for the disk: a power
        cut soon after may undo it, and never another one that was lasting.
        """
        with self._turn or nullcontext(), self.engine.connect() as bare:
            connection = bare.execution_options(writes=True, is_lasting=is_lasting)
            with Session(connection, autoflush=False, expire_on_commit=False) as session:
                unit = Unit(session, self.clock(), self.keys)
                # Of a connection that dies on the way nothing may be asked any more, not even this.
                info = connection.info
                info["unit"] = unit
                try:
                    failpoint("unit.begun")
                    yield unit
                    unit.finish()
                    failpoint("unit.finished")
                    session.commit()
                    failpoint("unit.committed")
                finally:
                    info.pop("unit", None)

    def transact(self, work: Callable[[Unit], T], *, is_lasting: bool = True) -> T:
        """Run `work` in a unit, again (at most five times) when the database asks for it."""
        for tries in range(_RETRIES):
            try:
                with self.unit(is_lasting=is_lasting) as unit:
                    return work(unit)
            except DBAPIError as exc:
                if getattr(exc.orig, "sqlstate", None) not in _RETRYABLE or tries == _RETRIES - 1:
                    raise
                time.sleep(random.uniform(0.005, 0.05) * 2**tries)  # noqa: S311 - jitter
        raise AssertionError("unreachable: the last try returns or raises")

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Give a session over one snapshot of the database that refuses to write."""
        options: dict[str, Any] = (
            {}
            if self.is_sqlite
            else {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        )
        with (
            self.engine.connect() as bare,
            Session(bare.execution_options(**options), autoflush=False) as session,
        ):
            yield session

    def ask(self, question: Select[Any], values: Mapping[str, object]) -> Sequence[RowMapping]:
        """Return the rows that one statement finds. It costs a fraction of `read`, which is for
        whoever asks twice of the same snapshot.
        """
        options = {"asks" if self.is_sqlite else "postgresql_readonly": True}
        with self.engine.connect() as bare:
            connection = bare.execution_options(**options)
            return connection.execute(question, values).mappings().all()

    def close(self) -> None:
        """Drop every connection."""
        self.engine.dispose()
        if self._turn is not None:
            self._turn.close()


def _turn_of(engine: Engine) -> Turn:
    """Return where the writers of an SQLite database queue: a file beside it, as SQLite's own."""
    return Turn(Path(f"{engine.url.database}-turn"))


@lru_cache(maxsize=4096)
def written_table(statement: str) -> str | None:
    """Return the table that a statement writes, or None if it only reads.

    >>> written_table("SELECT 1 FROM op FOR UPDATE"), written_table("INSERT INTO pound (id)")
    (None, 'pound')
    """
    found = _WRITE.search(statement)
    return found.group(1).lower() if found else None


def _refuse_stray(
    connection: Connection,
    _cursor: object,
    statement: str,
    _parameters: object,
    _context: object,
    _many: bool,  # noqa: FBT001
) -> None:
    """Refuse a write without a unit of work."""
    failpoint("unit.statement")
    table = written_table(statement)
    if table is not None and "unit" not in connection.info:
        raise SilentWrite(f"a write to {table} outside a unit of work")


def _mark_write(
    connection: Connection,
    cursor: Any,  # noqa: ANN401 - the driver's own
    statement: str,
    _parameters: object,
    context: ExecutionContext,
    _many: bool,  # noqa: FBT001
) -> None:
    """Mark the unit dirty on a write outside the silent tables.

    A statement that touched no row, like an insert that found its key taken, wrote nothing. SQLite
    counts the rows of a RETURNING only as they are read: there it counts as a write, unless
    whoever reads them says so by `COUNTED` and notes the write.
    """
    table = written_table(statement)
    if table is None or context.execution_options.get(COUNTED):
        return
    is_uncounted = connection.dialect.name == "sqlite" and "RETURNING" in statement
    if is_uncounted or cursor.rowcount != 0:
        connection.info["unit"].note_write(table)
