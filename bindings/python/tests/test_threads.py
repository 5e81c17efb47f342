# SPDX-License-Identifier: MIT
"""Codecs work without the lock of the interpreter."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

import polycodec as pc


@pytest.fixture
def counter() -> Iterator[list[int]]:
    """What a thread counts that runs only while this one lets go of the interpreter by itself."""
    interval = sys.getswitchinterval()
    counts = [0]
    stop = threading.Event()

    def count() -> None:
        while not stop.wait(0.0001):
            counts[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    sys.setswitchinterval(1000)
    yield counts
    sys.setswitchinterval(interval)
    stop.set()
    thread.join()


def counts_during(work: Callable[[], object], counter: list[int]) -> bool:
    """Whether the thread counts while the work is repeated for at most a minute."""
    before, end = counter[0], time.monotonic() + 60
    while counter[0] == before and time.monotonic() < end:
        work()
    return counter[0] > before


def test_other_threads_run_while_a_codec_works(counter: list[int]) -> None:
    data = b"ply\nformat ascii 1.0\nelement vertex 300000\nproperty float x\nend_header\n" + b"1.25\n" * 300_000
    value = pc.decode(data, "ply", threads=1)
    assert counts_during(lambda: pc.decode(data, "ply", threads=1), counter)
    assert counts_during(lambda: pc.encode(value, "ply", options={"format": "ascii"}), counter)


def test_other_threads_wait_without_a_codec(counter: list[int]) -> None:
    before = counter[0]
    for _ in range(100_000):
        pass
    assert counter[0] == before
