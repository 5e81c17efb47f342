# SPDX-License-Identifier: MIT
"""Values between the processes of a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import Client, LocalCluster
from distributed.protocol import deserialize, serialize

import polycodec as pc
import polycodec.dask

TIMEOUT = 300
ONLY = ["polycodec"]


def value_of(count: int) -> pc.Value:
    """A value with a column of numbers and a string."""
    return pc.decode(pc.encode({"x": np.arange(float(count)), "name": "run"}, "msgpack-ndarray"))


def test_frames_are_the_buffers_of_the_value() -> None:
    value = value_of(100_000)
    header, frames = serialize(value, serializers=ONLY)
    assert header["serializer"] == "polycodec"
    assert len(frames) == len(value.to_frames()) == 2
    mine = value["x"].to_numpy()
    assert np.shares_memory(np.frombuffer(frames[1], np.uint8), mine)  # no copy on the way out
    again = deserialize(header, frames)
    assert again == value
    assert np.shares_memory(again["x"].to_numpy(), mine)  # nor on the way in


@pytest.mark.parametrize(
    "thing",
    [
        None,
        -7,
        1 << 63,
        1.5,
        "text",
        b"bytes",
        [1, (2, [True])],
        {"a": {1: None}, b"b": []},
        [value_of(3), {"deep": (value_of(5000), 2)}],
    ],
)
def test_plain_data_and_values_in_it(thing: Any) -> None:
    again = deserialize(*serialize(thing, serializers=ONLY))
    assert again == thing
    assert type(again) is type(thing)


@pytest.mark.parametrize("thing", [object(), [1, {2}], 1 << 64, {(1, 2): 1}, np.arange(3)])
def test_what_the_family_leaves_to_others(thing: Any) -> None:
    with pytest.raises(NotImplementedError):
        polycodec.dask._serialization.dumps(thing)


def test_lists_in_themselves_are_left_to_others() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(NotImplementedError):
        polycodec.dask._serialization.dumps(endless)


def test_damaged_frames_are_errors() -> None:
    header, frames = serialize(value_of(100_000), serializers=ONLY)
    with pytest.raises(pc.FormatError):
        deserialize(header, [frames[0], bytes(frames[1])[:-8]])


def forbid_pickle() -> None:
    """Makes this process unable to pickle or unpickle a value."""
    from polycodec import _pickle

    def refuse(*_: Any) -> Any:
        raise AssertionError("a value was pickled")

    _pickle.reduce = _pickle.restore = refuse


def allow_pickle() -> None:
    """Takes forbid_pickle() back."""
    import importlib

    from polycodec import _pickle

    importlib.reload(_pickle)


def doubled(value: pc.Value) -> pc.Value:
    """Returns a value that a worker makes of another."""
    return pc.value({"x": value["x"].to_numpy() * 2})


def test_a_cluster_that_cannot_pickle_values(cluster: LocalCluster, client: Client, tmp_path: Path) -> None:
    polycodec.dask.register(client, only=True)
    pc.save({"x": np.arange(10_000.0)}, tmp_path / "a.msgpack")
    one, other = sorted(client.nthreads())
    client.run(forbid_pickle)
    forbid_pickle()
    try:
        with Client(cluster.scheduler_address, serializers=ONLY, timeout=TIMEOUT, set_as_default=False) as strict:
            opened = strict.submit(pc.open, tmp_path / "a.msgpack", workers=[one], pure=False)
            moved = strict.submit(doubled, opened, workers=[other], allow_other_workers=False, pure=False)
            assert moved.result(TIMEOUT)["x"].to_numpy()[-1] == 2 * 9999.0
            assert opened.result(TIMEOUT) == pc.open(tmp_path / "a.msgpack")
            sent = strict.scatter(value_of(5000), workers=[one])
            assert strict.submit(doubled, sent, workers=[other], pure=False).result(TIMEOUT)["x"].to_numpy()[1] == 2.0
    finally:
        client.run(allow_pickle)
        allow_pickle()
        polycodec.dask.register(client)


def test_the_family_reaches_workers_that_join_later() -> None:
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0") as made:
        with Client(made, timeout=TIMEOUT) as client:
            polycodec.dask.register(client)
            made.scale(2)
            client.wait_for_workers(2, timeout=TIMEOUT)

            def families() -> bool:
                from distributed.protocol.serialize import families

                return "polycodec" in families

            assert list(client.run(families).values()) == [True, True]


def hostile_headers() -> list[Any]:
    deep: Any = ["plain", 1]
    for _ in range(100):
        deep = ["list", [deep]]
    deepest: Any = ["plain", 1]
    for _ in range(100_000):
        deepest = ["list", [deepest]]
    shapes = [
        *(None, 5, "x", b"x", [], ["value"], ["value", 0], ["value", "0", "1"], ["value", 0, 3], ["value", -1, 2]),
        *(["value", 1, 2], ["value", 0, 0], ["value", 0.0, 2.0], ["value", True, 2], ["value", 0, 1 << 70]),
        *(["plain"], ["plain", [1]], ["plain", {}], ["list"], ["list", 5], ["list", [5]], ["list", None], ["set", []]),
        *(["dict", [["plain", 1]], []], ["dict", 5, 5], ["dict", [["list", []]], [["plain", 1]]], ["dict", [["plain", 1]]]),
        *([None, 1], [["list"], []], {"a": 1}, deep, deepest),
        # One frame again and again.
        ["list", [["value", 0, 2]] * 100_000],
        ["list", [["value", 0, 2], ["value", 0, 2]]],
    ]
    return [{}, {"shape": 5}, *({"shape": shape} for shape in shapes)]


@pytest.mark.parametrize("i", range(len(hostile_headers())))
def test_headers_that_dumps_does_not_write(i: int) -> None:
    from polycodec.dask._serialization import loads

    frames = [memoryview(piece) for piece in value_of(3000).to_frames()]
    with pytest.raises(pc.PolycodecError):
        loads(hostile_headers()[i], frames)
