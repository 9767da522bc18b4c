"""`fieldapi ops …`: whether the records are what their ops make them."""

from __future__ import annotations

from dataclasses import asdict

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.cli.find import all_or_one, authority_option
from fieldapi.cli.progress import progress
from fieldapi.queries.authorities import AuthorityView
from fieldapi.services import replay as replays
from fieldapi.services.replay import Replay


@click.group()
def ops() -> None:
    """Ops, from which every record is made: replay them."""


@ops.command(short_help="Make every record anew from its ops, and compare.")
@authority_option
@click.option("--check", is_flag=True, help="Compare only; this is what it does anyway.")
@click.option("--repair", is_flag=True, help="Rewrite the records that differ.")
@json_option
@click.pass_obj
def replay(desk: Desk, *, authority: str | None, check: bool, repair: bool) -> int:
    """Make every record anew from its ops and the ledger, and compare it with its row.

    Leaves with 1 if any record differs (with --repair: if any still does afterwards).
    """
    if check and repair:
        raise click.UsageError("Say --check or --repair, not both.")
    found = []
    for one in all_or_one(desk, authority):
        first = _check(desk, one)
        repaired = 0
        if repair and first.count:
            repaired = replays.repair(desk.house.database, one.id, first.differences)
        found.append((one, first, repaired, _check(desk, one) if repaired else first))
    text = "\n".join(_told(*each) for each in found)
    desk.say(text or "There is no authority yet.", [_as_json(*each) for each in found])
    return 1 if any(last.count for *_, last in found) else 0


def _check(desk: Desk, authority: AuthorityView) -> Replay:
    with desk.house.database.read() as session, progress(authority.code) as show:
        return replays.check(session, authority.id, progress=show)


def _told(authority: AuthorityView, first: Replay, repaired: int, last: Replay) -> str:
    lines = [f"{authority.code}: {first.records} records of {first.ops} ops, {first.count} differ."]
    lines += [
        f"  {one.kind} {one.record_id}: {', '.join(one.columns)}" for one in first.differences
    ]
    if first.count > len(first.differences):
        lines.append(f"  … and {first.count - len(first.differences)} more")
    if repaired:
        lines.append(f"  {repaired} were rewritten; {last.count} differ now.")
    return "\n".join(lines)


def _as_json(
    authority: AuthorityView, first: Replay, repaired: int, last: Replay
) -> dict[str, object]:
    return {
        "authority": authority.id,
        "code": authority.code,
        "records": first.records,
        "ops": first.ops,
        "differ": first.count,
        "differences": [asdict(one) for one in first.differences],
        "repaired": repaired,
        "differ_now": last.count,
    }
