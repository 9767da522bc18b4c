"""A statute profile as JSON for `/me` and the forms: codes with labels in one language.

Called through `Packs.public`. Labels of kinds come from `kinds.toml`, others from the catalogue.
"""

from fieldapi.law.profile import Cattle, KindOfAnimal, SeizureRule, StatuteProfile, Term
from fieldapi.law.provenance import Provenance
from fieldapi.law.rules import Clock
from fieldapi.locale import gettext
from sync.strict import JSON


def public_profile(profile: StatuteProfile, language: str) -> dict[str, JSON]:
    """Return the profile with labels in `language`, English where there are none."""
    end = profile.effective_to
    return {
        "series": profile.series,
        "version": profile.version,
        "name": profile.name,
        "state": profile.state,
        "effective_from": profile.effective_from.isoformat(),
        "effective_to": None if end is None else end.isoformat(),
        "languages": [*profile.languages],
        "kinds": [_cattle(one, language) for one in profile.cattle],
        "capacities": [_term(one, language) for one in profile.capacities],
        "grounds": [_term(one, language) for one in profile.grounds],
        "place_kinds": [_term(one, language) for one in profile.place_kinds],
        "seizure_rules": [_rule(one) for one in profile.seizure_rules],
        "transit_hours": profile.transit_hours,
        "clocks": [_clock(one, language) for one in profile.clocks],
        "digest": profile.digest,
    }


def public_kind(kind: KindOfAnimal, language: str) -> dict[str, JSON]:
    """Return code and labels of a kind in `language`."""
    label = kind.labels.get(language, kind.labels["en"])
    return {"code": kind.code, "label": label.one, "label_plural": label.other}


def _why(provenance: Provenance) -> dict[str, JSON]:
    return {
        "section": provenance.section,
        "source": provenance.source.title,
        "verified": provenance.is_verified,
    }


def _cattle(cattle: Cattle, language: str) -> JSON:
    return {**public_kind(cattle.kind, language), **_why(cattle.provenance)}


def _term(term: Term, language: str) -> JSON:
    names: dict[str, JSON] = {"code": term.code, "label": gettext(term.label, language)}
    return {**names, "aliases": [*sorted(term.aliases)], **_why(term.provenance)}


def _rule(rule: SeizureRule) -> JSON:
    return {
        "rule": rule.rule,
        "capacities": [*sorted(rule.capacities)],
        "grounds": [*sorted(rule.grounds)],
        "place_kinds": [*sorted(rule.place_kinds)],
        "damage_required": rule.damage_required,
        "pound": rule.pound,
        **_why(rule.provenance),
    }


def _clock(clock: Clock, language: str) -> JSON:
    return {
        "rule": clock.rule,
        "amount": clock.amount,
        "unit": clock.unit,
        "starts_at": clock.starts_at,
        "then": gettext(clock.then, language),
        "favours": clock.favours,
        **_why(clock.provenance),
    }
