# SPDX-License-Identifier: MIT
"""Messages to and from programs of yggdrasil over ZeroMQ (needs pyzmq)."""

from __future__ import annotations

import json
import posixpath
import re
import time
from collections.abc import Iterator
from socket import getaddrinfo
from typing import TYPE_CHECKING, Any, Self

import polycodec
from polycodec._errors import DeniedError, FileError, FormatError, PolycodecError

if TYPE_CHECKING:
    import zmq

_REPLY = b"YGG_REPLY"
_FRAME = b"YGG_MSG_HEAD"
_MOST_BYTES = 1 << 20
_MOST_HEADER = 1 << 20
_MOST_REPLIES = 16  # sockets that stay open to confirm packets
_END = 1  # the control message EOF!!!
_TCP = re.compile(r"tcp://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})")
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def _hosts(address: str) -> set[str]:
    """The names of the host of an address that the program gave, and where they lead."""
    found = _TCP.fullmatch(address)
    if not found:
        return set()
    host = found[1].strip("[]")
    try:
        places = {str(entry[4][0]) for entry in getaddrinfo(host, None)}
    except OSError:
        places = set()
    places.add(host)
    return places | _LOOPBACK if places & _LOOPBACK else places


def _directory(address: str) -> str | None:
    """The directory of the socket of an address, or None if it has none."""
    path = address.removeprefix("ipc://")
    return posixpath.dirname(path) if address.startswith("ipc:///") and posixpath.normpath(path) == path else None


class ZmqComm:
    """One end of a yggdrasil communicator: the other one is a ZMQComm with the same address and the other direction.

    Large messages go in parts of 1 MiB through a socket of their own, as yggdrasil does it. A receiver confirms each
    packet, because yggdrasil's senders wait for that before they close. The headers of messages say where: this end
    connects to no other host than the one of ``address``, and for ``ipc://`` to no other directory. [one-thread]
    """

    def __init__(self, address: str | None = None, *, timeout: float = 30.0, **options: Any) -> None:
        """Connects to ``address``, or with None binds a port of this machine, which ``address`` then names.

        ``options`` are those of polycodec.Channel. ``timeout`` is how long to wait for the other end, in seconds: for a
        message, and for each further MiB of it.
        """
        import zmq

        self._zmq = zmq
        self._context = zmq.Context()
        self._timeout = timeout
        self._channel = polycodec.Channel(max_part_bytes=_MOST_BYTES, **options)
        limits = (options.get("registry") or polycodec.default_registry()).limits()
        self._most = min(limits["max_input_bytes"], limits["max_memory_bytes"], (1 << 63) - 1)
        self._replies: dict[str, zmq.Socket[bytes]] = {}  # the last one that was used last
        self._spare: tuple[zmq.Socket[bytes], str] | None = None
        self._deadline = 0.0
        self._earned = 0  # bytes since the deadline was moved
        self._came = False  # a packet since receive() was called
        self._socket, self.address = self._pair(address)
        self._hosts = _hosts(self.address)

    def _pair(self, address: str | None = None) -> tuple[zmq.Socket[bytes], str]:
        socket = self._context.socket(self._zmq.PAIR)
        socket.linger = int(self._timeout * 1000)
        socket.sndtimeo = int(self._timeout * 1000)
        socket.maxmsgsize = self._most
        if address is None:
            address = f"tcp://127.0.0.1:{socket.bind_to_random_port('tcp://127.0.0.1')}"
        else:
            self._connect(socket, address)
        return socket, address

    def _connect(self, socket: zmq.Socket[bytes], address: str) -> None:
        try:
            socket.connect(address)
        except self._zmq.ZMQError as error:
            socket.close()
            raise FileError(f"cannot connect to {address}: {error}", "io") from error

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
        """Returns the next value, or None at the end. Raises polycodec.FileError if nothing comes in time, and another
        polycodec.PolycodecError for what is not a message, or names an address that is not the other end's.

        Other control messages are passed over.
        """
        self._deadline, self._earned, self._came = time.monotonic() + self._timeout, 0, False
        while True:
            message = self._message()
            if message.control == _END:
                return None
            if message.control == 0:
                return message.value

    def _message(self) -> polycodec.Message:
        packet = self._receive(self._socket)
        meta = _meta(packet) if packet.startswith(_FRAME) else {}
        reply, worker_reply, address = (self._own(meta.get(x)) for x in ("zmq_reply", "zmq_reply_worker", "address"))
        self._confirm(reply)
        self._channel.feed(packet)
        found: polycodec.Message | None = self._channel.next()
        if found is None and address is not None:
            worker, _ = self._pair(address)
            with worker:
                while found is None:
                    self._channel.feed(self._receive(worker))
                    self._confirm(worker_reply)
                    found = self._channel.next()
        if found is None:
            raise FormatError("the message is incomplete, and its header has no address", "truncated")
        return found

    def _own(self, address: Any) -> str | None:
        """An address of a header, if it is where the other end is."""
        if address is None:
            return None
        if not isinstance(address, str):
            raise FormatError("an address in the header of a message is not a string", "malformed")
        found = _TCP.fullmatch(address)
        is_there = found is not None and found[1].strip("[]") in self._hosts and 0 < int(found[2]) < 1 << 16
        directory = _directory(self.address)
        if not is_there and (directory is None or _directory(address) != directory):
            raise DeniedError(
                f"the header of a message names {address[:80]!r}: must be an address on the host (or in the directory) of "
                f"{self.address}",
                "denied",
            )
        return address

    def _receive(self, socket: zmq.Socket[bytes]) -> bytes:
        left = self._deadline - time.monotonic()
        try:
            # Packets that come all the time end there as well. The first one may be there already.
            if (left < 0 and self._came) or not socket.poll(int(max(0.0, left) * 1000)):
                raise FileError(f"cannot receive from {self.address}: nothing came", "io")
            packet: bytes = socket.recv(self._zmq.DONTWAIT)
        except self._zmq.ZMQError as error:
            raise FileError(f"cannot receive from {self.address}: {error}", "io") from error
        self._came = True
        # Small packets do not make the time of a message longer.
        self._earned += len(packet)
        self._deadline += self._timeout * (self._earned // _MOST_BYTES)
        self._earned %= _MOST_BYTES
        return packet

    def _confirm(self, address: str | None) -> None:
        if address is None:
            return
        socket = self._replies.pop(address, None)
        if socket is None:
            while len(self._replies) >= _MOST_REPLIES:
                self._replies.pop(next(iter(self._replies))).close()
            socket = self._context.socket(self._zmq.REQ)
            socket.linger = 0
            socket.sndtimeo = int(self._timeout * 1000)
            socket.maxmsgsize = _MOST_HEADER
            self._connect(socket, address)
        try:
            socket.send(_REPLY)
            self._receive(socket)
        except (PolycodecError, self._zmq.ZMQError) as error:
            socket.close()  # it waits for an answer to the last one
            raise FileError(f"cannot confirm a packet to {address}: {error}", "io") from error
        self._replies[address] = socket

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


def _meta(packet: bytes) -> dict[str, Any]:
    """The part of the header of a packet that is about the transport."""
    pieces = packet.split(_FRAME, 2)
    if len(pieces) < 3 or len(pieces[1]) > _MOST_HEADER:
        raise FormatError("the header of a message does not end, or is longer than 1 MiB", "truncated")
    try:
        header = json.loads(pieces[1])
    except (ValueError, RecursionError) as error:
        raise FormatError(f"the header of a message is not JSON: {error}", "malformed") from error
    meta = header.get("__meta__", header) if isinstance(header, dict) else None
    if not isinstance(meta, dict):
        raise FormatError("the header of a message is not an object", "malformed")
    return meta
