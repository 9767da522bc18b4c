"""Reads `statutes/kinds.toml`: every kind of animal of the product, with labels in five languages.

Called by `fieldapi.packs`. Must never know which statute counts what as cattle.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from fieldapi.law.profile import KindOfAnimal, Label
from fieldapi.packs.table import PackTable

LANGUAGES = ("en", "gu", "hi", "kn", "ml")


def read_kinds(table: PackTable) -> Mapping[str, KindOfAnimal]:
    """Return the kinds by code, in their order. Raises PackError."""
    kinds: dict[str, KindOfAnimal] = {}
    orders: set[int] = set()
    for row in table.tables("kinds"):
        kind = _kind(row)
        if kind.code in kinds:
            raise row.fault("code", f"{kind.code} is there twice")
        if kind.order in orders:
            raise row.fault("order", f"{kind.order} is taken")
        kinds[kind.code] = kind
        orders.add(kind.order)
    table.done()
    return MappingProxyType(dict(sorted(kinds.items(), key=lambda one: one[1].order)))


def _kind(row: PackTable) -> KindOfAnimal:
    labels = dict(_labels(row.table("labels")))
    kind = KindOfAnimal(row.text("code"), row.whole("order"), row.texts("covers"), labels)
    row.done()
    return kind


def _labels(table: PackTable) -> Iterator[tuple[str, Label]]:
    for language in LANGUAGES:
        row = table.table(language)
        yield language, Label(row.text("one"), row.text("other"), row.truth("checked"))
        row.done()
    table.done()
