# SPDX-License-Identifier: MIT
"""multiprocessing: processes of one machine read a value in shared memory, without a copy for each of them.

Usage: shared_memory.py [FILE]. pickle 5 hands the buffers of a value over apart from the small rest."""

import multiprocessing
import pickle
import sys
from multiprocessing.shared_memory import SharedMemory

import numpy as np

import polycodec as pc


def share(value):
    """Puts a value into shared memory. Returns the memory, and a message of some hundred bytes about it."""
    buffers = []
    head = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    parts = [buffer.raw() for buffer in buffers]
    memory = SharedMemory(create=True, size=max(1, sum(part.nbytes for part in parts)))
    start = 0
    for part in parts:
        memory.buf[start : start + part.nbytes] = part
        start += part.nbytes
    return memory, (memory.name, head, [part.nbytes for part in parts])


def view(memory, message):
    """Returns the value, which views the memory. Delete it, and all that views it, before the memory is closed."""
    _, head, sizes = message
    ends = np.cumsum(sizes).tolist()
    readable = memory.buf.toreadonly()
    return pickle.loads(head, buffers=[readable[end - size : end] for end, size in zip(ends, sizes, strict=True)])


def total(message, name):
    """Adds up a column in a process of its own."""
    memory = SharedMemory(message[0])
    value = view(memory, message)
    result = float(value[name].to_numpy().sum())
    del value
    memory.close()
    return result


def main():
    columns = {"x": np.arange(1e6), "y": np.ones(1_000_000)}
    value = pc.open(sys.argv[1]) if len(sys.argv) > 1 else pc.value(columns)
    memory, message = share(value)
    try:
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            totals = pool.starmap(total, [(message, name) for name in value.names])
        print(dict(zip(value.names, totals, strict=True)))
    finally:
        memory.close()
        memory.unlink()


if __name__ == "__main__":
    main()
