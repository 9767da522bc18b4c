"""The tree over a ledger (RFC 6962): heads, and proofs that an entry or an older head belongs.

The server appends with `Frontier` and proves from stored subtree hashes; phones, bundles and the
verifier check. Knows nothing of what the entries say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest

HASH_BYTES = 32
EMPTY_ROOT = sha256(b"").digest()

# Hash of the complete subtree of 2**height leaves that ends with leaf number `end` (from 1).
Fetch = Callable[[int, int], bytes]


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of an entry: SHA-256(0x00 ‖ entry), RFC 6962 §2.1."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two subtrees: SHA-256(0x01 ‖ left ‖ right)."""
    return sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Frontier:
    """All that is needed to go on appending. `peaks`: hashes of the complete subtrees, largest
    first, one for each 1 in the binary form of `size`. Raises ValueError if they do not fit.
    """

    size: int = 0
    peaks: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        fits = self.size >= 0 and len(self.peaks) == self.size.bit_count()
        if not fits or any(len(peak) != HASH_BYTES for peak in self.peaks):
            raise ValueError("these peaks do not fit this size")

    def append(self, leaf: bytes) -> tuple[Frontier, tuple[bytes, ...]]:
        """Return the frontier with one more leaf hash, and what it completed: the hashes of the
        complete subtrees of height 1..k that end with it. Raises ValueError if `leaf` is no hash.
        """
        if len(leaf) != HASH_BYTES:
            raise ValueError("a leaf is appended by its hash")
        peaks, newest = list(self.peaks), leaf
        completed: list[bytes] = []
        for _ in range(_trailing_zeros(self.size + 1)):
            newest = node_hash(peaks.pop(), newest)
            completed.append(newest)
        return Frontier(self.size + 1, (*peaks, newest)), tuple(completed)

    def root(self) -> bytes:
        """Return the tree head of this size."""
        return _fold_peaks(self.peaks) if self.peaks else EMPTY_ROOT


def root_at(size: int, fetch: Fetch) -> bytes:
    """Return the head the tree had at `size`."""
    return _root(0, size, fetch) if size else EMPTY_ROOT


def inclusion_proof(index: int, size: int, fetch: Fetch) -> list[bytes]:
    """Return the audit path of leaf `index` (from 0) in the tree of `size` (RFC 6962 §2.1.1).

    Raises ValueError if there is no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError("no such leaf in a tree of this size")
    return [_root(begin, end, fetch) for begin, end in _path(index, size)]


def consistency_proof(old_size: int, size: int, fetch: Fetch) -> list[bytes]:
    """Return the proof that the tree of `size` continues that of `old_size` (RFC 6962 §2.1.2).

    Empty for equal sizes and for `old_size` 0. Raises ValueError if `old_size` is greater.
    """
    if not 0 <= old_size <= size:
        raise ValueError("an older head is not larger")
    if old_size in {0, size}:
        return []
    return [_root(begin, end, fetch) for begin, end in _between(old_size, size)]


def verify_inclusion(
    leaf: bytes, index: int, size: int, *, proof: Sequence[bytes], root: bytes
) -> bool:
    """Say whether the leaf hash stands at `index` under `root` of `size` (RFC 9162 §2.1.3.2)."""
    if not 0 <= index < size or _malformed(leaf, root, *proof):
        return False
    found, place, last = leaf, index, size - 1
    for sibling in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            found = node_hash(sibling, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and compare_digest(found, root)


def verify_consistency(
    old_size: int, old_root: bytes, size: int, *, root: bytes, proof: Sequence[bytes]
) -> bool:
    """Say whether the head `root` of `size` continues `old_root` of `old_size` (RFC 9162
    §2.1.4.2). An empty old tree continues into any.
    """
    if not 0 <= old_size <= size or _malformed(old_root, root, *proof):
        return False
    if old_size in {0, size}:
        expected = EMPTY_ROOT if old_size == 0 else root
        return not proof and compare_digest(old_root, expected)
    is_whole = old_size & (old_size - 1) == 0
    path = [old_root, *proof] if is_whole else list(proof)
    if not path:
        return False
    return _roots_of(old_size, size, path) == (old_root, root)


def _roots_of(old_size: int, size: int, path: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """Return the two roots the path leads to, None if it has not the right length."""
    skip = _trailing_zeros(old_size)
    place, last = (old_size - 1) >> skip, (size - 1) >> skip
    older = newer = path[0]
    for sibling in path[1:]:
        if last == 0:
            return None
        if place & 1 or place == last:
            older, newer = node_hash(sibling, older), node_hash(sibling, newer)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            newer = node_hash(newer, sibling)
        place, last = place >> 1, last >> 1
    return (older, newer) if last == 0 else None


def _path(index: int, size: int) -> list[tuple[int, int]]:
    """Return the leaf ranges of the audit path, nearest first."""
    path: list[tuple[int, int]] = []
    begin, end = 0, size
    while end - begin > 1:
        middle = begin + _split(end - begin)
        if index < middle:
            path.append((middle, end))
            end = middle
        else:
            path.append((begin, middle))
            begin = middle
    return path[::-1]


def _between(old_size: int, size: int) -> list[tuple[int, int]]:
    """Return the leaf ranges of a consistency proof; the old tree itself is known, so left out."""
    ranges: list[tuple[int, int]] = []
    begin, end = 0, size
    while end != old_size:
        middle = begin + _split(end - begin)
        if old_size <= middle:
            ranges.append((middle, end))
            end = middle
        else:
            ranges.append((begin, middle))
            begin = middle
    return [*([(begin, end)] if begin else []), *ranges[::-1]]


def _root(begin: int, end: int, fetch: Fetch) -> bytes:
    """Return the root over leaves begin..end from stored subtrees: one read for each 1 bit."""
    peaks: list[bytes] = []
    while begin < end:
        height = (end - begin).bit_length() - 1
        begin += 1 << height
        peaks.append(fetch(height, begin))
    return _fold_peaks(peaks)


def _fold_peaks(peaks: Sequence[bytes]) -> bytes:
    root = peaks[-1]
    for peak in reversed(peaks[:-1]):
        root = node_hash(peak, root)
    return root


def _split(size: int) -> int:
    """Return the greatest power of two below `size`."""
    return 1 << ((size - 1).bit_length() - 1)


def _trailing_zeros(number: int) -> int:
    return (number & -number).bit_length() - 1


def _malformed(*hashes: bytes) -> bool:
    return any(len(one) != HASH_BYTES for one in hashes)
