"""`python -m fieldapi.cli`: the command line where `fieldapi` is not on the path."""

from fieldapi.cli import main

main()
