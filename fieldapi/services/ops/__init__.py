"""Ops in, records out: the one write path of everything that phones capture.

`arrival` what one op is by itself · `rights` and `writers` who may write what · `store` the SQL ·
`draft` one record being merged · `push` the path · `results` the answers · `build` ops for doors
that have none · `senders` and `signing` whose ops come in · `release`, `corrections` and `deferred`
ops that waited · `audience` who sees a case · `retracts` when a withdrawal is too late.
"""
