"""`fieldapi statutes …`: what the program knows of the Acts, and how sure it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from fieldapi.cli.desk import Desk, json_option
from fieldapi.packs import UnknownStatute, load_packs, validate
from fieldapi.packs.cases.files import shipped, stories_in
from fieldapi.packs.cases.player import play
from fieldapi.packs.cases.story import StoryError


@click.group()
def statutes() -> None:
    """Statutes: list them, check their files."""


@statutes.command("list")
@json_option
@click.pass_obj
def list_(desk: Desk) -> None:
    """List what an authority may choose: series, and versions to pin."""
    rows = [
        {"statute": profile.version, "series": series.code, "name": profile.name}
        for series in load_packs().series.values()
        for profile in series.profiles
    ]
    desk.table(rows, ("statute", "series", "name"), empty="There is no statute.")


@statutes.command(short_help="Check the files of the statutes, play their stories.")
@click.option("--all", "is_all", is_flag=True, help="Show labels that nobody checked, too.")
@click.option(
    "--cases",
    "paths",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Play the stories of this file as well: TOML, JSON, YAML, or YAML in Markdown.",
)
@json_option
@click.pass_obj
def check(desk: Desk, *, is_all: bool, paths: tuple[Path, ...]) -> int:
    """Check the files of the statutes and play their stories; name what is not verified.

    Exit code 1 if a file cannot be used, or if something in a story does not follow.
    """
    findings = validate()
    counts = Counter(one.level for one in findings)
    shown = [one for one in findings if is_all or one.level != "unchecked"]
    played = _play(paths) if not counts["error"] else Played(0, (), ())
    lines = [f"{one.level}: {one.file} {one.key}: {one.message}" for one in shown]
    lines += [f"left out: {one}" for one in played.left]
    lines += [f"does not follow: {one}" for one in played.faults]
    total = ", ".join(f"{count} {level}" for level, count in sorted(counts.items()))
    lines.append(f"{'not usable' if counts['error'] else 'usable'}: {total or 'nothing to say'}")
    lines.append(f"{played.stories} stories played, {len(played.faults)} things do not follow")
    document = {"counts": counts, "findings": [asdict(one) for one in shown], **asdict(played)}
    desk.say("\n".join(lines), document)
    return 1 if counts["error"] or played.faults else 0


@dataclass(frozen=True)
class Played:
    """How many stories were played, what did not follow in them, and what could not be read."""

    stories: int
    faults: tuple[str, ...]
    left: tuple[str, ...]


def _play(paths: tuple[Path, ...]) -> Played:
    stories = [*shipped()]
    left: list[str] = []
    faults: list[str] = []
    for path in paths:
        try:
            more, unread = stories_in(path.name, path.read_text(encoding="utf-8"))
        except (StoryError, UnicodeDecodeError) as error:
            faults.append(f"{path.name}: {error}")
            continue
        stories.extend(more)
        left.extend(unread)
    for story in stories:
        try:
            faults.extend(str(one) for one in play(load_packs(), story))
        except (StoryError, UnknownStatute) as error:
            faults.append(f"{story.id}: {error}")
    return Played(len(stories), tuple(faults), tuple(left))
