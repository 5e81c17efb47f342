# SPDX-License-Identifier: MIT
"""How long trimesh takes for the STL file that bench_scenes left in the temporary directory: with shared positions, which is
its default, and without. The peer of the first is stl_to_mesh/merge:1. The peer of the second is open_stl: both give the
vertices of the file, facet by facet."""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import trimesh

path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.gettempdir()) / "polycodec_bench.stl"
for process in (True, False):
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        trimesh.load(path, process=process)
        times.append(time.perf_counter() - begin)
    print(f"process={process}: {statistics.median(times) * 1e3:.1f} ms")
