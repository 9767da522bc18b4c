"""What the fields of records and their fixed values are called, in English; the catalogues say it
in the other languages.

Called by console, api and documents, which translate. Every field of `records.py` has a label.
Must never import anything but `words.py`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from fieldapi.domain.words import sentence

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "seizure": sentence("Report"),
        "animal": sentence("Lot of animals"),
        "photo": sentence("Photo"),
        "aid": sentence("Police aid"),
        "intake": sentence("Intake at the pound"),
    }
)

FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "age_class": sentence("Age"),
        "aid_id": sentence("Police aid"),
        "animal_id": sentence("Lot of animals"),
        "arrived_at": sentence("Arrived"),
        "brought_by": sentence("Brought by"),
        "capacity": sentence("Seized as"),
        "caption": sentence("Caption"),
        "colour": sentence("Colour"),
        "condition": sentence("Condition"),
        "count": sentence("Number of animals"),
        "counts": sentence("Animals counted"),
        "damage.crop": sentence("Crop"),
        "damage.estimate_paise": sentence("Estimated damage"),
        "damage.text": sentence("Damage"),
        "damage_done": sentence("Damage was done"),
        "ear_tags": sentence("Ear tags"),
        "esakshya_sid": sentence("eSakshya number"),
        "fir_no": sentence("FIR number"),
        "fixes": sentence("Later fixes of the place"),
        "gd_no": sentence("General diary number"),
        "ground": sentence("Ground"),
        "horns": sentence("Horns"),
        "individuals": sentence("Each animal"),
        "intake_id": sentence("Intake at the pound"),
        "kind": sentence("Kind of animal"),
        "location": sentence("Place on the map"),
        "location_absent_reason": sentence("Why there is no place on the map"),
        "marks": sentence("Marks"),
        "media_type": sentence("Type of file"),
        "milch": sentence("In milk"),
        "narrative": sentence("What happened"),
        "officer.name": sentence("Officer"),
        "officer.number": sentence("Officer's number"),
        "officer.rank": sentence("Rank"),
        "officer.station": sentence("Police station"),
        "origin": sentence("Written on"),
        "outcome": sentence("Outcome"),
        "owner.known": sentence("Owner is known"),
        "owner.mobile": sentence("Owner's mobile number"),
        "owner.name": sentence("Owner"),
        "owner.parent": sentence("Owner's father or mother"),
        "owner.residence": sentence("Owner's residence"),
        "persons": sentence("People involved"),
        "place_kind": sentence("Kind of place"),
        "place_text": sentence("Place in words"),
        "pound_id": sentence("Pound"),
        "received_at": sentence("Received"),
        "reference": sentence("Reference"),
        "refusal_reason": sentence("Why help was refused"),
        "remarks": sentence("Remarks"),
        "rendered": sentence("Help was given"),
        "requested_at": sentence("Requested"),
        "requested_by": sentence("Requested by"),
        "seized_at": sentence("Seized"),
        "seizer": sentence("Seizer"),
        "seizure_id": sentence("Report"),
        "sent_at": sentence("Sent to the pound"),
        "sex": sentence("Sex"),
        "sha256": sentence("SHA-256 of the photo"),
        "size": sentence("Size of the file"),
        "source": sentence("Taken from"),
        "statements": sentence("Said to it later"),
        "subject": sentence("What the photo shows"),
        "survey_no": sentence("Survey number"),
        "taken_at": sentence("Taken"),
        "withdrawn": sentence("Withdrawn"),
        "witnesses": sentence("Witnesses"),
    }
)

VALUES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "age_class": MappingProxyType(
            {
                "young": sentence("Young"),
                "adult": sentence("Adult"),
                "old": sentence("Old"),
                "mixed": sentence("Mixed"),
                "unknown": sentence("Not known"),
            }
        ),
        "about": MappingProxyType(
            {
                "correction": sentence("Corrected"),
                "conflict": sentence("To the two accounts"),
            }
        ),
        "answer": MappingProxyType(
            {
                "agree": sentence("The other is right."),
                "stay": sentence("Mine is right."),
                "unsure": sentence("Not sure."),
            }
        ),
        "origin": MappingProxyType(
            {
                "phone": sentence("Phone"),
                "api": sentence("Another program"),
                "paper": sentence("Paper"),
            }
        ),
        "sex": MappingProxyType(
            {
                "female": sentence("Female"),
                "male": sentence("Male"),
                "castrated": sentence("Castrated"),
                "mixed": sentence("Mixed"),
                "unknown": sentence("Not known"),
            }
        ),
        "source": MappingProxyType({"camera": sentence("Camera"), "gallery": sentence("Gallery")}),
    }
)
