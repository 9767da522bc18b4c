"""Who and where: for each series of statutes an invented authority with its people and places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fieldapi.services.authorities import NewAuthority
from fieldapi.services.places import NewPlace
from fieldapi.services.pounds import NewPound

Owner = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Cast:
    """An authority to be. `staff`: names by part; `capacities`: of the parts that report;
    `owners`: name, parent, residence; `centre`: latitude and longitude; `places`: kinds of place
    in which a part seizes.
    """

    authority: NewAuthority
    pounds: tuple[NewPound, NewPound]
    villages: tuple[NewPlace, ...]
    centre: tuple[float, float]
    staff: Mapping[str, str]
    capacities: Mapping[str, str]
    owners: tuple[Owner, ...]
    places: Mapping[str, tuple[str, ...]]


# What each part is to the authority; the same people everywhere, under local names.
ROLES: Mapping[str, str] = MappingProxyType(
    {
        "watch": "reporter",
        "police": "reporter",
        "canal": "reporter",
        "newcomer": "reporter",
        "keeper": "pound_keeper",
        "second_keeper": "pound_keeper",
        "reviewer": "reviewer",
        "secretary": "decider",
        "admin": "admin",
        "second_admin": "admin",
        "auditor": "auditor",
    }
)

# What a part is called where people read it.
WORDS: Mapping[str, str] = MappingProxyType(
    {
        "watch": "watchman",
        "police": "police",
        "canal": "cultivator",
        "newcomer": "new reporter",
        "keeper": "pound keeper",
        "second_keeper": "keeper of the other pound",
        "reviewer": "reviewer",
        "secretary": "secretary, who decides",
        "admin": "admin",
        "second_admin": "second admin",
        "auditor": "auditor",
    }
)

_GUJARAT = Cast(
    authority=NewAuthority("GJD", "Rajkot Taluka Panchayat (demo)", "gujarat", ("en", "gu")),
    pounds=(
        NewPound("Bedi cattle pound", lat=22.3512, lon=70.8018),
        NewPound("Ratanpar cattle pound", lat=22.3725, lon=70.8346),
    ),
    villages=(
        NewPlace("Bedi", "બેડી", 22.3561, 70.8047),
        NewPlace("Ratanpar", "રતનપર", 22.3725, 70.8346),
        NewPlace("Navagam", "નવાગામ", 22.3187, 70.8421),
        NewPlace("Gavridad", "ગવરીદડ", 22.3894, 70.7762),
        NewPlace("Madhapar", "માધાપર", 22.3326, 70.7543),
    ),
    centre=(22.345, 70.81),
    staff={
        "watch": "Asha Parmar",
        "police": "Ravi Jadeja",
        "canal": "Kanta Vaghela",
        "newcomer": "Dinesh Bhatt",
        "keeper": "Mohan Rathod",
        "second_keeper": "Jivan Chauhan",
        "reviewer": "Bina Joshi",
        "secretary": "Nilesh Trivedi",
        "admin": "Hetal Dave",
        "second_admin": "Pravin Shukla",
        "auditor": "Falguni Mehta",
    },
    capacities={
        "watch": "panchayat_watchman",
        "police": "police",
        "canal": "any_other_person",
        "newcomer": "panchayat_watchman",
    },
    owners=(
        ("Ramesh Solanki", "Govind Solanki", "Bedi"),
        ("Savita Makwana", "Bharat Makwana", "Ratanpar"),
        ("Karsan Bharwad", "Vala Bharwad", "Navagam"),
        ("Laxman Rabari", "Hira Rabari", "Gavridad"),
        ("Meena Gohil", "Arvind Gohil", "Madhapar"),
        ("Ibrahim Sumra", "Yusuf Sumra", "Bedi"),
        ("Jayesh Patel", "Mansukh Patel", "Navagam"),
    ),
    places={
        "watch": ("street", "public_property", "private_field"),
        "police": ("street",),
        "canal": ("private_field",),
        "newcomer": ("street",),
    },
)
_KERALA = Cast(
    authority=NewAuthority("KLD", "Chathannur Grama Panchayat (demo)", "kerala", ("en", "ml")),
    pounds=(
        NewPound("Chathannur cattle pound", lat=8.8602, lon=76.7185),
        NewPound("Karamcode cattle pound", lat=8.8438, lon=76.7402),
    ),
    villages=(
        NewPlace("Chathannur", "ചാത്തന്നൂർ", 8.8602, 76.7185),
        NewPlace("Karamcode", "കാരംകോട്", 8.8438, 76.7402),
        NewPlace("Oorampally", "ഊറാംപള്ളി", 8.8721, 76.7303),
        NewPlace("Kalluvathukkal", "കല്ലുവാതുക്കൽ", 8.8297, 76.7561),
    ),
    centre=(8.855, 76.73),
    staff={
        "watch": "Suma Pillai",
        "police": "Anil Kumar",
        "canal": "Radha Nair",
        "newcomer": "Shibu Thomas",
        "keeper": "Gopalan Achari",
        "second_keeper": "Basheer Kunju",
        "reviewer": "Lekha Menon",
        "secretary": "Rajan Varghese",
        "admin": "Sindhu Raj",
        "second_admin": "Biju Mathew",
        "auditor": "Preetha Das",
    },
    capacities={
        "watch": "person_in_charge",
        "police": "police",
        "canal": "cultivator",
        "newcomer": "person_in_charge",
    },
    owners=(
        ("Sasi Kurup", "Raghavan Kurup", "Chathannur"),
        ("Omana Amma", "Kesavan Nair", "Karamcode"),
        ("Ismail Rawther", "Hassan Rawther", "Oorampally"),
        ("Thankachan Joseph", "Ouseph", "Kalluvathukkal"),
        ("Bindu Sasidharan", "Sasidharan", "Chathannur"),
        ("Vijayan Unnithan", "Madhavan Unnithan", "Karamcode"),
    ),
    places={
        "watch": ("public_road", "canal", "embankment"),
        "police": ("public_road",),
        "canal": ("private_field",),
        "newcomer": ("public_road",),
    },
)
_KARNATAKA = Cast(
    authority=NewAuthority("KAD", "Hunsur Grama Panchayat (demo)", "karnataka", ("en", "kn")),
    pounds=(
        NewPound("Hunsur cattle pound", lat=12.3052, lon=76.2884),
        NewPound("Bilikere cattle pound", lat=12.3346, lon=76.4512),
    ),
    villages=(
        NewPlace("Hunsur", "ಹುಣಸೂರು", 12.3052, 76.2884),
        NewPlace("Bilikere", "ಬಿಳಿಕೆರೆ", 12.3346, 76.4512),
        NewPlace("Dharmapura", "ಧರ್ಮಾಪುರ", 12.2784, 76.3411),
        NewPlace("Kattemalalavadi", "ಕಟ್ಟೆಮಳಲವಾಡಿ", 12.3321, 76.3517),
    ),
    centre=(12.31, 76.36),
    staff={
        "watch": "Manjula Gowda",
        "police": "Kiran Naik",
        "canal": "Shivanna Hegde",
        "newcomer": "Prakash Rao",
        "keeper": "Ningaiah Shetty",
        "second_keeper": "Abdul Rahim",
        "reviewer": "Geetha Murthy",
        "secretary": "Chandrashekar Bhat",
        "admin": "Roopa Kulkarni",
        "second_admin": "Umesh Patil",
        "auditor": "Vasantha Iyengar",
    },
    capacities={
        "watch": "person_in_charge",
        "police": "police",
        "canal": "cultivator",
        "newcomer": "person_in_charge",
    },
    owners=(
        ("Basavaraj Gowda", "Mallappa Gowda", "Hunsur"),
        ("Lakshmamma", "Siddaiah", "Bilikere"),
        ("Nagaraju Naik", "Doddanaik", "Dharmapura"),
        ("Fakruddin Sab", "Imam Sab", "Kattemalalavadi"),
        ("Puttamma", "Kalegowda", "Hunsur"),
        ("Somashekar", "Rudrappa", "Dharmapura"),
    ),
    places={
        "watch": ("public_road", "canal", "park"),
        "police": ("public_road",),
        "canal": ("private_field",),
        "newcomer": ("public_road",),
    },
)

CASTS: Mapping[str, Cast] = MappingProxyType(
    {"gujarat": _GUJARAT, "karnataka": _KARNATAKA, "kerala": _KERALA}
)
