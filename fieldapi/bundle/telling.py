"""What a bundle says in files beside the evidence: what it is, records, entries, phones.
Canonical JSON, so that the same case gives the same bytes. Called by services; knows no SQL.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

FORMAT = "fieldapi bundle 1"


def document(value: object) -> bytes:
    """Return JSON for people and programs: sorted, indented, one line at the end."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1)
    return f"{text}\n".encode()


def entry_line(text: str, proof: Sequence[bytes]) -> bytes:
    """Return one entry with its proof, on a line of its own."""
    row = {"entry": text, "proof": [one.hex() for one in proof]}
    return json.dumps(row, sort_keys=True, ensure_ascii=False).encode() + b"\n"


def instructions(about: Mapping[str, str]) -> bytes:
    """Return VERIFY.txt: what a clerk does with `sha256sum` alone, and what `verify.py` adds."""
    return _VERIFY.format_map(about).encode()


def whole(data: bytes) -> Iterator[bytes]:
    """Return bytes that are there already, as pieces."""
    return iter((data,))


def lines(rows: Iterable[tuple[str, Sequence[bytes]]]) -> Iterator[bytes]:
    """Yield entries with their proofs."""
    return (entry_line(*row) for row in rows)


_VERIFY = """\
HOW TO CHECK THIS BUNDLE
========================

Case {reference}, {authority}
Ledger up to entry {size} of epoch {epoch}, {at}
Public key of the server that made it: {key}

1. Is every file as it was?  (any computer with sha256sum: Linux, macOS with coreutils, WSL)

   Unpack the ZIP into a folder of its own, open a terminal there, and type

       sha256sum -c MANIFEST.sha256

   Each line must end in OK. Then type

       sha256sum MANIFEST.sha256

   and note the 64 characters. Windows without WSL:  certutil -hashfile NAME SHA256

2. Is it the bundle that the office made?

   The office's covering letter names the SHA-256 of the whole ZIP. Type

       sha256sum NAME-OF-THE-ZIP

   and compare. The server's page /verify tells whether it made a bundle with that hash.

3. Was anything changed after it was received?  (Python 3.8 or newer, no network, no packages)

       python3 -I verify.py                    in the unpacked folder
       python3 -I verify.py NAME-OF-THE-ZIP    or on the ZIP: finds any changed byte

   It checks every hash, the signature over the manifest, the signature of every phone, and that
   each entry of the ledger stands in the tree whose head the server signed. That the key is the
   office's own, no file in here can prove. Compare it with the letter, or with what you know:

       python3 -I verify.py NAME-OF-THE-ZIP --key KEY

   If you kept a head of the ledger (a phone's, the code on the pound board, the line of a letter),
   put it into a text file and hold the bundle against it:

       python3 -I verify.py NAME-OF-THE-ZIP --head HEAD.txt

   That finds also entries that the server itself rewrote since then. For a head that is newer than
   the bundle, put ledger/head.txt and the head that you kept, both, into the page /verify of the
   server, save the proof that it gives, and add  --proof PROOF.json  (without it the program says
   that it could not compare, and leaves with 3). The same holds two heads against each other, with
   no bundle:

       python3 -I verify.py --head OLD.txt --proof PROOF.json

   Take verify.py from a source you trust: one that lies in the bundle says nothing against
   whoever made the bundle.

WHAT LIES HERE
==============

case-*.pdf or .html       the case to read, in English and the language of the place: index,
                          chronology, map, register, decisions, the draft of the certificate
photos-*.pdf              each photo with its caption and hash
originals/                photos as the phones gave them, each named by its SHA-256
ops/                      what phones wrote, byte for byte (.json), what covers personal values when
                          they are hashed (.salt), the signature of the phone (.sig)
acts/ complaints/         what each official act was told, what complainants said (.json); the
                          ledger has the hash of it, with the number in .salt before it
papers/                   receipts, notices, summons, orders: what they say (.json .salt, hashed in
                          the same way), and a copy to read (.pdf or .html)
keys/devices.json         the phones, with the public keys by which their signatures are checked
records.json              what the records show, and which op each value comes from
ledger/entries.jsonl      every entry of the ledger about this case, with its proof
ledger/leaves.bin         the hashes of all entries of the ledger, 32 bytes each, in order
ledger/head.txt           the signed head of the ledger at the last of these entries
bundle.json               what was left out, erased or missing, and why
MANIFEST.sha256 .sig      the hash of every file, and the signature over them

WHAT IT PROVES, AND WHAT NOT
============================

It proves that what phones wrote, the photos, what acts and complainants said, the papers (.json)
and the entries of the ledger here are those that the server received or issued, and when it said
so; that the pictures on the pages of photos are those that the server made of them; and, as far
back as a head that you kept, that no entry of them was changed since.

It does not prove
  - that no entry about this case was left out: an entry that is not here does not show in the tree.
    Ask the office for an entry by its number if you know of one;
  - the words in PDF or HTML files and what records.json works out beside its heads: they are how
    the server tells the case. Hold what matters against ops/, acts/, papers/ and originals/;
  - the rest of an op of which values were erased (bundle.json names them): its hash covered them;
  - that what a person wrote is true, that a phone's clock or place was right, or that a photo shows
    what its caption says.

Names of people, pounds and of the authority are as they stood when the bundle was made: renaming
one makes another file of the same case. Whether it is admitted is for the court: the certificate
under section 63(4) of the Bharatiya Sakshya Adhiniyam, 2023 is a draft here, to be completed and
signed by people.
"""
