# SPDX-License-Identifier: MIT
"""Messages to and from programs of yggdrasil over ZeroMQ (needs pyzmq)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

import polycodec

if TYPE_CHECKING:
    import zmq

_REPLY = b"YGG_REPLY"
_FRAME = b"YGG_MSG_HEAD"
_MOST_BYTES = 1 << 20
_END = 1  # the control message EOF!!!


class ZmqComm:
    """One end of a yggdrasil communicator: the other one is a ZMQComm with the same address and the other direction.

    Large messages go in parts of 1 MiB through a socket of their own, as yggdrasil does it. A receiver confirms each
    packet, because yggdrasil's senders wait for that before they close. [one-thread]
    """

    def __init__(self, address: str | None = None, *, timeout: float = 30.0, **options: Any) -> None:
        """Connects to ``address``, or with None binds a port of this machine, which ``address`` then names.

        ``options`` are those of polycodec.Channel. ``timeout`` is how long to wait for the other end, in seconds.
        """
        import zmq

        self._zmq = zmq
        self._context = zmq.Context()
        self._timeout = timeout
        self._channel = polycodec.Channel(max_part_bytes=_MOST_BYTES, **options)
        self._replies: dict[str, zmq.Socket[bytes]] = {}
        self._spare: tuple[zmq.Socket[bytes], str] | None = None
        self._socket, self.address = self._pair(address)

    def _pair(self, address: str | None = None) -> tuple[zmq.Socket[bytes], str]:
        socket = self._context.socket(self._zmq.PAIR)
        socket.linger = int(self._timeout * 1000)
        socket.rcvtimeo = socket.sndtimeo = int(self._timeout * 1000)
        if address is None:
            address = f"tcp://127.0.0.1:{socket.bind_to_random_port('tcp://127.0.0.1')}"
        else:
            socket.connect(address)
        return socket, address

    def send(self, value: Any) -> None:
        """Sends anything that polycodec.encode() takes. Raises polycodec.FileError if nobody receives in time."""
        self._spare = self._spare or self._pair()
        worker, address = self._spare
        header = {"__meta__": {"address": address}}
        first, *others = self._channel.pack(value, header)
        self._send(self._socket, first)
        for part in others:
            self._send(worker, part)
        if others:  # the receiver closes its end
            worker.close()
            self._spare = None

    def send_eof(self) -> None:
        """Says that nothing follows."""
        self._send(self._socket, _FRAME + b'{"__meta__":{"size":6},"raw":true}' + _FRAME + b"EOF!!!")

    def _send(self, socket: zmq.Socket[bytes], part: Any) -> None:
        try:
            socket.send(part)
        except self._zmq.Again:
            raise polycodec.FileError(f"cannot send to {self.address}: nobody receives", "io") from None

    def receive(self) -> polycodec.Value | None:
        """Returns the next value, or None at the end. Raises polycodec.FileError if nothing comes in time.

        Other control messages are passed over.
        """
        while True:
            message = self._message()
            if message.control == _END:
                return None
            if message.control == 0:
                return message.value

    def _message(self) -> polycodec.Message:
        packet = self._receive(self._socket)
        meta = json.loads(packet.split(_FRAME, 2)[1])["__meta__"] if packet.startswith(_FRAME) else {}
        self._confirm(meta.get("zmq_reply"))
        self._channel.feed(packet)
        found: polycodec.Message | None = self._channel.next()
        if found is None and "address" in meta:
            worker, _ = self._pair(meta["address"])
            with worker:
                while found is None:
                    self._channel.feed(self._receive(worker))
                    self._confirm(meta.get("zmq_reply_worker"))
                    found = self._channel.next()
        if found is None:
            raise polycodec.FormatError("the message is incomplete, and its header has no address", "truncated")
        return found

    def _receive(self, socket: zmq.Socket[bytes]) -> bytes:
        try:
            return socket.recv()
        except self._zmq.Again:
            raise polycodec.FileError(f"cannot receive from {self.address}: nothing came", "io") from None

    def _confirm(self, address: str | None) -> None:
        if address is None:
            return
        if address not in self._replies:
            socket = self._context.socket(self._zmq.REQ)
            socket.linger = 0
            socket.rcvtimeo = int(self._timeout * 1000)
            socket.connect(address)
            self._replies[address] = socket
        self._replies[address].send(_REPLY)
        self._receive(self._replies[address])

    def __iter__(self) -> Iterator[polycodec.Value]:
        """Yields values until the other end says that nothing follows."""
        while (value := self.receive()) is not None:
            yield value

    def close(self) -> None:
        """Waits until all that was sent is out, at most ``timeout``."""
        for socket in (*self._replies.values(), self._socket, *([self._spare[0]] if self._spare else [])):
            socket.close()
        self._context.term()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
