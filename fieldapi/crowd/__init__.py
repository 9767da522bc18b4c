"""A crowd of phones against any server: the reference client, many times, on bad lines, counting
what was sent, what was acknowledged, what was lost and how long answers took.

`line` a phone's network · `member` one phone's life · `tally` what is counted · `gathering` all of
them. Called by `fieldapi phones simulate`, and by tests and soaks. Knows the server by HTTP alone.
"""

from fieldapi.crowd.gathering import Plan, gather
from fieldapi.crowd.tally import Tally

__all__ = ["Plan", "Tally", "gather"]
