# SPDX-License-Identifier: MIT
"""Small files of five formats, whose values all of them can store."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import polycodec as pc

ENDINGS = (".msgpack", ".ygg", ".ply", ".awkd", ".dynd")


def write(directory: Path, index: int) -> Path:
    """Writes a file whose content and format depend on an index, and returns its path."""
    directory.mkdir(parents=True, exist_ok=True)
    rows = np.zeros(3 + index % 5, [("x", "f4"), ("y", "i4")])
    rows["x"] += index
    rows["y"] = np.arange(len(rows))
    path = directory / f"{index:05}{ENDINGS[index % len(ENDINGS)]}"
    pc.save({"vertex": rows}, path)
    return path
