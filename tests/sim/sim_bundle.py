"""Tampers with a court bundle thousands of times, and sees whether the verifier finds each.

    ./dev soak bundle [--mutations 10000] [--seed 8]

Bits flipped, files swapped, history edited, the manifest rebuilt, the ledger truncated; and now and
then all of it rewritten by whoever holds a key, which one old head finds.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from fieldapi import logs
from tests.support.bundle_tampering import CHANGES, faults, rewritten, stranger
from tests.support.told_bundle import Told, told_bundle

REWRITES_EVERY = 50


def main() -> int:
    """Return 0 if every mutation was found and the bundle itself fits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutations", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=8)
    ask = parser.parse_args()
    logs.configure("error")
    with TemporaryDirectory() as folder, told_bundle(Path(folder)) as told:
        if faults(told.data, told.head):
            print("the bundle itself does not fit")
            return 1
        began = time.monotonic()
        missed = _run(told, random.Random(ask.seed), ask.mutations)
    took = time.monotonic() - began
    print(f"{ask.mutations} mutations, seed {ask.seed}, {took:.0f} s: {len(missed)} not found")
    print("\n".join(missed[:20]))
    return 1 if missed else 0


def _run(told: Told, rng: random.Random, mutations: int) -> list[str]:
    keys = told.house.keys
    missed = []
    for number in range(mutations):
        if number % REWRITES_EVERY == 0:
            signer = rng.choice([stranger(), (keys.public_key, keys.sign)])
            data, said = rewritten(rng, told.members, signer), "rewritten as a whole"
        else:
            data, said = rng.choice(CHANGES)(rng, told.data, told.members)
        if data != told.data and not faults(data, told.head):
            missed.append(said)
    return missed


if __name__ == "__main__":
    sys.exit(main())
