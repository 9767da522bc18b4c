"""`fieldapi photos …`: whether every photo is still there and still itself."""

from __future__ import annotations

from dataclasses import asdict

import click

from fieldapi.cli.desk import Desk, counted, json_option
from fieldapi.cli.progress import progress
from fieldapi.services.photos import audit as photo_audit
from fieldapi.services.photos.audit import Named, PhotoAudit

_SAID = {
    "missing": "missing in the store",
    "damaged": "damaged: other bytes than were received",
    "unlisted": "stored, says the ledger, and named by no row",
    "adopted": "taken in: in the store, announced by a photo, and named by no row until now",
    "orphaned": "in the store and named by nobody; no evidence is lost",
    "undrawn": "without their small pictures; no evidence is lost",
}


@click.group()
def photos() -> None:
    """Photos: verify that all are there, byte for byte."""


@photos.command(short_help="Hash the stored photos; name the missing and damaged.")
@click.option(
    "--share",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Read one in N, another part each day; that all are there is checked anyway.",
)
@click.option("--anew", is_flag=True, help="Begin again, even if a run of this share was stopped.")
@json_option
@click.pass_obj
def verify(desk: Desk, *, share: int, anew: bool) -> int:
    """Hash the stored photos, and name what is missing, damaged or left over.

    Leaves with 1 if evidence is missing or damaged; phones that still hold such a photo are asked
    for it with their next sync. May run beside a server; with --share 30 once a day, every photo
    is read within a month. A run that was stopped is gone on with.
    """
    wanted = photo_audit.share_of_today(share)
    with progress("photos") as show:
        found = photo_audit.audit(desk.house, wanted, progress=show, is_anew=anew)
    desk.say(_told(found, is_all=share == 1), {"is_sound": found.is_sound, **asdict(found)})
    return 0 if found.is_sound else 1


def _told(found: PhotoAudit, *, is_all: bool) -> str:
    known = f"{counted(found.known, 'photo')} {'is' if found.known == 1 else 'are'} known"
    aside = f" and {counted(found.aside, 'object')} laid aside" if found.aside else ""
    read = f"{counted(found.hashed, 'object')} {'was' if found.hashed == 1 else 'were'} read"
    lines = [f"{known}{aside}, {read}.{_verdict(found, is_all=is_all)}"]
    for name, said in _SAID.items():
        one: Named = getattr(found, name)
        if one.count:
            lines.append(f"{one.count} {said}:")
            lines += [f"  {key}" for key in one.keys]
    return "\n".join(lines)


def _verdict(found: PhotoAudit, *, is_all: bool) -> str:
    if not found.known or not found.is_sound:
        return ""
    return " All are there and whole." if is_all else " All are there, and those read are whole."
