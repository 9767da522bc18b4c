"""JSON as this protocol speaks it: strict reading, the envelope of a push, one canonical spelling.

The door to `strict`, `envelope` and `canonical` for the server, the phone and their tests.
"""

from sync.canonical import are_equal, canonical, equal, equality_key
from sync.envelope import MAX_OPS, Envelope, Slice, read_envelope
from sync.strict import JSON, MAX_DEPTH, MAX_INTEGER, WireError, loads

__all__ = [
    "JSON",
    "MAX_DEPTH",
    "MAX_INTEGER",
    "MAX_OPS",
    "Envelope",
    "Slice",
    "WireError",
    "are_equal",
    "canonical",
    "equal",
    "equality_key",
    "loads",
    "read_envelope",
]
