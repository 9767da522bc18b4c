"""Fills an installation with an authority that has lived for some months, so that screens can be
judged: people and phones, photos drawn by code, cases in every state. `fill` is the one way in.

Everything goes through the services, at a clock of its own that runs up to now; the same seed tells
the same story. Nothing but the command line and tests may import this.
"""
