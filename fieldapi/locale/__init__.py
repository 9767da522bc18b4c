"""One gettext catalogue for server and web app: English, Gujarati, Hindi, Kannada, Malayalam.

The `.po` files are read as they are, once per language, so no compiled file can be out of date.
Used by packs, api, console and documents. Must never import Flask or anything of the layers above.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from gettext import GNUTranslations
from importlib.resources import files
from io import BytesIO

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from fieldapi.domain.words import Param, Sentence

LANGUAGES = ("en", "gu", "hi", "kn", "ml")
FALLBACK = "en"
# In their own scripts: whoever looks for a language reads that one.
LANGUAGE_NAMES: Mapping[str, str] = {
    "en": "English",
    "gu": "ગુજરાતી",
    "hi": "हिन्दी",
    "kn": "ಕನ್ನಡ",
    "ml": "മലയാളം",
}
NEEDS_REVIEW = "needs review"


@cache
def catalogue(language: str) -> Catalog:
    """Return the catalogue of one of `LANGUAGES`, with comments and locations.

    Raises LookupError for another language.
    """
    if language not in LANGUAGES:
        raise LookupError(f"no catalogue for {language!r}")
    file = files("fieldapi.locale") / language / "LC_MESSAGES" / "messages.po"
    return read_po(BytesIO(file.read_bytes()), locale=language)


@cache
def translations(language: str) -> GNUTranslations:
    """Return gettext, ngettext and plural rules of a language, English for an unknown one.

    The object is what Jinja's `install_gettext_translations` takes. A message without translation
    comes back in English.
    """
    compiled = BytesIO()
    write_mo(compiled, catalogue(language if language in LANGUAGES else FALLBACK))
    compiled.seek(0)
    return GNUTranslations(compiled)


def asked(tags: Iterable[tuple[str, float]]) -> str:
    """Return the first of `LANGUAGES` among tags with their weights, the dearest first; English if
    none is.

    >>> asked([("gu-IN", 1.0), ("en", 0.5)]), asked([("ml", 0.0), ("fr", 1.0)])
    ('gu', 'en')
    """
    wanted = (tag.partition("-")[0].lower() for tag, weight in tags if weight)
    return next((tag for tag in wanted if tag in LANGUAGES), FALLBACK)


def gettext(message: str, language: str, /, **params: str | int) -> str:
    """Return `message` in `language`, its `{named}` placeholders filled from `params`.

    A `Sentence` brings its own message and params.

    >>> gettext("This list has more than {most} elements.", "en", most=50)
    'This list has more than 50 elements.'
    """
    if isinstance(message, Sentence) and message.params and not params:
        return gettext(message.message, language, **_said(message.params, language))
    text = translations(language).gettext(message) if message else ""
    return text.format(**params) if params else text


def _said(params: Mapping[str, Param], language: str) -> dict[str, Param]:
    return {
        name: gettext(value, language) if isinstance(value, Sentence) else value
        for name, value in params.items()
    }


def ngettext(one: str, other: str, number: int, /, *, language: str, **params: str | int) -> str:
    """Return the form of a message for `number` in `language`; `{number}` is filled as well."""
    text = translations(language).ngettext(one, other, number)
    return text.format(number=number, **params)


def web_messages(language: str, *, folder: str = "fieldapi/webapp/") -> dict[str, str | list[str]]:
    """Return the translated messages that files under `folder` use, for the web app's catalogue.

    A message with plural forms stands under its singular, as the list of its forms.
    """
    found: dict[str, str | list[str]] = {}
    for message in catalogue(language):
        places = (str(place) for place, _line in message.locations)
        if message.id and any(place.startswith(folder) for place in places):
            found |= _web_message(message)
    return found


def _web_message(message: Message) -> dict[str, str | list[str]]:
    if isinstance(message.id, str):
        return {message.id: str(message.string or message.id)}
    forms = [str(one) for one in message.string or ()]
    return {str(message.id[0]): forms if all(forms) else [*map(str, message.id)]}
