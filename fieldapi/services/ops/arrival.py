"""What one delivered op is before anything is looked up: its identity, its content, and the faults
that it carries in itself. Pure but for the keyring; called by `push` and `build`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from fieldapi.clock import to_ms
from fieldapi.domain import checks
from fieldapi.domain.records import DECIDING_ROLES, KINDS, is_personal
from fieldapi.ids import is_actor, is_id
from fieldapi.keyring import Keyring
from fieldapi.ledger import PendingEntry
from fieldapi.services.keys import BadSignature
from fieldapi.services.ops import signing
from fieldapi.services.ops.signing import Content
from sync.clock import Effective, effective_ms
from sync.op import WITHDRAWN, Op, OpInvalid, parse_op
from sync.wire import JSON, Slice, canonical

if TYPE_CHECKING:
    from fieldapi.domain.access import Principal
    from fieldapi.domain.geo import Area
    from fieldapi.law.profile import StatuteProfile
    from fieldapi.services.ops.senders import Sender
    from fieldapi.services.ops.writers import Writer

MAX_OP_BYTES = 64 * 1024
_MAX_JWS_BYTES = 2 * MAX_OP_BYTES
_LONGEST_NAME = 64

INVALID_JSON, UNKNOWN_KIND, BAD_ID = "invalid-json", "unknown-kind", "bad-id"
BAD_SIGNATURE, ID_REUSE, TOO_LARGE = "bad-signature", "id-reuse", "too-large"
NOT_YOURS, DEVICE_PENDING, ACCESS_ENDED = "not-yours", "device-pending", "access-ended"
UNKNOWN_DEVICE, TOO_LATE = "unknown-device", "too-late"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One request that carries ops: who brought them, when, and by which clock.

    `own`: the credential of the request. `senders`: the known devices that signed ops in it, by id.
    """

    principal: Principal
    own: Sender
    received_at: datetime
    device_now_ms: int | None
    schema: int
    profile: StatuteProfile
    area: Area | None
    keys: Keyring
    senders: Mapping[str, Sender] = field(default_factory=dict)

    @property
    def via(self) -> str:
        """Return who delivered, as the ledger names it."""
        device = self.principal.device_id
        return f"device/{device}" if device else f"person/{self.principal.person_id}"


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of an op whose values were erased before it came (again): `payload` its bare
    structure, `erased` a JSON list of the fields whose values are gone.
    """

    payload: bytes
    erased: str


@dataclass(slots=True)
class Arrival:
    """One op on its way through a push. `code`: the whole op is quarantined for it. `held`: the
    whole op waits for a reviewer. `faults`: field → code of values that were parked. `sent_id`: as
    the phone names it, also where it is kept under another name. `signature`: how it was signed;
    `is_signed`: that was checked. `writer`: who wrote it, None if the sender does not know them.
    `disputes_withdrawal`: it made a withdrawal, or an edit against one, a matter for a reviewer.
    `is_of_its_actor`: its sender and the actor in its stamp are one. `retry_after_ms`: it could not
    be stored. `filled`: the base that the server filled in, as JSON.
    """

    index: int
    raw: bytes
    actor: str
    op_id: str
    kind: str
    record_id: str
    by: str
    digest: bytes
    op: Op | None = None
    code: str | None = None
    held: str | None = None
    faults: dict[str, str] = field(default_factory=dict)
    is_personal: bool = True
    is_suspect: bool = False
    salt: bytes = b""
    sent_id: str = ""
    signature: str | None = None
    is_signed: bool = False
    writer: Writer | None = None
    disputes_withdrawal: bool = False
    is_of_its_actor: bool = False
    retry_after_ms: int | None = None
    left: Left | None = None
    filled: str | None = None
    is_replay: bool = False
    entry: PendingEntry | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Return the identity of the op."""
        return (self.actor, self.op_id)

    @property
    def name(self) -> str:
        """Return the identity as the ledger writes it."""
        return f"{self.actor}/{self.op_id}"

    @property
    def is_merged(self) -> bool:
        """Say whether any of it reaches the record."""
        return self.code is None and self.held is None and not self.is_replay

    @property
    def effective(self) -> int:
        """Return the effective milliseconds, 0 for an op that could not be read."""
        return self.op.effective if self.op else 0


def arrive(delivery: Delivery, index: int, part: Slice, *, nobase: bool = False) -> Arrival:
    """Return what came as element `index` of a push, judged by itself."""
    try:
        content, sender = _open(delivery, part)
        op = _read(content)
    except BadSignature:
        return _unreadable(delivery, index, part, code=BAD_SIGNATURE)
    except OpInvalid as exc:
        return _unreadable(delivery, index, part, code=exc.code)
    # Copying an op is dear beside all else that is done to it: once it is, in `_readable`.
    op = replace(op, nobase=nobase) if nobase else op
    return _readable(delivery, index, content, op=op, sender=sender)


def _open(delivery: Delivery, part: Slice) -> tuple[Content, Sender | None]:
    """Return the op in a slice and the credential it is of, None for a device that nobody knows
    or whose key nobody knows. Raises `OpInvalid`, `BadSignature`.
    """
    if part.error is not None or not isinstance(part.value, dict):
        raise OpInvalid(INVALID_JSON, "an op is a JSON object")
    if len(part.raw) > (_MAX_JWS_BYTES if signing.is_signed(part.value) else MAX_OP_BYTES):
        raise OpInvalid(TOO_LARGE, "an op is no longer than 64 KiB")
    content = signing.open_op(part)
    if content.signer is None:
        return content, delivery.own
    sender = delivery.senders.get(content.signer)
    if sender is None or sender.key is None:
        return content, None
    content.verify(sender.key)
    return content, sender


def _read(content: Content) -> Op:
    """Return the op in a content. Raises `OpInvalid` with the code for which all of it is kept."""
    if len(content.raw) > MAX_OP_BYTES:
        raise OpInvalid(TOO_LARGE, "an op is no longer than 64 KiB")
    op = parse_op(content.value)
    if op.kind not in KINDS:
        raise OpInvalid(UNKNOWN_KIND, "no record has this kind", "kind")
    return op


def _unreadable(delivery: Delivery, index: int, part: Slice, *, code: str) -> Arrival:
    """Keep an op byte for byte under the best name it has: its own, else the hash of its bytes."""
    value = part.value if isinstance(part.value, dict) else {}
    named = value.get("op")
    key = _sha256(part.raw)
    return Arrival(
        index=index,
        raw=part.raw,
        actor=_actor_of(value) or delivery.principal.actor,
        op_id=str(named) if is_id(named) and code == UNKNOWN_KIND else key,
        kind=_short(value.get("kind")),
        record_id=_short(value.get("id")),
        by=delivery.principal.person_id,
        digest=delivery.keys.digest(part.raw),
        code=code,
        salt=_salt(delivery, part.raw),
        sent_id=_named_in(part) or key,
    )


def unstored(delivery: Delivery, index: int, part: Slice, *, retry_after_ms: int) -> Arrival:
    """Return an op that could not be stored, for its answer."""
    arrival = _unreadable(delivery, index, part, code="")
    arrival.retry_after_ms = retry_after_ms
    return arrival


def _named_in(part: Slice) -> str:
    """Return the name that a phone gave to an op which is no op."""
    try:
        value = signing.open_op(part).value
    except BadSignature:
        return ""
    return _short(value.get("op")) if isinstance(value, dict) else ""


def _actor_of(value: Mapping[str, JSON]) -> str | None:
    stamp = value.get("t")
    tail = stamp[-16:] if isinstance(stamp, str) else ""
    return tail if is_actor(tail) else None


def _short(value: JSON) -> str:
    return value[:_LONGEST_NAME] if isinstance(value, str) else ""


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def _salt(delivery: Delivery, raw: bytes) -> bytes:
    """Return the salt the server keeps beside a personal op that brought none.

    Derived, not drawn: a resend of the same bytes must be the same op.
    """
    return delivery.keys.digest(b"salt\n" + raw)[:16]


def _readable(
    delivery: Delivery, index: int, content: Content, *, op: Op, sender: Sender | None
) -> Arrival:
    arrival = Arrival(
        index=index,
        raw=content.raw,
        actor=op.actor,
        op_id=op.id,
        kind=op.kind,
        record_id=op.record,
        by=op.by,
        digest=_digest(delivery, content),
        faults=faults_of(op, profile=delivery.profile, schema=delivery.schema),
        is_personal=is_personal(op.kind, op.fields - {WITHDRAWN}) or _has_reason(op),
        held=_held(delivery, op, sender),
        sent_id=op.id,
        signature=content.signature,
        is_signed=content.signature is not None and sender is not None,
        writer=None if sender is None else sender.people.get(op.by),
        is_of_its_actor=sender is not None and sender.actor == op.actor,
    )
    arrival.salt = _salt(delivery, content.raw) if arrival.is_personal else b""
    effective = _effective(delivery, op, sender)
    arrival.is_suspect = effective.is_suspect
    arrival.op = replace(
        op,
        effective=effective.ms,
        received=to_ms(delivery.received_at),
        is_decision=bool(op.decision or op.fixes) and _decides(arrival.writer),
        nobase=op.nobase or bool(op.unbased),
        parked=frozenset(arrival.faults),
    )
    return arrival


def _digest(delivery: Delivery, content: Content) -> bytes:
    """Return what tells a resend: the same parsed JSON, of a signed op the same payload."""
    said = canonical(content.value) if content.signature is None else content.raw
    return delivery.keys.digest(said)


def _effective(delivery: Delivery, op: Op, sender: Sender | None) -> Effective:
    """Return when an op counts as made. The clock of a phone that only carries it says nothing."""
    is_own = sender is not None and sender.actor == delivery.own.actor
    return effective_ms(
        op.at,
        device_now_ms=delivery.device_now_ms if is_own else None,
        received_ms=to_ms(delivery.received_at),
        issued_ms=0 if sender is None else sender.issued_ms,
        stamp=op.stamp,
    )


def _has_reason(op: Op) -> bool:
    """Say whether the op carries free text of a person beside its values."""
    struck = (strike for strikes in op.strike.values() for strike in strikes)
    return bool(op.retract) or op.decision is not None or any(one.reason for one in struck)


def _decides(writer: Writer | None) -> bool:
    return writer is not None and bool(DECIDING_ROLES & writer.roles)


def _held(delivery: Delivery, op: Op, sender: Sender | None) -> str | None:
    """Return why the whole op waits, as far as the op and its sender tell."""
    if sender is None:
        return UNKNOWN_DEVICE
    if sender.standing != "confirmed":
        return DEVICE_PENDING if sender.standing == "pending" else ACCESS_ENDED
    writer = sender.people.get(op.by)
    is_elsewhere = op.authority not in {None, delivery.principal.authority_id}
    if op.actor != sender.actor or writer is None or is_elsewhere:
        return NOT_YOURS
    return None if writer.roles else ACCESS_ENDED


def faults_of(op: Op, *, profile: StatuteProfile, schema: int) -> dict[str, str]:
    """Return the codes of the fields whose values cannot be merged."""
    found = dict(op.faults)
    for name, value in op.set.items():
        fault = checks.wrong_verb(op.kind, name, "set")
        fault = fault or checks.check_value(op.kind, name, value, profile=profile, schema=schema)
        if fault:
            found[name] = fault.code
    for name, elements in op.add.items():
        verb = checks.wrong_verb(op.kind, name, "add")
        faults = [
            verb or checks.check_value(op.kind, name, element, profile=profile, schema=schema)
            for element in elements
        ]
        _note(found, name, [verb, *faults])
    for name, strikes in op.strike.items():
        keys = [checks.check_key(op.kind, name, one.key, schema=schema) for one in strikes]
        _note(found, name, keys)
    if isinstance(op.retract, dict) and not _is_said(op.retract.get("reason")):
        found[WITHDRAWN] = checks.INVALID_VALUE
    return found


def _is_said(reason: JSON) -> bool:
    return isinstance(reason, str) and bool(reason.strip())


def _note(found: dict[str, str], name: str, faults: Iterable[checks.FieldFault | None]) -> None:
    """Note the first fault of a list: one bad element parks the whole field of the op."""
    first = next((fault for fault in faults if fault is not None), None)
    if first is not None:
        found[name] = first.code


def read_filled(text: str) -> dict[str, tuple[str, ...]]:
    """Return the base that the server filled in, as it is kept beside an op."""
    said: dict[str, list[str]] = json.loads(text)
    return {name: tuple(ops) for name, ops in said.items()}
