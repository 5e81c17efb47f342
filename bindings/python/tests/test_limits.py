# SPDX-License-Identifier: MIT
"""What walks over values take is bounded by what the values were decoded from."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycodec as pc

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests/torture"))
awkward: Any = importlib.import_module("costly_awkward")


def test_the_display_is_short(tmp_path: Path) -> None:
    path = tmp_path / "dag25.awkd"
    path.write_bytes(awkward.tables(25))
    value = pc.open(path)
    assert "..." in value._repr_html_()
    assert "..." in repr(value)


@pytest.mark.parametrize(
    ("limit", "make"),
    [
        ("max_work", lambda v, limits: v.to_python(limits=limits)),
        ("max_memory_bytes", lambda v, limits: v.to_python(limits=limits)),
    ],
)
def test_limits_of_a_call(limit: str, make: Callable[[pc.Value, dict[str, int]], object]) -> None:
    value = pc.value(list(range(100_000)))
    with pytest.raises(pc.LimitError, match=f"raise {limit} with limits="):
        make(value, {limit: 100_000})
    assert make(value, {limit: 10_000_000}) == list(range(100_000))


def test_limits_are_those_of_the_decoding_call(tmp_path: Path) -> None:
    path = tmp_path / "laugh.awkd"
    path.write_bytes(awkward.lists(3, 15))
    assert len(pc.open(path).to_python()) == 15
    assert len(pc.open(path, limits={"max_memory_bytes": 1 << 22}).to_python()) == 15
    with pytest.raises(pc.LimitError, match="max_memory_bytes"):
        pc.open(path, limits={"max_memory_bytes": 1 << 18}).to_python()
    with pytest.raises(pc.LimitError, match="max_memory_bytes"):
        pc.open(path, limits={"max_memory_bytes": 1 << 18})[0:10].to_python()


def test_large_values_that_are_there_have_no_limit(tmp_path: Path) -> None:
    numbers = np.arange(6_000_000.0)  # 48 MB, whose objects take as much as the base of the limits
    value = pc.decode(pc.encode(numbers, "msgpack-ndarray"), "msgpack-ndarray")
    assert value.to_python()[-1] == numbers[-1]
    assert value.to_numpy(copy=True)[-1] == numbers[-1]
    assert len(value.to_arrow()) == len(value.to_awkward()) == len(numbers)
    texts = pc.value(["a" * 1000 + str(i) for i in range(50_000)])
    again = pc.decode(pc.encode(texts, "msgpack-ndarray"), "msgpack-ndarray")
    assert again.to_python()[-1].endswith("49999")
    assert again.to_numpy(copy=True).shape == (50_000,)


def test_strings_of_unlike_length_do_not_fill_the_memory() -> None:
    texts: list[Any] = ["a" * 1_000_000, *["b"] * 100_000]
    with pytest.raises(pc.LimitError, match="max_memory_bytes"):
        pc.value(texts).to_numpy(copy=True)
