"""How often a page of the console may ask the database, whatever stands on it: page by page. A page
that is not listed here fails `test_console_access.py`.
"""

from __future__ import annotations

BOUNDS: dict[str, int] = {
    # What is no page of its own: nothing was found.
    "": 10,
    "/console/": 26,
    "/console/account": 13,
    "/console/account/factor": 9,
    "/console/admin": 19,
    "/console/admin/calendars": 11,
    "/console/admin/enrolments/<enrolment_id>": 15,
    "/console/admin/enrolments/<enrolment_id>/card.html": 12,
    "/console/admin/health": 20,
    "/console/admin/people": 14,
    "/console/admin/people/<person_id>": 15,
    "/console/admin/places": 11,
    "/console/admin/pounds": 12,
    "/console/admin/register": 14,
    "/console/admin/statute": 13,
    "/console/bundles/<bundle_id>": 22,
    "/console/bundles/<bundle_id>/letter.html": 14,
    "/console/cases/<seizure_id>": 82,
    "/console/cases/<seizure_id>/acts": 29,
    "/console/cases/<seizure_id>/acts/<act>": 29,
    "/console/cases/<seizure_id>/bundle": 38,
    "/console/cases/<seizure_id>/complaint": 34,
    "/console/cases/<seizure_id>/done/<act_id>": 31,
    "/console/cases/<seizure_id>/place.geojson": 18,
    "/console/complaints": 13,
    "/console/complaints/<complaint_id>": 68,
    "/console/complaints/<complaint_id>/receipt.html": 25,
    "/console/duplicates/<duplicate_id>": 31,
    "/console/exports": 11,
    "/console/help": 10,
    "/console/papers/<document_id>": 13,
    "/console/papers/<document_id>.html": 9,
    "/console/papers/<document_id>.pdf": 9,
    "/console/parties/<party_id>": 28,
    "/console/phones": 14,
    "/console/photos/<photo_id>/original": 15,
    "/console/photos/<photo_id>/preview": 21,
    "/console/photos/<photo_id>/thumbnail": 13,
    "/console/pound": 17,
    "/console/pound/<pound_id>": 23,
    "/console/pound/<pound_id>/books": 11,
    "/console/pound/<pound_id>/books/<name>.html": 20,
    "/console/pound/<pound_id>/receive": 13,
    "/console/pound/<pound_id>/receive/<seizure_id>": 16,
    "/console/pound/<pound_id>/remittances": 14,
    "/console/reports.geojson": 12,
    "/console/second": 5,
    "/console/second/set-up": 5,
    "/console/sign-in": 5,
    "/console/slips/new": 12,
    "/console/static/<name>": 0,
    "/console/waiting": 15,
    "/console/welcome/<secret>": 12,
}

# Pages to which no page leads that is open to whoever is signed in.
DOORS = (
    "/console/sign-in",
    "/console/second",
    "/console/second/set-up",
    "/console/welcome/of-nobody",
    "/console/account/factor",
)
# The same question asked again for each row is what a list must not do.
SAME = 5
