"""Reads stories from a `.cases.toml` file. The format is described in `docs/statutes.md`.

Called by the suite, `fieldapi statutes check --cases` and `stories.py`, which brings YAML stories
into the same form.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime

from fieldapi.law.days import Calendars
from fieldapi.law.register import Notification, Rate
from fieldapi.packs.cases.story import Plain, Prior, Row, Step, Story, StoryError
from fieldapi.packs.cases.values import closed_days, count, day, instant, paise, row, rows, texts


def read_stories(data: Row) -> tuple[Story, ...]:
    """Return the stories of a parsed file. Raises StoryError."""
    shared = rows(data.get("register"))
    calendar = row(data.get("calendar"))
    found: list[Story] = []
    for one in rows(data.get("cases")):
        found.extend(_stories(one, shared, calendar))
    return tuple(found)


def _stories(data: Row, shared: list[Row], calendar: Row) -> Iterator[Story]:
    """Yield the story and its variants: each goes another way from one moment on."""
    name = str(data.get("id") or "")
    main = tuple(_steps(data.get("steps"), f"{name} steps"))
    story = _story(data, shared, calendar, main)
    yield story
    for place, variant in enumerate(rows(data.get("variants")), 1):
        title = str(variant.get("name") or place)
        steps = tuple(_steps(variant.get("steps"), f"{name} {title}"))
        start = instant(variant["from"]) if "from" in variant else _first(steps)
        before = tuple(one for one in main if one.at < start)
        merged = {**data, "id": f"{name} ({title})", "final": variant.get("final") or {}}
        yield _story(merged, shared, calendar, (*before, *steps))


def _first(steps: tuple[Step, ...]) -> datetime:
    if not steps:
        raise StoryError("a variant has no steps")
    return steps[0].at


def _story(data: Row, shared: list[Row], calendar: Row, steps: tuple[Step, ...]) -> Story:
    calendar = {**calendar, **row(data.get("calendar"))}
    times = [one.at for one in steps]
    version = data.get("version")
    if not isinstance(version, str):
        raise StoryError(f"{data.get('id')}: version is missing")
    named = data.get("schedules")
    chosen = [one for one in shared if named is None or one.get("id") in texts(named)]
    return Story(
        id=str(data.get("id")),
        version=version,
        steps=steps,
        register=tuple(notification(one) for one in [*chosen, *rows(data.get("register"))]),
        calendars=Calendars(
            closed_days(calendar.get("office"), around=times),
            closed_days(calendar.get("pound"), around=times),
        ),
        priors=tuple(_prior(one) for one in rows(data.get("priors"))),
        village=_text(data, "village"),
        final=row(data.get("final")),
        is_long=data.get("long") is True,
    )


def _steps(value: Plain, where: str) -> Iterator[Step]:
    """Yield the steps; one without a time happens when the one before it did."""
    at: datetime | None = None
    for place, one in enumerate(rows(value), 1):
        at = instant(one["at"]) if "at" in one else at
        if at is None:
            raise StoryError(f"{where}: the first step has no time")
        act = _text(one, "act")
        if act is None:
            raise StoryError(f"{where}[{place}]: act is missing")
        rest = {key: each for key, each in one.items() if key not in ("at", "act", "expect")}
        yield Step(at, act, rest, row(one.get("expect")), f"[{place}] {act}")


def _prior(data: Row) -> Prior:
    legality = str(data.get("legality") or "not_disputed").replace(" ", "_")
    return Prior(str(data.get("party")), day(data.get("on")), count(data.get("head")), legality)


def notification(data: Row) -> Notification:
    """Return an entry of the register. `rates`: by kind, or a list of rows with tiers."""
    end = data.get("to")
    percent = data.get("forfeit_percent")
    return Notification(
        id=str(data.get("id") or data.get("kind")),
        kind=str(data.get("kind")),
        effective_from=day(data.get("from") or "1900-01-01"),
        effective_to=None if end is None else day(end),
        number=str(data.get("number") or data.get("id") or ""),
        area=_text(data, "area"),
        pound=_text(data, "pound"),
        is_approved=data.get("approved") is not False,
        is_sample=data.get("sample") is True,
        rates=tuple(_rates(data.get("rates"))),
        names=frozenset(texts(data.get("names"))),
        forfeit_percent=percent if isinstance(percent, int) else None,
    )


def _rates(value: Plain) -> Iterator[Rate]:
    if isinstance(value, Mapping):
        yield from (Rate(paise(sum_), kind) for kind, sum_ in value.items())
        return
    for one in rows(value):
        yield Rate(
            paise=paise(one["rupees"]) if "rupees" in one else None,
            kind=_text(one, "kind"),
            head_from=count(one.get("head_from")) or 1,
            head_to=count(one.get("head_to")) or None,
            times_from=count(one.get("times_from")) or 1,
            times_to=count(one.get("times_to")) or None,
            percent=count(one.get("percent")) or None,
            first_day_paise=paise(one["first_day"]) if "first_day" in one else None,
        )


def _text(data: Row, key: str) -> str | None:
    value = data.get(key)
    return value if isinstance(value, str) and value else None
