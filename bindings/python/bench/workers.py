# SPDX-License-Identifier: MIT
"""Times values of 100 MB between two workers of dask, beside bytes of that size and the same numbers as Python objects.

Run by a Python that has the wheel and requirements/scale.txt: workers.py [ROUNDS]. Each round moves each thing once, in
turn. The time of a move is from the task's submission on the other worker to its end."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from distributed import Client, LocalCluster, wait

import polycodec as pc
import polycodec.dask

SIZE = 100_000_000
ROUNDS = 5


def value(_: int) -> Any:
    """A value with one column."""
    return pc.value({"x": np.random.default_rng(1).random(SIZE // 8)})


def plain_bytes(_: int) -> Any:
    """Bytes that do not compress, as those of the value."""
    return np.random.default_rng(1).random(SIZE // 8).tobytes()


def objects(_: int) -> Any:
    """The numbers as objects of Python."""
    return {"x": np.random.default_rng(1).random(SIZE // 8).tolist()}


def nothing(_: Any) -> None:
    """Takes what has moved."""


def main() -> None:
    """Prints the medians and their ratios."""
    things: list[tuple[str, Callable[[int], Any]]] = [("bytes", plain_bytes), ("value", value), ("objects", objects)]
    times: dict[str, list[float]] = {name: [] for name, _ in things}
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", memory_limit=0) as cluster,
        Client(cluster) as client,
    ):
        polycodec.dask.register(client)
        here, there = sorted(client.nthreads())
        for number in range(-1, rounds):  # the first round warms up
            for name, make in things:
                made = client.submit(make, number, workers=[here], pure=False)
                wait(made)
                start = time.perf_counter()
                client.submit(nothing, made, workers=[there], pure=False).result()
                if number >= 0:
                    times[name].append(time.perf_counter() - start)
                del made
    medians = {name: statistics.median(of) for name, of in times.items()}
    for name, of in times.items():
        print(f"| {name} | {1e3 * medians[name]:.0f} | {1e3 * min(of):.0f} to {1e3 * max(of):.0f} |")
    ratios = [one / other for one, other in zip(times["value"], times["bytes"], strict=True)]
    slower = [one / other for one, other in zip(times["objects"], times["value"], strict=True)]
    print(f"value / bytes: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}), wanted: at most 1.15")
    print(f"objects / value: {statistics.median(slower):.1f} ({min(slower):.1f} to {max(slower):.1f}), wanted: at least 5")


if __name__ == "__main__":
    main()
