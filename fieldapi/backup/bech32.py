"""Bech32 (BIP 173), in which age writes its keys: 32 letters, and six of them to find a slip by.

Called by `age` alone. Imports nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_STEPS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_CHECK = 6


def encode(prefix: str, data: bytes) -> str:
    """Return the text of `data`.

    >>> encode("age", bytes(2))
    'age1qqqqlpnwam'
    """
    words = _regroup(data, 8, 5, pads=True)
    check = _polymod([*_spread(prefix), *words, *[0] * _CHECK]) ^ 1
    words += [(check >> 5 * (5 - at)) & 31 for at in range(_CHECK)]
    return f"{prefix}1{''.join(_LETTERS[word] for word in words)}"


def decode(prefix: str, text: str) -> bytes:
    """Return the bytes of a text with this prefix. Raises `ValueError` for anything else."""
    head, one, tail = text.strip().rpartition("1")
    if not one or head != prefix or any(letter not in _LETTERS for letter in tail):
        raise ValueError("not a text of this kind")
    words = [_LETTERS.index(letter) for letter in tail]
    if _polymod([*_spread(prefix), *words]) != 1:
        raise ValueError("a letter of it is wrong")
    return bytes(_regroup(words[:-_CHECK], 5, 8, pads=False))


def _spread(prefix: str) -> list[int]:
    return [*(ord(one) >> 5 for one in prefix), 0, *(ord(one) & 31 for one in prefix)]


def _polymod(words: Iterable[int]) -> int:
    check = 1
    for word in words:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ word
        for at, step in enumerate(_STEPS):
            check ^= step if top >> at & 1 else 0
    return check


def _regroup(words: Sequence[int] | bytes, size: int, wanted: int, *, pads: bool) -> list[int]:
    """Cut a row of `size`-bit words into `wanted`-bit ones."""
    held, bits, made = 0, 0, []
    for word in words:
        held, bits = held << size | word, bits + size
        while bits >= wanted:
            bits -= wanted
            made.append(held >> bits & (1 << wanted) - 1)
    if pads and bits:
        made.append(held << wanted - bits & (1 << wanted) - 1)
    return made
