"""Holds the ledger of a bundle against a head that somebody kept; or two heads against each other.

Joined into one `verify.py` by `alone.program`; must never import anything but the standard library.
"""

import json

from fieldapi.bundle.alone.faults import Uncompared, from_hex, need
from fieldapi.bundle.alone.ledgers import head_text, is_successor, kept_head, roots
from fieldapi.bundle.alone.signatures import ed25519

# ---- heads that somebody kept --------------------------------------------------------------------

LEAVES = "ledger/leaves.bin"
NO_KEY = (
    "no key was compared: anybody can make a bundle that fits its own key. Compare the key above"
    " with the one you know from elsewhere, or give it with --key"
)


def kept(bundle, head, proof):
    """Hold the ledger against a head that somebody kept."""
    authority, epoch, size, root, at, signature = head
    if authority not in (bundle.head[0], bundle.about["authority"]["code"]):
        raise Uncompared("the head you kept is of another authority")
    if signature is not None and at is not None:
        signed = ed25519(bundle.key, head_text(*head[:5]), from_hex(signature, 64))
        need(signed, "the head you kept was signed by another key")
    if proof and size > bundle.head[2]:
        path = [from_hex(one, 32) for one in proof["consistency"]]
        fits = is_successor(bundle.head[2:4], (size, root), path)
        need(fits, "the head you kept does not continue this ledger")
        return "the head you kept, of %d entries, continues this ledger" % size
    need_reach(bundle, epoch, size)
    fits = roots(bundle.pieces(LEAVES), [size])[size] == root
    need(fits, "the first %d entries are not those of the head you kept" % size)
    return "the first %d entries are those of the head you kept" % size


def pair(bundle, head, proof, known_key):
    """Check a proof of the page /verify: that its newer head continues the head you kept."""
    older, newer = proof["older"], proof["newer"]
    told = (older["size"], from_hex(older["root"], 32))
    need(told == head[2:4], "the proof is about another head than the one you kept")
    bundle.key = from_hex(proof["public_key"], 32)
    need(known_key in (None, bundle.key.hex()), "the key is another than the one you know")
    if known_key is None:
        bundle.notes.append(NO_KEY)
    bundle.head = kept_head(json.dumps(newer))
    signed = ed25519(bundle.key, head_text(*bundle.head[:5]), from_hex(bundle.head[5], 64))
    need(signed, "the newer head was not signed by the key of the proof")
    path = [from_hex(one, 32) for one in proof["consistency"]]
    fits = is_successor(told, bundle.head[2:4], path)
    need(fits, "the newer head does not continue the head you kept")
    said = "entries 1 to %d are in the ledger of %d entries as they were, %s, signed by key %s"
    return said % (told[0], bundle.head[2], bundle.head[4], bundle.key.hex())


def need_reach(bundle, epoch, size):
    """Raise `Uncompared` for a head that the entries of the bundle do not reach."""
    ends = {
        said["old_epoch"]: said["old_size"]
        for said in bundle.entries
        if said["kind"] == "ledger.restored"
    }
    if size > ends.get(epoch, size):
        raise Uncompared(
            "of epoch %s only %d entries were left by a restore, the head you kept has %d"
            % (epoch, ends[epoch], size)
        )
    if epoch not in ends and (epoch != bundle.head[1] or size > bundle.head[2]):
        raise Uncompared(
            "the head you kept is newer than this bundle: ask the office for the proof that it"
            " continues entry %d (--proof FILE)" % bundle.head[2]
        )
