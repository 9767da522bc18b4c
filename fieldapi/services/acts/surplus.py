"""What a sale brought beyond the dues: held, claimed, proved, paid, or credited to the fund."""

from __future__ import annotations

from fieldapi.services.acts.kinds import COUNTER, OFFICE, ActKind, Paper
from fieldapi.services.acts.people import somebody

_PROOF = "proof_officer"

ACTS = (
    ActKind("hold_surplus", OFFICE, ("dated",), is_fact=True),
    ActKind("claim_surplus", COUNTER, ("by", "surplus"), is_fact=True, prepare=somebody),
    ActKind(
        "judge_proof", OFFICE, ("result", "officer", "surplus"), prepare=somebody, appointed=_PROOF
    ),
    ActKind(
        "pay_surplus",
        OFFICE,
        ("established", "proof", "surplus", "receipt_signed"),
        prepare=somebody,
        appointed=_PROOF,
        papers=(Paper("payment_voucher"),),
    ),
    ActKind("credit_surplus_to_fund", OFFICE, ("surplus",)),
)
