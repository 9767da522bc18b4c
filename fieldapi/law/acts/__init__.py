"""Official acts by name: what each asks of the case and what it brings about. One file per noun.

`cases.py` judges with them. A new act is one function for its conditions and one row here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from fieldapi.law.acts import closing, custody, payment, proceeds, sale, security, surplus
from fieldapi.law.scene import Rule

ACTS: Mapping[str, Rule] = MappingProxyType(
    {
        **custody.RULES,
        **payment.RULES,
        **sale.RULES,
        **proceeds.RULES,
        **surplus.RULES,
        **security.RULES,
        **closing.RULES,
    }
)
# Other names under which people know the same act.
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "hold": "stay",
        "release_hold": "lift_stay",
        "lift_hold": "lift_stay",
        "reseize": "re_seize",
        "seize_again": "re_seize",
        "demand_declaration_and_security": "demand_security",
        "demand_declaration": "demand_security",
        "deliver_on_deposit": "deposit_under_protest",
        "release_on_deposit": "deposit_under_protest",
        "refuse": "record_refusal",
        "transferred": "transfer",
        "released_at_spot": "release_at_spot",
        "impounded": "impound",
        "pay_surplus_to_fund": "credit_surplus_to_fund",
    }
)


def canonical(act: str) -> str:
    """Return the name of an act for any of its spellings."""
    return ALIASES.get(act, act)
