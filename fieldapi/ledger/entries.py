"""What an entry of the ledger is: its text, and the closed vocabulary of what can be said in it.

Entries hold ids, hashes and names of fields; never a name, a number or a place of a person.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# Every kind of entry there is. A new one is added here first.
VOCABULARY = frozenset(
    {
        "act.performed",
        "act.recorded",
        "authority.added",
        "authority.changed",
        "bundle.asked",
        "bundle.built",
        "bundle.failed",
        "bundle.read",
        "bundle.withdrawn",
        "bytes.set_aside",
        "calendar.changed",
        "case.closed",
        "case.moved",
        "case.opened",
        "case.reopened",
        "comment.added",
        "complaint.received",
        "confirmation.begun",
        "confirmation.completed",
        "deadline.passed",
        "device.cloned",
        "device.confirmed",
        "device.enrolled",
        "device.joined",
        "device.left",
        "device.pended",
        "device.rejected",
        "device.revoked",
        "device.rotated",
        "device.seen",
        "document.issued",
        "document.printed",
        "duplicate.decided",
        "duplicate.found",
        "enrolment.burnt",
        "enrolment.issued",
        "export.begun",
        "export.ended",
        "flag.dropped",
        "flag.raised",
        "hold.ended",
        "hold.set",
        "ledger.contradicted",
        "ledger.opened",
        "ledger.restored",
        "ledger.witnessed",
        "membership.ended",
        "membership.granted",
        "notification.added",
        "notification.ended",
        "offence.reported",
        "op.applied",
        "op.corrected",
        "op.deferred_applied",
        "op.held",
        "op.quarantined",
        "op.rejected",
        "op.released",
        "outbox.imported",
        "party.added",
        "party.changed",
        "party.merged",
        "person.added",
        "person.changed",
        "person.erased",
        "photo.analysed",
        "photo.damaged",
        "photo.mismatched",
        "photo.restored",
        "photo.stored",
        "photo.viewed",
        "place.imported",
        "pound.added",
        "pound.changed",
        "prior_impounding.added",
        "record.rebuilt",
        "record.viewed",
        "removal_order.added",
        "seizure.assigned",
        "seizure.flagged",
        "seizure.resubmitted",
        "seizure.reviewed",
        "serial.voided",
        "sign_in.factor_set",
        "sign_in.invited",
        "sign_in.opened",
        "sign_in.recovered",
        "sign_in.recovery_renewed",
        "sign_in.reset",
        "sign_in.set",
    }
)

Detail = str | int | Sequence[str] | Mapping[str, str] | Mapping[str, list[str]]


class LedgerError(Exception):
    """The ledger cannot be continued or does not verify."""


@dataclass(slots=True)
class PendingEntry:
    """An entry that will be appended at commit; `seq` and `epoch` are known from then on."""

    authority_id: str
    kind: str
    subject: str
    actor: str
    op: str | None = None
    moves: bool = False
    details: Mapping[str, Detail] = field(default_factory=dict)
    seq: int = 0
    epoch: str = ""

    def text(self, seq: int, at: str, *, clock: str) -> str:
        """Return the entry as it will be hashed: sorted keys, no spaces, UTF-8.

        `clock`: what the host's clock showed; told only where it ran behind the last entry.
        """
        body: dict[str, object] = {
            **self.details,
            "actor": self.actor,
            "at": at,
            "authority": self.authority_id,
            "kind": self.kind,
            "moves": int(self.moves),
            "seq": seq,
            "subject": self.subject,
        }
        if self.op is not None:
            body["op"] = self.op
        if clock != at:
            body["clock"] = clock
        return spelled(body)


def spelled(body: Mapping[str, object]) -> str:
    """Return the one spelling of an entry: sorted keys, no spaces."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def check_entry(entry: PendingEntry) -> None:
    """Raise `LedgerError` for a kind outside the vocabulary or a value that is no id or count."""
    if entry.kind not in VOCABULARY:
        raise LedgerError(f"{entry.kind} is not in the ledger's vocabulary")
    for name, value in entry.details.items():
        if isinstance(value, bool | float) or value is None:
            raise LedgerError(f"{entry.kind}: {name} must be text or a whole number")
