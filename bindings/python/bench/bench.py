# SPDX-License-Identifier: MIT
"""Times polycodec beside the Python libraries of the formats, in one run: bench.py [NAME...].

Run by a Python that has the wheel and requirements/bench.txt (scripts/test.sh python-bench). Each row: the best and the
median of several runs in seconds, theirs by ours, and the ratio of the medians that is wanted."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import polycodec as pc


@dataclass
class Timing:
    best: float
    median: float
    worst: float


def timed(work: Callable[[], Any], least: float = 0.5, runs: int = 5) -> Timing:
    """Times one call, in several runs of as many calls as fill some time."""
    work()
    calls, spent = 1, 0.0
    while spent < least / runs and calls < 1 << 22:
        start = time.perf_counter()
        for _ in range(calls):
            work()
        spent = time.perf_counter() - start
        calls = calls if spent >= least / runs else calls * 4
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        for _ in range(calls):
            work()
        times.append((time.perf_counter() - start) / calls)
    return Timing(min(times), statistics.median(times), max(times))


def row(name: str, ours: Timing, theirs: Timing, wanted: float) -> None:
    ratio = theirs.median / ours.median
    spread = f"{theirs.best / ours.worst:.3g} to {theirs.worst / ours.best:.3g}"
    print(
        f"| {name} | {1e3 * ours.median:.4g} | {1e3 * theirs.median:.4g} | {ratio:.3g} ({spread}) | {wanted:g} |"
        f" {'yes' if ratio >= wanted else 'NO'} |",
        flush=True,
    )


def awkward(work: Path) -> None:
    import awkward0

    counts = np.random.default_rng(1).poisson(3, 1_500_000)
    array = awkward0.JaggedArray.fromcounts(counts, np.arange(int(counts.sum()), dtype="f8"))
    path = work / "a.awkd"
    awkward0.save(str(path), array, mode="w", compression=None)
    print(f"<!-- .awkd: {path.stat().st_size} bytes -->")

    def theirs() -> Any:
        return awkward0.load(str(path))

    expected = timed(theirs)
    row("`.awkd`, opened lazily: mapped", timed(lambda: pc.open(path, "awkward", lazy=True)), expected, 500)
    options = {"check": False}
    ours = timed(lambda: pc.open(path, "awkward", options=options, trusted=True))
    row("`.awkd`, opened with its counts added up", ours, expected, 0)
    table = work / "table.awkd"
    columns = {name: np.arange(3_000_000.0) for name in "xy"}
    awkward0.save(str(table), awkward0.Table(columns), mode="w", compression=None)
    ours = timed(lambda: pc.open(table, "awkward", options=options, trusted=True))
    row("`.awkd`, a table of two columns", ours, timed(lambda: awkward0.load(str(table))), 0)
    row("`.awkd`, every byte read and checked", timed(lambda: pc.open(path, "awkward")), expected, 3)


def msgpack(work: Path) -> None:
    import msgpack
    import msgpack_numpy
    import ormsgpack

    document = [
        {"id": i, "name": f"item {i}", "price": i * 0.25, "tags": ["a", "b", str(i)], "sold": i % 3 == 0, "none": None}
        for i in range(20_000)
    ]
    data = ormsgpack.packb(document)
    print(f"<!-- msgpack document: {len(data)} bytes -->")
    ours = timed(lambda: pc.decode(data, "msgpack-ndarray").to_python())
    row("msgpack document to objects, beside ormsgpack", ours, timed(lambda: ormsgpack.unpackb(data)), 1 / 1.2)
    array = np.arange(1_000_000.0)
    body = msgpack.packb(array, default=msgpack_numpy.encode)
    theirs = timed(lambda: msgpack.unpackb(body, object_hook=msgpack_numpy.decode))
    own = pc.encode(array, "msgpack-ndarray")
    ours = timed(lambda: pc.decode(own, "msgpack-ndarray").to_numpy())
    row("msgpack array of 8 MB by view, beside msgpack-numpy, each in its own form", ours, theirs, 100)
    options = {"numpy_maps": True}
    ours = timed(lambda: pc.decode(body, "msgpack-ndarray", options=options).to_numpy())
    row("msgpack array of 8 MB by view, in the form of msgpack-numpy", ours, theirs, 100)


def ply(work: Path) -> None:
    import plyfile
    import trimesh

    rng = np.random.default_rng(1)
    n = 900_000
    path = work / "a.ply"
    with path.open("w") as file:
        file.write(f"ply\nformat ascii 1.0\nelement vertex {n}\n")
        file.writelines(f"property float {x}\n" for x in "xyz")
        file.write(f"element face {n}\nproperty list uchar int vertex_indices\nend_header\n")
        np.savetxt(file, rng.normal(size=(n, 3)), "%.6f")
        np.savetxt(file, np.column_stack([np.full(n, 3), rng.integers(0, n, (n, 3))]), "%d")
    print(f"<!-- ascii PLY: {path.stat().st_size} bytes -->")
    ours = timed(lambda: pc.open(path, "ply"), runs=5)
    row("ascii PLY, beside plyfile", ours, timed(lambda: plyfile.PlyData.read(path), runs=3), 10)
    row("ascii PLY, beside trimesh", ours, timed(lambda: trimesh.load(path, process=False), runs=3), 3)


def yggdrasil(work: Path) -> None:
    import yggdrasil_rapidjson as rapidjson

    array = np.arange(500_000.0)
    bodies = {"array of 4 MB": array, "document": {"a": [{"x": i, "s": str(i)} for i in range(5_000)], "b": list(range(9))}}
    for name, value in bodies.items():
        body = rapidjson.dumps(value).encode()
        print(f"<!-- yggdrasil {name}: {len(body)} bytes -->")
        ours = timed(lambda body=body: pc.decode(body, "yggdrasil").to_python(arrays="numpy"))
        theirs = timed(lambda body=body: rapidjson.loads(body))
        row(f"yggdrasil body, {name}", ours, theirs, 5)
        decoded = pc.decode(body, "yggdrasil")
        ours = timed(lambda decoded=decoded: decoded.to_python(arrays="numpy"))
        row(f"yggdrasil body, {name}: the objects of Python alone", ours, theirs, 0)


def documents(work: Path) -> None:
    """Loops, slices, small messages, and documents for other libraries."""
    import awkward
    import msgpack
    import orjson
    import ormsgpack

    document = [{"id": i, "name": f"item {i}", "price": i * 0.25, "tags": ["a", "b", str(i)]} for i in range(60_000)]
    value = pc.decode(ormsgpack.packb(document), "msgpack-ndarray")

    def loop(items: Any) -> None:
        for item in items:
            item["id"]

    ours = timed(lambda: loop(value))
    print(f"<!-- a loop over documents: {1e9 * ours.median / len(document):.0f} ns a document, wanted 250 -->")
    row("a loop over 60,000 documents, beside a list of dicts", ours, timed(lambda: loop(document)), 0)
    ours = timed(lambda: value[1000:1010])
    print(f"<!-- a slice of 10 documents: {1e6 * ours.median:.1f} us, wanted 20 -->")
    row("a slice of 10 of 60,000 documents, beside a list", ours, timed(lambda: document[1000:1010]), 0)
    message = {"id": 12345, "name": "sensor 17", "values": [1.5, 2.5, 3.25], "ok": True, "tags": ["a", "bc"], "unit": "cm"}
    data = msgpack.packb(message)
    ours = timed(lambda: pc.decode(data, "msgpack-ndarray").to_python())
    row(f"a message of {len(data)} bytes to objects, beside ormsgpack", ours, timed(lambda: ormsgpack.unpackb(data)), 0.8)
    ours = timed(lambda: pc.encode(message, "msgpack-ndarray"))
    row(f"objects to a message of {len(data)} bytes, beside ormsgpack", ours, timed(lambda: ormsgpack.packb(message)), 0.8)
    ours = timed(lambda: pc.encode(document, "msgpack-ndarray"))
    row("objects to msgpack, beside ormsgpack", ours, timed(lambda: ormsgpack.packb(document)), 0.9)
    ours = timed(lambda: pc.value(document).to_text(plain=True))
    row("objects to JSON text, beside orjson", ours, timed(lambda: orjson.dumps(document)), 0.6)
    text = orjson.dumps(document)
    ours = timed(lambda: pc.value(document).to_awkward())
    row("a list of dicts to awkward, beside ak.from_json of its text", ours, timed(lambda: awkward.from_json(text)), 0.8)


def tables(work: Path) -> None:
    """A DataFrame of 500,000 rows."""
    import pandas

    rows = 500_000
    frame = pandas.DataFrame({"i": np.arange(rows), "x": np.arange(rows) / 3, "ok": np.arange(rows) % 2 == 0})
    ours = timed(lambda: pc.save(frame, work / "a.msgpack"))
    row("a DataFrame saved as msgpack, beside feather", ours, timed(lambda: frame.to_feather(work / "a.feather")), 0.5)
    options = {"compression": False}
    ours = timed(lambda: pc.save(frame, work / "plain.awkd", codec="awkward", options=options))
    theirs = timed(lambda: frame.to_feather(work / "a.feather"))
    row("a DataFrame saved as .awkd without compression, beside feather", ours, theirs, 0.5)
    ours = timed(lambda: pc.open(work / "plain.awkd").to_pandas())
    row("the same opened, beside feather", ours, timed(lambda: pandas.read_feather(work / "a.feather")), 0.5)
    ours = timed(lambda: pc.save(frame, work / "a.awkd"))
    row("a DataFrame saved as .awkd, beside feather", ours, theirs, 0.5)
    ours = timed(lambda: pc.open(work / "a.awkd").to_pandas())
    row("the same opened, beside feather", ours, timed(lambda: pandas.read_feather(work / "a.feather")), 0.5)
    ours = timed(lambda: pc.open(work / "a.msgpack").to_pandas())
    theirs = timed(lambda: pandas.read_feather(work / "a.feather"))
    row("a DataFrame of rows of msgpack opened, beside feather", ours, theirs, 0.5)


def meshes(work: Path) -> None:
    """Binary meshes as arrays."""
    import trimesh

    from polycodec import mesh

    sphere = trimesh.creation.icosphere(7)
    for kind, codec in (("ply", "ply"), ("stl", "stl")):
        path = work / f"sphere.{kind}"
        sphere.export(path)
        theirs = timed(lambda path=path: trimesh.load(path, process=False))
        options = {"merge": False} if kind == "stl" else None
        ours = timed(lambda path=path, codec=codec, options=options: pc.open(path, codec, options=options))
        row(f"binary {kind.upper()}, beside trimesh", ours, theirs, 1)
    ours = timed(lambda: mesh.read(work / "sphere.ply"))
    row(
        "mesh.read() of binary PLY, beside the same with its codec",
        ours,
        timed(lambda: mesh.read(work / "sphere.ply", "ply")),
        0.9,
    )


def start() -> Iterator[tuple[str, float]]:
    for module in ("numpy", "polycodec"):
        times = []
        for _ in range(15):
            program = f"import time; s = time.perf_counter(); import {module}; print(time.perf_counter() - s)"
            times.append(float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout))
        yield module, statistics.median(times)


def calls(work: Path) -> None:
    found = dict(start())
    ratio = found["numpy"] / found["polycodec"]
    met = "yes" if ratio >= 2.5 else "NO"
    times = f"{1e3 * found['polycodec']:.2f} | {1e3 * found['numpy']:.1f}"
    print(f"| import, beside that of numpy | {times} | {ratio:.3g} | 2.5 | {met} |")
    data = pc.encode(1, "msgpack-ndarray")
    one = timed(lambda: pc.decode(data, "msgpack-ndarray"))
    nothing = timed(lambda: None)
    print(f"| call: decode of one integer | {1e3 * (one.median - nothing.median):.5f} | | | at most 0.0015 ms | |")


def threads(work: Path) -> None:
    rng = np.random.default_rng(1)
    paths = [work / f"{i}.ply" for i in range(2)]
    for path in paths:
        with path.open("w") as file:
            file.write("ply\nformat ascii 1.0\nelement vertex 600000\n")
            file.writelines(f"property float {x}\n" for x in "xyz")
            file.write("end_header\n")
            np.savetxt(file, rng.normal(size=(600_000, 3)), "%.6f")

    def in_turn() -> None:
        for path in paths:
            pc.open(path, "ply", threads=1)

    def at_once() -> None:
        both = [threading.Thread(target=pc.open, args=(x, "ply"), kwargs={"threads": 1}) for x in paths]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()

    row("two ascii PLY files: two threads beside one after the other", timed(at_once), timed(in_turn), 1 / 0.56)


def main() -> None:
    warnings.simplefilter("ignore", FutureWarning)  # of pandas, about each call of feather
    groups = [awkward, msgpack, documents, tables, ply, meshes, yggdrasil, calls, threads]
    print("| | ours, ms | theirs, ms | ratio (spread) | wanted | met |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as work:
        for group in groups:
            if len(sys.argv) == 1 or group.__name__ in sys.argv[1:]:
                group(Path(work))


if __name__ == "__main__":
    main()
