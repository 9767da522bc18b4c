"""What a bundle may hold and say beside its evidence: names of files, reasons, records.

Joined into one `verify.py` by `alone.program`; must never import anything but the standard library.
"""

import re

from fieldapi.bundle.alone.faults import need

# ---- what a bundle says of its evidence ----------------------------------------------------------

KNOWN = re.compile(
    r"verify\.py|VERIFY\.txt|bundle\.json|records\.json|keys/devices\.json"
    r"|MANIFEST\.(sha256|sig)|ledger/(entries\.jsonl|leaves\.bin|head\.txt)"
    r"|ops/[0-9a-f]{16}/[0-9a-zA-Z-]{1,64}\.(json|salt|sig)"
    r"|(acts|complaints)/[0-9a-zA-Z-]{1,64}\.(json|salt)"
    r"|papers/[0-9a-zA-Z-]{1,64}\.(json|salt|pdf|html)"
    r"|originals/[0-9a-f]{64}\.(jpg|png|webp|heic|heif|bin)|previews/[0-9a-f]{64}\.jpg"
    r"|case-[a-z]{2,3}\.(pdf|html)|photos-[0-9]{3,6}\.pdf"
)
# What the server works out of a record, and sets: neither stands in records.json by its ops.
WORKED_OUT = ("withdrawn", "reference", "received_at", "state", "verdict", "flags", "trust", "dues")
SETS = ("witnesses", "persons", "ear_tags", "fixes", "statements", "individuals")


def unknown(names):
    return sorted(name for name in names if not KNOWN.fullmatch(name))


def need_reasons(about):
    """What stays outside does so by a choice that the bundle names."""
    chosen, left_out = about["redacted"], about["left_out"]
    for op, why in sorted(left_out["ops"].items()):
        need(why and set(why) <= set(chosen), op + " is left out for no reason that is named")
    by_choice = any(one.startswith("photos_") for one in chosen)
    need(
        by_choice or not left_out["originals"], "originals are left out for no reason that is named"
    )


def absent(about):
    """Return what the bundle says is not in it, and why: one line for each."""
    left_out, papers = about["left_out"], about["papers"]
    lines = ["left out by choice, %s: %s" % one for one in sorted(about["redacted"].items())]
    for part, word in (("ops", "ops"), ("originals", "photos")):
        if left_out[part]:
            lines.append("left out: %d %s" % (len(left_out[part]), word))
    for op, fields in sorted(about["erased"].items()):
        lines.append("erased: %s of %s" % (", ".join(fields) or "all", op))
    gone, aside = "missing: %(what)s (%(why)s), %(sha256)s", "other bytes for %(photo)s: %(sha256)s"
    lines += [gone % one for one in about["missing"]]
    lines += ["set aside, " + aside % one for one in about["set_aside"]]
    lines += ["not in it: %s" % one for one in about["not_in"]]
    lines += ["no PDF: " + papers["why"]] if papers["why"] else []
    return lines + ["to know: %s" % one for one in about["notes"]]


def said_of(entries):
    """What entries say of records: record → field → whether something was sent for it, parked or
    not; and the records that only an op kept aside is about.
    """
    sent, aside = {}, set()
    for said in entries:
        if "op" in said and "/" in said["subject"]:
            parked = said.get("parked", {})
            fields = sent.setdefault(said["subject"], set())
            if said["kind"] == "op.applied":
                fields.update(field for field in said.get("fields", ()) if field not in parked)
            if parked or said["kind"] != "op.applied":
                aside.add(said["subject"])
    return sent, aside


def need_records(entries, records):
    """Every record that entries are about is shown, and no other."""
    sent, aside = said_of(entries)
    shown = {record["kind"] + "/" + record["id"] for record in records}
    for name in sorted(set(sent) - shown - aside):
        need(name.startswith("op/"), name + " is in the ledger and not among the records")
    for name in sorted(shown - set(sent)):
        need(False, "no entry tells of the record " + name)


def need_heads(record, op, said, sent):
    """A field that a kept op sent something for has heads: its own, or what replaced it."""
    for field in said.get("set", {}):
        is_due = field in sent and field not in WORKED_OUT + SETS
        is_there = not is_due or record["heads"].get(field)
        need(is_there, "%s of %s was sent by %s and is not shown" % (field, record["id"], op))


def need_shown(record):
    """What a record shows of a field that has heads is what one of them says."""
    for field, heads in record["heads"].items():
        if field in record["shown"] and field not in WORKED_OUT:
            said = [head["v"] for head in heads]
            fits = record["shown"][field] in said
            need(fits, "%s of %s shows what nobody said" % (field, record["id"]))
