# SPDX-License-Identifier: MIT
"""A server of HTTP on this machine that answers ranges, and counts the bytes that it sends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Served:
    """The address of the server, and the bytes that it has sent of each file."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.sent: dict[str, int] = {}


@contextmanager
def serve(directory: Path) -> Iterator[Served]:
    """Serves the files of a directory."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def _answer(self, *, with_body: bool) -> None:
            path = directory / self.path.lstrip("/")
            if not path.is_file():
                self.send_error(404)
                return
            data = path.read_bytes()
            size, wanted = len(data), self.headers.get("Range")
            if wanted:
                first, last = wanted.removeprefix("bytes=").split("-")
                data = data[int(first) : int(last or size) + 1]
            self.send_response(206 if wanted else 200)
            self.send_header("Accept-Ranges", "bytes")
            if wanted:
                self.send_header("Content-Range", f"bytes {first}-{int(first) + len(data) - 1}/{size}")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if with_body:
                served.sent[path.name] = served.sent.get(path.name, 0) + len(data)
                self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = Served(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
