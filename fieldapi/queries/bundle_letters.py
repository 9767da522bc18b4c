"""The covering letter of a bundle: what stands outside of it, because it differs each time. Which
submission it is, who asked, the hash of the file, the key, and the head of the ledger at that hour.
"""

from __future__ import annotations

from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.clock import format_instant
from fieldapi.documents.sheets import Pair, Sheet, Table, Tongue, moment
from fieldapi.domain.redactions import REDACTIONS
from fieldapi.domain.words import sentence
from fieldapi.models import Authority
from fieldapi.problems import NotFound
from fieldapi.queries import bundles
from fieldapi.queries.bundles import BundleView

_NOTES = (
    sentence("The file proves itself: VERIFY.txt in it says how, with sha256sum alone."),
    sentence(
        "One certificate under section 63(4) of the Bharatiya Sakshya Adhiniyam, 2023 goes with"
        " each submission. A draft of it is in the file; it is not signed by a machine."
    ),
)


_HOLDS = {
    "acts": sentence("Acts"),
    "complaints": sentence("Complaints"),
    "entries": sentence("Entries of the ledger"),
    "files": sentence("Files"),
    "ops": sentence("Messages of phones"),
    "originals": sentence("Photos"),
    "pages": sentence("Pages with photos"),
    "papers": sentence("Papers"),
}


def letter(
    session: Session, authority_id: str, bundle_id: str, *, public_url: str, key: bytes
) -> Sheet:
    """Return the covering letter of a bundle that is ready. Raises `NotFound`."""
    found = bundles.one(session, authority_id, bundle_id)
    if found.sha256 is None or found.words is None:
        raise NotFound("There is no file yet.")
    authority = session.get_one(Authority, authority_id)
    named = [one for one in authority.languages.split() if one != "en"]
    tongue = Tongue(named[0] if named else "en")
    facts = [
        *_facts(session, found, authority_id),
        (sentence("Public key of the server"), key.hex()),
    ]
    return Sheet(
        language=tongue.language,
        title=tongue.pair(sentence("Covering letter to an evidence bundle")),
        authority=authority.name,
        serial=f"{bundles.reference_of(session, authority_id, found.seizure)} / {found.number}",
        facts=[(tongue.both(label), value) for label, value in facts if value],
        tables=_tables(found, tongue),
        notes=[text for note in _NOTES for text in tongue.pair(note) if text],
        signatures=[tongue.both(sentence("Officer"))],
        link=f"{public_url.rstrip('/')}/verify?hash={found.sha256}",
        footer=[moment(format_instant(found.asked_at))],
    )


def _facts(session: Session, found: BundleView, authority_id: str) -> list[Pair]:
    times = bundles.submissions(session, authority_id, found.sha256 or "")
    head = ledger.head(session, authority_id)
    epoch = ledger.epoch_at(session, authority_id, found.cut or 0)
    cut = f"{authority_id} {epoch}.{found.cut} {found.head}"
    return [
        (sentence("Case"), bundles.reference_of(session, authority_id, found.seizure)),
        (sentence("Submission"), str(found.number)),
        (sentence("Of this very file"), str(times)),
        (sentence("Asked for by"), found.asked_by),
        (sentence("Asked for on"), moment(format_instant(found.asked_at))),
        (sentence("SHA-256 of the file"), found.words or ""),
        (sentence("Size in bytes"), str(found.size)),
        (sentence("The ledger in it ends at entry"), str(found.cut)),
        (sentence("Head of the ledger at that entry"), cut),
        (
            sentence("Head of the ledger now"),
            f"{authority_id} {head.epoch}.{head.size} {head.root.hex()}",
        ),
    ]


def _tables(found: BundleView, tongue: Tongue) -> list[Table]:
    holds = Table(
        [tongue.both(sentence("What it holds")), tongue.both(sentence("Number"))],
        [[tongue.both(_HOLDS.get(one, one)), str(n)] for one, n in sorted(found.contents.items())],
        numeric=(1,),
    )
    left = [[tongue.both(REDACTIONS[one].says)] for one in found.redact]
    gone = [[f"{one.what}: {one.why}"] for one in found.missing]
    tables = [holds]
    if left:
        tables.append(Table([tongue.both(sentence("Left out of this bundle by choice"))], left))
    if gone:
        tables.append(Table([tongue.both(sentence("Missing"))], gone))
    return tables
