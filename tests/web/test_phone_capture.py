"""The phone app in a real browser: from the icon to a numbered report, with only the phone."""

from __future__ import annotations

import re

import pytest

from fieldapi.domain.references import is_reference
from tests.web.conftest import OpenPhone

pytestmark = pytest.mark.browser


def test_six_taps_make_a_report_offline(phone: OpenPhone) -> None:
    asha = phone("asha")
    asha.offline()

    reference = asha.seize("buffalo")

    assert asha.taps <= 6
    assert is_reference(reference)
    assert re.fullmatch(r"RJK-\d{2}-\d{4}-0001-[A-Z]", reference)
    asha.see("Waiting to send")
