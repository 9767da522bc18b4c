"""The papers of a court bundle, in the words of the console and Flask-free.

`drawing` makes them all · `case` what is read for one language · `sections` the parts of the book,
with `register`, `complaints`, `certificate`, `map`, `values` and `names` for what stands in them,
and `absent` for what was left out · `photos` their pages · `papers` what was served on people.
"""

from fieldapi.console.court.drawing import draw

__all__ = ["draw"]
