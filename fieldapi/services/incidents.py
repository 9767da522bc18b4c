"""Gathers what a report of an incident needs: CERT-In's form within six hours of noticing, and the
list of what was touched for the Data Protection Board.

Called by the command line. Ids, hashes and counts alone: the pack may be sent on. Must never hold a
name, a number, a place or a secret.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

import fieldapi
from fieldapi import ledger
from fieldapi.clock import format_instant
from fieldapi.house import House
from fieldapi.logs import IST, log_day
from fieldapi.models import Attempt, Authority, ConsoleSession, Device, LedgerEntry
from fieldapi.problems import Conflict

Line = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Window:
    """The time that is looked at, from `since` until `until`, both aware."""

    since: datetime
    until: datetime


def make_pack(
    house: House, folder: Path, window: Window, *, actors: Sequence[str] = ()
) -> list[str]:
    """Write the pack into a new folder; returns the names of its files. Raises `Conflict` where
    something is there already.
    """
    if folder.exists():
        raise Conflict(f"{folder} is there already: name a new folder.")
    folder.mkdir(parents=True, mode=0o700)
    with house.database.read() as session:
        heads = _heads(session, house)
        _lines(folder / "heads.jsonl", heads)
        entries = _entries(folder, session, window)
        _lines(folder / "phones.jsonl", _phones(session))
        _lines(folder / "sessions.jsonl", _sessions(session))
        _lines(folder / "failed-tries.jsonl", _tries(session, window))
    _lines(folder / "touched.jsonl", _touched(folder / "ledger.jsonl", actors))
    logged = _logs(folder / "log.jsonl", house.settings.log_folder, window)
    counts = {"entries": entries, "log lines": logged}
    (folder / "report.md").write_text(_report(house, window, heads, counts))
    return _sealed(folder)


def _heads(session: Session, house: House) -> list[Line]:
    """Return the head of every ledger, and whether it verifies."""
    found: list[Line] = []
    for authority_id, code in session.execute(select(Authority.id, Authority.code)).all():
        checked = ledger.verify(session, authority_id, house.keys)
        head = ledger.head(session, authority_id).as_json()
        found.append({"code": code, "is_sound": checked.is_sound, **head})
    return found


def _entries(folder: Path, session: Session, window: Window) -> int:
    """Write the entries of the time, as they are hashed."""
    query = (
        select(LedgerEntry.entry)
        .where(LedgerEntry.at >= window.since, LedgerEntry.at <= window.until)
        .order_by(LedgerEntry.authority_id, LedgerEntry.seq)
    )
    count = 0
    with (folder / "ledger.jsonl").open("w") as file:
        for text in session.scalars(query.execution_options(yield_per=1000)):
            file.write(f"{text}\n")
            count += 1
    return count


def _phones(session: Session) -> Iterable[Line]:
    for row in session.scalars(select(Device).order_by(Device.authority_id, Device.number)):
        yield {
            "authority": row.authority_id,
            "device": row.id,
            "actor": row.actor,
            "number": row.number,
            "standing": row.standing,
            "standing_at": format_instant(row.standing_at),
            "enrolled_at": format_instant(row.enrolled_at),
            "is_cloned": row.is_cloned,
        }


def _sessions(session: Session) -> Iterable[Line]:
    for row in session.scalars(select(ConsoleSession).order_by(ConsoleSession.started_at)):
        yield {
            "authority": row.authority_id,
            "person": row.person_id,
            "agent": row.agent,
            "started_at": format_instant(row.started_at),
            "seen_at": format_instant(row.seen_at),
        }


def _tries(session: Session, window: Window) -> Iterable[Line]:
    """Yield failed tries; addresses are in them, as the report needs them."""
    query = select(Attempt).where(
        Attempt.window_at >= window.since, Attempt.window_at <= window.until
    )
    for row in session.scalars(query.order_by(Attempt.window_at, Attempt.scope)):
        at = format_instant(row.window_at)
        yield {"scope": row.scope, "key": row.key, "window_at": at, "tries": row.tries}


def _touched(entries: Path, actors: Sequence[str]) -> Iterable[Line]:
    """Yield what each of the actors did to what: of the records, the persons in them follow."""
    for text in entries.read_text().splitlines():
        entry = json.loads(text)
        if entry["actor"] in actors:
            kept = ("at", "authority", "actor", "kind", "subject", "seq")
            yield {name: entry[name] for name in kept}


def _logs(path: Path, folder: Path | None, window: Window) -> int:
    """Copy the log lines of the time, whole days."""
    count = 0
    files = sorted(folder.iterdir()) if folder is not None else ()
    with path.open("w") as out:
        for file in files:
            day = log_day(file)
            if day is None or not window.since.date() <= day <= window.until.date():
                continue
            for line in file.read_text(errors="replace").splitlines():
                out.write(f"{line}\n")
                count += 1
    return count


def _report(house: House, window: Window, heads: Sequence[Line], counts: Mapping[str, int]) -> str:
    now = house.database.clock()
    unsound = [str(head["code"]) for head in heads if not head["is_sound"]]
    rows = {
        "Made at": _both(now),
        "Time looked at": f"{_both(window.since)} to {_both(window.until)}",
        "System": house.settings.public_url,
        "Program": f"fieldapi {fieldapi.__version__}",
        "Database": "SQLite" if house.settings.is_sqlite else "PostgreSQL",
        "Ledgers": f"{len(heads)}, of which do not verify: {', '.join(unsound) or 'none'}",
        **{name.capitalize(): str(count) for name, count in counts.items()},
    }
    told = "\n".join(f"| {name} | {said} |" for name, said in rows.items())
    blanks = "\n".join(f"| {name} | |" for name in _BLANKS)
    return f"{_HEAD}\n| what | |\n|---|---|\n{told}\n{blanks}\n{_FOOT}"


def _both(at: datetime) -> str:
    return f"{format_instant(at)} ({at.astimezone(IST).strftime('%d %b %Y %H:%M:%S')} IST)"


def _lines(path: Path, lines: Iterable[Line]) -> None:
    with path.open("w") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _sealed(folder: Path) -> list[str]:
    """Write the list of hashes that `sha256sum -c` reads; return the names of all files."""
    names = sorted(path.name for path in folder.iterdir())
    sums = [f"{hashlib.sha256((folder / one).read_bytes()).hexdigest()}  {one}" for one in names]
    (folder / "MANIFEST.sha256").write_text("\n".join(sums) + "\n")
    return [*names, "MANIFEST.sha256"]


_BLANKS = (
    "Noticed at (UTC and IST)",
    "Who reports, with telephone and e-mail",
    "Kind of incident (CERT-In, annexure I)",
    "What was seen",
    "What was done so far",
)
_HEAD = (
    "# Report of an incident\n\nFill in what is empty and send it within six hours of noticing.\n"
)
_FOOT = """
* `ledger.jsonl`: every entry of the time; `heads.jsonl`: what proves them.
* `touched.jsonl`: what the actors given by `--actor` saw or changed. Persons to be told are in
  those records.
* `phones.jsonl`, `sessions.jsonl`, `failed-tries.jsonl`: who could come in, and who tried. Tries
  name addresses.
* `log.jsonl`: the server's log, if FIELDAPI_LOG_FOLDER is set; every line has UTC and IST.
* `sha256sum -c MANIFEST.sha256` says whether the pack is whole.
"""
