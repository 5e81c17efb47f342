# SPDX-License-Identifier: MIT
"""Limits bound what is read: paths, URLs, file objects, stores, streams, and streams of Arrow that do not end."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import polycodec as pc

MOST = 1_000_000
LIMITS = [{"max_input_bytes": MOST}, {"max_memory_bytes": MOST}]


class Endless(BaseHTTPRequestHandler):
    sent: ClassVar[list[int]] = []

    def do_HEAD(self) -> None:
        self.send_response(200)
        self._head()

    def do_GET(self) -> None:
        self.send_response(206 if self.headers.get("Range") else 200)
        self._head()
        piece = bytes(1 << 16)
        self.sent.append(0)
        try:
            while self.sent[-1] < 1 << 31:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if self.path != "/known" else piece)
                self.sent[-1] += len(piece)
        except OSError:
            self.close_connection = True

    def _head(self) -> None:
        if self.path == "/known":
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Length", str(1 << 40))
        elif self.path == "/lies" and self.command == "HEAD":
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Length", "1000")
        elif self.command == "GET":
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()


@pytest.fixture
def url(serve: Callable[[type[BaseHTTPRequestHandler]], str]) -> str:
    return serve(Endless)


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("path", ["/chunked", "/known", "/lies"])
def test_an_endless_answer(url: str, path: str, limits: dict[str, int]) -> None:
    Endless.sent.clear()
    with pytest.raises(pc.LimitError, match=next(iter(limits))):
        pc.open(url + path, "msgpack-ndarray", limits=limits)
    with pytest.raises(pc.LimitError, match=next(iter(limits))):
        pc.Registry(limits=limits).open(url + path)
    # What lies in buffers of the system was sent as well.
    assert max(Endless.sent) < 50 * MOST


class Zeros:
    """A file object without end."""

    def __init__(self, kind: type = bytes) -> None:
        self.given = 0
        self._kind = kind

    def read(self, n: int = -1) -> Any:
        assert 0 <= n <= 1 << 26
        self.given += n
        return self._kind(n)


@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("kind", [bytes, bytearray])
def test_an_endless_file_object(limits: dict[str, int], kind: type) -> None:
    file = Zeros(kind)
    with pytest.raises(pc.LimitError, match=next(iter(limits))):
        pc.open(file, "msgpack-ndarray", limits=limits)
    assert file.given <= MOST + 1
    with pytest.raises(pc.LimitError):
        pc.Registry(limits=limits).open(Zeros(kind))
    with open("/dev/zero", "rb") as zero, pytest.raises(pc.LimitError):
        pc.open(zero, "msgpack-ndarray", limits=limits)


def test_a_file_object_that_gives_more_than_it_is_asked_for() -> None:
    class More(Zeros):
        def read(self, n: int = -1) -> Any:
            return bytes(n + 10)

    with pytest.raises(pc.LimitError):
        pc.open(More(), limits=LIMITS[0])


def test_a_file_object_that_gives_little_at_once() -> None:
    class Slow:
        def __init__(self, data: bytes) -> None:
            self._left = data

        def read(self, n: int = -1) -> bytes:
            given, self._left = self._left[: min(n, 7)], self._left[min(n, 7) :]
            return given

    data = pc.encode(list(range(1000)), "msgpack-ndarray")
    assert pc.open(Slow(data), "msgpack-ndarray").to_python() == list(range(1000))


PROGRAM = """
import resource, sys
import polycodec as pc
how, which = sys.argv[1:]
limits = {which: 1_000_000}
resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
registry = pc.Registry(limits=limits) if how.endswith("registry") else pc.default_registry()
call = {} if how.endswith("registry") else {"limits": limits}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    if how.startswith("open"): registry.open("/dev/zero", "msgpack-ndarray", **call)
    if how.startswith("lazy"): registry.open("/dev/zero", "msgpack-ndarray", lazy=True, **call)[0]
    if how.startswith("sniff"): registry.choices("/dev/zero")
    if how.startswith("convert"): registry.convert("/dev/zero", "/tmp/never", "dynd", from_codec="msgpack-ndarray", **call)
    if how.startswith("stream"): list(pc.read_values("/dev/zero", "msgpack-ndarray", registry=registry, **call))
except pc.LimitError as error:
    assert which in str(error), error
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000
    print("refused")
"""


@pytest.mark.parametrize("which", ["max_input_bytes", "max_memory_bytes"])
@pytest.mark.parametrize(
    "how",
    [
        "open",
        "open registry",
        "lazy",
        "lazy registry",
        "convert",
        "convert registry",
        "sniff registry",
        "stream",
        "stream registry",
    ],
)
def test_a_path_without_end(how: str, which: str) -> None:
    found = subprocess.run([sys.executable, "-c", PROGRAM, how, which], capture_output=True, text=True, timeout=120)
    assert (found.returncode, found.stdout) == (0, "refused\n"), found.stderr[-2000:]


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "large.msgpack"
    path.write_bytes(pc.encode(np.zeros(MOST), "msgpack-ndarray"))
    with pytest.raises(pc.LimitError, match="max_input_bytes"):
        pc.open(path, limits=LIMITS[0])
    assert len(pc.open(path)) == MOST


@pytest.mark.parametrize("how", [{}, {"copy": False}, {"copy": True}, {"lazy": True}])
def test_archives_that_are_too_large(how: dict[str, bool], tmp_path: Path) -> None:
    path = tmp_path / "large.awkd"
    pc.save({"a": np.zeros(MOST), "b": [[1.5], []]}, path)
    with pytest.raises(pc.LimitError, match="max_input_bytes"):
        pc.open(path, limits=LIMITS[0], **how).to_python()
    assert pc.open(path)["b"].to_python() == [[1.5], []]


def test_stores() -> None:
    class Store:
        blobs: ClassVar = [("a.json", 2_000_000)]
        asked = 0

        def read(self, i: int) -> bytes:
            self.asked += 1
            return bytes(2_000_000)

    store = Store()
    with pytest.raises(pc.LimitError, match="max_input_bytes"):
        pc.default_registry().decode_store(store, "awkward", options={"array": "a"}, limits=LIMITS[0])
    assert store.asked == 0
    store.blobs = [("a.json", 10)]
    with pytest.raises(pc.LimitError, match="max_input_bytes"):
        pc.default_registry().decode_store(store, "awkward", options={"array": "a"}, limits=LIMITS[0])
    assert store.asked == 1


def test_streams_of_arrow_that_do_not_end() -> None:
    pa = pytest.importorskip("pyarrow")
    schema = pa.schema([("x", pa.int64())])
    full = pa.record_batch([pa.array(range(1000))], schema=schema)
    given = []

    def batches(batch: Any) -> Iterator[Any]:
        while len(given) < 10_000_000:
            given.append(1)
            yield batch

    def stream(batch: Any = full) -> Any:
        given.clear()
        return pa.RecordBatchReader.from_batches(schema, batches(batch))

    for limits in ({"max_elements": 100_000}, {"max_memory_bytes": MOST}, {"max_nodes": 1000}):
        which = next(iter(limits))
        with pytest.raises(pc.LimitError, match=which):
            pc.encode(stream(), "msgpack-ndarray", limits=limits)
        assert len(given) < 2000
        with pytest.raises(pc.LimitError, match=which):
            pc.Registry(limits=limits).encode(stream(), "msgpack-ndarray")
        with pytest.raises(pc.LimitError, match=which):
            pc.value(stream(), limits=limits)
    with pytest.raises(pc.LimitError, match="max_nodes"):
        pc.value(stream(full.slice(0, 0)), limits={"max_nodes": 1000})
    whole = pa.RecordBatchReader.from_batches(schema, [full, full])
    assert len(pc.value(whole, limits={"max_elements": 2000})) == 2000


def test_limits_of_a_call() -> None:
    registry = pc.Registry(limits={"max_depth": 7, "max_memory_bytes": 5})
    assert registry.limits()["max_depth"] == 7
    assert registry.limits({"max_depth": 9}) == {**registry.limits(), "max_depth": 9}
    plain = pc.Registry()
    assert plain.limits(input_bytes=0)["max_memory_bytes"] == 192 << 20
    assert plain.limits(input_bytes=1000)["max_memory_bytes"] == (192 << 20) + 1024_000
    assert plain.limits()["max_memory_bytes"] <= resource.getpagesize() << 40


@pytest.mark.parametrize("wrong", [-1, 1 << 64, 1.5, "x", None, b""])
def test_numbers_of_objects(wrong: Any) -> None:
    class Store:
        blobs: ClassVar = [("a.json", wrong)]

        def read(self, i: int) -> bytes:
            return b"{}"

    with pytest.raises((pc.InvalidError, pc.MismatchError), match="the size of a blob"):
        pc.default_registry().decode_store(Store(), "awkward")


@pytest.mark.parametrize(
    "call",
    [
        {"limits": {"max_nodes": -1}},
        {"limits": {"max_depth": 1 << 32}},
        {"limits": {"max_nodes": "x"}},
        {"threads": -1},
        {"threads": "x"},
        {"timeout": "x"},
        {"rows": slice(-1, 3)},
        {"rows": slice("a", 3)},
    ],
    ids=str,
)
def test_numbers_of_calls(call: dict[str, Any]) -> None:
    with pytest.raises((pc.InvalidError, pc.MismatchError)):
        pc.decode(b"\x01", "msgpack-ndarray", **call)
    with pytest.raises(TypeError):
        pc.decode(b"\x01", "msgpack-ndarray", limits=5)  # type: ignore[arg-type]
