"""The law as values: profiles of statutes and what follows from them.

Pure: time is an argument, the values come from `packs`. A case is built from rows (`facts`), its
state is folded from its acts (`state`), and an act is judged (`cases`). Never imports packs or SQL.
"""

from fieldapi.law import caps, complaint_acts, complaints, holdings, legality, removals
from fieldapi.law.account import OwnerAccount, owner_account
from fieldapi.law.acts import ACTS, canonical
from fieldapi.law.cases import check_acts, judge, judge_together
from fieldapi.law.days import Calendars, day_of
from fieldapi.law.dues import Line, Quote, dues
from fieldapi.law.facts import Case, Complaint, Done, Head, Impounding, Move, Proposal, Seizure
from fieldapi.law.register import Notification, Rate, Register, read_rates
from fieldapi.law.running import ClockState, clocks
from fieldapi.law.scene import Judgement, Verdict
from fieldapi.law.state import Auction, CaseState, HeadState, state

__all__ = [
    "ACTS",
    "Auction",
    "Calendars",
    "Case",
    "CaseState",
    "ClockState",
    "Complaint",
    "Done",
    "Head",
    "HeadState",
    "Impounding",
    "Judgement",
    "Line",
    "Move",
    "Notification",
    "OwnerAccount",
    "Proposal",
    "Quote",
    "Rate",
    "Register",
    "Seizure",
    "Verdict",
    "canonical",
    "caps",
    "check_acts",
    "clocks",
    "complaint_acts",
    "complaints",
    "day_of",
    "dues",
    "holdings",
    "judge",
    "judge_together",
    "legality",
    "owner_account",
    "read_rates",
    "removals",
    "state",
]
