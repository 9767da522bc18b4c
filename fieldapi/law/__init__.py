"""The law as values: profiles of statutes and what follows from them.

Pure: time is an argument, the values come from `packs.py`. Imports nothing of the product.
"""
