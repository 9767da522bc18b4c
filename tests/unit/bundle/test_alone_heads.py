"""The forms in which people keep heads of a ledger, and what the verifier knows of records."""

from __future__ import annotations

import json

import pytest

from fieldapi.bundle.alone.contents import SETS, WORKED_OUT
from fieldapi.bundle.alone.faults import Fault
from fieldapi.bundle.alone.ledgers import each_leaf, kept_head
from fieldapi.bundle.alone.verify import BROKEN
from fieldapi.domain.records import KINDS, SERVER, SET

ROOT = "ab" * 32
SAID = {"authority": "x", "epoch": "A", "size": 8, "root": ROOT, "at": None, "signature": None}
READ = ("x", "A", 8, bytes.fromhex(ROOT), None, None)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(SAID),
        f"x A.8 {ROOT}",
        f"\n x  A.8\n{ROOT.upper()}\n",
        f"fieldapi tree head v1\nx\nA\n8\n{ROOT}\n",
    ],
)
def test_every_form_of_a_head_is_read(text: str) -> None:
    assert kept_head(text)[:4] == READ[:4]


@pytest.mark.parametrize("size", ["Infinity", "NaN", "1e3", "true", "-1", "8.0", "null", '"9x"'])
def test_size_of_a_head_is_a_whole_number(size: str) -> None:
    with pytest.raises((Fault, *BROKEN)):
        kept_head(json.dumps(SAID).replace("8,", f"{size},"))


def test_hashes_are_read_across_pieces() -> None:
    said = bytes(range(96))

    found = [*each_leaf([said[:5], said[5:70], said[70:]])]

    assert found == [said[:32], said[32:64], said[64:]]


def test_verifier_knows_which_fields_have_no_heads() -> None:
    for kind in KINDS.values():
        sets = {one.name for one in kind.fields.values() if one.klass == SET}
        own = {one.name for one in kind.fields.values() if one.klass == SERVER}

        assert sets <= set(SETS)
        assert own | set(kind.server) <= set(WORKED_OUT)
