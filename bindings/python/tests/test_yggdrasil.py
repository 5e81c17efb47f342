# SPDX-License-Identifier: MIT
"""Messages to and from a real process of yggdrasil, with its own classes, over ZeroMQ."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polycodec as pc
from polycodec.yggdrasil import ZmqComm

# Seconds until the real one has started: on a busy machine it looks long for languages that are not there.
PATIENCE = 300.0


@pytest.mark.parametrize("kind", ["arrays", "objects", "text"])
def test_receive(kind: str, yggdrasil: Callable[..., subprocess.Popen[bytes]]) -> None:
    expected: dict[str, list[Any]] = {
        "arrays": [list(range(4)), list(range(300_000)), list(range(3))],
        "objects": [{"a": 1, "s": "text"}, {"a": 2, "s": "\u00fc"}],
        "text": ["a", "b" * 2_500_000],
    }
    with ZmqComm(timeout=PATIENCE) as comm:
        process = yggdrasil("send", kind, comm.address)
        found = [x.to_python() for x in comm]
        assert process.wait(60) == 0
    assert found == expected[kind]


@pytest.mark.parametrize(
    "values",
    [
        [np.arange(5.0), np.arange(400_000.0), np.arange(2.0)],
        [{"a": 1, "x": [1, 2]}, {"a": 2, "x": []}],
        ["a", "b" * 3_000_000, ""],
        [1, 2, 3],
    ],
    ids=["arrays", "objects", "text", "integers"],
)
def test_send_and_receive_back(values: list[Any], yggdrasil: Callable[..., subprocess.Popen[bytes]]) -> None:
    with ZmqComm(timeout=PATIENCE) as there, ZmqComm(timeout=PATIENCE) as back:
        process = yggdrasil("echo", there.address, back.address)
        for value in values:
            there.send(value)
        there.send_eof()
        found = list(back)
        assert process.wait(60) == 0
    assert len(found) == len(values)
    for value, expected in zip(found, values, strict=True):
        if isinstance(expected, np.ndarray):
            np.testing.assert_array_equal(value.to_numpy(), expected)
        else:
            assert value.to_python() == expected


def test_control_messages_are_no_values() -> None:
    with ZmqComm() as here, ZmqComm(here.address) as there:
        there._send(there._socket, b'YGG_MSG_HEAD{"__meta__":{"size":16},"raw":true}YGG_MSG_HEADYGG_BEGIN_CLIENT')
        there.send(1)
        there.send_eof()
        assert [x.to_python() for x in here] == [1]


def test_nobody_answers() -> None:
    with ZmqComm(timeout=0.2) as comm, pytest.raises(pc.FileError, match="nothing came"):
        comm.receive()
