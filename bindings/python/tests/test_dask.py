# SPDX-License-Identifier: MIT
from __future__ import annotations

import pickle
from pathlib import Path

import dask
import dask.array
import dask.sizeof
import numpy as np

import polycodec as pc


def test_sizeof_counts_the_buffers() -> None:
    value = pc.decode(pc.encode({"x": np.zeros(100_000)}, "msgpack-ndarray"))
    assert 800_000 <= dask.sizeof.sizeof(value) < 801_000


def test_pickle_sends_buffers_out_of_band() -> None:
    value = pc.decode(pc.encode({"x": np.arange(100_000.0), "s": "a"}, "msgpack-ndarray"))
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    assert len(head) < 1000
    assert sum(x.raw().nbytes for x in buffers) >= 800_000
    again = pickle.loads(head, buffers=buffers)
    assert again == value
    mine = value["x"].to_numpy().__array_interface__["data"][0]
    assert again["x"].to_numpy().__array_interface__["data"][0] == mine  # no copy
    assert pickle.loads(pickle.dumps(value, protocol=4)) == value


def test_processes_read_parts_of_files(tmp_path: Path) -> None:
    for i in range(3):
        pc.save(np.arange(4) + i, tmp_path / f"{i}.awkd")
    opened = [dask.delayed(pc.open)(tmp_path / f"{i}.awkd") for i in range(3)]
    values = dask.compute(*opened, scheduler="processes", num_workers=2)
    assert [x.to_numpy().tolist() for x in values] == [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5]]


def test_array_of_values() -> None:
    value = pc.decode(pc.encode(np.arange(10.0), "msgpack-ndarray"))
    assert dask.array.from_array(np.asarray(value), chunks=3).sum().compute() == 45
