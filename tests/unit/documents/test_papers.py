"""What official papers say, and what they do not say for anybody."""

import pytest

from fieldapi.documents.papers import Paper, sheet_of


@pytest.mark.parametrize("declared, notes", [((True, True), 1), ((True, False), 0), ((), 1)])
def test_record_of_a_sale_says_that_buyers_declared_only_if_each_did(
    declared: tuple[bool, ...], notes: int
) -> None:
    lots = [
        {"kind": "cow", "buyer": {"name": "Sasi"}, "paise": 90000, "declared": one}
        for one in declared
    ]
    here = {"name": "Hunsur Grama Panchayat", "languages": ["en"]}
    data = {
        "kind": "sale_record",
        "authority": here,
        "statute": {"name": "Act"},
        "lots": lots,
        "parts": [],
    }

    sheet = sheet_of(Paper(data, kind_names={"cow": "cow"}))

    assert len(sheet.notes) == notes
