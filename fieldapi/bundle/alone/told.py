"""What acts, papers and complaints said, beside the hashes that the ledger has of them; and the
pictures on the pages of photos.

Joined into one `verify.py` by `alone.program`; must never import anything but the standard library.
"""

import hashlib
import re

from fieldapi.bundle.alone.faults import need, sha256

# ---- what was said beside ops, and pictures ------------------------------------------------------

TOLD = {
    "act.performed": "acts",
    "act.recorded": "acts",
    "document.issued": "papers",
    "complaint.received": "complaints",
}
FOLDERS = ("acts", "papers", "complaints")
PICTURE = re.compile(
    rb"<</Length ([0-9]{1,9})/Type/XObject/Subtype/Image/Filter/DCTDecode/Width [0-9]{1,9}"
    rb"/Height (?!1/)[0-9]{1,9}/ColorSpace[^<>]{1,40}/BitsPerComponent 8>>\nstream\n"
)
HEAD = 400  # more than what stands before a picture in a PDF
NO_HASH = "%d pictures on pages have no hash in the ledger: older than the program that keeps it"


def told(bundle):
    """Check what official acts were told, what papers say, and what complainants said."""
    counts, files = dict.fromkeys(FOLDERS, 0), set()
    for said in bundle.entries:
        folder = TOLD.get(said["kind"])
        if folder is None or "data" not in said:
            continue
        own = said["id"] if folder == "acts" else said["subject"].partition("/")[2]
        path = folder + "/" + own
        if own in bundle.about["left_out"].get(folder, ()):
            need_outside(bundle, said, path)
            continue
        files |= {
            path + end for end in (".json", ".salt", "." + bundle.about["papers"]["drawn_as"])
        }
        salted = bundle.salt(path) + bundle.read(path + ".json")
        need(sha256(salted).hex() == said["data"], path + " is not as it was entered")
        counts[folder] += 1
    inside = [one for one in bundle.source.sizes if one.split("/")[0] in FOLDERS]
    stray = sorted(set(inside) - files)
    need(not stray, "no entry tells of " + ", ".join(stray[:3]))
    return "as they were entered: " + ", ".join("%d %s" % (counts[one], one) for one in FOLDERS)


def need_outside(bundle, said, path):
    """What stays outside does so by choice, or for an erasure that came after it."""
    is_there = [one for one in bundle.source.sizes if one.startswith(path + ".")]
    need(not is_there, path + " is there, and is not said to be")
    by_choice = any(not one.startswith("photos_") for one in bundle.about["redacted"])
    erased = [one["seq"] for one in bundle.entries if one["kind"] == "person.erased"]
    is_due = by_choice or any(said["seq"] < one for one in erased)
    need(is_due, path + " is left out for no reason that is named")


def pictures(bundle):
    """Check that the pictures on pages are those that the server made of the photos."""
    listed, made = bundle.about["previews"], made_of(bundle.entries)
    for photo, picture in sorted(listed.items()):
        fits = picture in made.get(photo, {picture})
        need(fits, "the picture of %s is not the one that was made of it" % photo)
    known, found = set(listed.values()), set()
    for name, digest in on_pages(bundle):
        need(digest in known, name + " shows a picture that nobody made of a photo")
        found.add(digest)
    lost = sorted(known - found)
    need(not lost, "pictures are on no page: " + ", ".join(lost[:3]))
    unproven = sum(1 for photo in listed if photo not in made)
    if unproven:
        bundle.notes.append(NO_HASH % unproven)
    return "%d on the pages of photos, each as the server made it" % len(listed)


def made_of(entries):
    """Return by photo the hashes of the pictures that were made of it."""
    made = {}
    for said in entries:
        if said["kind"] == "photo.analysed" and "preview" in said:
            made.setdefault(said["sha256"], set()).add(said["preview"])
    return made


def on_pages(bundle):
    """Yield file and hash of every picture on a page."""
    for name in sorted(bundle.source.sizes):
        if name.startswith("photos-"):
            for digest in embedded(bundle.pieces(name)):
                yield name, digest
        elif name.startswith("previews/"):
            yield name, whole(bundle.pieces(name))


def whole(pieces):
    found = hashlib.sha256()
    for piece in pieces:
        found.update(piece)
    return found.hexdigest()


def embedded(pieces):
    """Yield the hash of every JPEG that pages of photos show: each is in the PDF as it was made."""
    rest, left, digest = b"", 0, None
    for piece in pieces:
        rest += piece
        while rest:
            if digest is not None:
                digest.update(rest[:left])
                rest, left = rest[left:], max(0, left - len(rest))
                if left:
                    break
                yield digest.hexdigest()
                digest = None
            head = PICTURE.search(rest)
            if head is None:
                rest = rest[-HEAD:]
                break
            left, rest, digest = int(head.group(1)), rest[head.end() :], hashlib.sha256()
    need(digest is None, "a picture on a page is cut")
