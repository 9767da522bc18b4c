#!/usr/bin/env python3
"""Checks a court bundle without the program that made it, without a network and without packages.

    python3 verify.py                          the folder that this file was unpacked into
    python3 verify.py BUNDLE.zip               the ZIP as it was handed over: finds any changed byte
    python3 verify.py BUNDLE.zip --head FILE   and holds it against a tree head somebody kept
    python3 verify.py BUNDLE.zip --key HEX     and against the public key known from elsewhere
    python3 verify.py --head FILE --proof FILE two heads of a ledger alone, by the page /verify

Leaves with 0 if everything fits, 1 if anything does not, 2 if there is nothing to check, 3 if the
bundle fits and the head could not be held against it. Needs Python 3.8 or newer. Signatures follow
RFC 8032 (Ed25519), FIPS 186-5 (ECDSA on P-256) and RFC 7515 (JWS); the tree of the ledger follows
RFC 6962. Take a copy of this file from a source you trust: one that lies in the bundle proves
nothing against whoever made the bundle.
"""

import argparse
import hashlib
import json
import os
import struct
import sys

from fieldapi.bundle.alone.contents import (
    absent,
    need_heads,
    need_reasons,
    need_records,
    need_shown,
    said_of,
    unknown,
)
from fieldapi.bundle.alone.faults import Fault, Uncompared, from_hex, need, sha256, shown
from fieldapi.bundle.alone.files import LARGEST, NAME, Archive, Folder
from fieldapi.bundle.alone.keeping import LEAVES, NO_KEY, kept, pair
from fieldapi.bundle.alone.ledgers import head_text, is_included, kept_head, leaf_hash, roots
from fieldapi.bundle.alone.signatures import ed25519, is_signed, key_of
from fieldapi.bundle.alone.told import pictures, told

# ---- the checks ----------------------------------------------------------------------------------

TITLE = "fieldapi bundle v1"
MANIFEST, SIGNATURE = "MANIFEST.sha256", "MANIFEST.sig"
ERASED = "of %d ops, values were erased: what is left of these is as the server tells, not proven"
UNPROVEN = "%d values stand whose ops are not here as they were received: not proven"
RECEIVED = ("op.applied", "op.held", "op.quarantined")
BROKEN = (
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    ArithmeticError,
    MemoryError,
    OSError,
    RecursionError,
    struct.error,
)


class Bundle:
    """One bundle under check. `faults`: what does not fit; `said`: what was found to fit; `notes`:
    what to know beside; `uncompared`: what could not be held against it.
    """

    def __init__(self, source):
        self.source = source
        self.faults, self.said, self.notes, self.uncompared = [], [], [], []
        self.about, self.entries, self.devices = {}, [], {}
        self.key, self.head, self.is_pair = b"", None, False

    def pieces(self, name):
        need(name in self.source.sizes, name + " is missing")
        return self.source.pieces(name)

    def read(self, name):
        pieces = self.pieces(name)
        need(self.source.sizes[name] <= LARGEST, name + " is larger than that of any bundle")
        return b"".join(pieces)

    def lines(self, name):
        rest = b""
        for piece in self.pieces(name):
            found = (rest + piece).split(b"\n")
            rest = found.pop()
            need(len(rest) <= LARGEST, name + " has a longer line than that of any bundle")
            for line in found:
                yield line
        need(not rest, name + " is cut")

    def json(self, name):
        return json.loads(self.read(name).decode())

    def run(self, part, check):
        """Do one part; what it stumbles over is a fault, and the other parts go on."""
        try:
            self.said.append(shown(part + ": " + check()))
        except Fault as fault:
            self.faults.append(shown(part + ": " + str(fault)))
        except Uncompared as why:
            self.uncompared.append(shown(part + ": " + str(why)))
        except BROKEN as error:
            self.faults.append("%s: it cannot be read (%s)" % (part, type(error).__name__))

    def absent(self):
        """Return what is not in it, as the bundle says; nothing where it cannot be read."""
        try:
            return [shown(line) for line in absent(self.about)]
        except BROKEN:
            return []

    # Each check returns what it found, or raises Fault.

    def files(self):
        lines = self.read(MANIFEST).decode("ascii").splitlines(True)
        listed, size = [], 0
        for line in lines:
            digest, name = line[:64], line[66:-1]
            need(line == digest + "  " + name + "\n", "a line of the manifest has another form")
            from_hex(digest, 32)
            need(NAME.fullmatch(name), "the manifest has a name that no bundle gives")
            listed.append(name)
            found = hashlib.sha256()
            for piece in self.pieces(name):
                found.update(piece)
                size += len(piece)
            need(found.hexdigest() == digest, name + " was changed")
        need(listed == sorted(set(listed)), "the manifest is not in order")
        stray = sorted(set(self.source.sizes) - set(listed) - {MANIFEST, SIGNATURE})
        need(not stray, "the manifest does not name " + ", ".join(stray[:5]))
        strange = unknown(listed)
        need(not strange, "no bundle holds " + ", ".join(strange[:5]))
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
        if known_key is None:
            self.notes.append(NO_KEY)
        return "the manifest was signed by key " + key

    def description(self):
        self.about = self.json("bundle.json")
        need(self.about["public_key"] == self.key.hex(), "bundle.json names another key")
        absent(self.about)  # what it lacks has to be readable: it is told to whoever checks
        cut = self.about["cut"]
        self.head = kept_head(self.read("ledger/head.txt").decode())
        authority, epoch, size, root, at, signature = self.head
        told = (self.about["authority"]["id"], cut["epoch"], cut["size"], cut["root"], cut["at"])
        need(told == (authority, epoch, size, root.hex(), at), "bundle.json names another head")
        signed = ed25519(self.key, head_text(*self.head[:5]), from_hex(signature, 64))
        need(signed, "the head of the ledger was not signed by the same key")
        return "entry %d of epoch %s, %s, is the last one; its head is signed" % (size, epoch, at)

    def tree(self):
        size, root = self.head[2], self.head[3]
        pieces = self.pieces(LEAVES)
        need(self.source.sizes[LEAVES] == 32 * size, "the ledger has another number of entries")
        fits = roots(pieces, [size])[size] == root
        need(fits, "the hashes of the entries give another head")
        return "%d entries give the head that was signed" % size

    def history(self):
        _, _, size, root, _, _ = self.head
        last = 0
        for line in self.lines("ledger/entries.jsonl"):
            row = json.loads(line.decode())
            said = json.loads(row["entry"])
            seq, leaf = said["seq"], leaf_hash(row["entry"].encode())
            proof = [from_hex(one, 32) for one in row["proof"]]
            need(seq > last, "the entries are out of order")
            need(said["authority"] == self.head[0], "entry %d is of another authority" % seq)
            proven = is_included(leaf, seq - 1, size, proof, root)
            need(proven, "entry %d is not in the ledger as it stands here" % seq)
            kept = self.source.part(LEAVES, 32 * seq - 32, 32)
            need(kept == leaf, "entry %d has another hash" % seq)
            self.entries.append(said)
            last = seq
        need(last == size, "the last entry is none of this case")
        return "%d of them are about this case, each proven to be in the ledger" % len(self.entries)

    def phones(self):
        keys, enrolled = {}, {said["subject"] for said in self.entries}
        for said in self.entries:
            if said["kind"].startswith("device.") and "key" in said:
                keys.setdefault(said["subject"], set()).add(said["key"])
        rows = self.json("keys/devices.json")
        for row in rows:
            text = row["public_key"]
            self.devices[row["id"]] = key_of(text)
            told = keys.get("device/" + row["id"])
            known = not told or (text and sha256(text.encode()).hex() in told)
            need(known, "the ledger knows device %s by another key" % row["number"])
            need("device/" + row["id"] in enrolled, "no entry tells of device %s" % row["number"])
        return "%d devices, %d with a key of their own" % (
            len(rows),
            sum(1 for one in self.devices.values() if one),
        )

    def words(self):
        need_reasons(self.about)
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
                self.erasure(said["op"], set(listed[said["op"]]))
                counts["erased"] += 1
                continue
            self.word(said, path, counts)
        stray = [one for one in self.source.sizes if one.startswith("ops/") and one not in files]
        need(not stray, "no entry tells of %s" % ", ".join(stray[:3]))
        if counts["erased"]:
            self.notes.append(ERASED % counts["erased"])
        return ", ".join("%d %s" % (count, name) for name, count in counts.items())

    def erasure(self, op, fields):
        told = set()
        for said in self.entries:
            if said["kind"] == "person.erased" and op in said.get("ops", ()):
                told.update(said.get("fields", ()))
        need(told and fields <= told, "no entry tells of the erasure of " + op)

    def word(self, said, path, counts):
        """Check one thing that a phone wrote: its bytes, its salt, its signature."""
        payload = self.read(path + ".json")
        need(
            sha256(self.salt(path) + payload).hex() == said["sha256"],
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

    def salt(self, path):
        if path + ".salt" not in self.source.sizes:
            return b""
        return bytes.fromhex(self.read(path + ".salt").decode("ascii").strip())

    def photos(self):
        stored = {said["sha256"] for said in self.entries if said["kind"] == "photo.stored"}
        left_out = set(self.about["left_out"]["originals"])
        missing = {one["sha256"] for one in self.about["missing"] if one.get("sha256")}
        damaged = {said["sha256"] for said in self.entries if said["kind"] == "photo.damaged"}
        unsaid = sorted(stored & missing - damaged)
        need(not unsaid, "said missing, and no entry tells why: " + ", ".join(unsaid[:5]))
        found = set()
        for name in self.source.sizes:
            if name.startswith("originals/"):
                digest = name[len("originals/") :].split(".")[0]
                need(digest in stored, "no entry tells that %s was stored" % digest)
                need(digest not in found, "%s is there twice" % digest)
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
        records = self.json("records.json")
        need_records(self.entries, records)
        seizures = {record["id"] for record in records if record["kind"] == "seizure"}
        need(self.about["seizure"] in seizures, "the case itself is not among the records")
        ops = {said["op"] for said in self.entries if "op" in said}
        values = unproven = 0
        for record in records:
            need_shown(record)
            for field, heads in record["heads"].items():
                for head in heads:
                    told = head["op"] in ops
                    need(told, "no entry tells of the %s of %s" % (field, record["id"]))
                    is_proven = self.is_said(head, field)
                    values += is_proven
                    unproven += not is_proven and field != "withdrawn" and head["v"] is not None
        if unproven:
            self.notes.append(UNPROVEN % unproven)
        self.nothing_is_held_back(records)
        return "%d values stand, each as its author sent it" % values

    def said_by(self, op):
        """Return what an op says, None where it is not here as it was received."""
        path = "ops/" + op + ".json"
        if op in self.about["erased"] or path not in self.source.sizes:
            return None
        return json.loads(self.read(path).decode())

    def is_said(self, head, field):
        said = None if field == "withdrawn" else self.said_by(head["op"])
        if said is None:
            return 0
        fits = said.get("set", {}).get(field) == head["v"]
        need(fits, "%s of %s says something else" % (field, head["op"]))
        return 1

    def nothing_is_held_back(self, records):
        named = {record["kind"] + "/" + record["id"]: record for record in records}
        for said in self.entries:
            if said["kind"] == "op.applied" and "op" in said and said["subject"] in named:
                told, record = self.said_by(said["op"]), named[said["subject"]]
                sent = said_of([said])[0][said["subject"]]
                need_heads(record, said["op"], told or {}, sent)


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
        ("said", lambda: told(bundle)),
        ("photos", bundle.photos),
        ("pictures", lambda: pictures(bundle)),
        ("values", bundle.records),
    ]
    if head is not None:
        checks.append(("your head", lambda: kept(bundle, readable(head), proof)))
    for name in source.leavings:
        bundle.notes.append("left by a system, and none of the bundle: " + shown(name))
    for part, work in checks:
        bundle.run(part, work)
        if till_fault and bundle.faults:
            break
    return bundle


def readable(head):
    try:
        return kept_head(head)
    except (Fault,) + BROKEN as error:
        raise Uncompared("the file you gave is no head of a ledger") from error


def unopened(why):
    bundle = Bundle(None)
    bundle.faults.append(shown("file: " + why))
    return bundle


def checked(ask, head, proof):
    if ask.bundle is None and head is not None and proof is not None:
        return check_pair(head, proof, ask.key)
    if os.path.isdir(ask.bundle):
        return check(Folder(ask.bundle), ask.key, head, proof)
    with open(ask.bundle, "rb") as file:
        return check(Archive(file), ask.key, head, proof)


def check_pair(head, proof, known_key=None):
    """Hold a head that somebody kept against a newer one, by the proof that the server gave."""
    bundle = Bundle(None)
    bundle.is_pair = True
    bundle.run("your head", lambda: pair(bundle, readable(head), proof, known_key))
    return bundle


def verdict(bundle):
    """Return how it went, in words and as the number that the program leaves with."""
    if bundle.faults:
        said = "This proves nothing." if bundle.is_pair else "This is not the bundle that was made."
        return said, 1
    if bundle.uncompared:
        said = "The head you kept could not be compared."
        return said if bundle.is_pair else "The bundle fits. " + said, 3
    return "Everything fits.", 0


def tell(bundle, as_json):
    if as_json:
        answer = {"fits": not bundle.faults, "found": bundle.said, "faults": bundle.faults}
        answer.update(uncompared=bundle.uncompared, notes=bundle.notes)
        answer["absent"] = bundle.absent()
        print(json.dumps(answer, indent=2))
        return
    rows = [("  fits  ", bundle.said), (" FAULT  ", bundle.faults), ("  open  ", bundle.uncompared)]
    rows += [("  note  ", bundle.notes), ("  lacks ", bundle.absent())]
    for mark, lines in rows:
        for line in lines:
            print(mark + line)
    print(verdict(bundle)[0])


def beside():
    """Return the folder of this file if a bundle was unpacked there, else None."""
    folder = os.path.dirname(os.path.abspath(__file__))
    return folder if os.path.exists(os.path.join(folder, MANIFEST)) else None


def text_in(path):
    """Return the text of a small file that somebody kept, also as Windows saves it."""
    with open(path, encoding="utf-8-sig") as file:
        return file.read(1 << 20)


def main(arguments):
    parser = argparse.ArgumentParser(description="Checks a court bundle.")
    parser.add_argument("bundle", nargs="?", default=beside())
    parser.add_argument("--key", help="the public key you know, in hex")
    parser.add_argument("--head", help="a tree head that you kept: its text, or JSON")
    parser.add_argument("--proof", help="the proof of the page /verify, for a newer head")
    parser.add_argument("--json", action="store_true", help="for programs")
    ask = parser.parse_args(arguments)
    head, proof = None, None
    try:
        if ask.head:
            head = text_in(ask.head)
        if ask.proof:
            proof = json.loads(text_in(ask.proof))
        if ask.key:
            ask.key = "".join(ask.key.lower().split())
        is_pair = ask.bundle is None and head is not None and proof is not None
        if not is_pair and not os.path.exists(ask.bundle or ""):
            print(shown("there is no " + (ask.bundle or "bundle here")), file=sys.stderr)
            return 2
    except BROKEN as error:
        print(shown("%s: %s" % (type(error).__name__, error)), file=sys.stderr)
        return 2
    try:
        bundle = checked(ask, head, proof)
    except Fault as fault:
        bundle = unopened(str(fault))
    except BROKEN as error:
        bundle = unopened("it cannot be read (%s)" % type(error).__name__)
    tell(bundle, ask.json)
    return verdict(bundle)[1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
