"""The sync protocol as pure functions: stamps, ops, merge, tree heads.

Everything that writes a captured record goes through here, on the server and on the phone. Time is
an argument; standard library only; knows nothing of HTTP, SQL or the subject of the records.
"""
