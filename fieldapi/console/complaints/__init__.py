"""Complaints of illegal seizure in the console: taken in, laid beside the record, decided.

`views` has the pages, `told` says a complaint in words, `typed` reads the forms.
"""
