# SPDX-License-Identifier: MIT
"""Measures what docs/scaling.md is made of: clusters.py FILES GIGABYTES, run by a Python with requirements/scale.txt.

It converts small files with 1, 2 and 4 workers, one by one and in batches, runs tasks that do nothing, and converts one
file of growing size up to some GB. Each figure is of one run. CPU time counts, so that a busy machine gives the same."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from distributed import Client, LocalCluster

import polycodec as pc
from polycodec.dask import convert
from polycodec.dask._convert_file import convert_file
from polycodec.dask._files import find
from polycodec.dask._job import Job

WORKERS = (1, 2, 4)
TASKS = 2000


def nothing(_: int) -> None:
    """A task that does nothing."""


def small_files(directory: Path, count: int) -> None:
    """Measures files that are smaller than what it costs to handle them."""
    rows = np.zeros(200, [("x", "f4"), ("y", "f4"), ("z", "f4"), ("n", "i4")])
    (directory / "in").mkdir()
    for index in range(count):
        rows["x"] = index
        pc.save({"vertex": rows}, directory / f"in/{index}.ply")
    for workers in WORKERS:
        with (
            LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
            Client(cluster, timeout=300) as client,
        ):
            client.wait_for_workers(workers)
            cpu = time.process_time()
            client.gather(client.map(nothing, range(TASKS), pure=False))
            cells = [1e6 * (time.process_time() - cpu) / TASKS]
            for batch in (1, None):
                cells += converted(client, directory, count, batch)
            print(f"| {workers} | " + " | ".join(f"{cell:.0f}" for cell in cells) + " |", flush=True)


def converted(client: Client, directory: Path, count: int, batch: int | None) -> list[float]:
    """Converts the files. Returns microseconds of CPU time a file: of scheduler and client, and of the workers."""
    with tempfile.TemporaryDirectory(dir=directory) as out:
        here, there = time.process_time(), sum(client.run(time.process_time).values())
        convert(directory / "in", to="dynd", out=out, batch=batch, progress=False)
        used = time.process_time() - here, sum(client.run(time.process_time).values()) - there
    return [1e6 * seconds / count for seconds in used]


def large_files(directory: Path, gigabytes: float) -> None:
    """Measures one file of growing size."""
    size = 1 << 26
    while size <= gigabytes * (1 << 30):
        source = directory / "large.dynd"
        numbers = np.arange(size // 16, dtype="f8")
        pc.save({"x": numbers, "y": numbers}, source)  # an array of msgpack has less than 4 GiB
        del numbers
        job = Job(to="msgpack-ndarray", out=str(directory / "large"), extension=".msgpack", registry=None)
        start, cpu = time.perf_counter(), time.process_time()
        record = convert_file(job, find(source)[0], None)
        spent, used = time.perf_counter() - start, time.process_time() - cpu
        assert record["status"] == "converted", record
        start = time.perf_counter()
        total = float(pc.open(source)["x"].to_numpy()[-1])
        opened = time.perf_counter() - start
        assert total == size // 16 - 1
        print(f"| {size >> 20} | {spent:.2f} | {used:.2f} | {1e9 * used / size:.2f} | {1e3 * opened:.2f} |", flush=True)
        size *= 4
        source.unlink()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        small_files(Path(name), int(sys.argv[1]))
        large_files(Path(name), float(sys.argv[2]))
