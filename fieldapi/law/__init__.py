"""The law as values: profiles of statutes and what follows from them.

Pure: time is an argument, the values come from `packs`. A case is built from rows (`facts`), its
state is folded from its acts (`state`), and an act is judged (`cases`). Never imports packs or SQL.
"""
