"""Brings the catalogues up to date with the code: `python -m tools.catalogues`, from the root.

New sentences come in empty, sentences that are gone go; translations and their comments stay.
"""

import sys
from io import BytesIO
from pathlib import Path

from babel.core import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from fieldapi.locale import LANGUAGES, NEEDS_REVIEW
from tools.messages import extract
from tools.paths import ROOT

# Who and when is in the history of the file; dates in it would only make every merge a conflict.
_HEADERS = (b'"Language:', b'"Plural-Forms:', b'"MIME-Version:', b'"Content-')


def main() -> int:
    """Update every catalogue; say how much is left to translate and to review."""
    template = extract(ROOT)
    for language in LANGUAGES:
        path = ROOT / "fieldapi" / "locale" / language / "LC_MESSAGES" / "messages.po"
        catalogue = _read(path, language)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(catalogue))
        print(f"{language}: {_left(catalogue)}")
    return 0


def written(catalogue: Catalog) -> bytes:
    """Return the file of a catalogue: sorted, without line numbers, dates and names of people."""
    name = Locale.parse(catalogue.locale or "en").english_name
    catalogue.fuzzy = False
    catalogue.header_comment = (
        f"# {name}. English is the message itself; what bears `{NEEDS_REVIEW}` was never read by\n"
        "# a native speaker. Updated by `python -m tools.catalogues`."
    )
    file = BytesIO()
    write_po(file, catalogue, width=100, sort_output=True, include_lineno=False)
    head, gap, body = file.getvalue().partition(b"\n\n")
    lines = [line for line in head.split(b"\n") if _is_kept(line)]
    return b"\n".join(lines) + gap + body


def _is_kept(line: bytes) -> bool:
    return not line.startswith(b'"') or line.startswith(_HEADERS)


def _left(catalogue: Catalog) -> str:
    messages = [message for message in catalogue if message.id]
    empty = sum(not message.string for message in messages)
    unread = sum(any(NEEDS_REVIEW in one for one in message.user_comments) for message in messages)
    return f"{len(messages)} sentences, {empty} without translation, {unread} to be reviewed"


def _read(path: Path, language: str) -> Catalog:
    if not path.exists():
        return Catalog(locale=language, project="fieldapi", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


if __name__ == "__main__":
    sys.exit(main())
