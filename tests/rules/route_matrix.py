"""Who may come in where, written down a second time and by hand: route by role.

A new route without a row fails `test_route_matrix.py`. `PUBLIC` lets anybody in, without a token;
`CONSOLE` is a page, behind the console's own door.
"""

from __future__ import annotations

ROLES = ("reporter", "pound_keeper", "reviewer", "decider", "admin", "auditor")

PUBLIC = frozenset({"nobody", *ROLES})
CONSOLE = frozenset({"console"})
ANYONE = frozenset(ROLES)
FIELD = frozenset({"reporter", "pound_keeper"})
DESK = frozenset({"reviewer", "decider"})
OFFICE = frozenset({"admin", "auditor"})
ADMIN = frozenset({"admin"})

MATRIX: dict[str, frozenset[str]] = {
    "GET /": PUBLIC,
    "GET /healthz": PUBLIC,
    "GET /readyz": PUBLIC,
    "GET /metrics": PUBLIC,
    "GET /openapi.json": PUBLIC,
    "GET /docs": PUBLIC,
    "GET /docs/<name>": PUBLIC,
    "GET /api/v1/limits": PUBLIC,
    "POST /api/v1/aids": FIELD,
    "GET /api/v1/aids/<aid_id>": ANYONE,
    "GET /api/v1/authorities": ANYONE,
    "GET /api/v1/authorities/<authority_id>": ANYONE,
    "GET /api/v1/devices": OFFICE,
    "POST /api/v1/devices": PUBLIC,
    "GET /api/v1/devices/<device_id>": OFFICE,
    "POST /api/v1/devices/<device_id>/confirm": ADMIN,
    "POST /api/v1/devices/<device_id>/reject": ADMIN,
    "POST /api/v1/devices/<device_id>/revoke": ADMIN,
    "GET /api/v1/enrolments": OFFICE,
    "POST /api/v1/enrolments": ADMIN,
    "GET /api/v1/enrolments/<enrolment_id>": OFFICE,
    "POST /api/v1/erasures": frozenset({"admin", "decider"}),
    "POST /api/v1/intakes": FIELD,
    "GET /api/v1/intakes/<intake_id>": ANYONE,
    "GET /api/v1/me": ANYONE,
    "POST /api/v1/me/token": ANYONE,
    "GET /api/v1/ops": DESK | OFFICE,
    "POST /api/v1/ops/<actor>/<op_id>/reject": DESK,
    "POST /api/v1/ops/<actor>/<op_id>/release": DESK,
    "GET /api/v1/people": OFFICE,
    "POST /api/v1/people": ADMIN,
    "GET /api/v1/people/<person_id>": OFFICE,
    "POST /api/v1/people/<person_id>/roles": ADMIN,
    "POST /api/v1/people/<person_id>/roles/<role_id>/end": ADMIN,
    "GET /api/v1/photos/<photo_id>": ANYONE,
    "GET /api/v1/photos/<photo_id>/content": ANYONE,
    "PUT /api/v1/photos/<photo_id>/content": FIELD,
    "GET /api/v1/photos/<photo_id>/preview": ANYONE,
    "GET /api/v1/photos/<photo_id>/thumbnail": ANYONE,
    "GET /api/v1/pounds": OFFICE | DESK,
    "POST /api/v1/pounds": ADMIN,
    "GET /api/v1/pounds/<pound_id>": OFFICE | DESK,
    "GET /api/v1/reviews": DESK | OFFICE,
    "POST /api/v1/reviews": DESK,
    "GET /api/v1/reviews/<review_id>": DESK | OFFICE,
    "POST /api/v1/reviews/<review_id>/decision": DESK,
    "GET /api/v1/seizures": ANYONE,
    "POST /api/v1/seizures": FIELD,
    "GET /api/v1/seizures/<seizure_id>": ANYONE,
    "PATCH /api/v1/seizures/<seizure_id>": FIELD | DESK,
    "GET /api/v1/seizures/<seizure_id>/history": ANYONE,
    "GET /console/": CONSOLE,
    "GET /console/cases/<seizure_id>": CONSOLE,
    "POST /console/cases/<seizure_id>/decision": CONSOLE,
    "POST /console/cases/<seizure_id>/fields/<conflict_id>": CONSOLE,
    "POST /console/language": PUBLIC,
    "GET /console/photos/<photo_id>/original": CONSOLE,
    "GET /console/photos/<photo_id>/preview": CONSOLE,
    "GET /console/photos/<photo_id>/thumbnail": CONSOLE,
    "GET /console/sign-in": PUBLIC,
    "POST /console/sign-in": PUBLIC,
    "POST /console/sign-out": PUBLIC,
    "GET /console/static/<name>": PUBLIC,
    "POST /api/v1/sync": ANYONE,
    "GET /api/v1/sync/rxdb/<kind>/pull": ANYONE,
    "POST /api/v1/sync/rxdb/<kind>/push": ANYONE,
    "GET /api/v1/sync/schema": ANYONE,
    "OPTIONS /api/v1/uploads": PUBLIC,
    "POST /api/v1/uploads": FIELD,
    "DELETE /api/v1/uploads/<upload_id>": FIELD,
    "PATCH /api/v1/uploads/<upload_id>": FIELD,
    "POST /api/v1/uploads/<upload_id>": FIELD,
}
