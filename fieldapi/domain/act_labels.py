"""What official acts, what they are told, and what becomes of heads and money are called, in
English; the catalogues say it in the other languages. Codes are stored, labels are only shown.

Called by the console and by papers. Must never import SQL or Flask.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fieldapi.domain.words import sentence

ACTS: Mapping[str, str] = MappingProxyType(
    {
        "account_to_owner": sentence("Account to the owner"),
        "add_receipt_line": sentence("Add a line to the receipt"),
        "appear": sentence("The owner appeared"),
        "apply_deposit": sentence("Use the deposit for the dues"),
        "apply_proceeds": sentence("Settle the proceeds"),
        "assess": sentence("Work out what is due"),
        "born": sentence("Young were born"),
        "claim": sentence("The cattle were claimed"),
        "claim_surplus": sentence("The surplus was claimed"),
        "close": sentence("Close the case"),
        "correct_custody": sentence("Correct the number of heads"),
        "count_again": sentence("Counted again at the pound"),
        "credit_surplus_to_fund": sentence("Credit the surplus to the fund"),
        "demand_security": sentence("Demand declaration and security"),
        "deposit_security": sentence("Take the security"),
        "deposit_under_protest": sentence("Deposit under protest"),
        "died": sentence("Cattle died"),
        "dispatch_to_pound": sentence("Send to the pound"),
        "escaped": sentence("Cattle escaped"),
        "forfeit_cattle": sentence("Forfeit the cattle"),
        "forfeit_security": sentence("Forfeit the security"),
        "hold_auction": sentence("Open the auction"),
        "hold_surplus": sentence("Take the surplus into keeping"),
        "identify": sentence("Say whose cattle they are"),
        "impound": sentence("Take into the pound"),
        "judge_proof": sentence("Judge the proof of ownership"),
        "knock_down": sentence("Knock down to a buyer"),
        "lift_stay": sentence("Lift the stay"),
        "no_bid": sentence("Nobody bid"),
        "offer_to_pay": sentence("Payment was offered"),
        "order_sale": sentence("Order the sale"),
        "other_disposal": sentence("Dispose of otherwise"),
        "pay_balance": sentence("Pay the balance to the owner"),
        "pay_surplus": sentence("Pay the surplus"),
        "post_notice": sentence("Post the notice"),
        "re_seize": sentence("Seize again"),
        "receive_payment": sentence("Receive a payment"),
        "recognise": sentence("Known again from another case"),
        "record_owner_default": sentence("The owner does not pay"),
        "record_proclamation": sentence("It was proclaimed"),
        "record_refusal": sentence("The owner refuses the rest"),
        "recover_from_seizer": sentence("Recover from the seizer"),
        "refund_deposit": sentence("Give the deposit back"),
        "refund_security": sentence("Give the security back"),
        "release": sentence("Release against payment"),
        "release_at_spot": sentence("Let go at the spot"),
        "release_by_order": sentence("Release by order"),
        "remit": sentence("Remit money"),
        "reopen": sentence("Open the case again"),
        "report_unclaimed": sentence("Report as unclaimed"),
        "rescued": sentence("Cattle were rescued by force"),
        "return_payment": sentence("Give a payment back"),
        "stay": sentence("Stay the sale"),
        "transfer": sentence("Hand over to another place"),
    }
)

# In the order in which a case goes; what stands in no group is not offered.
GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        sentence("On the way and in the pound"): (
            "dispatch_to_pound",
            "impound",
            "release_at_spot",
            "born",
            "died",
            "escaped",
            "rescued",
            "correct_custody",
            "recognise",
        ),
        sentence("Whose cattle they are"): ("identify", "appear", "claim", "offer_to_pay"),
        sentence("At the counter"): (
            "release",
            "receive_payment",
            "deposit_under_protest",
            "assess",
            "add_receipt_line",
            "apply_deposit",
            "refund_deposit",
            "return_payment",
            "recover_from_seizer",
        ),
        sentence("Declaration and security"): (
            "demand_security",
            "deposit_security",
            "re_seize",
            "refund_security",
            "forfeit_security",
        ),
        sentence("Unclaimed or in default"): (
            "record_owner_default",
            "report_unclaimed",
            "post_notice",
            "record_proclamation",
        ),
        sentence("Sale"): (
            "order_sale",
            "hold_auction",
            "knock_down",
            "no_bid",
            "other_disposal",
            "apply_proceeds",
            "account_to_owner",
            "pay_balance",
            "record_refusal",
        ),
        sentence("Surplus and remittances"): (
            "hold_surplus",
            "claim_surplus",
            "judge_proof",
            "pay_surplus",
            "credit_surplus_to_fund",
            "remit",
        ),
        sentence("Orders and closing"): (
            "release_by_order",
            "stay",
            "lift_stay",
            "transfer",
            "forfeit_cattle",
            "close",
            "reopen",
        ),
    }
)

PARTICULARS: Mapping[str, str] = MappingProxyType(
    {
        "appeared": sentence("The owner came in person"),
        "application": sentence("The owner applied for it"),
        "as": sentence("As what"),
        "bids": sentence("Bids, one in a line"),
        "buyer": sentence("Buyer"),
        "buyer_is": sentence("The buyer is also"),
        "by": sentence("By whom"),
        "cause": sentence("Cause"),
        "conditions": sentence("Conditions of the sale"),
        "contents": sentence("What else the account says"),
        "counts": sentence("Heads counted"),
        "dated": sentence("Dated"),
        "declaration": sentence("Declaration of ownership"),
        "established": sentence("The claim is established"),
        "expenses_paise": sentence("Expenses of the sale"),
        "fees_from": sentence("Fees and expenses from"),
        "finding": sentence("Finding"),
        "is_illegal_claimed": sentence("The owner says that the seizure was illegal"),
        "is_related": sentence("The buyer is a relative of the seizer, keeper or an officer"),
        "line": sentence("For"),
        "manner": sentence("In which manner"),
        "mother": sentence("Mother"),
        "officer": sentence("Officer"),
        "order_no": sentence("Number of the order"),
        "paid_by": sentence("Paid by"),
        "paid_by_is": sentence("Who pays is also"),
        "paid_paise": sentence("Amount received"),
        "paise": sentence("Amount"),
        "paper_serial": sentence("Number on the paper receipt"),
        "particulars": sentence("What the notice says"),
        "photo": sentence("Photo"),
        "place": sentence("Place"),
        "pound": sentence("Pound"),
        "previous": sentence("Heads of the other case"),
        "price_paise": sentence("Price"),
        "proclamation": sentence("To be proclaimed in"),
        "proof": sentence("Proof of ownership accepted by"),
        "receipt_signed": sentence("The receipt is signed"),
        "refuses": sentence("The owner refuses to pay or to deposit"),
        "register_signature": sentence("Signed in the register"),
        "remove": sentence("Heads that were never there"),
        "restore": sentence("Heads whose ending never happened"),
        "result": sentence("Result"),
        "security": sentence("Which security"),
        "surplus": sentence("Which surplus"),
        "to": sentence("To"),
        "used_force": sentence("By force"),
        "vet_note": sentence("What the vet found"),
        "witness": sentence("Witness"),
    }
)

# Who is named for an act; where nothing else is said, whose cattle they are.
OWNER = sentence("Owner or keeper of the cattle")
PERSONS: Mapping[str, str] = MappingProxyType(
    {
        "claim": sentence("Who claims the cattle"),
        "claim_surplus": sentence("Who claims the surplus"),
        "identify": sentence("Whose cattle they are"),
        "judge_proof": sentence("Who claims the surplus"),
        "knock_down": sentence("Buyer"),
        "pay_surplus": sentence("Who claims the surplus"),
        "recover_from_seizer": sentence("Seizer"),
    }
)

_IS_ALSO = MappingProxyType(
    {
        "police": sentence("Police"),
        "officer": sentence("Officer of the local authority"),
        "member": sentence("Member of the local authority"),
        "servant": sentence("Servant of the local authority"),
        "keeper": sentence("Pound keeper"),
    }
)

CHOICES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "as": MappingProxyType(
            {"owner": sentence("Owner"), "keeper": sentence("Keeper of the cattle")}
        ),
        "fees_from": MappingProxyType(
            {
                "seizer": sentence("Seizer"),
                "owner": sentence("Owner"),
                "nobody": sentence("Nobody"),
            }
        ),
        "result": MappingProxyType(
            {"accepted": sentence("Accepted"), "rejected": sentence("Rejected")}
        ),
        "manner": MappingProxyType(
            {"drum": sentence("By beat of drum"), "other": sentence("In another way")}
        ),
        "place": MappingProxyType(
            {"village": sentence("In the village"), "market": sentence("In the market")}
        ),
        "proclamation": MappingProxyType(
            {"village": sentence("In the village"), "market": sentence("In the market")}
        ),
        "particulars": MappingProxyType(
            {
                "number_and_description": sentence("(a) Number and description of the cattle"),
                "place_of_seizure": sentence("(b) Place of seizure"),
                "place_impounded": sentence("(c) Place where impounded"),
            }
        ),
        "buyer_is": _IS_ALSO,
        "paid_by_is": _IS_ALSO,
        "to": MappingProxyType(
            {
                "district_magistrate": sentence("District Magistrate"),
                "local_authority": sentence("Local authority"),
                "local_authority_fund": sentence("Fund of the local authority"),
                "state_government": sentence("State Government"),
                "village_fund": sentence("Village fund"),
            }
        ),
    }
)

LINES: Mapping[str, str] = MappingProxyType(
    {
        "balance": sentence("Balance"),
        "compensation": sentence("Compensation"),
        "deposit": sentence("Deposit"),
        "expenses": sentence("Expenses of the complainant"),
        "feeding": sentence("Feeding and watering"),
        "fine": sentence("Fine"),
        "on_account": sentence("Paid on account"),
        "paid_on_account": sentence("Paid on account before"),
        "pound_fee": sentence("Pound fee"),
        "proceeds": sentence("Price"),
        "reimbursement": sentence("Fees paid back"),
        "remittance": sentence("Money handed on"),
        "sale": sentence("Price"),
        "sale_expenses": sentence("Expenses of the sale"),
        "security": sentence("Security"),
        "surplus": sentence("Surplus"),
    }
)

# Where money goes, on papers and in books.
ACCOUNTS: Mapping[str, str] = MappingProxyType(
    {
        **CHOICES["to"],
        "keeper": sentence("Pound keeper"),
        "payer": sentence("Back to the payer"),
        "pound": sentence("Pound"),
        "sale_expenses": sentence("Expenses of the sale"),
    }
)

# States of a head while it is held, then what it became.
HEADS: Mapping[str, str] = MappingProxyType(
    {
        "seized": sentence("Seized"),
        "in_transit": sentence("On the way"),
        "impounded": sentence("In the pound"),
        "unclaimed": sentence("Unclaimed"),
        "reported": sentence("Reported as unclaimed"),
        "noticed": sentence("Notice posted"),
        "owner_default": sentence("The owner does not pay"),
        "deemed_unclaimed": sentence("Deemed unclaimed"),
        "sale_ordered": sentence("Sale ordered"),
        "on_auction": sentence("Being auctioned"),
        "released_paid": sentence("Released against payment"),
        "released_on_deposit": sentence("Released on a deposit"),
        "released_by_order": sentence("Released by order"),
        "released_at_spot": sentence("Let go at the spot"),
        "sold": sentence("Sold"),
        "other_disposal": sentence("Disposed of otherwise"),
        "died": sentence("Died"),
        "escaped": sentence("Escaped"),
        "rescued": sentence("Rescued by force"),
        "transferred": sentence("Handed over"),
        "forfeited": sentence("Forfeited"),
        "not_there": sentence("Was never there"),
    }
)
