#!/usr/bin/env python3
"""Checks a court bundle without the program that made it, without a network and without packages.

    python3 verify.py                          the folder that this file was unpacked into
    python3 verify.py BUNDLE.zip               the ZIP as it was handed over: finds any changed byte
    python3 verify.py BUNDLE.zip --head FILE   and holds it against a tree head somebody kept
    python3 verify.py BUNDLE.zip --key HEX     and against the public key known from elsewhere

Leaves with 0 if everything fits, 1 if anything does not, 2 if there is nothing to check. Needs
Python 3.8 or newer. Signatures follow RFC 8032 (Ed25519), FIPS 186-5 (ECDSA on P-256) and RFC 7515
(JWS); the tree of the ledger follows RFC 6962. Take a copy of this file from a source you trust:
one that lies in the bundle proves nothing against whoever made the bundle.
"""

import argparse
import hashlib
import json
import os
import struct
import sys

from fieldapi.bundle.alone.faults import Fault, from_hex, need, sha256
from fieldapi.bundle.alone.files import Archive, Folder
from fieldapi.bundle.alone.ledgers import (
    head_text,
    is_included,
    is_successor,
    kept_head,
    leaf_hash,
    roots,
)
from fieldapi.bundle.alone.signatures import ed25519, is_signed, key_of

# ---- the checks ----------------------------------------------------------------------------------

TITLE = "fieldapi bundle v1"
MANIFEST, SIGNATURE = "MANIFEST.sha256", "MANIFEST.sig"
RECEIVED = ("op.applied", "op.held", "op.quarantined")
BROKEN = (
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    OSError,
    RecursionError,
    struct.error,
)


class Bundle:
    """One bundle under check. `faults`: what does not fit; `said`: what was found to fit."""

    def __init__(self, source):
        self.source = source
        self.faults, self.said = [], []
        self.about, self.entries, self.devices = {}, [], {}
        self.key, self.head, self.leaves = b"", None, b""

    def read(self, name):
        need(name in self.source.sizes, name + " is missing")
        return b"".join(self.source.pieces(name))

    def json(self, name):
        return json.loads(self.read(name).decode())

    def run(self, part, check):
        """Do one part; what it stumbles over is a fault, and the other parts go on."""
        try:
            self.said.append(part + ": " + check())
        except Fault as fault:
            self.faults.append(part + ": " + str(fault))
        except BROKEN as error:
            self.faults.append("%s: it cannot be read (%s)" % (part, type(error).__name__))

    # Each check returns what it found, or raises Fault.

    def files(self):
        lines = self.read(MANIFEST).decode("ascii").splitlines(True)
        listed, size = [], 0
        for line in lines:
            digest, name = line[:64], line[66:-1]
            need(line == digest + "  " + name + "\n", "a line of the manifest has another form")
            from_hex(digest, 32)
            listed.append(name)
            found = hashlib.sha256()
            need(name in self.source.sizes, name + " is missing")
            for piece in self.source.pieces(name):
                found.update(piece)
                size += len(piece)
            need(found.hexdigest() == digest, name + " was changed")
        need(listed == sorted(set(listed)), "the manifest is not in order")
        stray = sorted(set(self.source.sizes) - set(listed) - {MANIFEST, SIGNATURE})
        need(not stray, "the manifest does not name " + ", ".join(stray[:5]))
        return "%d files, %d bytes, are those of the manifest" % (len(listed), size)

    def signature(self, known_key):
        raw = self.read(SIGNATURE)
        title, key, signature = raw.decode("ascii").splitlines()
        self.key = from_hex(key, 32)
        rebuilt = "%s\n%s\n%s\n" % (TITLE, key, signature)
        need(rebuilt.encode() == raw and title == TITLE, "the signature has another form")
        signed = "%s\n%s\n" % (TITLE, sha256(self.read(MANIFEST)).hex())
        fits = ed25519(self.key, signed.encode(), from_hex(signature, 64))
        need(fits, "the manifest was not signed by key " + key)
        need(known_key in (None, key), "the key is another than the one you know")
        return "the manifest was signed by key " + key

    def description(self):
        self.about = self.json("bundle.json")
        need(self.about["public_key"] == self.key.hex(), "bundle.json names another key")
        cut = self.about["cut"]
        self.head = kept_head(self.read("ledger/head.txt").decode())
        authority, epoch, size, root, at, signature = self.head
        told = (self.about["authority"]["id"], cut["epoch"], cut["size"], cut["root"], cut["at"])
        need(told == (authority, epoch, size, root.hex(), at), "bundle.json names another head")
        signed = ed25519(self.key, head_text(*self.head[:5]), from_hex(signature, 64))
        need(signed, "the head of the ledger was not signed by the same key")
        return "entry %d of epoch %s, %s, is the last one; its head is signed" % (size, epoch, at)

    def tree(self):
        self.leaves = self.read("ledger/leaves.bin")
        size, root = self.head[2], self.head[3]
        need(len(self.leaves) == 32 * size, "the ledger has another number of entries")
        need(
            roots(self.leaves, [size])[size] == root, "the hashes of the entries give another head"
        )
        return "%d entries give the head that was signed" % size

    def history(self):
        _, _, size, root, _, _ = self.head
        last = 0
        for line in self.read("ledger/entries.jsonl").decode().splitlines():
            row = json.loads(line)
            said = json.loads(row["entry"])
            seq, leaf = said["seq"], leaf_hash(row["entry"].encode())
            proof = [from_hex(one, 32) for one in row["proof"]]
            need(seq > last, "the entries are out of order")
            need(said["authority"] == self.head[0], "entry %d is of another authority" % seq)
            proven = is_included(leaf, seq - 1, size, proof, root)
            need(proven, "entry %d is not in the ledger as it stands here" % seq)
            need(self.leaves[32 * seq - 32 : 32 * seq] == leaf, "entry %d has another hash" % seq)
            self.entries.append(said)
            last = seq
        return "%d of them are about this case, each proven to be in the ledger" % len(self.entries)

    def phones(self):
        keys = {}
        for said in self.entries:
            if said["kind"].startswith("device.") and "key" in said:
                keys.setdefault(said["subject"], set()).add(said["key"])
        rows = self.json("keys/devices.json")
        for row in rows:
            text = row["public_key"]
            self.devices[row["id"]] = key_of(text)
            told = keys.get("device/" + row["id"])
            known = not told or (text and sha256(text.encode()).hex() in told)
            need(known, "the ledger knows device %d by another key" % row["number"])
        return "%d devices, %d with a key of their own" % (
            len(rows),
            sum(1 for one in self.devices.values() if one),
        )

    def words(self):
        erased = {op for said in self.entries for op in said.get("ops", ()) if is_erasure(said)}
        left_out, listed = self.about["left_out"]["ops"], self.about["erased"]
        counts = {"kept": 0, "signed": 0, "left out": 0, "erased": 0}
        files = set()
        for said in self.entries:
            if said["kind"] not in RECEIVED or "sha256" not in said:
                continue
            path = "ops/" + said["op"]
            if said["op"] in left_out:
                counts["left out"] += 1
                need(
                    path + ".json" not in self.source.sizes,
                    path + " is there, and is not said to be",
                )
                continue
            files |= {path + ".json", path + ".salt", path + ".sig"}
            if said["op"] in listed:
                need(said["op"] in erased, "no entry tells of the erasure of " + said["op"])
                counts["erased"] += 1
                continue
            self.word(said, path, counts)
        stray = [one for one in self.source.sizes if one.startswith("ops/") and one not in files]
        need(not stray, "no entry tells of %s" % ", ".join(stray[:3]))
        return ", ".join("%d %s" % (count, name) for name, count in counts.items())

    def acts(self):
        """Check what each official act was told: the ledger has its hash."""
        left_out, found = self.about["left_out"]["acts"], 0
        for said in self.entries:
            if said["kind"] not in ("act.performed", "act.recorded") or "data" not in said:
                continue
            path = "acts/" + said["id"] + ".json"
            if said["id"] in left_out:
                need(path not in self.source.sizes, path + " is there, and is not said to be")
                continue
            need(sha256(self.read(path)).hex() == said["data"], path + " is not as it was entered")
            found += 1
        return "%d official acts are as they were entered" % found

    def word(self, said, path, counts):
        """Check one thing that a phone wrote: its bytes, its salt, its signature."""
        payload, salt = self.read(path + ".json"), b""
        if path + ".salt" in self.source.sizes:
            salt = bytes.fromhex(self.read(path + ".salt").decode("ascii").strip())
        need(
            sha256(salt + payload).hex() == said["sha256"],
            said["op"] + " is not as it was received",
        )
        counts["kept"] += 1
        if "signature" not in said:
            return
        kept = self.read(path + ".sig").decode("ascii")
        need(sha256(kept.encode()).hex() == said["signature"], said["op"] + ": other signature")
        if said.get("signed"):
            need(
                is_signed(kept, payload, self.devices), said["op"] + ": its signature does not hold"
            )
            counts["signed"] += 1

    def photos(self):
        stored = {said["sha256"] for said in self.entries if said["kind"] == "photo.stored"}
        left_out = set(self.about["left_out"]["originals"])
        missing = {one["sha256"] for one in self.about["missing"] if one.get("sha256")}
        found = set()
        for name in self.source.sizes:
            if name.startswith("originals/"):
                digest = name[len("originals/") :].split(".")[0]
                need(digest in stored, "no entry tells that %s was stored" % digest)
                found.add(digest)
        gone = sorted(stored - found - left_out - missing)
        need(not gone, "these photos are missing: " + ", ".join(gone[:5]))
        self.hashes_are_names()
        told = "%d originals, each named by its hash" % len(found)
        return told + ("; missing, as said: %d" % len(missing) if missing else "")

    def hashes_are_names(self):
        for line in self.read(MANIFEST).decode("ascii").splitlines():
            if line[66:].startswith("originals/"):
                need(line[:64] == line[76:140], line[66:] + " has another hash than its name")

    def records(self):
        ops = {said["op"] for said in self.entries if "op" in said}
        values = 0
        for record in self.json("records.json"):
            for field, heads in record["heads"].items():
                for head in heads:
                    need(
                        head["op"] in ops, "no entry tells of the %s of %s" % (field, record["id"])
                    )
                    values += self.is_said(head, field)
        return "%d values stand, each as its author sent it" % values

    def is_said(self, head, field):
        path = "ops/" + head["op"] + ".json"
        gone = head["op"] in self.about["erased"] or path not in self.source.sizes
        if gone or field == "withdrawn":
            return 0
        said = json.loads(self.read(path).decode()).get("set", {})
        need(said.get(field) == head["v"], "%s of %s says something else" % (field, head["op"]))
        return 1

    def kept(self, head, proof):
        """Hold the ledger against a head that somebody kept."""
        authority, epoch, size, root, at, signature = head
        need(authority == self.head[0], "that head is of another authority")
        if signature is not None and at is not None:
            signed = ed25519(self.key, head_text(*head[:5]), from_hex(signature, 64))
            need(signed, "the head you kept was signed by another key")
        if size > self.head[2]:
            need(proof, "the head you kept is newer: ask the server for the proof (--proof FILE)")
            hashes = [from_hex(one, 32) for one in proof]
            fits = is_successor(self.head[2:4], (size, root), hashes)
            need(fits, "the head you kept does not continue this ledger")
            return "the head you kept, of %d entries, continues this ledger" % size
        ended = {
            said["old_epoch"]: said["old_size"]
            for said in self.entries
            if said["kind"] == "ledger.restored"
        }
        end = ended.get(epoch, self.head[2] if epoch == self.head[1] else -1)
        need(size <= end, "of epoch %s the head you kept has more entries than are left" % epoch)
        fits = roots(self.leaves, [size])[size] == root
        need(fits, "the first %d entries are not those of the head you kept" % size)
        return "the first %d entries are those of the head you kept" % size


def is_erasure(said):
    return said["kind"] == "person.erased"


def check(source, known_key=None, head=None, proof=None, till_fault=False):
    """Do every check and return the bundle with what was found."""
    bundle = Bundle(source)
    checks = [
        ("files", bundle.files),
        ("signature", lambda: bundle.signature(known_key)),
        ("head", bundle.description),
        ("ledger", bundle.tree),
        ("history", bundle.history),
        ("phones", bundle.phones),
        ("words", bundle.words),
        ("acts", bundle.acts),
        ("photos", bundle.photos),
        ("values", bundle.records),
    ]
    if head is not None:
        checks.append(("your head", lambda: bundle.kept(kept_head(head), proof)))
    for part, work in checks:
        bundle.run(part, work)
        if till_fault and bundle.faults:
            break
    return bundle


def unopened(why):
    bundle = Bundle(None)
    bundle.faults.append("file: " + why)
    return bundle


def checked(ask, head, proof):
    if os.path.isdir(ask.bundle):
        return check(Folder(ask.bundle), ask.key, head, proof)
    with open(ask.bundle, "rb") as file:
        return check(Archive(file), ask.key, head, proof)


def tell(bundle, as_json):
    about = bundle.about
    if as_json:
        told = {"fits": not bundle.faults, "found": bundle.said, "faults": bundle.faults}
        print(json.dumps(told, indent=2))
        return
    for line in bundle.said:
        print("  fits  " + line)
    for line in bundle.faults:
        print(" FAULT  " + line)
    for name in ("redacted", "missing"):
        if about.get(name):
            print("  note  %s: %s" % (name, json.dumps(about[name], ensure_ascii=False)))
    print("Everything fits." if not bundle.faults else "This is not the bundle that was made.")


def main(arguments):
    parser = argparse.ArgumentParser(description="Checks a court bundle.")
    parser.add_argument("bundle", nargs="?", default=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--key", help="the public key you know, in hex")
    parser.add_argument("--head", help="a tree head that you kept: its text, or JSON")
    parser.add_argument("--proof", help="JSON from the server: `consistency`, for a newer head")
    parser.add_argument("--json", action="store_true", help="for programs")
    ask = parser.parse_args(arguments)
    head, proof = None, None
    try:
        if ask.head:
            with open(ask.head, encoding="utf-8") as file:
                head = file.read()
        if ask.proof:
            with open(ask.proof, encoding="utf-8") as file:
                proof = json.load(file)["consistency"]
        if not os.path.exists(ask.bundle):
            print("there is no " + ask.bundle, file=sys.stderr)
            return 2
    except BROKEN as error:
        print("%s: %s" % (type(error).__name__, error), file=sys.stderr)
        return 2
    try:
        bundle = checked(ask, head, proof)
    except Fault as fault:
        bundle = unopened(str(fault))
    except BROKEN as error:
        bundle = unopened("it cannot be read (%s)" % type(error).__name__)
    tell(bundle, ask.json)
    return 1 if bundle.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
