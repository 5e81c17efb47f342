# SPDX-License-Identifier: MIT
"""Objects of Python, in both directions."""

from __future__ import annotations

import enum
import json
from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polycodec as pc

SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text() | st.binary()
)
OBJECTS = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=30)


@given(OBJECTS)
def test_objects_come_back(thing: Any) -> None:
    assert pc.value(thing).to_python() == thing


TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\$\x7f\x85\n é'), max_size=40)
NUMBERS = st.integers(-(2**63), 2**64 - 1) | st.floats()
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner, max_size=12),
    max_leaves=30,
)


@given(DOCUMENTS)
def test_plain_json_of_documents_is_that_of_other_values(thing: Any) -> None:
    text = pc.value([thing]).to_text(plain=True)
    assert pc.value([[thing], b""]).to_text(plain=True) == f'[{text}, {{"$bytes": ""}}]'
    assert json.loads(pc.value([thing, -1]).to_text(plain=True), strict=False)[1] == -1


def test_plain_json_of_deep_and_repeated_documents() -> None:
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    assert pc.value(deep).to_text(plain=True) == "[" * 200 + "1" + "]" * 200
    assert pc.value({"$a": {"b\n": "c" * 5000}}).to_text(plain=True) == '{"$$a": {"b\\n": "' + "c" * 5000 + '"}}'
    text = pc.encode([{"x": "y" * 50}] * 100, "msgpack-ndarray")
    with pytest.raises(pc.LimitError) as caught:
        pc.decode(text, "msgpack-ndarray", limits={"max_output_bytes": 130}).to_text(plain=True)
    assert caught.value.path == "$[2].x"


def test_many_dicts_with_names_of_their_own() -> None:
    rows: list[Any] = [{f"k{i % 70}": i, "same": {f"{i}": [i]}} for i in range(300)]
    assert pc.value(rows).to_python() == rows
    assert pc.decode(pc.encode(rows, "msgpack-ndarray"), "msgpack-ndarray").to_python() == rows
    with pytest.raises(pc.InvalidError) as caught:
        pc.value([{"a": [0, {"b": 2**130}]}] * 20)
    assert caught.value.path == "$[0].a[1].b"


@given(OBJECTS)
def test_documents_come_back_from_bytes(thing: Any) -> None:
    assert pc.decode(pc.encode(thing, "msgpack-ndarray"), "msgpack-ndarray").to_python() == thing


@given(st.dictionaries(SCALARS.filter(lambda key: key is not None), SCALARS))
def test_maps_with_any_keys(thing: Any) -> None:
    assert pc.value(thing).to_python() == thing


@pytest.mark.parametrize("number", [2**64, 2**127 - 1, -(2**63) - 1, -(2**127), 2**128 - 1])
def test_wide_integers(number: int) -> None:
    assert pc.value(number).to_python() == number


@pytest.mark.parametrize("number", [2**128, -(2**127) - 1, 10**100])
def test_integers_that_are_too_wide(number: int) -> None:
    with pytest.raises(pc.InvalidError, match="128") as caught:
        pc.value({"a": [1, number]})
    assert caught.value.code == "range" and caught.value.path == "$.a[1]"


TIMES = [
    datetime(2020, 1, 2, 3, 4, 5, 678901, UTC),
    datetime(1, 1, 1, tzinfo=UTC),
    date(2020, 2, 29),
    timedelta(days=-3, microseconds=1),
    np.datetime64("2020-01-01T00:00:00.123456789", "ns"),
    np.datetime64("2020-03", "M"),
    np.timedelta64(5, "ns"),
]


@pytest.mark.parametrize("time", TIMES, ids=str)
def test_times(time: Any) -> None:
    assert pc.value(time).to_python() == time
    assert type(pc.value(time).to_python()) is type(time)


def test_time_zones_and_missing_times() -> None:
    local = datetime(2020, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    assert pc.value(local).to_python() == local
    assert pc.value(datetime(2020, 1, 1)).to_python() == datetime(2020, 1, 1)
    assert pc.value({"t": [datetime(2020, 1, 1)]})["t"][0].to_python() == datetime(2020, 1, 1)
    assert np.isnat(pc.value(np.datetime64("NaT", "ns")).to_python())
    assert pc.value(np.array(["2020-01-01", "NaT"], "M8[D]")).to_python()[0] == date(2020, 1, 1)


@dataclass
class Point:
    x: float
    y: Any


class Color(enum.Enum):
    RED = "red"


Pair = namedtuple("Pair", "a b")


class View(Mapping[str, int]):
    def __getitem__(self, key: str) -> int:
        return 1

    def __iter__(self) -> Any:
        return iter("ab")

    def __len__(self) -> int:
        return 2


class Text(str):
    pass


CLASSES = [
    (Point(1.5, [Point(2.0, None)]), {"x": 1.5, "y": [{"x": 2.0, "y": None}]}),
    (Color.RED, "red"),
    (Pair(1, 2), (1, 2)),
    (View(), {"a": 1, "b": 1}),
    (MappingProxyType({"a": 1}), {"a": 1}),
    (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
    (Text("x"), "x"),
    (range(3), [0, 1, 2]),
    (frozenset([1]), [1]),
    (1 + 2j, 1 + 2j),
    (True, True),
]


@pytest.mark.parametrize("thing,plain", CLASSES, ids=lambda item: type(item).__name__)
def test_classes(thing: Any, plain: Any) -> None:
    assert pc.value(thing).to_python() == plain


def test_values_inside_of_objects() -> None:
    inner = pc.decode(pc.encode({"x": np.arange(5000.0)}, "msgpack-ndarray"), "msgpack-ndarray")
    outer = pc.value({"inner": inner, "column": inner["x"], "n": 1})
    del inner
    assert outer["inner"]["x"][4999].to_python() == 4999.0
    assert outer["column"].to_numpy().sum() == 5000 * 4999 / 2
    assert pc.encode(outer, "msgpack-ndarray") == pc.encode(outer.to_python(arrays="numpy"), "msgpack-ndarray")


def test_objects_that_are_no_values() -> None:
    with pytest.raises(TypeError, match="'object'") as caught:
        pc.encode({"a": [object()]}, "msgpack-ndarray")
    assert isinstance(caught.value, pc.MismatchError) and caught.value.path == "$.a[0]"
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(pc.LimitError, match="itself"):
        pc.value(loop)


def test_strings_that_are_not_utf8() -> None:
    lenient = "a\udcffb"
    assert pc.value(lenient).to_python() == lenient


def test_a_list_that_changes_meanwhile() -> None:
    items: list[Any] = [1, 2, 3]

    class Cuts:
        def __array__(self) -> Any:
            items.clear()
            return np.arange(2)

    items.insert(1, Cuts())
    with pytest.raises(pc.InvalidError, match="changed its size"):
        pc.value(items)
