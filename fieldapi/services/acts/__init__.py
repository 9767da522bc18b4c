"""Official acts of a case: one file per act or tight family, `registry` lists them all.

`performing` is the one way in: body, lock, facts, the judgement of `law`, rows. The law decides
whether and how much; here are ids, roles, identity, serials and papers. Never Flask.
"""
