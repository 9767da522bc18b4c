"""Papers that people hold: their templates and the values that fill them. Called by cli, console
and services. Must never import services, queries or SQL.
"""
