# SPDX-License-Identifier: MIT
"""Arm `cut`: files that another program cuts short while several threads of the command read them."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from session import Case, Session

ROWS = 60000
WORDS = (["mesh", "check", "FILE"], ["validate", "FILE"], ["convert", "FILE", "out.glb", "--lossy", "-q", "--sync", "none"],
         ["convert", "FILE", "out.msgpack", "--lossy", "-q", "--sync", "none"], ["hash", "FILE"], ["decode", "FILE", "-o", "out.json", "-q"])  # fmt: skip


def obj() -> bytes:
    lines = [f"v {i % 97}.25 {i % 89}.5 {i}\n" for i in range(ROWS)] + [
        f"f {i} {i + 1} {i + 2}\n" for i in range(1, ROWS - 2)
    ]
    return "".join(lines).encode()


def ply() -> bytes:
    header = ["ply", "format ascii 1.0", f"element vertex {ROWS}", "property float x", "property float y", "property float z",
              f"element face {ROWS - 2}", "property list uchar int vertex_indices", "end_header", ""]  # fmt: skip
    lines = [f"{i % 97}.25 {i % 89}.5 {i}\n" for i in range(ROWS)] + [
        f"3 {i} {i + 1} {i + 2}\n" for i in range(ROWS - 2)
    ]
    return ("\n".join(header) + "".join(lines)).encode()


class Cut:
    """Each case is one run. In every second one the cut comes after the file was mapped, and must be found."""

    name = "cut"
    weight = 1.0
    batch = 16

    def __init__(self, session: Session) -> None:
        self.library = session.build / "torture" / "cut_short.so"
        self.files = {"in.obj": obj(), "in.ply": ply()}

    def run(self, case: Case) -> None:
        random = case.random
        name = random.choice(sorted(self.files))
        data = self.files[name]
        path = case.write(name, data)
        within = random.randrange(len(data) // 4, len(data) - 8192)
        size = random.choice((0, 4096, within, len(data) - 1 - 4096, len(data) - 1))
        words = [name if word == "FILE" else word for word in random.choice(WORDS)] + ["--threads", "4"]
        if case.number % 2:
            stop = threading.Event()
            writer = threading.Thread(target=self.write, args=(path, data, size, random.random() / 50, stop))
            writer.start()
            case.run(words, input_bytes=len(data))
            stop.set()
            writer.join()
            return
        env = {"LD_PRELOAD": str(self.library), "CUT_SHORT": "/" + name, "CUT_SHORT_TO": str(size)}
        if random.random() < 0.7:
            env["CUT_SHORT_IN_THREADS"] = "1"
        done = case.run(words, input_bytes=len(data), env=env)
        if path.stat().st_size == size and (done.status != 1 or b"cut short" not in done.err + done.out):
            case.finding("accepted: a file that was cut short", done, env=env)

    @staticmethod
    def write(path: Path, data: bytes, size: int, pause: float, stop: threading.Event) -> None:
        """Cuts the file and makes it whole again, until the command is done."""
        while not stop.is_set():
            time.sleep(pause)
            with path.open("r+b") as file:
                file.truncate(size)
                time.sleep(pause)
                file.seek(0)
                file.write(data)
