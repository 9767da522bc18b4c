"""Reads the statutes from `statutes/*.toml` into law values, and checks them while reading.

Called by the composition root, `/me`, services and the command line. Must never import services or
SQL, nor say anything about the law that is not in the files.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from fieldapi.law.profile import KindOfAnimal, StatuteProfile
from fieldapi.packs.kinds import read_kinds
from fieldapi.packs.public import public_kind, public_profile
from fieldapi.packs.series import Series, read_series
from fieldapi.packs.table import PackError, PackTable
from sync.strict import JSON

__all__ = ["Finding", "PackError", "Packs", "UnknownStatute", "load_packs", "validate"]

KINDS_FILE = "kinds.toml"


class UnknownStatute(KeyError):
    """No series and no version has this name."""


@dataclass(frozen=True)
class Packs:
    """All statutes of the product. `kinds` by code in display order, `series` by code."""

    kinds: Mapping[str, KindOfAnimal]
    series: Mapping[str, Series]

    def profile(self, name: str, *, on: date) -> StatuteProfile:
        """Return the profile of a series on a day, or of one version, pinned, on any day.

        Raises UnknownStatute.
        """
        if name in self.series:
            return self.series[name].profile(on)
        for series in self.series.values():
            for profile in series.profiles:
                if profile.version == name:
                    return profile
        raise UnknownStatute(name)

    def names(self) -> tuple[str, ...]:
        """Return what an authority may choose: every series, then every version."""
        versions = (one.version for series in self.series.values() for one in series.profiles)
        return (*self.series, *versions)

    def public(self, profile: StatuteProfile, language: str) -> dict[str, JSON]:
        """Return a profile as JSON with labels in `language` (en, gu, hi, kn, ml)."""
        return public_profile(profile, language)

    def public_kinds(self, language: str) -> list[JSON]:
        """Return every kind of the product with its labels, cattle under some statute or not."""
        return [public_kind(kind, language) for kind in self.kinds.values()]


@dataclass(frozen=True)
class Finding:
    """What a check of the files found. `level`: `error`, `unverified`, `silent` or `unchecked`.

    `unverified`: a value that may only warn. `silent`: a member on which the Act says nothing.
    `unchecked`: a label that no native speaker has read.
    """

    level: str
    file: str
    key: str
    message: str


@cache
def load_packs() -> Packs:
    """Return the statutes that the package carries, read once. Raises PackError."""
    return read_packs(files("fieldapi") / "statutes")


def read_packs(folder: Traversable) -> Packs:
    """Return the statutes of a folder. Raises PackError for the first fault."""
    kinds = read_kinds(_table(folder / KINDS_FILE))
    series: dict[str, Series] = {}
    taken: set[str] = set()
    for file in _statutes(folder):
        table = _table(file)
        one = read_series(table, kinds)
        for name in (one.code, *(profile.version for profile in one.profiles)):
            if name in taken:
                raise table.fault("series", f"the name {name!r} is taken")
            taken.add(name)
        series[one.code] = one
    return Packs(kinds, MappingProxyType(series))


def validate(folder: Traversable | None = None) -> list[Finding]:
    """Return what someone should know of the files: errors first, then what is unsure."""
    folder = folder or files("fieldapi") / "statutes"
    try:
        kinds = read_kinds(_table(folder / KINDS_FILE))
    except PackError as error:
        return [_error(error)]
    findings = [*_of_kinds(kinds)]
    for file in _statutes(folder):
        try:
            findings.extend(_of_series(file.name, read_series(_table(file), kinds)))
        except PackError as error:
            findings.insert(0, _error(error))
    return findings


def _statutes(folder: Traversable) -> list[Traversable]:
    """Return the statute files by name; cases stand beside them and are read by the tests."""
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".toml"))
    return [
        folder / name for name in names if name != KINDS_FILE and not name.endswith(".cases.toml")
    ]


def _table(file: Traversable) -> PackTable:
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PackError(file.name, "-", f"cannot be read: {error}") from error
    return PackTable(file.name, "", data)


def _error(error: PackError) -> Finding:
    return Finding("error", error.file, error.key, error.message)


def _of_kinds(kinds: Mapping[str, KindOfAnimal]) -> Iterator[Finding]:
    for kind in kinds.values():
        for language, label in kind.labels.items():
            if not label.is_checked:
                key = f"kinds.{kind.code}.labels.{language}"
                yield Finding("unchecked", KINDS_FILE, key, label.one)


def _of_series(file: str, series: Series) -> Iterator[Finding]:
    for entry in series.entries:
        why = entry.provenance
        if not why.is_verified:
            message = f"s. {why.section}: {why.source.title}"
            yield Finding("unverified", file, entry.key, message)
        for member in sorted(why.silent):
            message = f"s. {why.section} does not say; this is a reading"
            yield Finding("silent", file, f"{entry.key}.{member}", message)
