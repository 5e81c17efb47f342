# SPDX-License-Identifier: MIT
"""Messages to and from a real process of yggdrasil, with its own classes, over ZeroMQ."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
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


META: dict[str, Any] = {"size": 1}
FRAME = b"YGG_MSG_HEAD"
INTEGER = {"type": "integer"}


def packet(meta: Any, body: bytes = b"1") -> bytes:
    return FRAME + json.dumps({"__meta__": meta, "datatype": INTEGER}).encode() + FRAME + body


class Peer:
    """A hostile end: a socket that sends what it likes."""

    def __init__(self, comm: ZmqComm) -> None:
        import zmq

        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._context = zmq.Context()
        self.socket = self._context.socket(zmq.PAIR)
        self.socket.linger = 0
        self.socket.connect(comm.address)

    def answers(self) -> str:
        """Binds an address at which packets are confirmed."""
        import zmq

        replies = self._context.socket(zmq.REP)
        replies.linger = 0
        port = replies.bind_to_random_port("tcp://127.0.0.1")

        def run() -> None:
            while not self._stop.is_set():
                if replies.poll(20):
                    replies.recv()
                    replies.send(b"YGG_REPLY")
            replies.close()

        self._threads.append(threading.Thread(target=run))
        self._threads[-1].start()
        return f"tcp://127.0.0.1:{port}"

    def close(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self.socket.close()
        self._context.term()


@pytest.fixture
def comm() -> Iterator[ZmqComm]:
    made = ZmqComm(timeout=0.5)
    yield made
    made.close()


@pytest.fixture
def peer(comm: ZmqComm) -> Iterator[Peer]:
    made = Peer(comm)
    yield made
    made.close()


HEADERS = [
    b"",
    FRAME,
    FRAME + b"{}",
    FRAME + b"{}" + FRAME,
    FRAME + b"[]" + FRAME + b"1",
    FRAME + b"5" + FRAME,
    FRAME + b'{"a"' + FRAME,
    FRAME + b"[" * 100_000 + FRAME,
    FRAME + b'{"a":' * 100_000 + FRAME,
    FRAME + b"\xff\xfe" + FRAME,
    FRAME + b" " * (1 << 21) + FRAME,
    FRAME + b'{"__meta__":' + b"1" * 10_000 + b"}" + FRAME,
    *(FRAME + json.dumps({"__meta__": x}).encode() + FRAME + b"1" for x in (5, None, [], "x", {}, {"size": -1})),
    *(packet({"size": x}) for x in (-1, "1", 1.5, None, [], 1 << 70, 2)),
    *(packet({**META, name: x}) for name in ("zmq_reply", "zmq_reply_worker") for x in (5, ["x"], {}, True, "", "x")),
    *(packet({"size": 100, "address": x}) for x in (5, ["x"], {}, True, "", "x")),
]


@pytest.mark.parametrize("i", range(len(HEADERS)))
def test_wrong_headers(i: int, comm: ZmqComm, peer: Peer) -> None:
    peer.socket.send(HEADERS[i])
    with contextlib.suppress(pc.PolycodecError):
        comm.receive()


def test_damaged_headers(comm: ZmqComm, peer: Peer) -> None:
    whole = packet({**META, "zmq_reply": "tcp://10.0.0.1:5", "id": "a"})
    random = np.random.default_rng(1)
    for _ in range(200):
        data = bytearray(whole)
        for at in random.integers(len(FRAME), len(data), 3):
            data[at] = random.integers(256)
        fresh = ZmqComm(timeout=0.05)
        one = Peer(fresh)
        one.socket.send(bytes(data))
        with contextlib.suppress(pc.PolycodecError):
            fresh.receive()
        one.close()
        fresh.close()


ELSEWHERE = [
    "tcp://10.0.0.1:80",
    "tcp://example.org:80",
    "tcp://127.0.0.1.example.org:80",
    "tcp://127.0.0.2:80",
    "tcp://[::2]:80",
    "tcp://127.0.0.1:0",
    "tcp://127.0.0.1:70000",
    "tcp://*:80",
    "tcp://10.0.0.1:1;127.0.0.1:80",
    "tcp://127.0.0.1:80;10.0.0.1:1",
    "tcp://127.0.0.1:80/x",
    "tcp://user@127.0.0.1:80",
    "udp://127.0.0.1:80",
    "ipc:///tmp/socket",
    "ipc://@socket",
    "inproc://x",
    "vmci://2:80",
    "file:///etc/passwd",
    "TCP://127.0.0.1:80",
    " tcp://127.0.0.1:80",
    "tcp://127.0.0.1:80\n",
]


@pytest.mark.parametrize("address", ELSEWHERE)
@pytest.mark.parametrize("name", ["zmq_reply", "zmq_reply_worker", "address"])
def test_addresses_of_others(name: str, address: str, comm: ZmqComm, peer: Peer) -> None:
    peer.socket.send(packet({"size": 100 if name == "address" else 1, name: address}))
    with pytest.raises(pc.DeniedError):
        comm.receive()
    # What was refused is not half of the next message.
    peer.socket.send(packet(META))
    value = comm.receive()
    assert value is not None and value.to_python() == 1


def test_sockets_of_a_directory(tmp_path: Path) -> None:
    import zmq

    context = zmq.Context()
    server = context.socket(zmq.PAIR)
    server.linger = 0
    server.bind(f"ipc://{tmp_path}/main")
    with ZmqComm(f"ipc://{tmp_path}/main", timeout=0.3) as comm:
        for other in (f"ipc://{tmp_path}/sub/x", f"ipc://{tmp_path}/../x", "ipc:///x", "ipc://x", "tcp://127.0.0.1:80"):
            server.send(packet({**META, "zmq_reply": other}))
            with pytest.raises(pc.DeniedError):
                comm.receive()
        server.send(packet({**META, "zmq_reply": f"ipc://{tmp_path}/reply"}))
        with pytest.raises(pc.FileError, match="cannot confirm"):  # nobody is there
            comm.receive()
    context.destroy()


def test_sockets_are_bounded(comm: ZmqComm, peer: Peer) -> None:
    addresses = [peer.answers() for _ in range(20)]
    for address in [*addresses, *addresses]:
        peer.socket.send(packet({**META, "zmq_reply": address}))
        value = comm.receive()
        assert value is not None and value.to_python() == 1
        assert len(comm._replies) <= 16


def test_an_address_that_does_not_answer_can_answer_later(comm: ZmqComm, peer: Peer) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        silent = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        for _ in range(2):
            peer.socket.send(packet({**META, "zmq_reply": silent}))
            with pytest.raises(pc.FileError, match="cannot confirm"):
                comm.receive()
    peer.socket.send(packet({**META, "zmq_reply": peer.answers()}))
    value = comm.receive()
    assert value is not None and value.to_python() == 1


def test_small_packets_do_not_make_a_message_last(comm: ZmqComm, peer: Peer) -> None:
    stop = threading.Event()

    def run() -> None:
        while not stop.wait(0.05):
            peer.socket.send(FRAME + b'{"__meta__":{"size":16},"raw":true}' + FRAME + b"YGG_BEGIN_CLIENT")

    thread = threading.Thread(target=run)
    thread.start()
    try:
        with pytest.raises(pc.FileError, match="nothing came"):
            comm.receive()  # control messages alone, again and again
    finally:
        stop.set()
        thread.join()
