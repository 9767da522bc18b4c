"""The catalogues against the code: every sentence is there, whole, in its own script, and marked
as unread until a native speaker has read it.
"""

import re
import unicodedata
from functools import cache

import pytest
from babel.messages.catalog import Catalog, Message

from fieldapi.domain.words import sentence
from fieldapi.locale import (
    LANGUAGES,
    NEEDS_REVIEW,
    catalogue,
    gettext,
    ngettext,
    translations,
    web_messages,
)
from tools.messages import extract
from tools.paths import ROOT

TRANSLATED = tuple(one for one in LANGUAGES if one != "en")
SCRIPTS = {
    "gu": "\u0a80-\u0aff",
    "hi": "\u0900-\u097f",
    "kn": "\u0c80-\u0cff",
    "ml": "\u0d00-\u0d7f",
}
# The dots that end a Hindi sentence live in the Devanagari block but belong to every script.
DANDAS = "\u0964\u0965"
REVIEWED = "reviewed by "
UPDATE = "run `python -m tools.catalogues` and translate what is new"


@cache
def code() -> Catalog:
    return extract(ROOT)


def messages(catalog: Catalog) -> list[Message]:
    return [one for one in catalog if one.id]


def forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def holes(text: str) -> set[str]:
    return set(re.findall(r"\{\w*\}|%\(\w+\)[sd]", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_code_is_in_the_catalogue_and_no_other(language: str) -> None:
    wanted, found = ({one.id for one in messages(c)} for c in (code(), catalogue(language)))
    assert wanted - found == set(), UPDATE
    assert found - wanted == set(), UPDATE


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_sentence_is_without_translation(language: str) -> None:
    assert [one.id for one in messages(catalogue(language)) if not all(forms(one))] == [], UPDATE


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_are_those_of_the_sentence(language: str) -> None:
    for message in messages(catalogue(language)):
        ids = [message.id] if isinstance(message.id, str) else [*message.id]
        wanted = {hole for one in ids for hole in holes(one)}
        assert {hole for one in forms(message) for hole in holes(one)} == wanted, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_is_marked_until_a_native_speaker_has_read_it(language: str) -> None:
    for message in messages(catalogue(language)):
        marks = (NEEDS_REVIEW, REVIEWED)
        assert any(one.startswith(marks) for one in message.user_comments), message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_keeps_to_its_own_script_and_latin_digits(language: str) -> None:
    own = re.compile(f"[{SCRIPTS[language]}]")
    others = re.compile("[" + "".join(r for one, r in SCRIPTS.items() if one != language) + "]")
    for message in messages(catalogue(language)):
        for text in forms(message):
            bare = text.translate(dict.fromkeys(map(ord, DANDAS)))
            assert own.search(bare), text
            assert not others.search(bare), text
            assert not any(unicodedata.category(one) == "Nd" and not one.isascii() for one in bare)


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_nfc(language: str) -> None:
    for message in messages(catalogue(language)):
        assert all(unicodedata.is_normalized("NFC", one) for one in forms(message)), message.id


def test_problem_titles_and_statute_labels_are_found() -> None:
    found = {one.id for one in messages(code())}
    assert {"You saw an older version", "The server could not do this"} <= found
    assert {"Watch and ward staff of the panchayat", "Private field", "Under review"} <= found


def test_a_sentence_is_translated_and_filled() -> None:
    assert gettext("Canal", "hi") == "नहर"
    assert gettext("This list has more than {most} elements.", "gu", most=50).count("50") == 1
    assert gettext("never seen before", "kn") == "never seen before"
    assert gettext("Canal", "fr") == "Canal"
    assert gettext("", "gu") == ""


def test_a_sentence_brings_what_it_was_made_of() -> None:
    said = sentence("This is no part of the case: {what}", what=sentence("Canal"))
    assert (said, gettext(said, "en")) == ("This is no part of the case: Canal", said)
    assert gettext(said, "hi").endswith(": नहर")


def test_plural_forms_follow_the_language() -> None:
    one = ngettext("{number} photo", "{number} photos", 1, language="en")
    many = ngettext("{number} photo", "{number} photos", 2, language="en")
    assert (one, many) == ("1 photo", "2 photos")


def test_translations_are_what_templates_need() -> None:
    assert translations("ml").gettext("Tank") == "കുളം"
    assert translations("xx").gettext("Tank") == "Tank"


def test_the_web_app_gets_only_its_own_sentences() -> None:
    found = web_messages("kn", folder="fieldapi/statutes/")
    assert found["Canal"] == "ಕಾಲುವೆ"
    assert "Under review" not in found
    assert web_messages("en", folder="fieldapi/statutes/")["Canal"] == "Canal"


def test_an_unknown_language_has_no_catalogue() -> None:
    with pytest.raises(LookupError, match="tlh"):
        catalogue("tlh")
