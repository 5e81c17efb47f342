# SPDX-License-Identifier: MIT
"""The side of polycodec: one process that decodes and encodes many values (session.cpp)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any


class Refused(Exception):  # noqa: N818
    """polycodec refused a value or an input."""


class Session:
    def __init__(self, program: Path, plugins: Path) -> None:
        self.process = subprocess.Popen([program, plugins], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        if self.process.wait(60) != 0:
            raise RuntimeError(f"the session ended with status {self.process.returncode}")

    def ask(self, do: str, codec: str, body: bytes = b"", **more: Any) -> bytes:
        """Asks for one thing. Arguments are those of session.cpp, without those that are None."""
        assert self.process.stdin is not None and self.process.stdout is not None
        request = {"do": do, "codec": codec, "size": len(body), **{k: v for k, v in more.items() if v is not None}}
        self.process.stdin.write(json.dumps(request).encode() + b"\n" + body)
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the session ended at {request}")
        head = json.loads(line)
        answer = self.process.stdout.read(head["size"])
        if "error" in head:
            raise Refused(head["error"])
        return answer

    def decode(self, codec: str, data: bytes, **more: Any) -> bytes:
        """The typed JSON of encoded bytes."""
        return self.ask("decode", codec, data, **more)

    def encode(self, codec: str, text: bytes, **more: Any) -> bytes:
        """The bytes of typed JSON."""
        return self.ask("encode", codec, text, **more)

    def read(self, codec: str, path: Path, **more: Any) -> bytes:
        """The typed JSON of a file or container."""
        return self.ask("read", codec, path=str(path), **more)

    def write(self, codec: str, path: Path, text: bytes, **more: Any) -> None:
        """Writes typed JSON to a container."""
        self.ask("write", codec, text, path=str(path), **more)
