"""`fieldapi ledger …`: recompute it, hold it against a head that somebody kept, print its head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TextIO

import click

from fieldapi import ledger as ledgers
from fieldapi.cli.desk import Desk, counted, json_option
from fieldapi.cli.find import all_or_one, authority_option, find_authority
from fieldapi.cli.progress import progress
from fieldapi.ledger import Fault, KeptHead, LedgerError, Verification
from fieldapi.problems import Conflict, InvalidBody
from fieldapi.queries.authorities import AuthorityView
from fieldapi.services import outside
from fieldapi.services.epochs import begin_epochs
from fieldapi.services.reapplying import reapply


@click.group()
def ledger() -> None:
    """The ledger: verify it, print its head to keep."""


@ledger.command(short_help="Recompute every entry, every hash and the head.")
@authority_option
@click.option(
    "--against",
    type=click.File(encoding="utf-8"),
    metavar="FILE",
    help="A head that somebody kept (- for standard input): JSON, what `ledger head` prints, or the"
    " line of a pound board or a covering letter.",
)
@json_option
@click.pass_obj
def verify(desk: Desk, *, authority: str | None, against: TextIO | None) -> int:
    """Recompute every entry, every hash and the head; all authorities unless one is named.

    Leaves with 1 if anything does not fit, and names the first entry at which it does not.
    """
    kept = None if against is None else _read(against)
    named = authority or (None if kept is None else kept.authority_id)
    found = [(one, _verify(desk, one, kept)) for one in all_or_one(desk, named)]
    text = "\n".join(_told(one, verified, kept) for one, verified in found)
    desk.say(text or "There is no authority yet.", [_as_json(*one) for one in found])
    return 0 if all(verified.is_sound for _, verified in found) else 1


@ledger.command(short_help="Print the signed head of a ledger, to keep outside.")
@authority_option
@json_option
@click.pass_obj
def head(desk: Desk, *, authority: str | None) -> None:
    """Print the signed head of a ledger, to keep outside: paper, a letter, another machine.

    Whoever keeps it can prove later that nothing before it was changed (`ledger verify --against`).
    """
    found = find_authority(desk, authority)
    with desk.house.database.read() as session:
        newest = ledgers.head(session, found.id)
    desk.say(ledgers.text_of(newest).rstrip(), newest.as_json())


@ledger.command(short_help="Begin new epochs after another tool's restore.")
@click.confirmation_option(
    prompt="Was this database restored from a backup, and is nothing served?"
)
@click.option("--untrusted", is_flag=True, help="Every phone waits to be confirmed again.")
@json_option
@click.pass_obj
def restored(desk: Desk, *, untrusted: bool) -> None:
    """Begin the next epoch of every ledger, after another tool restored the database.

    What outside.log of the data folder says was erased or ended is erased and ended again.

    `fieldapi restore` does it by itself; after pg_restore it is yours to do, before anything is
    served: phones would go on where the lost entries were.
    """
    lines = list(outside.read(desk.settings.outside_log))
    try:
        ids = desk.house.database.transact(
            lambda unit: begin_epochs(unit, is_trusted=not untrusted)
        )
        desk.house.database.transact(lambda unit: reapply(unit, lines))
    except LedgerError as exc:
        raise Conflict(f"{exc}: are these the keys that belong to it?") from exc
    with desk.house.database.read() as session:
        heads = [ledgers.head(session, one) for one in ids]
    told = [f"{one.authority_id}: epoch {one.epoch} begins." for one in heads]
    desk.say("\n".join(told) or "There is no authority yet.", [one.as_json() for one in heads])


def _read(file: TextIO) -> KeptHead:
    try:
        return ledgers.read_kept(file.read())
    except (LedgerError, UnicodeDecodeError) as exc:
        raise InvalidBody(f"{file.name}: {exc}") from exc


def _verify(desk: Desk, authority: AuthorityView, kept: KeptHead | None) -> Verification:
    house = desk.house
    if kept is not None and kept.authority_id == authority.code:
        # A board may name it by its code.
        kept = replace(kept, authority_id=authority.id)
    with house.database.read() as session, progress(authority.code) as show:
        return ledgers.verify(session, authority.id, house.keys, against=kept, progress=show)


def _told(authority: AuthorityView, found: Verification, kept: KeptHead | None) -> str:
    against = [fault for fault in found.faults if fault.what == "against"]
    own = [fault for fault in found.faults if fault.what != "against"]
    lines = [_broken(authority, found, own) if own else _whole(authority, found)]
    for fault in own:
        where = "" if fault.seq is None else f" at {fault.seq}"
        lines.append(f"  {fault.what}{where}: {fault.detail}")
    lines += [f"  The head that was kept does not fit: {fault.detail}" for fault in against]
    if kept is not None and found.is_sound:
        lines.append(f"  The head of {counted(kept.size, 'entry', 'entries')} that was kept fits.")
    return "\n".join(lines)


def _whole(authority: AuthorityView, found: Verification) -> str:
    gone = f", of {found.erased} of them values were erased" if found.erased else ""
    entries, ops = counted(found.size, "entry", "entries"), counted(found.ops, "op")
    return (
        f"{authority.code}: {entries} and {ops} fit{gone}. "
        f"Epoch {found.epoch}, root {found.root.hex()}"
    )


def _broken(authority: AuthorityView, found: Verification, own: Sequence[Fault]) -> str:
    bad = min((fault.seq for fault in own if fault.seq is not None), default=None)
    first = "" if bad is None else f"; the first bad entry is {bad}"
    more = found.fault_count - len(found.faults)
    count = counted(len(own) + more, "fault")
    return f"{authority.code}: {count} in {counted(found.size, 'entry', 'entries')}{first}"


def _as_json(authority: AuthorityView, found: Verification) -> dict[str, object]:
    return {
        "authority": authority.id,
        "code": authority.code,
        "is_sound": found.is_sound,
        "epoch": found.epoch,
        "size": found.size,
        "root": found.root.hex(),
        "ops": found.ops,
        "erased": found.erased,
        "first_bad": found.first_bad,
        "fault_count": found.fault_count,
        "faults": [asdict(fault) for fault in found.faults],
    }
