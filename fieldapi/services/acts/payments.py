"""At the counter: what is due, what was paid, who got the cattle for it."""

from __future__ import annotations

from fieldapi.services.acts.kinds import COUNTER, ActKind, Paper
from fieldapi.services.acts.people import somebody

_SIGNED = ("by", "declaration", "register_signature", "paper_serial")

ACTS = (
    ActKind("assess", COUNTER, (), prepare=somebody),
    ActKind(
        "receive_payment",
        COUNTER,
        ("paid_paise", "by", "paper_serial"),
        prepare=somebody,
        spans=True,
        papers=(Paper("money_receipt", "receipt"),),
    ),
    ActKind("add_receipt_line", COUNTER, ("line", "paise"), prepare=somebody),
    ActKind(
        "release",
        COUNTER,
        ("paid_paise", "order_no", *_SIGNED),
        prepare=somebody,
        spans=True,
        papers=(Paper("money_receipt", "receipt"),),
    ),
    ActKind(
        "deposit_under_protest",
        COUNTER,
        ("paid_paise", "is_illegal_claimed", *_SIGNED),
        prepare=somebody,
        papers=(Paper("deposit_receipt", "deposit"),),
    ),
    ActKind("refund_deposit", COUNTER, ("order_no", "receipt_signed"), prepare=somebody),
    ActKind("apply_deposit", COUNTER, (), prepare=somebody),
    ActKind("return_payment", COUNTER, ("receipt_signed",), prepare=somebody),
    ActKind(
        "recover_from_seizer",
        COUNTER,
        ("paid_paise", "by", "paper_serial"),
        prepare=somebody,
        papers=(Paper("money_receipt", "receipt"),),
    ),
    ActKind("remit", COUNTER, ("to", "paise"), prepare=somebody),
)
