# SPDX-License-Identifier: MIT
"""Run where the real yggdrasil is: one end of a communicator over ZeroMQ. `send ADDRESS` or `echo ADDRESS ADDRESS`."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from yggdrasil.communication import new_comm

# Each comm has the datatype of its first message.
MESSAGES: dict[str, list[Any]] = {
    "arrays": [np.arange(4.0), np.arange(300_000.0), np.arange(3.0)],
    "objects": [{"a": 1, "s": "text"}, {"a": 2, "s": "\u00fc"}],
    "text": ["a", "b" * 2_500_000],
}


def comm(direction: str, address: str) -> Any:
    return new_comm(direction, direction=direction, address=address, commtype="zmq")


def send(kind: str, address: str) -> None:
    out = comm("send", address)
    for value in MESSAGES[kind]:
        assert out.send(value)
    assert out.send_eof()
    out.linger_close()


def echo(received: str, sent: str) -> None:
    """Receives until the end, and sends all of it back."""
    source, out = comm("recv", received), comm("send", sent)
    while True:
        good, value = source.recv(timeout=20)
        if not good:
            break
        print(type(value).__name__, getattr(value, "shape", ""), flush=True)
        assert out.send(value)
    assert out.send_eof()
    out.linger_close()
    source.close()


if __name__ == "__main__":
    {"send": send, "echo": echo}[sys.argv[1]](*sys.argv[2:])
