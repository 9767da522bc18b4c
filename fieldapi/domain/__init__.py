"""What the field writes down: kinds of record, their values, references, places and flags.

Pure. Everything above reads it; it imports `sync` for the merge classes and nothing else.
"""
