"""Cases beside each statute: stories to the day and the paisa, read and played through `law`.

Called by the suite, `fieldapi statutes check` and by who plays them over HTTP. The form of
a file is described in `docs/statutes.md`. Must never import SQL or services.
"""
