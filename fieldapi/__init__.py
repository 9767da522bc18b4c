"""fieldapi: seizure reports of trespassing cattle, from the field to the Magistrate."""

__version__ = "0.1.0"
