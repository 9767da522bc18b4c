"""What the app says: every sentence reaches the phone, in forms that the phone chooses rightly."""

from __future__ import annotations

import json
import re

import pytest

from fieldapi.locale import LANGUAGES, catalogue, web_messages
from fieldapi.phone.shelf import read_sources

_SAID = re.compile(r'(?<![\w.])(?:_|ngettext|sentence)\(\s*("(?:[^"\\]|\\.)*")')
_ONE_UP_TO_ONE = {"gu", "hi", "kn"}  # as `ui/words.js` has it


@pytest.mark.parametrize("language", sorted({*LANGUAGES} - {"en"}))
def test_every_sentence_of_the_app_reaches_the_phone(language: str) -> None:
    known = web_messages(language)
    said = {
        json.loads(one)
        for path, content in read_sources().items()
        if path.endswith(".js")
        for one in _SAID.findall(content.decode())
    }

    assert len(said) > 100
    assert said - set(known) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_chosen_as_the_catalogue_says(language: str) -> None:
    rule = "(n > 1)" if language in _ONE_UP_TO_ONE else "(n != 1)"

    assert catalogue(language).plural_expr == rule
