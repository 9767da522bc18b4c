"""Doubts about a record: a closed list, each with a plain sentence and what it does not prove.

A flag never refuses anything; a reviewer reads it. `found_flags.py` finds those that one record
shows by itself; the others need more records or the photo's bytes and are pending work of services.
Both write only codes of `FLAGS`. Must never import SQL or services.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fieldapi.domain.words import sentence
from sync.strict import JSON

INFO, WARN = "info", "warn"


@dataclass(frozen=True)
class Flag:
    """One doubt: code, `info` or `warn`, what is the case, and what that does not prove.

    Both sentences are catalogue keys.
    """

    code: str
    severity: str
    says: str
    does_not_prove: str


_TYPED_WRONG = sentence("It may be a slip in the form; it does not make the seizure unlawful.")
_EDITED = sentence("Many phones and apps write such files; it does not prove that it was edited.")
_NO_MATTER = sentence("This says something about the file, nothing about what it shows.")

_ALL = (
    # Place
    Flag(
        "outside_area",
        WARN,
        sentence("The place lies outside the area of this authority."),
        sentence("A border may be drawn wrong, or the fix may be poor; look at its accuracy."),
    ),
    Flag(
        "location_absent",
        INFO,
        sentence("The phone had no fix; a reason was given instead."),
        sentence("Many honest reports have no fix: indoors, under trees, permission off."),
    ),
    Flag(
        "gps_poor",
        INFO,
        sentence("The place is known only to within more than 200 metres."),
        sentence("A poor fix is not a wrong one."),
    ),
    Flag(
        "gps_mock",
        WARN,
        sentence("The phone said that another app supplied the place."),
        sentence(
            "Some repair and navigation apps do this; it does not prove that the place is false."
        ),
    ),
    # Time
    Flag(
        "clock_suspect",
        WARN,
        sentence("The phone's clock does not fit the server's; the times may be wrong."),
        sentence(
            "A flat battery resets a clock; the order of the phone's own entries still holds."
        ),
    ),
    Flag(
        "wrong_pound",
        WARN,
        sentence("The cattle were taken to another pound than the Act names for this place."),
        sentence("Another pound does not make the seizure unlawful; areas may be drawn wrong."),
    ),
    Flag(
        "late_to_pound",
        WARN,
        sentence("The cattle reached the pound after the time that the Act allows."),
        sentence("Only a complaint decides whether the delay made the detention unlawful."),
    ),
    Flag(
        "pound_unknown",
        WARN,
        sentence("No pound of this authority has the id that the record names."),
        sentence("The phone's list of pounds may be old; it does not say where the cattle are."),
    ),
    # Law
    Flag(
        "capacity_not_listed",
        WARN,
        sentence("The Act does not name this capacity among those who may seize."),
        _TYPED_WRONG,
    ),
    Flag(
        "ground_not_listed",
        WARN,
        sentence("The Act does not name this ground for a seizure."),
        _TYPED_WRONG,
    ),
    Flag(
        "place_kind_not_listed",
        WARN,
        sentence("The Act does not name this kind of place."),
        _TYPED_WRONG,
    ),
    Flag(
        "kind_not_listed",
        WARN,
        sentence("The Act does not count this kind of animal as cattle."),
        sentence("It may be the wrong tile; a notification may have added the kind."),
    ),
    Flag(
        "capacity_not_for_place",
        WARN,
        sentence("The Act does not let this capacity seize in this kind of place."),
        _TYPED_WRONG,
    ),
    Flag(
        "damage_not_stated",
        WARN,
        sentence("The Act asks for damage here, and the report states none."),
        sentence("Damage may have been done and not noted; look at the photos."),
    ),
    Flag(
        "contrary_to_rule",
        WARN,
        sentence("What was recorded is contrary to a rule of the Act."),
        sentence("The record says that it happened, not that it was lawful or unlawful."),
    ),
    Flag(
        "ground_not_met",
        WARN,
        sentence("The order was made although its ground, as recorded, is not met."),
        sentence("Facts that were not recorded may have met it."),
    ),
    Flag(
        "related_buyer",
        WARN,
        sentence("The buyer is related to somebody who may not buy."),
        sentence("Kinship alone is not forbidden; buying for another is."),
    ),
    # Other records
    Flag(
        "count_mismatch",
        WARN,
        sentence("The pound counted other numbers than the seizer."),
        sentence("Animals may have been born, died, escaped or been rescued on the way."),
    ),
    Flag(
        "possible_duplicate",
        INFO,
        sentence("Another report is close in place and time; it may be the same seizure."),
        sentence("Two seizures in one place on one day do happen."),
    ),
    Flag(
        "parent_withdrawn",
        INFO,
        sentence("The report that this belongs to was withdrawn."),
        sentence("What it shows stays as it was reported; a report may come back."),
    ),
    Flag(
        "reference_reused",
        WARN,
        sentence("Another report bears the same reference."),
        sentence("A phone that was reset counts from the start again."),
    ),
    Flag(
        "tag_in_two_cases",
        WARN,
        sentence("An ear tag of this lot is also in another open case."),
        sentence("A digit may have been misread; the animal may have been seized again."),
    ),
    Flag(
        "cloned",
        WARN,
        sentence("Two phones seem to write in the name of one."),
        sentence("Moving to a new phone by a copy does this; no value was lost."),
    ),
    # Photos
    Flag(
        "photo_from_gallery",
        INFO,
        sentence("The photo was chosen from the gallery; its place and time are not proven."),
        sentence("It may well have been taken there and then."),
    ),
    Flag(
        "photo_reused",
        WARN,
        sentence("The same file was sent with another report."),
        sentence("One photo may belong to two lots of one seizure."),
    ),
    Flag(
        "photo_similar",
        INFO,
        sentence("Another report has a photo that looks nearly the same."),
        sentence("Two photos of one field look alike."),
    ),
    Flag(
        "photo_damaged",
        WARN,
        sentence("The stored file is damaged or missing; phones that still hold it are asked."),
        sentence("This is a fault of the store; it says nothing about who sent the photo."),
    ),
    Flag(
        "exif_gps_mismatch",
        WARN,
        sentence("The place in the photo file is far from the place of the report."),
        sentence("A camera may keep an old fix for minutes."),
    ),
    Flag(
        "exif_gps_absent",
        INFO,
        sentence("The photo file names no place."),
        sentence("Android removes the place from many uploads; the phone's own fix counts."),
    ),
    Flag(
        "exif_time_mismatch",
        WARN,
        sentence("The time in the photo file is far from the time of the report."),
        sentence("A camera clock may be wrong."),
    ),
    Flag(
        "gps_unusable",
        INFO,
        sentence("The place in the photo file cannot be read."),
        _NO_MATTER,
    ),
    Flag(
        "gps_out_of_range",
        INFO,
        sentence("The place in the photo file is not on the globe."),
        _NO_MATTER,
    ),
    Flag(
        "gps_zero",
        INFO,
        sentence("The place in the photo file is 0, 0: the phone had none."),
        _NO_MATTER,
    ),
    Flag(
        "tz_unknown",
        INFO,
        sentence("The time in the photo file has no time zone."),
        _NO_MATTER,
    ),
    Flag(
        "date_invalid",
        INFO,
        sentence("The date in the photo file cannot be read."),
        _NO_MATTER,
    ),
    Flag(
        "date_implausible",
        INFO,
        sentence("The date in the photo file lies in a far past or in the future."),
        _NO_MATTER,
    ),
    Flag(
        "metadata_warning",
        INFO,
        sentence("The data beside the picture are damaged; the picture itself was read."),
        _EDITED,
    ),
    Flag(
        "code_in_metadata",
        WARN,
        sentence("The photo file carries program text beside the picture; it was never run."),
        sentence("The text may come from any app; it says nothing about what the picture shows."),
    ),
    Flag(
        "extension_mismatch",
        INFO,
        sentence("The file is of another type than it was announced."),
        _EDITED,
    ),
    Flag(
        "client_resized",
        INFO,
        sentence("The picture is smaller than the camera made it."),
        _EDITED,
    ),
    Flag(
        "foreign_trailer",
        INFO,
        sentence("More bytes follow the end of the picture; they are kept with it."),
        _EDITED,
    ),
    Flag(
        "truncated",
        INFO,
        sentence("The end of the file is missing; the picture itself is whole."),
        sentence("A transfer between two apps may break off; what the picture shows is not cut."),
    ),
    Flag(
        "motion_trailer",
        INFO,
        sentence("A short film follows the picture in the same file."),
        _NO_MATTER,
    ),
    Flag(
        "multi_picture",
        INFO,
        sentence("The file holds more than one picture; the first is shown."),
        _NO_MATTER,
    ),
    Flag(
        "multi_image",
        INFO,
        sentence("The file holds a series of pictures; the main one is shown."),
        _NO_MATTER,
    ),
    Flag(
        "animated",
        INFO,
        sentence("The file holds moving pictures; the first is shown."),
        _NO_MATTER,
    ),
    Flag(
        "c2pa_unread",
        INFO,
        sentence("The photo file carries content credentials, which were not checked."),
        _NO_MATTER,
    ),
    Flag(
        "c2pa_remote_not_fetched",
        INFO,
        sentence("The photo file names content credentials elsewhere; they were not fetched."),
        _NO_MATTER,
    ),
    Flag(
        "cmyk",
        INFO,
        sentence("The picture was made for print; its colours are shown converted."),
        _NO_MATTER,
    ),
)
FLAGS: Mapping[str, Flag] = MappingProxyType({flag.code: flag for flag in _ALL})
if len(FLAGS) != len(_ALL):
    raise RuntimeError("two flags have one code: the first would never be told")

# What was compared, where numbers say it: the sentence, and the members of the detail in it.
_MEASURED: Mapping[str, tuple[str, tuple[str, str]]] = MappingProxyType(
    {
        "exif_gps_mismatch": (
            sentence(
                "The two places are {apart} metres apart; up to {tolerance} metres are taken as one"
                " place."
            ),
            ("metres", "tolerance_m"),
        ),
        "exif_time_mismatch": (
            sentence(
                "The two times are {apart} minutes apart; up to {tolerance} minutes are taken as"
                " one time."
            ),
            ("minutes", "tolerance_min"),
        ),
    }
)


def measured(code: str, detail: Mapping[str, JSON]) -> tuple[str, int, int] | None:
    """Return the sentence that says what was compared, a catalogue key, with how far it was apart
    and the tolerance; None for a flag that has no such numbers.
    """
    if code not in _MEASURED:
        return None
    says, names = _MEASURED[code]
    apart, tolerance = (detail.get(name) for name in names)
    if not isinstance(apart, int) or not isinstance(tolerance, int):
        return None
    return says, apart, tolerance
