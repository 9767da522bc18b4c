"""Everything that writes, one noun per file. A service takes a `Unit` (or the `Database`, where it
needs transactions of its own), checks who may, writes, and enters in the ledger what it wrote.

Called by api, console, cli and jobs. Must never import Flask.
"""
