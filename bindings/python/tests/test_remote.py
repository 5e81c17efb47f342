# SPDX-License-Identifier: MIT
"""URLs, from a server on this machine that answers ranges, and one that fails in several ways."""

from __future__ import annotations

import re
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar

import numpy as np
import pytest

import polycodec as pc

DATA = pc.encode({"x": np.arange(100_000.0)}, "msgpack-ndarray")


class Handler(BaseHTTPRequestHandler):
    ranges: ClassVar[list[str]] = []

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def _answer(self, *, with_body: bool) -> None:
        if self.path == "/missing":
            self.send_error(404)
            return
        if self.path == "/broken":
            self.send_error(500)
            return
        body, status = DATA, 200
        wanted = self.headers.get("Range")
        if wanted and self.path != "/plain":
            self.ranges.append(wanted)
            first, last = wanted.removeprefix("bytes=").split("-")
            body, status = DATA[int(first) : int(last or len(DATA)) + 1], 206
        self.send_response(status)
        if self.path != "/plain":
            self.send_header("Accept-Ranges", "bytes")
        if status == 206:
            self.send_header("Content-Range", f"bytes {first}-{int(first) + len(body) - 1}/{len(DATA)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body[: len(body) // 2] if self.path == "/cut" else body)
        if self.path == "/cut":
            self.close_connection = True


@pytest.fixture
def url(serve: Callable[[type[BaseHTTPRequestHandler]], str]) -> str:
    return serve(Handler)


@pytest.mark.parametrize("path", ["/data", "/plain", "/data.msgpack?version=1"])
def test_a_url_opens(url: str, path: str) -> None:
    np.testing.assert_array_equal(pc.open(url + path, "msgpack-ndarray")["x"].to_numpy(), np.arange(100_000.0))


def test_the_extension_in_a_url_chooses_the_codec(url: str) -> None:
    assert pc.open(url + "/data.msgpack?version=1").codec == "msgpack-ndarray"


@pytest.mark.parametrize("path", ["/missing", "/broken", "/cut"])
def test_failures_are_errors_with_the_url(url: str, path: str) -> None:
    with pytest.raises(pc.FileError, match=re.escape("127.0.0.1")) as caught:
        pc.open(url + path, "msgpack-ndarray")
    assert caught.value.code == "io"
    assert caught.value.__cause__ is not None


def test_a_protocol_that_nobody_knows() -> None:
    with pytest.raises(pc.FileError, match="nowhere"):
        pc.open("nowhere://file.ply")


def test_a_file_object_of_fsspec(url: str) -> None:
    import fsspec

    Handler.ranges.clear()
    with fsspec.open(url + "/data", "rb", cache_type="none") as file:
        file.seek(len(DATA) - 10)
        assert file.read(10) == DATA[-10:]
        file.seek(0)
        value: Any = pc.open(file, "msgpack-ndarray")
    assert value["x"].to_numpy()[-1] == 99_999
    assert Handler.ranges[0] == f"bytes={len(DATA) - 10}-{len(DATA) - 1}"
