"""What the codes of records are called, in English; the catalogues say it in the other languages.

Called by api, console and documents, which translate. Codes are stored, labels are only shown.
"""

from collections.abc import Mapping
from types import MappingProxyType

from fieldapi.domain.words import sentence

REVIEW_STATES: Mapping[str, str] = MappingProxyType(
    {
        "received": sentence("Received"),
        "under_review": sentence("Under review"),
        "accepted": sentence("Accepted"),
        "rejected": sentence("Rejected"),
        "correction_asked": sentence("Correction asked"),
        "resubmitted": sentence("Resubmitted"),
    }
)

PHOTO_STATES: Mapping[str, str] = MappingProxyType(
    {
        "announced": sentence("Announced"),
        "receiving": sentence("Being received"),
        "stored": sentence("Stored"),
        "quarantined": sentence("Set aside"),
    }
)

PHOTO_REASONS: Mapping[str, str] = MappingProxyType(
    {
        "empty": sentence("The file is empty."),
        "unsupported_type": sentence("The file is no photo of a type that can be shown."),
        "too_many_pixels": sentence("The picture is larger than can be opened safely."),
        "truncated": sentence("The end of the picture is missing."),
        "corrupt": sentence("The picture is damaged and cannot be opened."),
        "decoder_crashed": sentence("The picture could not be opened: the reader broke off."),
        "decoder_timeout": sentence("The picture could not be opened in time."),
    }
)

PHOTO_SUBJECTS: Mapping[str, str] = MappingProxyType(
    {
        "animals": sentence("Animals"),
        "damage": sentence("Damage"),
        "place": sentence("Place"),
        "person": sentence("Person"),
        "document": sentence("Document"),
    }
)

AID_GROUNDS: Mapping[str, str] = MappingProxyType(
    {
        "resistance": sentence("Resistance to the seizure"),
        "likely_resistance": sentence("Resistance was likely"),
        "likely_rescue": sentence("Rescue of the cattle was likely"),
        "rescue_committed": sentence("Cattle were rescued"),
    }
)

SEVERITIES: Mapping[str, str] = MappingProxyType(
    {"info": sentence("For information"), "warn": sentence("Look at this")}
)

ROLES: Mapping[str, str] = MappingProxyType(
    {
        "reporter": sentence("Reports from the field"),
        "pound_keeper": sentence("Pound keeper"),
        "reviewer": sentence("Reviewer"),
        "decider": sentence("Deciding officer"),
        "admin": sentence("Administrator"),
        "auditor": sentence("Auditor"),
    }
)

NOTIFICATIONS: Mapping[str, str] = MappingProxyType(
    {
        "fee_schedule": sentence("Fine or pound fee for each head"),
        "feeding_rates": sentence("Feeding and watering, for each head and day"),
        "security_scale": sentence("Security for each head"),
        "double_fine_area": sentence("Special fine in an area of habitual trespass"),
        "section_189": sentence("Section 189 applies here"),
        "section_190": sentence("Section 190 applies here"),
        "other_pound": sentence("Another pound is allowed"),
        "keeper": sentence("Pound keeper appointed"),
        "sale_officer": sentence("Officer for sales appointed"),
        "proof_officer": sentence("Officer for proofs appointed"),
        "vesting": sentence("Pound vested in the panchayat"),
        "manner_of_sale": sentence("Manner of sale"),
    }
)
