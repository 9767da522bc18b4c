"""Reads one statute, a dated series of versions, and cuts it into one profile for each version.

Called by `fieldapi.packs`. An amendment is a new version, an end on each old entry and a new entry
beside it: data, never code. A new kind of rule is one list here and one value in `law/profile.py`.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeVar

from fieldapi.law.profile import Cattle, KindOfAnimal, SeizureRule, StatuteProfile, Term
from fieldapi.law.provenance import Provenance
from fieldapi.law.rules import Cap, Charge, Clock, Deduction, Gate, Value
from fieldapi.packs import rules
from fieldapi.packs.digest import digest_of
from fieldapi.packs.entries import Entry, EntryReader, Version, values_in
from fieldapi.packs.kinds import LANGUAGES
from fieldapi.packs.table import PackTable

POUNDS = ("village", "area", "nearest")


@dataclass(frozen=True)
class Series:
    """A statute with all its versions, oldest first. `entries`: everything that has a source."""

    code: str
    state: str
    lgd_state: int
    profiles: tuple[StatuteProfile, ...]
    entries: tuple[Entry[object], ...]

    def profile(self, on: date) -> StatuteProfile:
        """Return the version in force on a day; the first one also answers for earlier days.

        A phone whose clock is years behind must not make its report unreadable.
        """
        begun = [one for one in self.profiles if one.effective_from <= on]
        return begun[-1] if begun else self.profiles[0]


def read_series(table: PackTable, kinds: Mapping[str, KindOfAnimal]) -> Series:
    """Return the statute of one file. Raises PackError, also for parts that do not fit together."""
    code, state = table.text("series"), table.text("state")
    lgd_state = table.whole("lgd_state")
    reader = EntryReader(table)
    parts = _Parts(
        languages=reader.read("languages", _languages),
        cattle=reader.read("cattle", lambda row, why: _cattle(row, why, kinds=kinds)),
        capacities=reader.read("capacities", _term),
        grounds=reader.read("grounds", _term),
        place_kinds=reader.read("place_kinds", _term),
        seizure_rules=reader.read("seizure_rules", _seizure_rule),
        clocks=reader.read("clocks", rules.read_clock),
        gates=reader.read("gates", rules.read_gate),
        charges=reader.read("charges", rules.read_charge),
        deductions=reader.read("deductions", rules.read_deduction),
        caps=reader.read("caps", rules.read_cap),
        values=reader.read("values", rules.read_value),
    )
    table.done()
    bare = [parts.cut(version, code=code, state=state) for version in reader.versions]
    for profile in bare:
        _check_fit(table, profile)
    known = frozenset(kinds)
    profiles = _closed([replace(one, known_kinds=known, digest=digest_of(one)) for one in bare])
    return Series(code, state, lgd_state, profiles, tuple(reader.entries))


@dataclass(frozen=True)
class _Parts:
    """The dated lists of a statute, before they are cut into versions."""

    languages: tuple[Entry[tuple[str, ...]], ...]
    cattle: tuple[Entry[tuple[Cattle, ...]], ...]
    capacities: tuple[Entry[Term], ...]
    grounds: tuple[Entry[Term], ...]
    place_kinds: tuple[Entry[Term], ...]
    seizure_rules: tuple[Entry[SeizureRule], ...]
    clocks: tuple[Entry[Clock], ...]
    gates: tuple[Entry[Gate], ...]
    charges: tuple[Entry[Charge], ...]
    deductions: tuple[Entry[Deduction], ...]
    caps: tuple[Entry[Cap], ...]
    values: tuple[Entry[Value], ...]

    def cut(self, version: Version, *, code: str, state: str) -> StatuteProfile:
        """Return what counts in one version; known kinds, digest and last day come later."""
        return StatuteProfile(
            series=code,
            version=version.id,
            name=version.name,
            state=state,
            effective_from=version.effective_from,
            effective_to=None,
            languages=_flat(values_in(version, self.languages)),
            cattle=_sorted(_flat(values_in(version, self.cattle))),
            capacities=values_in(version, self.capacities),
            grounds=values_in(version, self.grounds),
            place_kinds=values_in(version, self.place_kinds),
            seizure_rules=values_in(version, self.seizure_rules),
            clocks=values_in(version, self.clocks),
            known_kinds=frozenset(),
            digest="",
            gates=values_in(version, self.gates),
            charges=values_in(version, self.charges),
            deductions=values_in(version, self.deductions),
            caps=values_in(version, self.caps),
            values=values_in(version, self.values),
        )


Item = TypeVar("Item")


def _flat(lists: Iterable[tuple[Item, ...]]) -> tuple[Item, ...]:
    return tuple(one for items in lists for one in items)


def _sorted(cattle: tuple[Cattle, ...]) -> tuple[Cattle, ...]:
    return tuple(sorted(cattle, key=lambda one: one.kind.order))


def _closed(profiles: list[StatuteProfile]) -> tuple[StatuteProfile, ...]:
    """Give each profile its last day: the first day of the next one, which is no longer its own."""
    ends = [one.effective_from for one in profiles[1:]]
    closed = [replace(one, effective_to=end) for one, end in zip(profiles, ends, strict=False)]
    return (*closed, profiles[-1])


def _languages(row: PackTable, why: Provenance) -> tuple[str, ...]:  # noqa: ARG001
    codes = row.texts("codes")
    for code in codes:
        if code not in LANGUAGES:
            raise row.fault("codes", f"{code!r} is not one of {', '.join(LANGUAGES)}")
    return codes


def _cattle(
    row: PackTable, why: Provenance, *, kinds: Mapping[str, KindOfAnimal]
) -> tuple[Cattle, ...]:
    codes = row.texts("kinds")
    for code in codes:
        if code not in kinds:
            raise row.fault("kinds", f"{code!r} is not in kinds.toml")
    return tuple(Cattle(kinds[code], why) for code in codes)


def _term(row: PackTable, why: Provenance) -> Term:
    aliases = frozenset(row.texts("aliases", default=()))
    is_open = row.truth("open", default=False)
    return Term(row.text("code"), row.text("label"), aliases, is_open, why)


def _seizure_rule(row: PackTable, why: Provenance) -> SeizureRule:
    return SeizureRule(
        rule=row.text("rule"),
        capacities=frozenset(row.texts("capacities")),
        grounds=frozenset(row.texts("grounds")),
        place_kinds=frozenset(row.texts("place_kinds")),
        damage_required=row.truth("damage_required"),
        pound=row.choice("pound", POUNDS),
        provenance=why,
    )


def _check_fit(table: PackTable, profile: StatuteProfile) -> None:
    """Raise PackError if one version names something twice or a rule names what is not there."""
    where = f"{profile.version}: "
    for key in ("capacities", "grounds", "place_kinds"):
        terms: tuple[Term, ...] = getattr(profile, key)
        names = [name for term in terms for name in (term.code, *term.aliases)]
        _unique(table, key, names, where=where)
        for rule in profile.seizure_rules:
            unknown = getattr(rule, key) - {term.code for term in terms}
            if unknown:
                raise table.fault("seizure_rules", f"{where}{rule.rule} names {sorted(unknown)}")
    _unique(table, "cattle", [one.kind.code for one in profile.cattle], where=where)
    _unique(table, "clocks", [one.rule for one in profile.clocks], where=where)
    for name in ("gates", "charges", "deductions", "caps", "values"):
        coded: tuple[Gate, ...] = getattr(profile, name)
        _unique(table, name, [one.code for one in coded], where=where)
    lines = {one.code for one in profile.charges} | {rules.EXPENSES}
    for deduction in profile.deductions:
        unknown = set(deduction.lines) - lines
        if unknown:
            raise table.fault("deductions", f"{where}{deduction.code} names {sorted(unknown)}")


def _unique(table: PackTable, key: str, names: Collection[str], *, where: str) -> None:
    twice = sorted({name for name in names if [*names].count(name) > 1})
    if twice:
        raise table.fault(key, f"{where}{', '.join(twice)} counts twice")
