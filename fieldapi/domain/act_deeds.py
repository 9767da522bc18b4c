"""What people did, in whole sentences of the past, for the account of what happened: each official
act and each act on a complaint has one. `act_labels` says the same as something to be done.

Called by the console and by bundles. Must never import anything but `words.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fieldapi.domain.words import sentence

DEEDS: Mapping[str, str] = MappingProxyType(
    {
        "account_to_owner": sentence("{who} accounted for the sale to the owner."),
        "add_receipt_line": sentence("{who} added a line to the receipt."),
        "appear": sentence("{who} noted that the owner appeared."),
        "apply_deposit": sentence("{who} used the deposit for the dues."),
        "apply_proceeds": sentence("{who} settled the proceeds of the sale."),
        "assess": sentence("{who} worked out what is due."),
        "born": sentence("{who} noted that young were born."),
        "claim": sentence("{who} noted that the cattle were claimed."),
        "claim_surplus": sentence("{who} noted that the surplus was claimed."),
        "close": sentence("{who} closed the case."),
        "correct_custody": sentence("{who} corrected the number of heads."),
        "count_again": sentence("{who} counted the cattle again at the pound."),
        "credit_surplus_to_fund": sentence("{who} credited the surplus to the fund."),
        "demand_security": sentence("{who} demanded the declaration and the security."),
        "deposit_security": sentence("{who} took the security."),
        "deposit_under_protest": sentence("{who} took a deposit under protest."),
        "died": sentence("{who} noted that cattle died."),
        "dispatch_to_pound": sentence("{who} sent the cattle to the pound."),
        "escaped": sentence("{who} noted that cattle escaped."),
        "forfeit_cattle": sentence("{who} declared the cattle forfeited."),
        "forfeit_security": sentence("{who} declared the security forfeited."),
        "hold_auction": sentence("{who} opened the auction."),
        "hold_surplus": sentence("{who} took the surplus into keeping."),
        "identify": sentence("{who} noted whose cattle they are."),
        "impound": sentence("{who} took the cattle into the pound."),
        "judge_proof": sentence("{who} judged the proof of ownership."),
        "knock_down": sentence("{who} knocked cattle down to a buyer."),
        "lift_stay": sentence("{who} lifted the stay."),
        "no_bid": sentence("{who} noted that nobody bid."),
        "offer_to_pay": sentence("{who} noted that payment was offered."),
        "order_sale": sentence("{who} ordered the sale."),
        "other_disposal": sentence("{who} disposed of cattle otherwise."),
        "pay_balance": sentence("{who} paid the balance to the owner."),
        "pay_surplus": sentence("{who} paid the surplus out."),
        "post_notice": sentence("{who} posted the notice."),
        "re_seize": sentence("{who} seized the cattle again."),
        "receive_payment": sentence("{who} received a payment."),
        "recognise": sentence("{who} noted that cattle are known from another case."),
        "record_owner_default": sentence("{who} noted that the owner does not pay."),
        "record_proclamation": sentence("{who} noted that it was proclaimed."),
        "record_refusal": sentence("{who} noted that the owner refuses the rest."),
        "recover_from_seizer": sentence("{who} recovered money from the seizer."),
        "refund_deposit": sentence("{who} gave the deposit back."),
        "refund_security": sentence("{who} gave the security back."),
        "release": sentence("{who} released the cattle against payment."),
        "release_at_spot": sentence("{who} let the cattle go at the spot."),
        "release_by_order": sentence("{who} released the cattle by order."),
        "remit": sentence("{who} remitted money."),
        "reopen": sentence("{who} opened the case again."),
        "report_unclaimed": sentence("{who} reported the cattle as unclaimed."),
        "rescued": sentence("{who} noted that cattle were rescued by force."),
        "return_payment": sentence("{who} gave a payment back."),
        "stay": sentence("{who} stayed the sale."),
        "transfer": sentence("{who} handed the cattle over to another place."),
        # On a complaint.
        "add_allegation": sentence("{who} added an allegation to the complaint."),
        "attach_evidence": sentence("{who} laid evidence beside an allegation."),
        "confirm_order": sentence("{who} confirmed the order as the second person."),
        "examine": sentence("{who} noted the examination of the complainant."),
        "find": sentence("{who} made a finding on an allegation."),
        "forward": sentence("{who} forwarded the complaint to whoever decides."),
        "hold_inquiry": sentence("{who} noted the inquiry."),
        "name_respondent": sentence("{who} noted who is complained of."),
        "order": sentence("{who} drafted the order on the complaint."),
        "pay_complainant": sentence("{who} handed the money to the complainant."),
        "record_order": sentence("{who} noted an order that was made elsewhere."),
        "recover": sentence("{who} noted what was recovered."),
        "return_order": sentence("{who} sent the order back."),
        "summon": sentence("{who} noted a summons."),
        "withdraw": sentence("{who} noted that the complainant withdraws."),
    }
)
