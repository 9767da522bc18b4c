"""What the values of a statute are called where somebody compares them with a print: the members of
its rules, its plain values, and the codes that stand in them. Shown by the console, never stored.

A value that nobody has verified needs its words here; `test_statute_labels.py` says which.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fieldapi.domain import act_labels, labels
from fieldapi.domain.words import sentence

MEMBERS: Mapping[str, str] = MappingProxyType(
    {
        "area": sentence("Whose scale counts"),
        "favours": sentence("A day more favours"),
        "days": sentence("Period in days"),
        "hours": sentence("Period in hours"),
        "effective_from": sentence("In force from"),
        "least_paise": sentence("At least"),
        "lines": sentence("Taken off, in this order"),
        "months": sentence("Period in months"),
        "most_paise": sentence("At most"),
        "opens": sentence("What may be done afterwards"),
        "rest": sentence("What is left is"),
        "rolls": sentence("Where the last day is closed"),
        "scale": sentence("By which scale"),
        "sent": sentence("When it is handed on"),
        "starts_at": sentence("Counted from"),
        "target": sentence("Goes to"),
        "weeks": sentence("Period in weeks"),
    }
)

VALUES: Mapping[str, str] = MappingProxyType(
    {
        "compensation_cap_per": sentence("For whom the most of compensation is counted"),
        "complaint_decided_here": sentence("Complaints are decided at the local authority"),
        "complaint_to": sentence("To whom a complaint is made"),
        "complaint_verbal": sentence("A complaint may be made by word of mouth"),
        "control_of_keeper": sentence("Under whose control the pound keeper is"),
        "death_in_pound_ends": sentence("What a death in the pound ends"),
        "drum_proclamation": sentence("The notice is proclaimed by beat of drum"),
        "head_scope": sentence("Whose heads are counted together for a scale"),
        "pending_counts": sentence("An impounding that is still disputed counts as a time"),
        "police_aid": sentence("When the police have to help"),
        "police_ranks": sentence("Ranks of the police, the lowest first"),
        "report_notice_days": sentence("Days between the report and the notice"),
        "rescue_months": sentence("Months of imprisonment for taking cattle back, at most"),
        "reseizure_counts_as_time": sentence("Cattle seized again count as one more time"),
        "seizer_signs_register": sentence("The seizer signs the register"),
        "surplus_test": sentence("Who gets the surplus of a sale"),
        "surplus_to": sentence("Where a surplus goes that nobody claims"),
        "tier_mode": sentence("How the steps of a scale count"),
        "times_window_months": sentence("Months within which times count; 0: without an end"),
    }
)

# Charges, caps, and what the price of a sale goes to, by their codes.
RULES: Mapping[str, str] = MappingProxyType(
    {
        **act_labels.LINES,
        "damage_by_cattle": sentence("Fine for letting cattle do damage"),
        "deemed_unclaimed": sentence("What the price pays for where the owner refuses the rest"),
        "default": sentence("What the price pays for where the owner does not pay"),
        "illegal_seizure": sentence("Compensation for an illegal seizure"),
        "keeper": sentence("Fine of a pound keeper who fails in a duty"),
        "rescue": sentence("Fine for taking cattle back by force"),
        "unclaimed": sentence("What the price pays for where nobody claimed the cattle"),
    }
)

# What a closed day moves on to: the same words mean something else elsewhere.
ROLLS: Mapping[str, str] = MappingProxyType(
    {
        "office": sentence("The next day on which the office is open"),
        "pound": sentence("The next day on which the pound is open"),
    }
)

CODES: Mapping[str, str] = MappingProxyType(
    {
        **labels.NOTIFICATIONS,
        **act_labels.ACTS,
        **act_labels.LINES,
        **act_labels.ACCOUNTS,
        "assistant_sub_inspector": sentence("Assistant Sub-Inspector"),
        "at_once": sentence("At once"),
        "complainant": sentence("Each complainant"),
        "constable": sentence("Constable"),
        "deposited_at": sentence("The day of the deposit"),
        "deputy_superintendent": sentence("Deputy Superintendent"),
        "head_constable": sentence("Head Constable"),
        "impounded_at": sentence("The arrival at the pound"),
        "inspector": sentence("Inspector"),
        "magistrate": sentence("Magistrate"),
        "none": sentence("The Act does not say"),
        "notice_dated": sentence("The date of the notice"),
        "owner": sentence("Owner"),
        "panchayat_fund": sentence("Fund of the panchayat"),
        "person": sentence("Those of one person"),
        "preferred_and_established": sentence("Whoever claims it in time and proves it"),
        "received_at": sentence("The day on which the surplus was received"),
        "secretary_of_local_authority": sentence("Secretary of the local authority"),
        "seized_at": sentence("The seizure"),
        "sub_inspector": sentence("Sub-Inspector"),
        "superintendent": sentence("Superintendent"),
        "unknown": sentence("Not known"),
        "whole": sentence("The step that is reached counts for all heads"),
    }
)
