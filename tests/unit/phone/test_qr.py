"""The QR codes that the app draws, square by square against those of another encoder."""

from __future__ import annotations

import json
import random
import subprocess

import pytest
import segno
from segno import encoder

from tests.support.tree import ROOT
from tools import node

_DRAW = """
import {{ squares }} from {module};
const texts = JSON.parse(process.argv.at(-1));
console.log(JSON.stringify(texts.map(text => squares(text).map(row => row.map(Number)))));
"""
Grid = list[list[int]]


def texts() -> list[str]:
    """Texts on both sides of every border between two sizes, and what the app really draws."""
    chance, letters = random.Random(7), "abcXYZ0189-/:#"
    lengths = (1, 14, 15, 26, 27, 42, 43, 62, 63, 84, 85, 106)
    made = ["".join(chance.choice(letters) for _ in range(length)) for length in lengths]
    address = "https://cattle.example.gov.in/app/#/find/RJK-07-2611-0042-G"
    return ["RJK-07-2611-0042-G", address, "ગાય", *made]


def drawn(wanted: list[str]) -> list[Grid]:
    module = json.dumps((ROOT / "fieldapi" / "webapp" / "ui" / "qr.js").as_uri())
    program = [node.node().program, "--input-type=module", "-e", _DRAW.format(module=module)]
    said = subprocess.run([*program, json.dumps(wanted)], capture_output=True, check=True)
    found: list[Grid] = json.loads(said.stdout)
    return found


def other(text: str, mask: int) -> Grid:
    made = segno.make(
        text, error="m", micro=False, boost_error=False, mode="byte", encoding="utf-8", mask=mask
    )
    return [list(row) for row in made.matrix]


def test_codes_are_those_of_another_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    # segno adds a whole byte of zeros where the text ends with a byte; the standard adds none.
    monkeypatch.setattr(
        encoder,
        "write_padding_bits",
        lambda bits, _version, length: bits.extend([0] * (-length % 8)),
    )
    wanted = texts()

    for text, grid in zip(wanted, drawn(wanted), strict=True):
        assert any(other(text, mask) == grid for mask in range(8)), text
