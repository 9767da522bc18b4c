"""What complaints are made of, in words: allegations, findings, states, acts, and the facts that
the record shows beside an allegation.

Called by the console. Must never import anything but `words.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fieldapi.domain.words import sentence

ALLEGATIONS: Mapping[str, str] = MappingProxyType(
    {
        "place": sentence("It was at another place"),
        "time": sentence("It was at another time"),
        "count": sentence("The number of animals is wrong"),
        "damage": sentence("There was no damage, or less"),
        "capacity": sentence("The seizer may not seize there"),
        "transit": sentence("They were brought to the pound too late"),
        "fine": sentence("Too much was taken"),
        "detention": sentence("They were held too long"),
    }
)
FINDINGS: Mapping[str, str] = MappingProxyType(
    {
        "supported": sentence("The record supports it"),
        "not_supported": sentence("The record speaks against it"),
        "not_enough": sentence("The record does not tell"),
    }
)
OUTCOMES: Mapping[str, str] = MappingProxyType(
    {
        "dismissed": sentence("Dismissed"),
        "lawful": sentence("The seizure was lawful"),
        "illegal": sentence("The seizure was illegal"),
    }
)
PARTS: Mapping[str, str] = MappingProxyType(
    {"seizer": sentence("who seized"), "detainer": sentence("who held the cattle")}
)
STATES: Mapping[str, str] = MappingProxyType(
    {
        "received": sentence("Received"),
        "examined": sentence("Complainant examined"),
        "summoned": sentence("Summoned"),
        "inquiry": sentence("Inquiry held"),
        "forwarded": sentence("Forwarded"),
        "drafted": sentence("Order waits for a second person"),
        "dismissed": sentence("Dismissed"),
        "lawful": sentence("Found lawful"),
        "illegal": sentence("Found illegal"),
        "recovered": sentence("Compensation recovered"),
        "withdrawn": sentence("Withdrawn"),
    }
)
IN_TIME: Mapping[str, str] = MappingProxyType(
    {
        "yes": sentence("In time"),
        "doubtful": sentence("In time on one reading only"),
        "late": sentence("Out of time"),
    }
)
ACTS: Mapping[str, str] = MappingProxyType(
    {
        "examine": sentence("Note the examination of the complainant"),
        "summon": sentence("Note a summons"),
        "hold_inquiry": sentence("Note the inquiry"),
        "name_respondent": sentence("Name who is complained of"),
        "add_allegation": sentence("Add an allegation"),
        "find": sentence("Find on an allegation"),
        "attach_evidence": sentence("Lay evidence beside an allegation"),
        "forward": sentence("Forward to whoever decides"),
        "order": sentence("Draft the order"),
        "record_order": sentence("Note an order that was made elsewhere"),
        "confirm_order": sentence("Confirm the order as the second person"),
        "return_order": sentence("Send the order back"),
        "recover": sentence("Note what was recovered"),
        "pay_complainant": sentence("Hand the money to the complainant"),
        "withdraw": sentence("The complainant withdraws"),
    }
)
PARTICULARS: Mapping[str, str] = MappingProxyType(
    {
        "allegation": sentence("Allegation"),
        "appear_on": sentence("To appear on"),
        "by": sentence("By whom"),
        "compensation": sentence("Compensation to be paid, in rupees"),
        "dated": sentence("Dated"),
        "expenses_paise": sentence("Fees and expenses to be given back, in rupees"),
        "found": sentence("Finding"),
        "is_direct": sentence("It was paid to the complainant directly"),
        "letter_no": sentence("Number of the letter"),
        "order_no": sentence("Number of the order"),
        "outcome": sentence("Outcome"),
        "paid_paise": sentence("Amount, in rupees"),
        "payer": sentence("Compensation is paid by"),
        "part": sentence("Part in it"),
        "party": sentence("Who"),
        "reimbursed_by": sentence("Fees are paid back by"),
        "release": sentence("What is still held is to be released"),
        "text": sentence("In words"),
        "to": sentence("To whom"),
        "well_founded": sentence("There is ground to believe it"),
    }
)
FACTS: Mapping[str, str] = MappingProxyType(
    {
        "came": sentence("The complainant came"),
        "came_to_pound": sentence("Came to the pound"),
        "capacity": sentence("Seized as"),
        "capacity_listed": sentence("The Act names this capacity"),
        "counted_in": sentence("Counted in at the pound"),
        "damage_crop": sentence("Crop"),
        "damage_done": sentence("Damage was done"),
        "damage_estimate_paise": sentence("Estimated damage"),
        "damage_required": sentence("The Act asks for damage"),
        "damage_text": sentence("Damage"),
        "due": sentence("Due"),
        "fix_apart_m": sentence("A later reading lies apart by, in metres"),
        "flag": sentence("Noticed"),
        "ground": sentence("Ground"),
        "heads_now": sentence("The heads now"),
        "held": sentence("Held"),
        "late_by_minutes": sentence("Too late by, in minutes"),
        "may_seize": sentence("The Act lets this capacity seize on this ground"),
        "no_time_set": sentence("The Act sets no hours to the pound"),
        "paid": sentence("Paid"),
        "photo_apart_m": sentence("A photo's own place lies apart by, in metres"),
        "photo_taken_at": sentence("A photo's own time"),
        "photos_of_animals": sentence("Photos of animals"),
        "photos_of_damage": sentence("Photos of damage"),
        "place_fixed": sentence("Place on the map"),
        "place_kind": sentence("Kind of place"),
        "place_text": sentence("Place in words"),
        "received_at": sentence("Received"),
        "reported": sentence("Animals reported"),
        "seized_at": sentence("Seized"),
        "to_reach_pound_by": sentence("To be at the pound by"),
    }
)
