"""Tree heads and proofs (RFC 6962): known heads, the definition itself, and any changed byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sync.tree import (
    EMPTY_ROOT,
    Frontier,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    root_at,
    verify_consistency,
    verify_inclusion,
)
from tests.unit.sync.vectors import read

VECTORS = read("tree.json")
LEAVES = [leaf_hash(bytes.fromhex(leaf)) for leaf in VECTORS["leaves"]]
ROOTS = [bytes.fromhex(root) for root in VECTORS["roots"]]
SIZES = st.integers(1, 70)


class Ledger:
    """What a server stores: each leaf's hash and the subtrees that end with it."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self.frontier, self.hashes = Frontier(), dict[tuple[int, int], bytes]()
        self.roots = [self.frontier.root()]
        for end, leaf in enumerate(leaves, 1):
            self.frontier, completed = self.frontier.append(leaf)
            for height, subtree in enumerate((leaf, *completed)):
                self.hashes[height, end] = subtree
            self.roots.append(self.frontier.root())

    def fetch(self, height: int, end: int) -> bytes:
        return self.hashes[height, end]


GREAT = Ledger([leaf_hash(b"%d" % number) for number in range(70)])


def defined_root(leaves: Sequence[bytes]) -> bytes:
    """Spell out RFC 6962 §2.1."""
    if len(leaves) < 2:
        return leaves[0] if leaves else EMPTY_ROOT
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(defined_root(leaves[:split]), defined_root(leaves[split:]))


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8 % len(data)] ^= 1 << bit % 8
    return bytes(changed)


def test_the_heads_are_the_known_ones() -> None:
    assert Ledger(LEAVES).roots == ROOTS


@pytest.mark.parametrize("size", range(40))
def test_a_head_is_what_the_definition_says(size: int) -> None:
    leaves = [GREAT.hashes[0, end] for end in range(1, size + 1)]
    assert GREAT.roots[size] == root_at(size, GREAT.fetch) == defined_root(leaves)


@pytest.mark.parametrize("case", VECTORS["inclusion"])
def test_an_audit_path_is_that_of_its_vector(case: dict[str, Any]) -> None:
    proof = inclusion_proof(case["index"], case["size"], Ledger(LEAVES).fetch)
    assert [one.hex() for one in proof] == case["proof"]


@pytest.mark.parametrize("case", VECTORS["consistency"])
def test_a_consistency_proof_is_that_of_its_vector(case: dict[str, Any]) -> None:
    proof = consistency_proof(case["old"], case["size"], Ledger(LEAVES).fetch)
    assert [one.hex() for one in proof] == case["proof"]


@pytest.mark.parametrize("size", range(1, 18))
def test_every_leaf_and_every_older_head_of_a_small_tree_is_proven(size: int) -> None:
    root = GREAT.roots[size]
    for index in range(size):
        proof = inclusion_proof(index, size, GREAT.fetch)
        leaf = GREAT.hashes[0, index + 1]
        assert verify_inclusion(leaf, index, size, proof=proof, root=root)
        assert not verify_inclusion(leaf, index, size, proof=[*proof, leaf], root=root)
    for old in range(size + 1):
        proof = consistency_proof(old, size, GREAT.fetch)
        old_root = GREAT.roots[old]
        assert verify_consistency(old, old_root, size, root=root, proof=proof)
        assert not verify_consistency(old, old_root, size, root=root, proof=[*proof, root])


@given(SIZES, st.data(), st.integers(0, 255))
def test_an_inclusion_verifies_and_any_changed_byte_fails(
    size: int, data: st.DataObject, bit: int
) -> None:
    index = data.draw(st.integers(0, size - 1))
    leaf, root = GREAT.hashes[0, index + 1], GREAT.roots[size]
    proof = inclusion_proof(index, size, GREAT.fetch)
    assert verify_inclusion(leaf, index, size, proof=proof, root=root)
    assert not verify_inclusion(flipped(leaf, bit), index, size, proof=proof, root=root)
    assert not verify_inclusion(leaf, index, size, proof=proof, root=flipped(root, bit))
    for bad in tampered(proof, bit):
        assert not verify_inclusion(leaf, index, size, proof=bad, root=root)


@given(SIZES, st.data(), st.integers(0, 255))
def test_a_continuation_verifies_and_any_changed_byte_fails(
    size: int, data: st.DataObject, bit: int
) -> None:
    old = data.draw(st.integers(0, size))
    old_root, root = GREAT.roots[old], GREAT.roots[size]
    proof = consistency_proof(old, size, GREAT.fetch)
    assert verify_consistency(old, old_root, size, root=root, proof=proof)
    assert not verify_consistency(old, flipped(old_root, bit), size, root=root, proof=proof)
    assert old == 0 or not verify_consistency(
        old, old_root, size, root=flipped(root, bit), proof=proof
    )
    for bad in tampered(proof, bit):
        assert not verify_consistency(old, old_root, size, root=root, proof=bad)


def tampered(proof: Sequence[bytes], bit: int) -> list[list[bytes]]:
    """Change one bit of each hash; lose one; add one."""
    changed = [[*proof[:at], flipped(one, bit), *proof[at + 1 :]] for at, one in enumerate(proof)]
    return [*changed, *([list(proof[:-1])] if proof else []), [*proof, EMPTY_ROOT]]


@given(st.integers(1, 60), st.integers(0, 59), st.integers(0, 59))
def test_a_proof_holds_for_its_own_place_only(size: int, index: int, other: int) -> None:
    index, other = index % size, other % size
    proof = inclusion_proof(index, size, GREAT.fetch)
    leaf, root = GREAT.hashes[0, index + 1], GREAT.roots[size]
    assert verify_inclusion(leaf, other, size, proof=proof, root=root) is (other == index)


def test_completed_subtrees_are_those_that_end_with_the_leaf() -> None:
    counts = [sum(end == at for _, end in GREAT.hashes) - 1 for at in range(1, 65)]
    assert counts[:8] == [0, 1, 0, 2, 0, 1, 0, 3]
    assert counts[63] == 6


NO_PROOF: Sequence[Callable[[], object]] = [
    lambda: inclusion_proof(3, 3, GREAT.fetch),
    lambda: inclusion_proof(-1, 3, GREAT.fetch),
    lambda: consistency_proof(4, 3, GREAT.fetch),
    lambda: Frontier(3, (EMPTY_ROOT,)),
    lambda: Frontier(1, (b"short",)),
    lambda: Frontier().append(b"an entry, not its hash"),
]


@pytest.mark.parametrize("ask", NO_PROOF)
def test_what_cannot_be_is_refused(ask: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        ask()


def test_nonsense_verifies_as_false() -> None:
    root = GREAT.roots[3]
    assert not verify_inclusion(EMPTY_ROOT, 3, 3, proof=[], root=root)
    assert not verify_inclusion(b"short", 0, 1, proof=[], root=root)
    assert not verify_consistency(4, root, 3, root=root, proof=[])
    assert not verify_consistency(3, root, 5, root=GREAT.roots[5], proof=[])
    assert not verify_consistency(0, root, 3, root=root, proof=[])
