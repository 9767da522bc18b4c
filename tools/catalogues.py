"""Brings the catalogues up to date with the code: `python -m tools.catalogues`, from the root.

New sentences come in empty, sentences that are gone go; translations and their comments stay.
"""

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from fieldapi.locale import LANGUAGES
from tools.messages import extract
from tools.paths import ROOT


def main() -> int:
    """Update every catalogue; say how much is left to translate."""
    template = extract(ROOT)
    for language in LANGUAGES:
        path = ROOT / "fieldapi" / "locale" / language / "LC_MESSAGES" / "messages.po"
        catalogue = _read(path, language)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        _write(path, catalogue)
        empty = sum(1 for message in catalogue if message.id and not message.string)
        print(f"{language}: {len(catalogue)} sentences, {empty} without translation")
    return 0


def _read(path: Path, language: str) -> Catalog:
    if not path.exists():
        return Catalog(locale=language, project="fieldapi", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def _write(path: Path, catalogue: Catalog) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(
            file, catalogue, width=100, omit_header=False, sort_output=True, include_lineno=False
        )


if __name__ == "__main__":
    sys.exit(main())
