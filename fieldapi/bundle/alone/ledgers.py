"""The tree of a ledger, and heads of it that somebody kept.

Joined into one `verify.py` by `alone.program`; must never import anything but the standard library.
"""

import json
import re

from fieldapi.bundle.alone.faults import from_hex, need, sha256

# ---- the tree of the ledger (RFC 6962) -----------------------------------------------------------


def leaf_hash(entry):
    return sha256(b"\0" + entry)


def node_hash(left, right):
    return sha256(b"\1" + left + right)


def roots(pieces, wanted):
    """Return the root at each of the wanted sizes; `pieces`: the hashes of the entries."""
    peaks, found, size = [], {}, 0
    sizes = set(wanted)
    if 0 in sizes:
        found[0] = sha256(b"")
    for leaf in each_leaf(pieces):
        newest, size, number = leaf, size + 1, size
        while number & 1:
            newest, number = node_hash(peaks.pop(), newest), number >> 1
        peaks.append(newest)
        if size in sizes:
            found[size] = folded(peaks)
    return found


def each_leaf(pieces):
    rest = b""
    for piece in pieces:
        rest += piece
        for start in range(0, len(rest) - 31, 32):
            yield rest[start : start + 32]
        rest = rest[len(rest) // 32 * 32 :]
    need(not rest, "the hashes of the entries are cut")


def folded(peaks):
    root = peaks[-1]
    for peak in reversed(peaks[:-1]):
        root = node_hash(peak, root)
    return root


def is_included(leaf, index, size, proof, root):
    """Say whether a leaf stands at `index` (from 0) of a tree (RFC 9162, 2.1.3.2)."""
    found, place, last = leaf, index, size - 1
    if not 0 <= index < size:
        return False
    for sibling in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            found = node_hash(sibling, found)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and found == root


HEAD_TITLE = "fieldapi tree head v1"


# How a pound board and a covering letter say a head: AUTHORITY EPOCH.SIZE ROOT.
BOARD = re.compile(r"(\S{1,64})\s+([A-Z]{1,8})\.([0-9]{1,15})\s+([0-9a-fA-F]{64})")


def kept_head(text):
    """Return (authority, epoch, size, root, at, signature) of a head: its text, its JSON, or what a
    pound board and a covering letter say of it, with neither `at` nor `signature`.
    """
    lines = text.strip().splitlines()
    board = BOARD.fullmatch(text.strip())
    if board:
        said = list(board.groups()) + [None, None]
    elif lines and lines[0].strip() == HEAD_TITLE:
        said = [line.strip() for line in lines[1:]] + [None, None]
    else:
        value = json.loads(text)
        names = ("authority", "epoch", "size", "root", "at", "signature")
        said = [value.get(name) for name in names]
    need(re.fullmatch("[0-9]{1,15}", str(said[2])), "the size of a head is a whole number")
    return said[0], said[1], int(said[2]), from_hex(said[3].lower(), 32), said[4], said[5]


def head_text(authority, epoch, size, root, at):
    return "\n".join((HEAD_TITLE, authority, epoch, str(size), root.hex(), at, "")).encode()


def is_successor(old, new, proof):
    """Say whether a head (size, root) continues an older one (RFC 9162, 2.1.4.2)."""
    old_size, old_root = old
    size, root = new
    if old_size == size or not old_size:
        return not proof and (not old_size or old_root == root)
    path = list(proof) if old_size & (old_size - 1) else [old_root] + list(proof)
    place, last = old_size - 1, size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    if not path:
        return False
    older = newer = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            older, newer = node_hash(sibling, older), node_hash(sibling, newer)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            newer = node_hash(newer, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and older == old_root and newer == root
