"""The demo: one report on its whole way, from a phone without a network to a reviewer's decision.

`story` tells it; each other file is a group of its steps. Everything is real and runs in a folder
of its own; nothing else of the project may import this.
"""
