# SPDX-License-Identifier: MIT
"""Typical code, as checkers of types see it. They must find the mistakes in lines with the word WRONG, and no other."""

from __future__ import annotations

from pathlib import Path

import polycodec as pc


def total(path: Path) -> float:
    value = pc.open(path, rows=slice(0, 100), columns=["$.x"], on_loss="warn", timeout=5.0)
    return sum(float(row["x"]) for row in value) + len(value) + value.ndim


def loop(documents: pc.Value) -> dict[str, object]:
    names = [name.upper() for name in documents.names]
    first, last = documents[0], documents[-1]
    chosen = documents[::2], documents[[True, False]], documents["x", 1:3]
    members = {str(key): part.to_python() for key, part in first.items()}
    return {"names": names, "last": last.get("x", 0), "n": len(chosen), **members, "shape": documents.shape}


def write(path: Path) -> None:
    pc.save({"x": [1.5]}, path, "msgpack", metadata={"unit": "cm"}, keep=True, sync=False)
    pc.convert(path, "~/b.json", from_codec="msgpack", progress=lambda report: print(report.fraction))
    with pc.Writer("log.msgpack", "msgpack", append=True) as out:
        out.append({"run": 1})
    try:
        pc.decode(b"", "msgpack", timeout=1)
    except pc.TimeoutError as error:
        print(error.code, error.offset)


def wrong(path: Path) -> None:
    pc.open(path, colums=["$.x"])  # WRONG
    pc.save([1], path, on_loss="never")  # WRONG
    pc.decode("text", "msgpack")  # WRONG
