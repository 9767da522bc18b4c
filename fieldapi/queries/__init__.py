"""Everything that reads, shared by api, console and cli. A query takes a read-only session and
returns frozen values; it never writes and never decides who may see: its caller has asked
`services.authorise`.
"""
