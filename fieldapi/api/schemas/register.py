"""What is said of parties, notifications, earlier impoundings, confirmations and closed days."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import (
    IdField,
    InstantField,
    PageSchema,
    StrictSchema,
    WholeField,
    list_of,
)
from fieldapi.models.authority import CALENDARS
from fieldapi.models.notification import KINDS
from fieldapi.models.party import LEGALITIES

_MOST_DAYS = 400


class NewPartySchema(StrictSchema):
    """Somebody of the register to be: owner, keeper of cattle, agent, seizer, buyer."""

    id = IdField(required=True)
    name = fields.String(required=True)
    parent = fields.String(load_default=None, allow_none=True)
    residence = fields.String(load_default=None, allow_none=True)
    mobile = fields.String(load_default=None, allow_none=True)
    is_resident = fields.Boolean(load_default=None, allow_none=True)
    person_id = IdField(load_default=None, allow_none=True)


class PartySchema(ma.Schema):
    """Somebody of the register. `merged_into`: who stands for them. Lists mask `mobile`."""

    id = IdField(required=True)
    name = fields.String(required=True)
    parent = fields.String(required=True, allow_none=True)
    residence = fields.String(required=True, allow_none=True)
    mobile = fields.String(required=True, allow_none=True)
    is_resident = fields.Boolean(required=True, allow_none=True)
    person_id = IdField(required=True, allow_none=True)
    merged_into = IdField(required=True, allow_none=True)
    created_at = InstantField(required=True)


class PartyQuerySchema(PageSchema):
    """Which parties: those whose name begins so."""

    name = fields.String(load_default=None, validate=validate.Length(max=200))


class MergeSchema(StrictSchema):
    """Who stands for this party from now on."""

    id = IdField(required=True)
    into = IdField(required=True)


class NewNotificationSchema(StrictSchema):
    """A notification, approval or appointment. Days are `YYYY-MM-DD`, the last one included."""

    id = IdField(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    number = fields.String(required=True)
    dated = fields.Date(load_default=None, allow_none=True)
    effective_from = fields.Date(required=True)
    effective_to = fields.Date(load_default=None, allow_none=True)
    pound_id = IdField(load_default=None, allow_none=True)
    area = fields.String(load_default=None, allow_none=True)
    approved_by = fields.String(load_default=None, allow_none=True)
    approved_on = fields.Date(load_default=None, allow_none=True)
    is_sample = fields.Boolean(load_default=False)
    data = fields.Dict(keys=fields.String(), load_default=dict)


class NotificationSchema(ma.Schema):
    """An entry of the dated register. `used_at`: since an act relied on it."""

    id = IdField(required=True)
    kind = fields.String(required=True)
    number = fields.String(required=True)
    dated = fields.Date(required=True, allow_none=True)
    effective_from = fields.Date(required=True)
    effective_to = fields.Date(required=True, allow_none=True)
    pound_id = IdField(required=True, allow_none=True)
    area = fields.String(required=True, allow_none=True)
    approved_by = fields.String(required=True, allow_none=True)
    approved_on = fields.Date(required=True, allow_none=True)
    is_sample = fields.Boolean(required=True)
    data = fields.Dict(keys=fields.String(), required=True)
    created_at = InstantField(required=True)
    used_at = InstantField(required=True, allow_none=True)


NotificationListSchema = list_of(NotificationSchema)


class NotificationQuerySchema(PageSchema):
    """Which entries: of a kind, in force on a day."""

    kind = fields.String(load_default=None, validate=validate.OneOf(KINDS))
    on = fields.Date(load_default=None)


class EndOnSchema(StrictSchema):
    """The last day of an entry."""

    id = IdField(required=True)
    on = fields.Date(required=True)


class NewPriorSchema(StrictSchema):
    """An impounding from before this register was kept. `source`: where it was read."""

    id = IdField(required=True)
    party_id = IdField(required=True)
    impounded_on = fields.Date(required=True)
    head = WholeField(least=1, most=500, required=True)
    legality = fields.String(load_default="not_disputed", validate=validate.OneOf(LEGALITIES))
    source = fields.String(required=True)


class PriorSchema(ma.Schema):
    """An impounding from before this register was kept."""

    id = IdField(required=True)
    party_id = IdField(required=True)
    impounded_on = fields.Date(required=True)
    head = fields.Integer(required=True)
    legality = fields.String(required=True)
    source = fields.String(required=True)
    created_at = InstantField(required=True)


class NewConfirmationSchema(StrictSchema):
    """A value compared with a print. `key`: as `fieldapi statutes check` gives it."""

    id = IdField(required=True)
    key = fields.String(required=True)
    source = fields.String(required=True)
    version = fields.String(load_default=None, allow_none=True)


class SecondSchema(StrictSchema):
    """The second person's word."""

    id = IdField(required=True)


class ConfirmationSchema(ma.Schema):
    """A value that one person compared, or two. Two make it count."""

    id = IdField(required=True)
    version = fields.String(required=True)
    key = fields.String(required=True)
    source = fields.String(required=True)
    first_by = fields.String(required=True)
    first_at = InstantField(required=True)
    second_by = fields.String(required=True, allow_none=True)
    second_at = InstantField(required=True, allow_none=True)


class ClosedOnSchema(StrictSchema):
    """A closed day and why."""

    day = fields.Date(required=True)
    reason = fields.String(required=True)


class CalendarChangeSchema(StrictSchema):
    """Days that a calendar gains (`closed`) and loses (`opened`)."""

    id = IdField(required=True)
    calendar = fields.String(required=True, validate=validate.OneOf(CALENDARS))
    closed = fields.List(
        fields.Nested(ClosedOnSchema), load_default=list, validate=validate.Length(max=_MOST_DAYS)
    )
    opened = fields.List(fields.Date(), load_default=list, validate=validate.Length(max=_MOST_DAYS))


class ClosedDaySchema(ma.Schema):
    """A closed day of one calendar."""

    calendar = fields.String(required=True)
    day = fields.Date(required=True)
    reason = fields.String(required=True)


class CalendarsSchema(ma.Schema):
    """Every closed day of both calendars."""

    items = fields.List(fields.Nested(ClosedDaySchema), required=True)
    next = fields.String(required=True, allow_none=True)


class PreviewSchema(NewNotificationSchema):
    """A scale to look at: for a herd of `head`, the `times`-th time."""

    head = WholeField(least=1, most=500, load_default=1)
    times = WholeField(least=1, most=100, load_default=1)


class PreviewedSchema(ma.Schema):
    """What a head of one kind would cost (null: of any kind)."""

    kind = fields.String(required=True, allow_none=True)
    head = fields.Integer(required=True)
    times = fields.Integer(required=True)
    paise = fields.Integer(required=True)


class PreviewListSchema(ma.Schema):
    """What a scale would levy."""

    items = fields.List(fields.Nested(PreviewedSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class BookQuerySchema(StrictSchema):
    """Of which days: one `day`, or `since` … `until`, both included; today if absent."""

    day = fields.Date(load_default=None)
    since = fields.Date(load_default=None)
    until = fields.Date(load_default=None)
