"""The reference client: what a phone does to capture offline and hand in what it holds.

Apps start at `device.Phone`. Standard library only; imports `sync` and nothing of the server.
"""
