"""Keeps a long-lived process from holding more and more memory that it does not use.

Called once by whatever serves or works for days, before it makes threads. Imports nothing of ours.
"""

from __future__ import annotations

import ctypes

# From glibc's malloc.h. By itself it makes eight heaps a core, each kept as large as it ever was,
# and its bound for what is large and given back at once grows with every photo that passes through.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_WANTED = {_ARENA_MAX: 2, _MMAP_THRESHOLD: 256 * 1024, _TRIM_THRESHOLD: 256 * 1024}


def give_memory_back() -> bool:
    """Tell the C library to give memory back that is free; False where it has no such settings."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    taken = [mallopt(name, value) for name, value in _WANTED.items()]
    return all(taken)
