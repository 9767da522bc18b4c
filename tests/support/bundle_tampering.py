"""Ways to tamper with a bundle: bits, files, history, the manifest rebuilt, and all of it rewritten
by somebody who holds a key. Each gives the bytes of another bundle and says what was done.
"""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fieldapi.bundle.alone.files import Archive
from fieldapi.bundle.alone.verify import check
from fieldapi.bundle.container import (
    LAST,
    MANIFEST,
    SIGNATURE,
    Container,
    manifest_of,
    signature_file,
)
from fieldapi.clock import parse_instant
from fieldapi.keyring import public_bytes
from fieldapi.ledger import head_message
from sync.tree import Frontier, inclusion_proof, leaf_hash, node_hash

Members = dict[str, bytes]
Sign = Callable[[bytes], bytes]
Change = Callable[[random.Random, bytes, Members], tuple[bytes, str]]

HISTORY, LEAVES, HEAD, ABOUT = (
    "ledger/entries.jsonl",
    "ledger/leaves.bin",
    "ledger/head.txt",
    "bundle.json",
)


def members_of(bundle: bytes) -> Members:
    """Return the files of a bundle."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rebuilt(members: Members, signer: tuple[bytes, Sign] | None = None) -> bytes:
    """Return a bundle with a manifest that fits; signed anew if there is a signer (key, sign)."""
    out = io.BytesIO()
    container = Container(out)
    for name in sorted(set(members) - set(LAST)):
        container.add(name, [members[name]])
    manifest = manifest_of(container.members)
    container.add(MANIFEST, [manifest])
    signature = members[SIGNATURE] if signer is None else signature_file(manifest, *signer)
    container.add(SIGNATURE, [signature])
    container.close()
    return out.getvalue()


def faults(bundle: bytes, head: str | None = None) -> list[str]:
    """Return what the verifier finds, at most the first of it."""
    try:
        source = Archive(io.BytesIO(bundle))
    except Exception as fault:  # noqa: BLE001 - whatever stops it is a finding
        return [str(fault)]
    found: list[str] = check(source, head=head, till_fault=True).faults
    return found


def stranger(seed: int = 1) -> tuple[bytes, Sign]:
    """Return a key that is not the server's."""
    key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    return public_bytes(key.public_key()), key.sign


def flip(rng: random.Random, bundle: bytes, _members: Members) -> tuple[bytes, str]:
    """Flip one bit anywhere."""
    at, bit = rng.randrange(len(bundle)), rng.randrange(8)
    changed = bytearray(bundle)
    changed[at] ^= 1 << bit
    return bytes(changed), f"bit {bit} of byte {at}"


def cut(rng: random.Random, bundle: bytes, _members: Members) -> tuple[bytes, str]:
    """Cut the end off, or let something follow."""
    if rng.random() < 0.5:
        kept = rng.randrange(len(bundle))
        return bundle[:kept], f"cut to {kept} bytes"
    return bundle + rng.randbytes(rng.randrange(1, 40)), "something follows"


def swap(rng: random.Random, _bundle: bytes, members: Members) -> tuple[bytes, str]:
    """Let two files change places under a manifest that fits."""
    one, other = _two(rng, members)
    changed = {**members, one: members[other], other: members[one]}
    return rebuilt(changed), f"{one} and {other} changed places"


def edit(rng: random.Random, _bundle: bytes, members: Members) -> tuple[bytes, str]:
    """Change one byte of one file under a manifest that fits, or that somebody else signed."""
    name = rng.choice([one for one in members if members[one] and one != MANIFEST])
    changed = bytearray(members[name])
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    signer = None if name == SIGNATURE else rng.choice([None, stranger()])
    return rebuilt({**members, name: bytes(changed)}, signer), f"a byte of {name}"


def lose(rng: random.Random, _bundle: bytes, members: Members) -> tuple[bytes, str]:
    """Leave a file out, or slip one in, under a manifest that fits."""
    name = rng.choice([one for one in members if one not in LAST])
    if rng.random() < 0.5:
        kept = {one: data for one, data in members.items() if one != name}
        return rebuilt(kept, rng.choice([None, stranger()])), f"{name} is gone"
    added = {**members, f"ops/{rng.randbytes(8).hex()}/{rng.randbytes(16).hex()}.json": b"{}"}
    return rebuilt(added, rng.choice([None, stranger()])), "an op slipped in"


def rewrite_history(rng: random.Random, _bundle: bytes, members: Members) -> tuple[bytes, str]:
    """Say something else in one entry, or leave some out, under a manifest that fits."""
    lines = members[HISTORY].decode().splitlines()
    at = rng.randrange(len(lines))
    row = json.loads(lines[at])
    said = json.loads(row["entry"])
    said["actor"] = rng.randbytes(8).hex()
    row["entry"] = json.dumps(said, sort_keys=True, separators=(",", ":"))
    lines[at] = json.dumps(row)
    changed = {**members, HISTORY: ("\n".join(lines) + "\n").encode()}
    return rebuilt(changed, rng.choice([None, stranger()])), f"entry {said['seq']} edited"


def truncate(rng: random.Random, _bundle: bytes, members: Members) -> tuple[bytes, str]:
    """Cut the end of the ledger off, entries and hashes, under a manifest that fits."""
    leaves = members[LEAVES]
    kept = rng.randrange(1, len(leaves) // 32)
    rows = [json.loads(line) for line in members[HISTORY].decode().splitlines()]
    entries = [row for row in rows if json.loads(row["entry"])["seq"] <= kept]
    changed = {
        **members,
        LEAVES: leaves[: 32 * kept],
        HISTORY: "".join(json.dumps(row) + "\n" for row in entries).encode(),
    }
    return rebuilt(changed, rng.choice([None, stranger()])), f"only {kept} entries left"


CHANGES: tuple[Change, ...] = (flip, flip, flip, cut, swap, edit, lose, rewrite_history, truncate)


def rewritten(rng: random.Random, members: Members, signer: tuple[bytes, Sign]) -> bytes:
    """Return the bundle as whoever holds a key would make it for another history: entry, hashes,
    proofs, head, key and manifest all fit each other.
    """
    rows = [json.loads(line) for line in members[HISTORY].decode().splitlines()]
    leaves = [members[LEAVES][i : i + 32] for i in range(0, len(members[LEAVES]), 32)]
    row = rng.choice([one for one in rows if "photo.stored" in one["entry"]])
    said = json.loads(row["entry"])
    said["actor"] = rng.randbytes(8).hex()
    row["entry"] = json.dumps(said, sort_keys=True, separators=(",", ":"))
    leaves[said["seq"] - 1] = leaf_hash(row["entry"].encode())
    for one in rows:
        seq = json.loads(one["entry"])["seq"]
        proof = inclusion_proof(seq - 1, len(leaves), lambda h, end: _subtree(leaves, h, end))
        one["proof"] = [each.hex() for each in proof]
    about: dict[str, Any] = json.loads(members[ABOUT])
    root = _root(leaves)
    about["cut"]["root"], about["public_key"] = root.hex(), signer[0].hex()
    changed = {
        **members,
        HISTORY: "".join(json.dumps(one) + "\n" for one in rows).encode(),
        LEAVES: b"".join(leaves),
        HEAD: _head(about, root, signer),
        ABOUT: json.dumps(about).encode(),
    }
    return rebuilt(changed, signer)


def _head(about: Mapping[str, Any], root: bytes, signer: tuple[bytes, Sign]) -> bytes:
    cut_at, authority = about["cut"], about["authority"]["id"]
    at = parse_instant(cut_at["at"])
    message = head_message(authority, cut_at["epoch"], cut_at["size"], root=root, at=at)
    return message + signer[1](message).hex().encode() + b"\n"


def _root(leaves: list[bytes]) -> bytes:
    frontier = Frontier()
    for leaf in leaves:
        frontier, _ = frontier.append(leaf)
    return frontier.root()


def _subtree(leaves: list[bytes], height: int, end: int) -> bytes:
    if height == 0:
        return leaves[end - 1]
    half = end - (1 << height - 1)
    return node_hash(_subtree(leaves, height - 1, half), _subtree(leaves, height - 1, end))


def _two(rng: random.Random, members: Members) -> tuple[str, str]:
    names = [one for one in members if one not in LAST]
    while True:
        one, other = rng.sample(names, 2)
        if members[one] != members[other]:
            return one, other
