"""Threads share few heaps, so that what one of them freed serves the others."""

import subprocess
import sys

_THREADS = """
import ctypes, sys, threading
from fieldapi.heap import give_memory_back

if sys.argv[1] == "told": assert give_memory_back()
met = threading.Barrier(6)
def work(): met.wait(); several = [bytearray(5000) for _ in range(100)]; met.wait()
threads = [threading.Thread(target=work) for _ in range(6)]
for one in threads: one.start()
for one in threads: one.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""


def _heaps(how: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", _THREADS, how], check=True, capture_output=True, text=True
    )
    return done.stdout.count("<heap nr=")


def test_threads_share_two_heaps_once_the_library_is_told() -> None:
    assert _heaps("told") == 2
    assert _heaps("not told") > 2
